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

/// The inline assembly by which an exported kernel reads the dynamic shared bytes of its launch;
/// LLVM 19 has no intrinsic for that register. The constraints are "=r", the result is an i32.
inline constexpr llvm::StringLiteral dynamicSharedBytesAssembly = "mov.u32 $0, %dynamic_smem_size;";

/// Lowers `kernel` (which may lie in a clone of imported.module()) to a device module of its own in
/// `context`, for nvptx64 and not yet optimised:
/// - There is one kernel, named `symbol`, with nvvm annotations. Its launch bounds are the
///   original's, scaled like the launched block, or those of the grain.
/// - Block and thread loops become ctaid and tid. grid_size becomes nctaid if no block factor
///   exceeds 1. Otherwise three i32 parameters that hold the program's grid size (x, y, z) are
///   appended to the kernel's own, and, if the nest has a shape, three more for the program's block
///   size. A nest for the remainder also takes the grid size, and three more parameters for its
///   first block.
/// - Lent memory lies behind a pointer parameter, appended before those, at lentBytes for
///   each launched block.
/// - Shared allocations become internal globals of address space 3. Dynamic shared memory becomes
///   one external array, whose copies lie (dynamic bytes of the launch / copies) apart.
/// - Device functions that the kernel reaches are definitions with internal linkage; module
///   variables are external declarations.
/// - What Import parked is restored: inline assembly, intrinsics, attributes, loop hints, module
///   flags, debug locations.
llvm::Expected<std::unique_ptr<llvm::Module>> exportKernel(grain::KernelOp kernel,
                                                           const ImportedModule &imported,
                                                           llvm::StringRef symbol,
                                                           llvm::LLVMContext &context);

} // namespace regrain
