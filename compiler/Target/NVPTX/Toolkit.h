//===- Toolkit.h - Where NVIDIA's tools and math library lie ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/NVPTX.h"

namespace regrain::nvptx {

/// Files outside the project that this target uses; each is empty where it was
/// not found.
struct Toolkit {
  std::string ptxas;
  std::string libdevice; ///< NVIDIA's math bitcode
  std::string libclc;    ///< free math bitcode, used where libdevice is missing
};

Toolkit findToolkit(const NVPTXOptions &options);

} // namespace regrain::nvptx
