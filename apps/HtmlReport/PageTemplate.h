//===- PageTemplate.h - The page that the build has made ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string_view>

namespace regrain::html {

/// The page without its data; empty if the build had no esbuild (WritePage.cmake).
[[nodiscard]] std::string_view pageTemplate();

} // namespace regrain::html
