//===- Tiles.cpp - Which loads read from one tile -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/Tiles.h"

#include "runtime/image/launch_limits.h"
#include "llvm/ADT/Sequence.h"
#include <cstdlib>

using namespace mlir;
using namespace regrain;

/// Threads farther apart share little of a line.
static constexpr int64_t mostStep = 8;

/// Loads whose places are farther apart do not read from one tile.
static constexpr int64_t mostApart = 128;

int64_t Tile::slotOf(const TilePlace &place) const {
  int64_t row = 0;
  for (unsigned dimension : llvm::reverse(order()))
    if (dimension != line)
      row = row * extent[dimension] + place[dimension];
  return row * pitch + shift + place[line];
}

std::array<unsigned, tileDimensions> Tile::order() const {
  std::array<unsigned, tileDimensions> dimensions = {line};
  unsigned next = 1;
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (dimension != line)
      dimensions[next++] = dimension;
  return dimensions;
}

int64_t Tile::widePerLine() const {
  return llvm::divideCeil((shift + extent[line]) * bytes, int64_t(widestAccess));
}

Type Tile::copiedType() const {
  Type type = LLVM::LoadOp(loads.front().load).getType();
  return isa<VectorType>(type) ? type : IntegerType::get(type.getContext(), bytes * 8);
}

unsigned Tile::alignment() const {
  auto least = unsigned(bytes);
  for (const TileLoad &load : loads)
    least = std::min<unsigned>(least, LLVM::LoadOp(load.load).getAlignment().value_or(bytes));
  return least;
}

namespace {

/// An address, split into strides of the coordinates and a rest that is the same for all threads.
struct Split {
  std::array<Polynomial, tileDimensions> strides;
  Polynomial rest;
  TilePlace rows = {}; ///< the multiples of strides that were taken out of the rest
  int64_t bytes = 0;   ///< the constant that was taken out of the rest
};

bool isConstant(const Polynomial &polynomial) {
  return polynomial.terms.size() == 1 && polynomial.terms.begin()->first.empty();
}

int64_t constantOf(const Polynomial &polynomial) {
  auto found = polynomial.terms.find({});
  return found == polynomial.terms.end() ? 0 : found->second;
}

/// Returns nothing if coordinates are multiplied with each other.
std::optional<Split> splitAddress(const Polynomial &bytes, const LoadAddresses &addresses) {
  Split split;
  for (const auto &[monomial, factor] : bytes.terms) {
    Polynomial part;
    std::optional<unsigned> dimension;
    Monomial others;
    for (unsigned symbol : monomial) {
      std::optional<unsigned> own = addresses.dimensionOf(symbol);
      if (own && dimension)
        return std::nullopt;
      if (own)
        dimension = own;
      else
        others.push_back(symbol);
    }
    part.terms[others] = factor;
    (dimension ? split.strides[*dimension] : split.rest).add(1, part);
  }
  return split;
}

/// Takes the multiples of strides that are no constants out of the rest, longest products first,
/// and then the constant.
void takeRows(Split &split) {
  auto degreeOf = [&](unsigned dimension) {
    size_t degree = 0;
    for (const auto &[monomial, factor] : split.strides[dimension].terms)
      degree = std::max(degree, monomial.size());
    return degree;
  };
  SmallVector<unsigned> order = {0, 1, 2, stepDimension};
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(degreeOf(b), a) < std::pair(degreeOf(a), b);
  });
  for (unsigned dimension : order) {
    const Polynomial &stride = split.strides[dimension];
    if (degreeOf(dimension) == 0)
      continue;
    const auto &[pivot, factor] = *llvm::find_if(
        stride.terms, [&](const auto &term) { return term.first.size() == degreeOf(dimension); });
    auto own = split.rest.terms.find(pivot);
    if (own == split.rest.terms.end() || own->second == INT64_MIN || own->second % factor != 0)
      continue;
    int64_t rows = own->second / factor;
    if (std::abs(rows) > INT32_MAX)
      continue;
    split.rows[dimension] = rows;
    split.rest.add(-split.rows[dimension], stride);
  }
  split.bytes = constantOf(split.rest);
  split.rest.terms.erase(Monomial());
}

/// Determines the line of a tile. Returns false if there is none.
bool findLine(Tile &tile, const TilePlace &block) {
  bool isFound = false;
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension) {
    int64_t stride = constantOf(tile.strides[dimension]);
    if (block[dimension] == 1 || !isConstant(tile.strides[dimension]) || stride <= 0 ||
        stride % tile.bytes != 0 || stride / tile.bytes > mostStep ||
        (isFound && stride / tile.bytes >= tile.step))
      continue;
    tile.line = dimension;
    tile.step = stride / tile.bytes;
    isFound = true;
  }
  return isFound;
}

/// Collects the loads of one tile.
class TileMaker {
public:
  TileMaker(Tile tile, Split first) : tile(std::move(tile)), origin(std::move(first)) {}

  bool add(const StageableLoad &candidate, const Split &split);
  Tile finish(const TilePlace &block) &&;

private:
  bool isNear(const TilePlace &first) const;

  Tile tile;
  Split origin;
};

bool TileMaker::isNear(const TilePlace &first) const {
  if (tile.loads.empty())
    return true;
  const TilePlace &other = tile.loads.front().first;
  return llvm::all_of(llvm::seq(tileDimensions), [&](unsigned dimension) {
    return first[dimension] >= other[dimension] - mostApart &&
           first[dimension] <= other[dimension] + mostApart;
  });
}

/// Adds a load if it has a place in the tile.
bool TileMaker::add(const StageableLoad &candidate, const Split &split) {
  if (candidate.address.base != tile.base || candidate.bytes != tile.bytes ||
      split.rest.terms != origin.rest.terms)
    return false;
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (split.strides[dimension].terms != tile.strides[dimension].terms)
      return false;
  TilePlace first = split.rows;
  auto bytes = int64_t(uint64_t(split.bytes) - uint64_t(origin.bytes));
  if (std::abs(bytes) > INT32_MAX)
    return false;
  SmallVector<unsigned> constant; // the dimensions with strides that are constants, longest first
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (dimension != tile.line && isConstant(tile.strides[dimension]))
      constant.push_back(dimension);
  auto strideOf = [&](unsigned dimension) { return constantOf(tile.strides[dimension]); };
  llvm::sort(constant, [&](unsigned a, unsigned b) {
    return std::pair(std::abs(strideOf(b)), a) < std::pair(std::abs(strideOf(a)), b);
  });
  for (unsigned dimension : constant) {
    int64_t stride = strideOf(dimension), half = std::abs(stride) / 2;
    first[dimension] = (bytes + (bytes < 0 ? -half : half)) / stride;
    bytes -= first[dimension] * stride;
  }
  if (bytes % tile.bytes != 0)
    return false;
  first[tile.line] = bytes / tile.bytes;
  if (!isNear(first))
    return false;
  tile.loads.push_back({candidate.load, candidate.guard, first});
  return true;
}

/// Moves the first element to the lowest places, and determines the extents.
Tile TileMaker::finish(const TilePlace &block) && {
  tile.start = origin.rest;
  tile.start.add(1, Polynomial::constant(origin.bytes));
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension) {
    int64_t least = tile.loads.front().first[dimension], most = least;
    for (const TileLoad &load : tile.loads) {
      least = std::min(least, load.first[dimension]);
      most = std::max(most, load.first[dimension]);
    }
    for (TileLoad &load : tile.loads)
      load.first[dimension] -= least;
    bool isLine = dimension == tile.line;
    tile.start.add(least, isLine ? Polynomial::constant(tile.bytes) : tile.strides[dimension]);
    if (tile.hasStride(dimension))
      tile.extent[dimension] = (block[dimension] - 1) * (isLine ? tile.step : 1) + most - least + 1;
  }
  tile.pitch = tile.extent[tile.line];
  return std::move(tile);
}

/// Returns whether all parts of a polynomial but its constant are multiples of the widest access.
bool isMultiple(const Polynomial &polynomial, const LoadAddresses &addresses, bool withConstant) {
  return llvm::all_of(polynomial.terms, [&](const auto &term) {
    unsigned zeros = llvm::countr_zero(uint64_t(term.second));
    for (unsigned symbol : term.first)
      zeros += addresses.zeroBitsOf(symbol);
    return zeros >= llvm::Log2_32(widestAccess) || (term.first.empty() && !withConstant);
  });
}

} // namespace

std::vector<Tile> regrain::formTiles(ArrayRef<StageableLoad> candidates,
                                     const LoadAddresses &addresses, const TilePlace &block) {
  std::vector<TileMaker> makers;
  for (const StageableLoad &candidate : candidates) {
    std::optional<Split> split = splitAddress(candidate.address.bytes, addresses);
    if (!split)
      continue;
    takeRows(*split);
    if (llvm::any_of(makers, [&](TileMaker &maker) { return maker.add(candidate, *split); }))
      continue;
    Tile tile;
    tile.base = candidate.address.base;
    tile.bytes = candidate.bytes;
    tile.strides = split->strides;
    if (!findLine(tile, block))
      continue;
    makers.emplace_back(std::move(tile), *split);
    makers.back().add(candidate, *split);
  }
  std::vector<Tile> tiles;
  for (TileMaker &maker : makers)
    tiles.push_back(std::move(maker).finish(block));
  return tiles;
}

std::optional<StringRef> regrain::objectionTo(const Access &access) {
  auto load = cast<LLVM::LoadOp>(access.op);
  if (access.isOrdered || load.getNontemporal())
    return "it is volatile or atomic, or has a hint of its own";
  if (!load.getInvariant())
    return "the kernel may write what it loads";
  if (!wholeBytes(load.getType()))
    return "its type is not a number of 1 to 16 bytes";
  return std::nullopt;
}

bool regrain::isShared(const Tile &tile, const TilePlace &block) {
  int64_t loads = tile.loads.size();
  for (int64_t count : block)
    loads *= count;
  return 2 * loads >= 3 * tile.elements();
}

void regrain::alignLines(Tile &tile, const LoadAddresses &addresses, uint64_t base) {
  constexpr int64_t leastBytes = 2; // elements of an access are copied by themselves at ends
  int64_t wide = widestAccess, constant = constantOf(tile.start) & (wide - 1);
  if (tile.bytes < leastBytes || tile.bytes >= wide || base % wide != 0 ||
      constant % tile.bytes != 0 || !isMultiple(tile.start, addresses, /*withConstant=*/false))
    return;
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (dimension != tile.line && tile.extent[dimension] != 1 &&
        !isMultiple(tile.strides[dimension], addresses, /*withConstant=*/true))
      return;
  tile.isAligned = true;
  tile.shift = constant / tile.bytes;
  tile.pitch = llvm::alignTo(tile.shift + tile.extent[tile.line], wide / tile.bytes);
}
