//===- Races.cpp - Unsynchronised conflicting accesses --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Races.h"

#include "llvm/ADT/Twine.h"

using namespace regrain;

bool RaceDetector::ordered(const Past &past, const ThreadClock &clock) const {
  if (!past.any)
    return true;
  if (past.block != clock.block)
    return !acrossBlocks;
  if (past.thread == clock.thread || past.interval < clock.interval)
    return true;
  return past.thread / clock.lanes == clock.warp() &&
         past.clock <= clock.seen[past.thread % clock.lanes];
}

std::string RaceDetector::describe(const Access &access, const Past &past, bool pastWrote) {
  return ((access.write ? "writes " : "reads ") + llvm::Twine(access.shared ? "shared" : "global") +
          " byte " + llvm::Twine(access.address - access.region) + " of a region of " +
          llvm::Twine(access.size) + ", which thread " + llvm::Twine(past.thread) + " of block " +
          llvm::Twine(past.block) + (pastWrote ? " wrote" : " read") +
          " without a barrier between them")
      .str();
}

std::optional<std::string> RaceDetector::record(const Access &access, const ThreadClock &clock) {
  std::vector<Cell> &row = cells[{access.shared ? clock.block + 1 : 0, access.region}];
  if (row.size() < access.size)
    row.resize(access.size);
  Cell &cell = row[access.address - access.region];
  auto conflicts = [&](const Past &past) {
    return !ordered(past, clock) && !(past.atomic && access.atomic);
  };
  if ((!access.write || access.changes) && conflicts(cell.writer))
    return describe(access, cell.writer, true);
  Past now = {clock.block,   clock.thread, clock.interval, clock.seen[clock.lane()],
              access.atomic, true};
  if (access.write) {
    for (const Past &reader : cell.readers)
      if (conflicts(reader))
        return describe(access, reader, false);
    cell.writer = now;
    return std::nullopt;
  }
  // A thread that is ordered after this one is also ordered after the readers
  // before it.
  for (Past &reader : cell.readers)
    if (ordered(reader, clock)) {
      reader = now;
      break;
    }
  return std::nullopt;
}
