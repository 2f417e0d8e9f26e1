//===- Inputs.h - Reading what a page is made of ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/HtmlReport/Page.h"

namespace regrain::html {

/// The documents, and what could not be read of built files although the rest could.
struct Inputs {
  std::vector<NamedDocument> documents;
  std::vector<std::string> notes;
};

/// Reads JSON, databases of tuning, and built files, whose JSON is made first. The code of a kernel
/// is that of the original and of the grain that the other inputs chose. The error names the file.
[[nodiscard]] OrError<Inputs> readInputs(const std::vector<std::string> &files);

} // namespace regrain::html
