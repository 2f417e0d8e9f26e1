//===- KernelTexts.h - The kernels of a PTX module --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas translates each kernel by itself, so kernels of several texts of one module may stand
// together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>

namespace regrain::nvptx {

/// Returns `ptx` without the kernels that are not in `kept`, unless something names them. Nothing
/// if the text has a form that is not known.
[[nodiscard]] std::optional<std::string> onlyKernels(llvm::StringRef ptx,
                                                     const llvm::StringSet<> &kept);

/// Returns `ptx` with the kernels in `symbols` as they are in `other`. Nothing if the two texts
/// differ in anything but the code of kernels, or have a form that is not known.
[[nodiscard]] std::optional<std::string> withKernelsOf(llvm::StringRef ptx, llvm::StringRef other,
                                                       const llvm::StringSet<> &symbols);

/// Returns `ptx` with a limit of registers for each kernel that `limits` names by its symbol.
/// Kernels that bound their registers or their resident blocks themselves stay as they are. Nothing
/// if the text has a form that is not known.
[[nodiscard]] std::optional<std::string>
withRegisterLimits(llvm::StringRef ptx, const llvm::StringMap<unsigned> &limits);

} // namespace regrain::nvptx
