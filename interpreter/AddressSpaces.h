//===- AddressSpaces.h - Address spaces in flat memory ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a thread can access has one flat address. Pointers to a
// thread's own memory (5), and on amdgcn pointers to shared memory (3), are 32-bit
// offsets into apertures of 4 GiB of the flat space, and their null is all ones
// (AMDGPUUsage, "Address Spaces"). On nvptx64, a pointer of any other space is the
// flat address.
//
// On hardware the private aperture is at one address for all lanes. Here each
// thread has its own, so that a pointer passed to another thread reaches no
// memory instead of that thread's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <cstdint>
#include <optional>

namespace regrain {

/// The address at which local memory starts, and the distance of the threads.
inline constexpr uint64_t localWindow = 0x0001'0000'0000'0000, localStride = 0x1'0000'0000;

class AddressSpaces {
public:
  explicit AddressSpaces(const llvm::Module &module)
      : segmented(llvm::StringRef(module.getTargetTriple()).starts_with("amdgcn")) {}

  /// Returns whether the module is for amdgcn.
  bool areSegmented() const { return segmented; }

  /// Returns the flat address of a pointer; `own` is any address in the
  /// thread's local memory.
  uint64_t flat(unsigned space, uint64_t pointer, uint64_t own) const;

  /// Returns the pointer of `space` to a flat address; nothing if the address
  /// is not in the space.
  std::optional<uint64_t> pointer(unsigned space, uint64_t flat, uint64_t own) const;

  bool isShared(uint64_t flat) const {
    return flat >= sharedBase() + firstShared() && flat < sharedBase() + sharedEnd();
  }
  static bool isLocal(uint64_t flat) { return flat >= localWindow; }

  /// Returns the address to which a pointer to shared memory is an offset.
  uint64_t sharedBase() const { return segmented ? aperture : 0; }
  /// Returns the pointer to the first byte that shared variables may use.
  uint64_t firstShared() const { return segmented ? 0 : 0x0100'0000; }

private:
  bool isSegment(unsigned space) const;
  uint64_t sharedEnd() const { return segmented ? localStride : 0x0800'0000; }

  static constexpr uint64_t aperture = 0x2000'0000'0000;
  bool segmented;
};

} // namespace regrain
