//===- or_error.h - A value or the reason why there is none -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that may not use LLVM returns this type where LLVM's own returns
// llvm::Expected: the runtime, the applications, and what both share with the
// compiler.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace regrain {

/// A value, or one sentence for the user that says why there is none.
template <typename Value> using OrError = tl::expected<Value, std::string>;

} // namespace regrain
