//===- Repeat.cpp - Output of a restarted program -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Repeat.h"

#include <algorithm>
#include <array>

namespace regrain::tune {

std::string_view Repeat::unseen(std::string_view bytes) {
  std::array<char, 4096> before;
  while (!bytes.empty() && isShort()) {
    size_t count = kept.read(position, before.data(), std::min(bytes.size(), before.size()));
    size_t equal = static_cast<size_t>(
        std::mismatch(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count), before.begin())
            .first -
        bytes.begin());
    position += equal;
    bytes.remove_prefix(equal);
    if (equal == count && count > 0)
      continue;
    differs = true;
    kept.truncate(position);
  }
  kept.append(bytes);
  position += bytes.size();
  return bytes;
}

} // namespace regrain::tune
