//===- Cache.cpp - A cache of lines that evicts the oldest ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/amd/footprint/Cache.h"

#include <algorithm>

namespace regrain::footprint {

void Cache::touch(uint64_t line, Touch how) {
  ++time;
  Slot *begin = slots.data() + line % sets * ways, *end = begin + ways, *oldest = begin;
  for (Slot *slot = begin; slot != end; ++slot) {
    if (slot->line == line) {
      slot->time = time;
      slot->isDirty |= how != Touch::Load;
      return;
    }
    if (slot->time < oldest->time)
      oldest = slot;
  }
  if (how == Touch::StorePast) {
    ++written;
    return;
  }
  fetched += how == Touch::Load;
  written += oldest->isDirty;
  *oldest = {line, time, how == Touch::Store};
}

uint64_t Cache::writtenLines() const {
  return written +
         std::count_if(slots.begin(), slots.end(), [](const Slot &s) { return s.isDirty; });
}

} // namespace regrain::footprint
