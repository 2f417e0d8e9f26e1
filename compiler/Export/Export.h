//===- Export.h - Grain IR to device LLVM IR --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/DynamicShared.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Import/Import.h"
#include "llvm/IR/LLVMContext.h"

namespace regrain {

/// How an exported kernel reads the dynamic shared bytes of its launch; LLVM 19
/// has no intrinsic for that register. Constraints are "=r", the result an i32.
inline constexpr llvm::StringLiteral dynamicSharedBytesAssembly = "mov.u32 $0, %dynamic_smem_size;";

/// Lowers `kernel` (which may lie in a clone of imported.module()) to a device
/// module of its own, in `context`, for nvptx64, not yet optimised:
///   - one kernel, named `symbol`, with nvvm annotations; launch bounds are the
///     original's, scaled as the launched block is, or those of the grain;
///   - block and thread loops become ctaid and tid; grid_size becomes nctaid
///     where no block factor exceeds 1, else three i32 parameters appended to
///     the kernel's own hold the program's grid size (x, y, z), and, where the
///     nest has a shape, three more the program's block size; a nest for the
///     remainder takes the grid size, too, and three more for its first block;
///   - scratch memory lies behind a pointer appended before those parameters, at
///     scratchBytes for each launched block;
///   - shared allocations become internal globals of address space 3; dynamic
///     shared memory one external array, and copies of it lie
///     (dynamic bytes of the launch / copies) apart;
///   - device functions that the kernel reaches are definitions with internal
///     linkage; module variables are external declarations;
///   - what Import parked is restored: inline assembly, intrinsics, attributes,
///     loop hints, module flags, debug locations.
llvm::Expected<std::unique_ptr<llvm::Module>> exportKernel(grain::KernelOp kernel,
                                                           const ImportedModule &imported,
                                                           llvm::StringRef symbol,
                                                           llvm::LLVMContext &context);

} // namespace regrain
