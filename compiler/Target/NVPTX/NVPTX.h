//===- NVPTX.h - The back end for NVIDIA GPUs -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target "ptx" produces PTX text for sm_70 and newer, "compute_NN" PTX text for sm_NN and
// newer, and "sm_NN" a cubin for one chip. As LLVM IR, a module is what instructions are selected
// for.
//
// The base module's code is what clang -O3 makes of the same source: device math is linked as clang
// links it, and the pipeline and the code generator run with clang's settings. PTX has the lowest
// version number that its instructions allow, so that old drivers accept it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CodeStage.h"
#include "compiler/Target/Target.h"

namespace regrain {

class TargetFamily;

/// Returns the family of "ptx", "compute_90" and "sm_90".
const TargetFamily &nvptxFamily();

struct NVPTXOptions {
  /// The root of the CUDA toolkit; if it is empty, toolkitRoots (CudaToolkit.h) are searched.
  std::string toolkit;
  bool useToolkit = true;
  /// The folder of libclc's bitcode, which replaces libdevice if there is no toolkit; if it is
  /// empty, the usual folders are searched.
  std::string libclc;
  unsigned ptxasSeconds = 300;     ///< after this time ptxas is killed
  CodeForm form = CodeForm::Image; ///< of the modules; IR stands in the place of PTX or a cubin
};

/// Creates the target `name`: "ptx", "compute_90", "sm_90", "sm_90a". Fails if the name is none of
/// these, or if a cubin is asked for and ptxas is not found or does not know the architecture.
llvm::Expected<std::unique_ptr<Target>> createNVPTXTarget(llvm::StringRef name,
                                                          const NVPTXOptions &options = {});

} // namespace regrain
