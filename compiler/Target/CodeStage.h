//===- CodeStage.h - The forms in which a target writes code ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace regrain {

/// The form of a target's modules.
enum class CodeForm : uint8_t {
  Image,    ///< what an image contains and a runtime loads
  IR,       ///< LLVM IR as the code generator receives it, as text
  Assembly, ///< assembly text
};

/// A stage of code that --emit shows.
struct CodeStage {
  llvm::StringRef name;    ///< as in --emit=
  llvm::StringRef example; ///< a target that has the stage
  CodeForm form = CodeForm::Image;
  bool isBinary = false; ///< machine code, of which one file contains one module
};

} // namespace regrain
