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

/// Marks functions of ROCm's library that allocate, print and so on.
constexpr llvm::StringLiteral systemAttribute = "regrain-system";

/// Marks our own functions, which implement an instruction of NVIDIA's hardware or a function of
/// libdevice.
constexpr llvm::StringLiteral ownAttribute = "regrain-own";

/// Returns the folder with ROCm's device libraries: `given`, or else the first of the usual ones
/// that contains ocml.bc. The error names the folders that were searched.
llvm::Expected<std::string> findDeviceLibraries(llvm::StringRef given);

struct LibrarySettings {
  std::string folder; ///< of ROCm's device libraries
  unsigned codeObjectVersion = 5;
  bool flushToZero = false; ///< in single precision
};

/// Links what `module` needs of our own device functions (the folder Library), which implement
/// libdevice's, and of ROCm's libraries that these use. The constants that tell those libraries the
/// chip are defined here, since ROCm ships none for newer chips. A function that no library has
/// stays a declaration.
llvm::Error linkDeviceLibrary(llvm::Module &module, const Chip &chip,
                              const LibrarySettings &settings);

} // namespace regrain::amdgpu
