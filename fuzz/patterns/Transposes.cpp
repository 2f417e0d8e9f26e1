//===- Transposes.cpp - Neighbours access distant elements ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread has an element of a matrix, and accesses it also where it lies in the transposed
// matrix. Some loads and stores stand under conditions, in loops, or behind other stores.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Transposes {
public:
  explicit Transposes(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declare();
  void findElement();
  std::string place() { return c.percent(70) ? "far" : "near"; }
  std::string condition();
  void load();
  void store();
  void rare();
  void addGrains();

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  /// Where each thread stores into an array: at both places, threads would store into one element.
  std::string outAt, toAt;
  std::vector<std::string> values = {"s", "unsigned(x)"};
};

} // namespace

void Transposes::declare() {
  static const std::vector<std::array<uint32_t, 3>> forms = {
      {16, 4, 1}, {8, 8, 1}, {32, 2, 1}, {24, 2, 1}, {32, 4, 1}};
  std::array<uint32_t, 3> grid = {c.between(1, 3), c.between(1, 4), 1};
  w.launch(c.of(forms), grid);
  uint32_t columns = w.extent(0) * grid[0] - c.below(3), rows = w.extent(1) * grid[1] - c.below(2);
  uint32_t words = (rows * columns * type->bytes + 15) / 16 * 4;
  bool isRestrict = c.percent(50);
  w.pointer(std::string("const ") + type->name, w.memory(words, type->isReal), 0, isRestrict, "in");
  w.pointer(type->name, w.memory(words, type->isReal), 0, isRestrict, "out");
  w.pointer(type->name, w.memory(words, type->isReal), 0, isRestrict, "to");
  w.scalar("int", columns, "nx");
  w.scalar("int", rows, "ny");
  w.pointer("unsigned", w.memory(16), 0, false, "counts");
}

void Transposes::findElement() {
  bool isWide = c.percent(40);
  const char *number = isWide ? "size_t" : "int", *factor = isWide ? "(size_t)" : "";
  w.line("int x = blockIdx.x * blockDim.x + threadIdx.x;");
  w.line("int y = blockIdx.y * blockDim.y + threadIdx.y;");
  w.line("if (x >= nx || y >= ny)\n    return;");
  w.line(formatv("{0} near = {1}y * nx + x, far = {1}x * ny + y;", number, factor));
}

std::string Transposes::condition() {
  static const std::vector<std::string> ofCoordinates = {"x != y", "x + 1 < nx", "(x ^ y) & 3",
                                                         "y > 1 || x < 5"};
  return c.percent(60) ? c.of(ofCoordinates) : w.condition({values.back(), "s"});
}

void Transposes::load() {
  std::string name = w.fresh("v"), at = formatv("in[{0}]", place());
  if (c.percent(30)) {
    w.line(formatv("unsigned {0} = 5;", name));
    w.line(formatv("if ({0})\n    {1} = {2};", condition(), name, filled(type->bits, at)));
  } else {
    w.line(formatv("unsigned {0} = {1};", name, filled(type->bits, at)));
  }
  values.push_back(name);
}

void Transposes::store() {
  std::string value = filled(type->make, w.word(values, 1));
  if (c.percent(30))
    w.line(formatv("if ({0})", condition()));
  bool isOut = c.percent(70);
  w.line(formatv("{0}[{1}] = {2};", isOut ? "out" : "to", isOut ? outAt : toAt, value));
}

/// What keeps threads from accessing memory for each other.
void Transposes::rare() {
  static const std::vector<const char *> forms = {
      "for (int i = 0; i < (x & 3); ++i)\n    s += {0};",
      "atomicAdd(&counts[x & 7], s & 15);",
      "to[{2}] = {1};\n  s += {0};",
      "s += *(volatile unsigned *)&counts[8 + (x & 7)];",
      "__syncwarp();",
      "if ({0} % 7 == 3)\n    return;"};
  w.line(formatv(c.of(forms), filled(type->bits, "in[far]"), filled(type->make, "s"), toAt));
}

void Transposes::addGrains() {
  static const std::vector<const char *> forms = {"shape=32x32x1",
                                                  "thread.y=4,shape=32x32x1",
                                                  "thread.y=2,shape=16x16x1",
                                                  "thread.x=2:contiguous,shape=16x32x1",
                                                  "block.x=2,shape=32x8x1",
                                                  "shape=8x16x1"};
  for (const char *form : forms)
    if (c.percent(60))
      w.grain(std::string(form) + ",staging=transposed");
  w.grain("staging=transposed," + w.knownBlock());
  w.grain("fuse.y=2,staging=transposed," + w.knownBlock());
}

void Transposes::write() {
  type = &c.of(elementTypes());
  outAt = place();
  toAt = place();
  declare();
  findElement();
  w.line("unsigned s = 3;");
  for (uint32_t count = c.between(1, 3); count > 0; --count)
    load();
  if (c.percent(15))
    rare();
  w.line("s = " + w.word(values) + ";");
  for (uint32_t count = c.between(1, 3); count > 0; --count)
    store();
  addGrains();
}

void writeTransposes(Writer &w) { Transposes(w).write(); }

} // namespace regrain::fuzz::patterns
