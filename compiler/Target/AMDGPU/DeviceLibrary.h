//===- DeviceLibrary.h - Device functions and OCML --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace regrain::amdgpu {

/// On functions of ROCm's library that allocate, print and the like.
constexpr llvm::StringLiteral systemAttribute = "regrain-system";

/// On our own functions, which stand for what NVIDIA's machine does in an instruction or
/// libdevice in a function.
constexpr llvm::StringLiteral ownAttribute = "regrain-own";

/// The folder with ROCm's device libraries: `given`, or else the first of the
/// usual ones that has ocml.bc. The error says where was looked.
llvm::Expected<std::string> findDeviceLibraries(llvm::StringRef given);

struct LibrarySettings {
  std::string folder; ///< of ROCm's device libraries
  unsigned codeObjectVersion = 5;
  bool flushToZero = false; ///< of single precision
};

/// Links what `module` needs of our own device functions (the folder Library), which
/// stand for libdevice's, and of ROCm's libraries behind them. The constants by which
/// those ask for the chip are defined here, since ROCm ships none for newer chips.
/// What nobody has stays undeclared.
llvm::Error linkDeviceLibrary(llvm::Module &module, const Chip &chip,
                              const LibrarySettings &settings);

} // namespace regrain::amdgpu
