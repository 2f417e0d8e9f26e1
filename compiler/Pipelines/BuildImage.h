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
#include "compiler/Target/CodeStage.h"
#include <variant>

namespace regrain {

class CompileObserver;

/// Compiles everything and packs it. `observer` hears how far that is; it may be null. Warnings,
/// and remarks as in Remarks.h, go to stderr. Without targets the kernels are transformed but no
/// back end runs. Fails if a SPEC is malformed, or a target that was named lacks code for a kernel.
llvm::Expected<std::vector<char>> buildImage(llvm::ArrayRef<ArchedDevice> devices,
                                             const ImageOptions &options,
                                             CompileObserver *observer = nullptr);

struct LLVMStage {};  ///< the device modules as clang emits them
struct GrainStage {}; ///< each kernel in grain IR, with the alternatives that were asked for
struct ImageStage {}; ///< the image of all targets

/// What is shown: one of these, or a stage of a target's code (Registry.h, findStage).
using Stage = std::variant<LLVMStage, GrainStage, ImageStage, CodeStage>;

/// Returns the text (or machine code) of one stage, at the grain that --coarsen asks for. Code is
/// that of the first target that has the stage. It is an error if no target has it.
llvm::Expected<std::vector<char>> emitStage(llvm::ArrayRef<ArchedDevice> devices,
                                            const ImageOptions &options, const Stage &stage);

} // namespace regrain
