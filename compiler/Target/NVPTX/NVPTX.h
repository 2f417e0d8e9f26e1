//===- NVPTX.h - The back end for NVIDIA GPUs -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "ptx" gives PTX text for sm_70 and newer, "compute_NN" for sm_NN and newer,
// "sm_NN" a cubin for one chip.
//
// The base module's code is what clang -O3 makes of the same source: device
// math is linked as clang links it, the pipeline and the code generator run
// with clang's settings. PTX carries the lowest version number that its
// instructions allow, so that old drivers accept it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain {

struct NVPTXOptions {
  /// Root of the CUDA toolkit; empty: CUDA_PATH, CUDA_HOME, the usual folders
  /// and the folder of nvcc are searched.
  std::string toolkit;
  bool useToolkit = true;
  /// Folder of libclc's bitcode, which stands in for libdevice where there is
  /// no toolkit; empty: the usual folders.
  std::string libclc;
  unsigned ptxasSeconds = 300; ///< after which ptxas is ended
};

/// Makes the target `name`: "ptx", "compute_90", "sm_90", "sm_90a". An error
/// where the name is none of these, or a cubin is asked for and no ptxas is found.
llvm::Expected<std::unique_ptr<Target>> createNVPTXTarget(llvm::StringRef name,
                                                          const NVPTXOptions &options = {});

} // namespace regrain
