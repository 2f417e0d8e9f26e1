//===- AddressSpaces.h - Where address spaces lie in one --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a thread reaches has one flat address. On nvptx64 a pointer of
// any address space is that address. On amdgcn pointers to shared memory (3) and
// to a thread's own (5) are 32-bit offsets into apertures of 4 GiB of the flat
// space, and their null is all ones (AMDGPUUsage, "Address Spaces").
//
// On hardware the private aperture is at one address for all lanes. Here each
// thread has its own, so that a pointer that is handed to another thread meets
// nothing instead of that thread's memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <cstdint>
#include <optional>

namespace regrain {

/// Where local memory starts, and how far the threads are apart.
inline constexpr uint64_t localWindow = 0x0001'0000'0000'0000, localStride = 0x1'0000'0000;

class AddressSpaces {
public:
  explicit AddressSpaces(const llvm::Module &module)
      : segmented(llvm::StringRef(module.getTargetTriple()).starts_with("amdgcn")) {}

  /// Whether the module is one for amdgcn.
  bool areSegmented() const { return segmented; }

  /// The flat address of a pointer; `own` is any of the thread's local memory.
  uint64_t flat(unsigned space, uint64_t pointer, uint64_t own) const;

  /// The pointer of `space` to a flat address; none where that is not in it.
  std::optional<uint64_t> pointer(unsigned space, uint64_t flat, uint64_t own) const;

  bool isShared(uint64_t flat) const {
    return flat >= sharedBase() + firstShared() && flat < sharedBase() + sharedEnd();
  }
  static bool isLocal(uint64_t flat) { return flat >= localWindow; }

  /// What a pointer to shared memory is an offset from.
  uint64_t sharedBase() const { return segmented ? aperture : 0; }
  /// The pointer to the first byte that shared variables may take.
  uint64_t firstShared() const { return segmented ? 0 : 0x0100'0000; }

private:
  uint64_t sharedEnd() const { return segmented ? localStride : 0x0800'0000; }

  static constexpr uint64_t aperture = 0x2000'0000'0000;
  bool segmented;
};

} // namespace regrain
