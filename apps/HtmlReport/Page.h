//===- Page.h - The page around the documents ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/JsonFile.h"

#include <string>
#include <vector>

namespace regrain::html {

struct NamedDocument {
  std::string name; ///< of the file that it came from
  Json document;
};

/// Returns why this Regrain cannot make pages; empty if it can.
[[nodiscard]] std::string whyWithoutPages();

/// Returns the page that shows the documents.
[[nodiscard]] std::string makePage(const std::string &producer,
                                   const std::vector<NamedDocument> &documents);

} // namespace regrain::html
