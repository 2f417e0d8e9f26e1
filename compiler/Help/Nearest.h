//===- Nearest.h - The name that was probably meant -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regrain::help {

/// Returns "; did you mean 'NAME'?" for the nearest of the names, or nothing if none is similar.
std::string didYouMean(std::string_view written, const std::vector<std::string> &names);

} // namespace regrain::help
