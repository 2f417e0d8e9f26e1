//===- Schemas.h - The documents that a page is made of -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/JsonFile.h"

namespace regrain::html {

/// Checks that the document has a schema and a major version that the page knows, and that all
/// fields that the page reads without asking are there. The error names the field.
[[nodiscard]] OrError<void> checkDocument(const Json &document);

} // namespace regrain::html
