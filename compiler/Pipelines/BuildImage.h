//===- BuildImage.h - Device code to an image -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the device side of one translation unit to the image that the host
// object carries: originals and alternatives, for every target asked for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/ImageOptions.h"

namespace regrain {

/// Compiles everything and packs it. Warnings, and remarks as Remarks.h says, go
/// to stderr. With no targets the grains are made and no back end runs. Fails
/// where a SPEC is malformed, or a target that was named cannot be served.
llvm::Expected<std::vector<char>> buildImage(llvm::ArrayRef<ArchedDevice> devices,
                                             const ImageOptions &options);

/// What --emit shows. Grain prints each kernel with the alternatives asked for.
enum class Stage { LLVM, Grain, PTX, Assembly, Cubin, AMDGCN, Hsaco };

/// The text (or machine code) of one stage. PTX and cubin are of the first NVIDIA
/// target, AMDGCN (LLVM IR as the code generator takes it) and Hsaco of the first of
/// AMD's, assembly of the first that is the CPU or one of AMD's, with the grain that
/// --coarsen asks for. An error where no target has the stage.
llvm::Expected<std::vector<char>> emitStage(llvm::ArrayRef<ArchedDevice> devices,
                                            const ImageOptions &options, Stage stage);

} // namespace regrain
