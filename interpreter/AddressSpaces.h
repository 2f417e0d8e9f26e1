//===- AddressSpaces.h - Address spaces in flat memory ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a thread can access has one flat address. Pointers to a
// thread's own memory (5) and to shared memory (3) are offsets into apertures of 4 GiB
// of the flat space. On amdgcn they have 32 bits, and their null is all ones
// (AMDGPUUsage, "Address Spaces"). On nvptx64 they have no null: 0 is the address of the
// first object, and a flat null becomes 0, which is one of the values that hardware may
// give. Pointers to constant memory (4) are such offsets on nvptx64, too. A pointer of any
// other space is the flat address.
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
/// The first address of the grid's memory, which is also that of constant memory.
inline constexpr uint64_t gridWindow = 0x7000'0000'0000;

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

  static bool isShared(uint64_t flat) { return flat >= aperture && flat < aperture + localStride; }
  static bool isLocal(uint64_t flat) { return flat >= localWindow; }
  static bool isOfGrid(uint64_t flat) { return !isShared(flat) && !isLocal(flat); }

  /// Returns the address to which a pointer to shared memory is an offset.
  static uint64_t sharedBase() { return aperture; }

private:
  /// Returns the address to which pointers of the space are offsets; nothing for flat ones.
  std::optional<uint64_t> baseOf(unsigned space, uint64_t own) const;

  static constexpr uint64_t aperture = 0x2000'0000'0000;
  bool segmented;
};

} // namespace regrain
