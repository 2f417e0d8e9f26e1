//===- ReadCode.h - Read the code in an image -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/FileReport.h"

#include <map>

namespace regrain::report {

struct CodeRequest {
  std::optional<Form> form; ///< none: the first of `forms` that the file has
  std::string arch;         ///< empty: the first that the image has in this form
  std::string alternative;  ///< id; empty: the chosen one, or else the first that has code
  /// The ids for kernels of these hashes, in place of `alternative`.
  std::map<std::string, std::string> alternativeOf = {};
};

/// Fills in the code of the kernels in the report. `images` are those of which it was made. Fails
/// if no kernel has what is asked for, or the code cannot be read.
[[nodiscard]] OrError<void> readCode(FileReport &report, const std::vector<EmbeddedImage> &images,
                                     const CodeRequest &request);

} // namespace regrain::report
