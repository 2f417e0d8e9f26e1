//===- Windows.cpp - Blocks read what their neighbours read ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes one element of a grid from elements before and behind it, along the
// dimension in which there are most blocks. Conditions on the grid's ends and on its elements
// decide which threads compute one.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Windows {
public:
  explicit Windows(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void chooseLaunch();
  void declareArrays();
  void findElement();
  std::string element(int32_t distance);
  std::string someElement();
  void statement();
  void addGrains();

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  unsigned march = 2; ///< the dimension along which elements are read
  int32_t reach = 1;
  uint32_t blocks = 4;        ///< in that dimension
  bool writesExtents = false; ///< indices multiply coordinates of neighbours with numbers
  std::array<uint32_t, 3> extents = {};
};

} // namespace

void Windows::chooseLaunch() {
  static const std::vector<std::array<uint32_t, 3>> forms = {{32, 1, 1}, {16, 1, 1}, {8, 4, 1},
                                                             {16, 2, 1}, {32, 1, 2}, {8, 2, 1}};
  std::array<uint32_t, 3> block = c.of(forms), grid = {c.between(1, 2), c.between(1, 2), 1};
  march = c.percent(60) ? 2 : 1;
  reach = int32_t(c.between(1, 3));
  blocks = grid[march] = uint32_t(2 * reach) + c.between(1, 8);
  w.launch(block, grid);
  for (unsigned d = 0; d < 3; ++d)
    extents[d] = std::max(1u, block[d] * grid[d] - (c.percent(40) ? c.below(2) : 0));
  writesExtents = blocks % 3 == 0;
}

void Windows::declareArrays() {
  uint32_t words = (extents[0] * extents[1] * extents[2] * type->bytes + 15) / 16 * 4;
  bool isRestrict = c.percent(50), areTogether = c.percent(25);
  uint32_t first = w.memory(areTogether ? 2 * words : words, type->isReal);
  w.pointer(std::string("const ") + type->name, first, 0, isRestrict, "in");
  w.pointer(std::string("const ") + type->name, w.memory(words, type->isReal), 0, isRestrict,
            "more");
  if (areTogether) // what is written lies behind what is read
    w.pointer(type->name, first, words, isRestrict, "to");
  else
    w.pointer(type->name, w.memory(words, type->isReal), 0, isRestrict, "to");
  w.pointer("unsigned", w.memory(extents[0] * extents[1] * extents[2]), 0, isRestrict, "out");
  for (unsigned d = 0; d < 3; ++d)
    w.scalar("int", extents[d], std::string("n") + "xyz"[d]);
}

/// Finds the element of the thread, which leaves if there is not enough around it.
void Windows::findElement() {
  static const std::vector<const char *> indices = {
      "size_t p = x + (size_t)nx * (y + (size_t)ny * z);", "int p = (z * ny + y) * nx + x;",
      "size_t p = (size_t)nx * ny * z + (size_t)y * nx + x;", "int p = x + nx * y + nx * ny * z;",
      "unsigned p = (z * ny + y) * nx + x;"};
  const char *number = c.percent(75) ? "int" : "unsigned";
  for (char d : {'x', 'y', 'z'})
    w.line(formatv("{0} {1} = blockIdx.{1} * blockDim.{1} + threadIdx.{1};", number, d));
  std::string outside = "x >= nx || y >= ny || z >= nz";
  char d = "xyz"[march];
  outside += formatv(" || {0} < {1} || {0} >= n{0} - {1}", d, reach).str();
  w.line(formatv("if ({0})\n    return;", outside));
  w.line(c.of(indices));
  w.line(formatv("{0} stride = {1};", c.percent(50) ? "long long" : "int",
                 march == 2 ? "nx * ny" : "nx"));
}

/// Returns the bits of an element before or behind that of the thread.
std::string Windows::element(int32_t distance) {
  std::string array = c.percent(80) ? "in" : "more";
  std::string index = distance == 0   ? "p"
                      : distance == 1 ? "p + stride"
                                      : formatv("p + {0} * stride", distance).str();
  if (writesExtents)
    index = formatv("x + (y + {0}) * {1} + (z + {2}) * {3}", march == 1 ? distance : 0, extents[0],
                    march == 2 ? distance : 0, extents[0] * extents[1])
                .str();
  return filled(type->bits, formatv("{0}[{1}]", array, index).str());
}

std::string Windows::someElement() {
  return element(int32_t(c.below(2 * uint32_t(reach) + 1)) - reach);
}

void Windows::statement() {
  switch (c.below(8)) {
  case 0:
    return w.line(formatv("to[p] = {0};", filled(type->make, "s")));
  case 1:
    w.line(formatv("if ({0}) {{", w.condition({someElement(), "s"})));
    for (uint32_t count = c.between(1, 3); count > 0; --count)
      w.line(formatv("s = s * 5 + {0};", someElement()));
    return w.line("}");
  case 2:
    return w.line(formatv("if ({0} % 3 == 1)\n    return;", someElement()));
  case 3:
    if (c.percent(50))
      w.line("#pragma unroll");
    w.line(formatv("for (int r = 1; r <= {0}; ++r)", reach));
    return w.line(formatv("  s = s * 3 + {0} + {1};", filled(type->bits, "in[p - r * stride]"),
                          filled(type->bits, "in[p + r * stride]")));
  default:
    for (uint32_t count = c.between(1, 4); count > 0; --count)
      w.line(formatv("s = s * 3 + {0};", someElement()));
  }
}

void Windows::addGrains() {
  char d = "xyz"[march];
  bool isKnown = w.extent(march) == 1 || c.percent(30);
  for (uint32_t factor : {2u, 3u, 4u, 6u, 8u})
    for (uint32_t steps : {2u, 3u, 4u, 8u}) {
      if (factor % steps != 0 || (factor != steps && c.percent(70)))
        continue;
      std::string own = formatv("block.{0}={1},", d, factor), marched = formatv("steps={0}", steps);
      if (c.percent(40))
        marched += ",window=ahead";
      if (isKnown)
        w.grain(own + marched + "," + w.knownBlock());
      std::string joined = c.percent(50) ? "thread.x=2:contiguous," : "thread.x=2,";
      w.grain(own + (march == 2 ? "shape=16x2x1," : "shape=32x1x1,") + marched);
      w.grain(own + joined + "shape=32x1x1," + marched);
      if (march == 2)
        w.grain(own + "thread.y=2:contiguous,shape=" + (c.percent(30) ? "64x8x1," : "16x4x1,") +
                marched);
      if (isKnown && march == 2 && c.percent(40))
        w.grain("block.y=2," + own + marched + "," + w.knownBlock());
    }
  w.grain(formatv("block.{0}=4,shape=32x1x1", d));
}

void Windows::write() {
  type = &c.of(elementTypes());
  chooseLaunch();
  declareArrays();
  findElement();
  w.line("unsigned s = x * 7 + 1;");
  for (uint32_t count = c.between(2, 4); count > 0; --count)
    statement();
  w.line("out[(z * ny + y) * nx + x] = s;");
  addGrains();
}

void writeWindows(Writer &w) { Windows(w).write(); }

} // namespace regrain::fuzz::patterns
