//===- AddressSpaces.h - Address spaces of device LLVM IR -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// The address spaces of pointers in device LLVM IR and in grain IR. nvptx64 and amdgcn give these
/// memories the same numbers (NVPTX and AMDGPU usage, "Address Spaces").
enum AddressSpace : unsigned {
  genericSpace = 0, ///< any of the others; "flat" on amdgcn
  globalSpace = 1,
  sharedSpace = 3, ///< the memory of a block; "local" on amdgcn
  constantSpace = 4,
  localSpace = 5, ///< the memory of a thread; "private" on amdgcn
};

} // namespace regrain
