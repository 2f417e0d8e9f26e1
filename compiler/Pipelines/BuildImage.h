//===- BuildImage.h - Device code to an image -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the image that the host object carries from the device side of one translation unit:
// originals and alternatives for every target that was asked for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/ImageOptions.h"

namespace regrain {

/// Compiles everything and packs it. Warnings, and remarks as in Remarks.h, go to stderr. Without
/// targets the kernels are transformed but no back end runs. Fails if a SPEC is malformed, or a
/// target that was named lacks code for a kernel.
llvm::Expected<std::vector<char>> buildImage(llvm::ArrayRef<ArchedDevice> devices,
                                             const ImageOptions &options);

/// What --emit shows. Grain prints each kernel with the alternatives that were asked for.
enum class Stage { LLVM, Grain, PTX, Assembly, Cubin, AMDGCN, Hsaco };

/// Returns the text (or machine code) of one stage, at the grain that --coarsen asks for. PTX and
/// cubin are those of the first NVIDIA target, AMDGCN (the LLVM IR that the code generator
/// receives) and Hsaco those of the first AMD target, and assembly that of the first target that is
/// the CPU or an AMD GPU. It is an error if no target has the stage.
llvm::Expected<std::vector<char>> emitStage(llvm::ArrayRef<ArchedDevice> devices,
                                            const ImageOptions &options, Stage stage);

} // namespace regrain
