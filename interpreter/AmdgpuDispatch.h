//===- AmdgpuDispatch.h - Inputs of a kernel of amdgcn ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs are the kernel argument segment followed by the implicit arguments,
// the dispatch packet and the queue, as AMDGPUUsage and the HSA runtime's
// specification define them: code object version 4 (and older), or 5 and later,
// as the module's flag says. Pointers to services of the host (printf, malloc)
// are null.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Interpreter.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace regrain {

class AmdgpuDispatch {
public:
  /// Places everything in `memory` until the dispatch ends. The launch's arguments
  /// must fit the kernel's parameters.
  AmdgpuDispatch(const llvm::Function &kernel, const KernelLaunch &launch, uint64_t staticShared,
                 DeviceMemory &memory);
  AmdgpuDispatch(const AmdgpuDispatch &) = delete;
  ~AmdgpuDispatch();

  uint64_t arguments() const { return argumentSegment; }
  uint64_t implicitArguments() const { return argumentSegment + implicitOffset; }
  uint64_t packet() const { return packetAddress; }
  uint64_t queue() const { return queueAddress; }
  /// Returns the address of a parameter's bytes.
  uint64_t argument(unsigned number) const { return argumentSegment + offsets[number]; }

private:
  DeviceMemory &memory;
  llvm::SmallVector<uint64_t> offsets;
  uint64_t implicitOffset = 0;
  uint64_t argumentSegment = 0, packetAddress = 0, queueAddress = 0;
};

/// Returns the maximum of threads of a block that the kernel's attributes
/// allow.
uint64_t mostThreads(const llvm::Function &kernel);

/// Returns the number of lanes of a wave of the processor for which the kernel
/// is compiled; 0 if its attributes do not tell.
uint32_t waveSizeOf(const llvm::Function &kernel);

} // namespace regrain
