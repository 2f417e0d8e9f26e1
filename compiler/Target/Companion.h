//===- Companion.h - Kernels of another compiler ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <vector>

namespace regrain {

/// A kernel as another compiler translated it.
struct CompanionKernel {
  std::string symbol;   ///< its name in the base module
  std::string original; ///< the kernel in the program
};

/// PTX that another compiler made of the same source, to be assembled together with the base
/// module: it refers to the base module's variables by their names.
struct CompanionCode {
  /// The declaration of a function that the driver provides. The base module may have it as well.
  struct External {
    std::string name, text;
  };

  unsigned version = 0; ///< of the PTX: 90 for 9.0
  std::vector<External> externals;
  std::string text; ///< definitions
  std::vector<CompanionKernel> kernels;
};

} // namespace regrain
