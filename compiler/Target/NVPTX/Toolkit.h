//===- Toolkit.h - Paths of NVIDIA's tools and math library -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/NVPTX.h"

namespace regrain::nvptx {

/// Files outside the project that this target uses; each path is empty if the file was not found.
struct Toolkit {
  std::string ptxas;
  std::string libdevice; ///< NVIDIA's math bitcode
  std::string libclc;    ///< free math bitcode, used if libdevice is missing
};

Toolkit findToolkit(const NVPTXOptions &options);

} // namespace regrain::nvptx
