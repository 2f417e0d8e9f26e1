//===- Nearest.cpp - The name that was probably meant ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/Nearest.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace regrain::help {

std::string didYouMean(std::string_view written, const std::vector<std::string> &names) {
  // Of a short name, most letters must agree.
  unsigned least = std::min<unsigned>(2, written.size() / 3) + 1;
  const std::string *nearest = nullptr;
  for (const std::string &name : names) {
    unsigned distance =
        llvm::StringRef(written).edit_distance(name, /*AllowReplacements=*/true, least);
    if (distance < least) {
      least = distance;
      nearest = &name;
    }
  }
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

} // namespace regrain::help
