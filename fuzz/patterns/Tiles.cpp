//===- Tiles.cpp - Loops in which a block reads tiles ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block read the same elements of arrays in a loop: rows and columns, as in a product
// of matrices, or what all of them read. Arrays end where the last element is read. Starts, steps
// and lengths differ, and some loops have conditions, which may hold for a part of a block. Rows of
// wide blocks are long and aligned, so that they can be copied at once.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Tiles {
public:
  Tiles(Writer &w, bool isWide) : w(w), c(w.choices()), isWide(isWide) {}

  void write();

private:
  void chooseSizes();
  void chooseWideSizes();
  void chooseArrays();
  void addGrains();
  void addWideGrains();
  std::string term();
  void loop();
  void star();

  Writer &w;
  cooperation::Choices &c;
  bool isWide;
  const ElementType *type = nullptr;
  uint32_t width = 0, height = 0, length = 0, start = 0, step = 1, halo = 0;
  bool hasGuard = false;
  uint32_t pitch = 0;                ///< from row to row, in elements
  std::string areAligned;            ///< how a grain says that rows begin at multiples of 16 bytes
  std::string rows, columns, common; ///< arrays
  std::string n, k;
};

} // namespace

void Tiles::chooseSizes() {
  static const std::vector<std::array<uint32_t, 3>> sizes = {{16, 8, 1}, {32, 4, 1}, {16, 16, 1},
                                                             {8, 8, 1},  {32, 1, 1}, {8, 4, 2}};
  w.launch(c.of(sizes), c.between(1, 4));
  hasGuard = c.percent(60);
  uint32_t whole = w.extent(0) * w.blocks();
  width = hasGuard && c.percent(60) ? whole - c.below(std::min(whole, 24u)) : whole;
  height = w.extent(1) * w.extent(2);
  if (c.percent(25))
    start = c.between(1, 5);
  if (c.percent(25))
    step = c.between(2, 4);
  length = start + (c.percent(30) ? 16 * c.between(0, 9) : c.between(0, 150));
  halo = c.percent(25) ? c.between(1, 2) : 0;
  pitch = length + halo;
  if (c.percent(40)) {
    pitch = (pitch + 15) / 16 * 16;
    areAligned = ",for.pointers=16";
  }
}

/// Chooses blocks whose rows of an array have 256 bytes and more.
void Tiles::chooseWideSizes() {
  static const std::vector<std::array<uint32_t, 3>> sizes = {{64, 4, 1}, {128, 2, 1}, {64, 2, 2},
                                                             {64, 1, 1}, {32, 4, 1},  {128, 1, 1}};
  w.launch(c.of(sizes), c.between(1, 3));
  hasGuard = c.percent(40);
  uint32_t whole = w.extent(0) * w.blocks();
  width = hasGuard && c.percent(60) ? whole - (c.percent(60) ? 16 : 1) * c.below(3) : whole;
  height = w.extent(1) * w.extent(2);
  start = c.percent(15) ? c.between(1, 5) : 0;
  step = c.percent(10) ? 2 : 1;
  length = start + (c.percent(60) ? 16 * c.between(1, 4) : c.between(0, 70));
  halo = c.percent(15) ? 1 : 0;
  pitch = (length + halo + 15) / 16 * 16;
  areAligned = ",for.pointers=16";
}

/// Makes arrays that are as long as what is read, in words.
void Tiles::chooseArrays() {
  auto wordsFor = [&](uint32_t elements) { return std::max(1u, (elements * type->bytes + 3) / 4); };
  auto array = [&](uint32_t elements) {
    return w.pointer("const " + std::string(type->name), w.memory(wordsFor(elements), type->isReal),
                     0, /*isRestrict=*/true);
  };
  if (c.percent(70))
    rows = array(height * pitch);
  if (isWide || rows.empty() || c.percent(70))
    columns = array(width * (length + halo));
  if (c.percent(30))
    common = array(length + halo);
}

/// Rows are copied at once where they are wide.
void Tiles::addWideGrains() {
  std::vector<std::string> factors = {"", "block.x=2,"};
  for (unsigned dimension : {0u, 1u})
    if (w.extent(dimension) % 2 == 0)
      factors.push_back(formatv("thread.{0}=2,", dimension ? "y" : "x"));
  if (w.extent(0) % 4 == 0)
    factors.push_back("thread.x=4:contiguous,");
  for (const std::string &factor : factors)
    for (const char *staging : {"loops", "loops", "shared"})
      w.grain(factor + "staging=" + staging + ",copies=bulk," + w.knownBlock() + areAligned);
}

void Tiles::addGrains() {
  std::vector<std::string> factors = {""};
  for (const char *factor : {"block.x=2,", "block.x=4,", "block.x=3,"})
    factors.push_back(factor);
  for (unsigned dimension : {0u, 1u})
    if (w.extent(dimension) % 2 == 0)
      factors.push_back(formatv("thread.{0}=2,", dimension ? "y" : "x"));
  if (w.extent(0) % 4 == 0)
    factors.push_back("thread.x=4:contiguous,");
  for (const std::string &factor : factors) {
    w.grain(factor + "staging=loops," + w.knownBlock());
    w.grain(factor + "staging=loops," + w.knownBlock() + ",for.pointers=16");
    if (!areAligned.empty())
      w.grain(factor + "staging=loops,copies=bulk," + w.knownBlock() + areAligned);
  }
  w.grain("shape=16x8x1,block.x=2,staging=loops");
  w.grain("shape=8x8x1,staging=loops");
}

/// Returns an expression of what an iteration loads.
std::string Tiles::term() {
  std::vector<std::string> loads = {"x"};
  auto add = [&](const std::string &array, const std::string &index) {
    loads.push_back(filled(type->bits, array + "[" + index + "]"));
  };
  for (uint32_t near = 0; near <= halo; ++near) {
    if (!rows.empty())
      add(rows, formatv("y * {0} + i + {1}", k, near));
    if (!columns.empty())
      add(columns, formatv("(i + {0}) * {1} + x", near, n));
    if (!common.empty())
      add(common, formatv("i + {0}", near));
  }
  std::string sum = "sum * 3";
  for (const std::string &load : loads)
    sum += " + " + load + formatv(" * {0}", c.between(1, 9)).str();
  return sum;
}

void Tiles::loop() {
  static const std::vector<const char *> forms = {"for (int i = {0}; i < {1}; i += {2}) {{",
                                                  "for (long i = {0}; i < {1}; i += {2}) {{",
                                                  "for (int i = {0}; i + 1 <= {1}; i += {2}) {{"};
  std::string end = w.scalar("int", length);
  std::string first = start && c.percent(50) ? w.scalar("int", start) : std::to_string(start);
  w.line(formatv(c.percent(70) ? forms[0] : c.of(forms), first, end, step));
  w.line("sum = " + term() + ";");
  if (c.percent(25))
    w.line("if (" + w.condition({"x", "y", "sum"}) + ") sum ^= x * 5;");
  w.line("}");
}

/// Reads elements of the rows around that of the thread.
void Tiles::star() {
  uint32_t reach = c.between(0, 2), shift = c.percent(40) ? 1 : 0;
  std::string plane =
      w.pointer("const " + std::string(type->name),
                w.memory(std::max(1u, (((height + reach) * width + shift) * type->bytes + 3) / 4),
                         type->isReal),
                0, /*isRestrict=*/true);
  for (uint32_t row = 0; row <= reach; ++row)
    for (uint32_t near = 0; near <= (row ? 0 : shift); ++near)
      w.line(formatv(
          "sum = sum * 3 + {0};",
          filled(type->bits, formatv("{0}[(y + {1}) * {2} + x + {3}]", plane, row, n, near))));
}

void Tiles::write() {
  isWide ? chooseWideSizes() : chooseSizes();
  constexpr uint32_t wideTypes = 5; // rows of narrower elements are short
  type = isWide ? &elementTypes()[c.below(wideTypes)] : &c.of(elementTypes());
  chooseArrays();
  n = w.scalar("int", width);
  if (width % 16 == 0 && !areAligned.empty())
    areAligned += formatv(",for.arg{0}=16n", w.lastParameter());
  k = w.scalar("int", pitch);
  if (!areAligned.empty())
    areAligned += formatv(",for.arg{0}=16n", w.lastParameter());
  std::string out = w.pointer("unsigned", w.memory(width * height), 0, /*isRestrict=*/true);
  w.line("int x = blockIdx.x * blockDim.x + threadIdx.x;");
  w.line("int y = threadIdx.z * blockDim.y + threadIdx.y;");
  w.line("unsigned sum = x * 7 + y;");
  if (hasGuard)
    w.line(formatv("if (x < {0}) {{", n));
  if (isWide && c.percent(50))
    star();
  loop();
  if (isWide && c.percent(25)) // another loop over the same tiles
    loop();
  w.line(formatv("{0}[y * {1} + x] = sum;", out, n));
  if (hasGuard)
    w.line("}");
  isWide ? addWideGrains() : addGrains();
}

void writeTiles(Writer &w) { Tiles(w, /*isWide=*/false).write(); }

void writeWideTiles(Writer &w) { Tiles(w, /*isWide=*/true).write(); }

} // namespace regrain::fuzz::patterns
