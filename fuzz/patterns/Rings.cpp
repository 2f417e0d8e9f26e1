//===- Rings.cpp - Blocks march through planes ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes one element of a grid from elements around it, in all directions, of one or
// two arrays. Comparisons of coordinates decide which threads compute one, and which of them read a
// neighbour. So planes can be copied into shared memory, where lines begin and end anywhere.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Rings {
public:
  explicit Rings(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void chooseLaunch();
  void declareArrays();
  void findElement();
  std::string end(unsigned dimension, bool isUpper, uint32_t distance);
  void addNeighbour();
  void addGrains();

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  unsigned march = 2; ///< the dimension of the planes
  bool isAligned = false;
  uint32_t reach[3] = {};
  std::array<uint32_t, 3> extents = {};
};

} // namespace

void Rings::chooseLaunch() {
  static const std::vector<std::array<uint32_t, 3>> forms = {{32, 2, 1}, {16, 4, 1}, {64, 1, 1},
                                                             {32, 4, 1}, {8, 4, 1},  {64, 2, 1}};
  std::array<uint32_t, 3> block = c.of(forms), grid = {c.between(1, 2), c.between(1, 2), 1};
  march = c.percent(75) ? 2 : 1;
  block[march] = 1;
  grid[march] = c.between(3, 11);
  w.launch(block, grid);
  isAligned = c.percent(70);
  for (unsigned d = 0; d < 3; ++d) {
    uint32_t whole = block[d] * grid[d];
    extents[d] = whole - (c.percent(60) ? c.below(std::min(whole, 4u)) : 0);
    reach[d] = extents[d] > 4 ? c.below(3) : 0;
  }
  if (isAligned)
    extents[0] = std::max(16u, extents[0] / 16 * 16);
  reach[march] = c.between(1, 2);
}

void Rings::declareArrays() {
  uint32_t words = (extents[0] * extents[1] * extents[2] * type->bytes + 15) / 16 * 4;
  for (const char *name : {"in", "more"})
    w.pointer(std::string("const ") + type->name, w.memory(words, type->isReal), 0,
              /*isRestrict=*/true, name);
  w.pointer("unsigned", w.memory(extents[0] * extents[1] * extents[2]), 0, /*isRestrict=*/true,
            "out");
  for (unsigned d = 0; d < 3; ++d)
    w.scalar("int", extents[d], std::string("n") + "xyz"[d]);
}

/// Returns a condition that holds as many elements from an end as are asked for, or more.
std::string Rings::end(unsigned dimension, bool isUpper, uint32_t distance) {
  char d = "xyz"[dimension];
  distance += c.percent(15) ? c.below(3) : 0;
  if (isUpper)
    return c.percent(50) ? formatv("{0} < n{0} - {1}", d, distance).str()
                         : formatv("{0} + {1} < n{0}", d, distance).str();
  return c.percent(50) || distance == 0 ? formatv("{0} >= {1}", d, distance).str()
                                        : formatv("{0} > {1}", d, distance - 1).str();
}

/// Finds the element of the thread, which leaves if there is not enough around it.
void Rings::findElement() {
  for (char d : {'x', 'y', 'z'})
    w.line(formatv("int {0} = blockIdx.{0} * blockDim.{0} + threadIdx.{0};", d));
  std::string inside;
  for (unsigned d = 0; d < 3; ++d)
    for (bool isUpper : {false, true})
      if (isUpper || reach[d] != 0)
        inside += (inside.empty() ? "" : " && ") + end(d, isUpper, reach[d]);
  w.line(formatv("if (!({0}))\n    return;", inside));
  if (isAligned) { // rows are known to begin at multiples of 16 bytes
    w.line(formatv("const long long row = {0}, plane = {1};", extents[0], extents[0] * extents[1]));
  } else {
    w.line("const long long row = nx, plane = (long long)nx * ny;");
  }
  w.line("const long long p = x + row * y + plane * z;");
}

/// Adds an element near that of the thread, under a condition if it would be outside otherwise.
void Rings::addNeighbour() {
  std::string index = "p", condition;
  const char *strides[] = {"1", "row", "plane"};
  for (unsigned d = 0; d < 3; ++d) {
    if (!c.percent(d == march ? 60 : 40))
      continue;
    uint32_t most = reach[d] + (c.percent(20) && extents[d] > 6 ? 1 : 0);
    if (most == 0)
      continue;
    uint32_t distance = c.between(1, most);
    bool isUpper = c.percent(50);
    index += formatv(" {0} {1} * {2}", isUpper ? "+" : "-", distance, strides[d]).str();
    if (distance > reach[d])
      condition += (condition.empty() ? "" : " && ") + end(d, isUpper, distance);
  }
  std::string loaded =
      filled(type->bits, formatv("{0}[{1}]", c.percent(75) ? "in" : "more", index).str());
  std::string statement = formatv("s = s * 5 + {0};", loaded);
  w.line(condition.empty() ? statement : formatv("if ({0})\n    {1}", condition, statement).str());
}

void Rings::addGrains() {
  char d = "xyz"[march];
  std::vector<std::string> copies = {""};
  if (isAligned) {
    copies.push_back(",for.pointers=16");
    copies.push_back(",copies=bulk,for.pointers=16");
    copies.push_back(",copies=bulk,stages=4,dynamic-shared=60,for.pointers=16");
  }
  for (uint32_t steps : {2u, 3u, 4u, 8u})
    for (const std::string &copy : copies) {
      std::string marched = formatv("steps={0},staging=steps{1}", steps, copy),
                  own = formatv("block.{0}={1},", d, steps);
      w.grain(own + marched + "," + w.knownBlock());
      w.grain(own + (march == 2 ? "shape=64x2x1," : "shape=128x1x1,") + marched);
      w.grain(own + "thread.x=2,shape=64x1x1," + marched);
      w.grain(own + formatv("shape=64x1x1,in-step={0},", 2 * steps - 3).str() + marched);
      if (march == 2)
        w.grain(own + "thread.y=2:contiguous,shape=64x4x1," + marched);
      if (steps >= 4)
        w.grain(own + formatv("shape=64x1x1,steps={0},staging=steps{1}", steps / 2, copy).str());
    }
}

void Rings::write() {
  type = &c.of(elementTypes());
  chooseLaunch();
  declareArrays();
  findElement();
  w.line(formatv("unsigned s = {0};", filled(type->bits, "in[p]")));
  for (uint32_t count = c.between(3, 8); count > 0; --count)
    addNeighbour();
  w.line("out[((long long)z * ny + y) * nx + x] = s;");
  addGrains();
}

void writeRings(Writer &w) { Rings(w).write(); }

} // namespace regrain::fuzz::patterns
