//===- VendorCode.h - What the vendor's compiler makes of it ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/Architecture.h"
#include "runtime/image/or_error.h"
#include <string>
#include <vector>

namespace regrain {

/// The vendor's compiler, and how it is to be called for a source.
struct VendorCompiler {
  std::string nvcc;                   ///< path; empty: there is none
  std::vector<std::string> arguments; ///< all but the source, the chip and the output
  /// Why it cannot translate the source as Regrain does, as one clause; empty if it can.
  std::string obstacle;
};

/// Returns the PTX that nvcc makes of a source. It is killed after `seconds`, if that is not 0. The
/// error is one clause. Any threads may call.
[[nodiscard]] OrError<std::string> vendorPtx(const VendorCompiler &compiler,
                                             const std::string &source, Architecture arch,
                                             unsigned seconds);

} // namespace regrain
