//===- Ends.cpp - Guards exclude the ends of rows -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes one element of a row from elements beside it, and from those of the planes
// in front of and behind it. Guards of several forms, also in each other, exclude the threads that
// have not enough of them, or more. Conditions on elements and loops stand in the guards.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Ends {
public:
  explicit Ends(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declare();
  unsigned openGuards();
  std::string someElement();
  void box();
  void statement();
  void addGrains();

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  int32_t reach = 1;
  uint32_t planes = 1;
};

} // namespace

void Ends::declare() {
  static const std::vector<std::array<uint32_t, 3>> forms = {
      {32, 1, 1}, {16, 2, 1}, {8, 4, 1}, {64, 1, 1}, {12, 2, 1}};
  std::array<uint32_t, 3> block = c.of(forms), grid = {c.between(1, 3), c.between(1, 2), planes};
  w.launch(block, grid);
  uint32_t nx = block[0] * grid[0] - c.below(6), ny = block[1] * grid[1];
  uint32_t words = (nx * ny * planes * type->bytes + 3) / 4;
  bool isRestrict = c.percent(50);
  std::string constant = std::string("const ") + type->name;
  w.pointer(constant, w.memory(words, type->isReal), 0, isRestrict, "in");
  w.pointer(constant, w.memory(words, type->isReal), 0, isRestrict, "more");
  w.pointer(type->name, w.memory(words, type->isReal), 0, isRestrict, "to");
  w.pointer("unsigned", w.memory(nx * ny * planes), 0, isRestrict, "out");
  w.scalar("int", nx, "nx");
  w.scalar("int", ny, "ny");
  w.scalar("int", uint32_t(2 * reach), "few");
  if (planes > 1)
    w.scalar("int", planes, "nz");
}

/// Opens guards, and returns how many.
unsigned Ends::openGuards() {
  std::string inside = formatv("x >= {0} && x < nx - {0} && y < ny", reach),
              outside = formatv("x < {0} || x >= nx - {0} || y >= ny", reach);
  if (planes > 1) {
    inside += " && z > 0 && z < nz - 1";
    outside += " || z == 0 || z >= nz - 1";
    w.line("int plane = nx * ny;");
  }
  switch (c.below(planes > 1 ? 2 : 4) * (planes > 1 ? 3 : 1)) {
  case 0:
    w.line(formatv("if ({0}) return;", outside));
    return 0;
  case 1:
    w.line(formatv("if (x > {0} && y < ny) {{", reach - 1));
    w.line(formatv("if (x + {0} < nx) {{", reach));
    return 2;
  case 2:
    w.line("if (y >= ny) return;");
    w.line(formatv("if (x < nx - {0}) {{", reach));
    w.line(formatv("if (x >= {0} && {1}) {{", reach, w.condition({"few", "unsigned(y)"})));
    return 2;
  default:
    w.line(formatv("if ({0}) {{", inside));
    return 1;
  }
}

std::string Ends::someElement() {
  int32_t distance = int32_t(c.below(2 * uint32_t(reach) + 1)) - reach;
  const char *plane = planes == 1 || c.percent(50) ? "" : c.percent(50) ? " + plane" : " - plane";
  return filled(type->bits,
                formatv("{0}[p + {1}{2}]", c.percent(80) ? "in" : "more", distance, plane));
}

/// The elements of three planes.
void Ends::box() {
  w.line("for (int dz = -1; dz <= 1; ++dz)");
  w.line(formatv("  for (int dx = -{0}; dx <= {0}; ++dx)", reach));
  w.line(formatv("    s = s * 3 + {0};", filled(type->bits, "in[p + dz * plane + dx]")));
}

void Ends::statement() {
  switch (c.below(planes > 1 ? 12 : 8)) {
  case 8:
  case 9:
  case 10:
  case 11:
    return box();
  case 0:
    return w.line(formatv("to[p] = {0};", filled(type->make, "s")));
  case 1:
    return w.line(formatv("if ({0}) out[p] = s;", w.condition({someElement(), "s"})));
  case 2:
    w.line(formatv("for (int r = 0; r <= {0}; ++r)", c.percent(50) ? "few" : "2"));
    return w.line(
        formatv("  s = s * 5 + {0};", filled(type->bits, formatv("in[p + r - {0}]", reach))));
  case 3:
    return w.line(formatv("s += {0} ? {1} : {2};", w.condition({someElement()}), someElement(),
                          someElement()));
  default:
    for (uint32_t count = c.between(2, 4); count > 0; --count)
      w.line(formatv("s = s * 3 + {0};", someElement()));
  }
}

void Ends::addGrains() {
  for (const char *grain :
       {"thread.x=4:contiguous,", "thread.x=4:contiguous,shape=64x1x1,",
        "thread.x=8:contiguous,shape=32x2x1,", "thread.x=4,thread.y=2:contiguous,shape=32x4x1,",
        "thread.x=3:contiguous,shape=48x1x1,", "block.y=2,thread.x=4:contiguous,shape=64x1x1,"})
    w.grain(std::string(grain) + "guards=joined");
  if (planes == 1)
    return;
  for (const char *march :
       {"block.z=4,steps=4", "block.z=8,steps=8,unroll=none", "block.z=4,steps=2"})
    for (const char *row :
         {"thread.x=4:contiguous,shape=128x8x1,", "thread.x=4:contiguous,shape=64x1x1,",
          "thread.x=4,thread.y=2:contiguous,shape=128x16x1,"})
      w.grain(std::string(row) + march + ",guards=joined" +
              (c.percent(50) ? ",addresses=indexed" : ""));
}

void Ends::write() {
  type = &c.of(elementTypes());
  reach = int32_t(c.between(1, 2));
  planes = c.percent(40) ? c.between(3, 9) : 1;
  declare();
  w.line("int x = blockIdx.x * blockDim.x + threadIdx.x;");
  w.line("int y = blockIdx.y * blockDim.y + threadIdx.y;");
  bool isWide = c.percent(40);
  if (planes == 1) {
    w.line(isWide ? "size_t p = (size_t)y * nx + x;" : "int p = y * nx + x;");
  } else {
    w.line("int z = blockIdx.z;");
    w.line(isWide ? "size_t p = (size_t)(z * ny + y) * nx + x;" : "int p = (z * ny + y) * nx + x;");
  }
  w.line("unsigned s = x * 7 + 1;");
  unsigned guards = openGuards();
  for (uint32_t count = c.between(2, 4); count > 0; --count)
    statement();
  w.line("out[p] = s;");
  for (; guards > 0; --guards)
    w.line("}");
  addGrains();
}

void writeEnds(Writer &w) { Ends(w).write(); }

} // namespace regrain::fuzz::patterns
