//===- TouchedLines.cpp - What a block loads of a tile --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/TouchedLines.h"

#include "runtime/image/launch_limits.h"
#include "llvm/ADT/BitVector.h"

using namespace llvm;
using namespace regrain;

/// Copies of fewer bytes are slower than threads that copy 16 bytes each: the unit that makes them
/// takes about as long for a short one.
static constexpr int64_t leastBulk = 256;

/// Returns the runs of elements that are set.
static SmallVector<Run> runsOf(const BitVector &elements) {
  SmallVector<Run> runs;
  for (int first = elements.find_first(); first != -1;) {
    int end = elements.find_next_unset(first);
    runs.push_back({first, (end == -1 ? int64_t(elements.size()) : end) - 1});
    first = end == -1 ? -1 : elements.find_next(end);
  }
  return runs;
}

std::vector<TouchedLines> regrain::touchedLines(const Tile &tile, const TilePlace &block) {
  std::vector<TouchedLines> lines;
  std::vector<BitVector> touched;
  for (const TileLoad &load : tile.loads) {
    TilePlace row = load.first;
    row[tile.line] = 0;
    auto own = find_if(lines, [&](const TouchedLines &line) { return line.row == row; });
    size_t index = own - lines.begin();
    if (own == lines.end()) {
      lines.push_back({row, {}});
      touched.emplace_back(tile.extent[tile.line]);
    }
    for (int64_t thread = 0; thread < block[tile.line]; ++thread)
      touched[index].set(thread * tile.step + load.first[tile.line]);
  }
  for (auto [line, elements] : zip(lines, touched))
    line.runs = runsOf(elements);
  return lines;
}

/// Returns the longest run of elements that are touched in all lines.
static Run commonRun(const Tile &tile, const TilePlace &block) {
  BitVector common(tile.extent[tile.line], true);
  for (const TouchedLines &line : touchedLines(tile, block)) {
    BitVector own(tile.extent[tile.line]);
    for (const Run &run : line.runs)
      own.set(run.first, run.last + 1);
    common &= own;
  }
  Run longest = {0, -1};
  for (const Run &run : runsOf(common))
    if (run.length() > longest.length())
      longest = run;
  return longest;
}

std::optional<StringRef> regrain::chooseBulk(Tile &tile, const TilePlace &block) {
  int64_t perAccess = widestAccess / tile.bytes;
  bool isAligned = tile.isAligned || tile.alignment() == widestAccess;
  if (!isAligned || widestAccess % tile.bytes != 0)
    return "its rows are not known to begin at multiples of 16 bytes, as for.pointers=16 and "
           "for.argN=4n say";
  Run run = commonRun(tile, block);
  run.first = alignTo(tile.shift + run.first, perAccess) - tile.shift;
  run.last = int64_t(alignDown(tile.shift + run.last + 1, perAccess)) - tile.shift - 1;
  if (run.length() * tile.bytes < leastBulk)
    return "its rows have fewer than 256 bytes in common";
  tile.bulk = run;
  if (tile.line == stepDimension) // such rows are apart for the sake of banks
    return std::nullopt;
  // Otherwise, each line of memory that is read would be parts of two lines that are written.
  auto constant = tile.start.terms.find({});
  int64_t start = constant == tile.start.terms.end() ? 0 : constant->second;
  tile.shift = (start & (memoryLine - 1)) / tile.bytes;
  tile.pitch = alignTo(tile.shift + tile.extent[tile.line], memoryLine / tile.bytes);
  return std::nullopt;
}
