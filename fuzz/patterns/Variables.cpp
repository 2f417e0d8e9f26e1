//===- Variables.cpp - Variables and parameters in their places -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of the module have elements of several sizes, odd lengths, and initial values that name
// each other. Threads read neighbouring elements at any place. Parameters in memory are read at an
// index of each lane, or through pointers that leave the kernel; some are the thread's own.
// Counters in several memories go round.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

struct Table {
  std::string name, type;
  uint32_t length;
};

class Variables {
public:
  explicit Variables(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declareTables();
  void declareLinks();
  void declareParameters();
  void readNeighbours();
  void readAnywhere();
  void readThroughCall();
  void followLinks();
  void readParameter();
  void changeParameter();
  void count();
  std::string someNumber() { return w.word({"x", "tid", "n"}, 1); }
  std::string condition() { return w.condition({"x", "tid", "n"}); }

  Writer &w;
  cooperation::Choices &c;
  std::vector<Table> tables;
  std::string links;              ///< a pointer to the first one of several objects
  std::string own, pack, leaving; ///< parameters, and a function that takes the address of one
  uint32_t packed = 0;            ///< elements of `pack`
  bool isConstant = false;        ///< `pack` is one object for all threads
};

} // namespace

void Variables::declareTables() {
  static const std::vector<const char *> types = {"unsigned char",      "unsigned short",
                                                  "unsigned",           "signed char",
                                                  "unsigned long long", "unsigned"};
  for (uint32_t count = c.between(2, 4); count > 0; --count) {
    Table table = {w.fresh("table"), c.of(types), c.between(3, 41)};
    std::string values;
    for (uint32_t i = 0; i < table.length; ++i)
      values += std::to_string((i * i + 3 * count) % 101) + ", ";
    std::string space = c.percent(50) ? "__constant__" : "__device__";
    if (c.percent(20)) { // the array begins behind another element
      std::string type = w.fresh("Kept");
      w.function(formatv("struct {0} {{\n  {1} before, elements[{2}];\n};\n"
                         "{3} {0} {4} = {{1, {{{5}}};\n",
                         type, table.type, table.length, space, table.name, values));
      table.name += ".elements";
    } else {
      w.function(formatv("{0} {1} {2}[{3}] = {{{4}};\n", space, table.type, table.name,
                         table.length, values));
    }
    tables.push_back(table);
  }
}

/// Objects that name others and parts of an array, and a pointer to one of them. Neither nvcc nor
/// LLVM takes variables that name themselves.
void Variables::declareLinks() {
  std::string type = w.fresh("Link"), held = w.fresh("numbers"), next = "nullptr";
  w.function(formatv("__device__ unsigned {0}[9] = {{4, 7, 1, 8, 2, 9, 3, 5, 6};\n"
                     "struct {1} {{\n  const {1} *next;\n  unsigned number;\n"
                     "  const unsigned *at;\n};\n",
                     held, type));
  for (uint32_t count = c.between(1, 4); count > 0; --count) {
    std::string link = w.fresh("link");
    bool isArray = c.percent(30);
    std::string value = formatv("{{{0}, {1}, {2} + {3}}", next, c.below(50), held, c.between(0, 5));
    w.function(
        formatv(isArray ? "__device__ {0} {1}[2] = {{{2}, {2}};\n" : "__device__ {0} {1} = {2};\n",
                type, link, value));
    next = isArray ? link + " + 1" : "&" + link;
  }
  links = w.fresh("start");
  w.function(formatv("__device__ const {0} *{1} = {2};\n", type, links, next));
}

void Variables::declareParameters() {
  packed = c.between(3, 19);
  isConstant = c.percent(50);
  pack = w.pack(packed, c.below(1000), isConstant ? "const __grid_constant__ " : "");
  own = w.scalar(c.percent(50) ? "const __grid_constant__ unsigned" : "unsigned", c.below(100));
  leaving = w.fresh("leaving");
  w.function(formatv("__device__ {0} unsigned {1}(const unsigned *p, unsigned i) {{\n"
                     "  return p[i] * 3 + 1;\n}\n",
                     c.percent(60) ? "__noinline__" : "__forceinline__", leaving));
}

/// Elements beside each other, as wide accesses read them.
void Variables::readNeighbours() {
  const Table &table = c.of(tables);
  uint32_t width = std::min(c.of(std::vector<uint32_t>{2, 3, 4, 8}), table.length);
  std::string at = w.fresh("at");
  static const std::vector<const char *> places = {"{0} % {1}u", "tid * {2} % {1}u",
                                                   "min({0}, {1} - 1u)", "n % {1}u"};
  w.line(formatv("unsigned {0} = {1};", at,
                 formatv(c.of(places), someNumber(), table.length - width + 1, width)));
  for (uint32_t i = 0; i < width; ++i)
    w.line(formatv("x = x * 3 + unsigned({0}[{1} + {2}]);", table.name, at, i));
}

void Variables::readAnywhere() {
  const Table &table = c.of(tables);
  static const std::vector<const char *> places = {"x", "tid", "n", "i", "x + i", "tid / 32"};
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i)\n    x = x * 5 + unsigned({1}[({2}) % {3}u]);",
                 c.percent(50) ? std::string("4") : std::string("(n & 7)"), table.name,
                 c.of(places), table.length));
}

void Variables::readThroughCall() {
  const Table &table = c.of(tables);
  std::string name = w.fresh("read");
  w.function(formatv("__device__ {0} unsigned {1}(const {2} *p, unsigned i) {{\n"
                     "  return unsigned(p[i]) + unsigned(p[i + 1]) * 5;\n}\n",
                     c.percent(50) ? "__noinline__" : "__forceinline__", name, table.type));
  uint32_t start = c.below(table.length - 1);
  w.line(formatv("x += {0}({1} + {2}, {3} % {4}u);", name, table.name, start, someNumber(),
                 table.length - 1 - start));
}

void Variables::followLinks() {
  std::string p = w.fresh("p");
  w.line(formatv("for (auto *{0} = {1}; {0} && x % 9 != 1; {0} = {0}->next)\n"
                 "    x = x * 3 + {0}->number + {0}->at[{2} & 3];",
                 p, links, someNumber()));
}

void Variables::readParameter() {
  std::string index = formatv("{0} % {1}u", someNumber(), packed);
  switch (c.below(5)) {
  case 0:
    return w.line(formatv("x += {0}({1}.values, {2});", leaving, pack, index));
  case 1:
    return w.line(formatv("x += {0}(&{1}, 0);", leaving, own));
  case 2: {
    std::string p = w.fresh("p");
    w.line(formatv("const unsigned *{0} = {1} ? &{2} : {3}.values + {4};", p, condition(), own,
                   pack, index));
    return w.line(formatv("x = x * 3 + *{0};", p));
  }
  case 3:
    return w.line(formatv("x ^= ({0} ? {1}.values : {2})[{3}];", condition(), pack, "in", index));
  default:
    return w.line(formatv("for (unsigned i = 0; i < (n & 3); ++i)\n"
                          "    x = x * 3 + {0}.values[(x + i) % {1}u] + {2};",
                          pack, packed, own));
  }
}

/// Changes a parameter, or a copy, of the thread's own.
void Variables::changeParameter() {
  if (!isConstant && c.percent(60))
    return w.line(formatv("{0}.values[{1} % {2}u] {3}= x;", pack, someNumber(), packed,
                          c.percent(50) ? "+" : ""));
  std::string copy = w.fresh("copy");
  w.line(formatv("Pack {0} = {1};", copy, pack));
  w.line(formatv("{0}.values[{1} % {2}u] {3}= x;", copy, someNumber(), packed,
                 c.percent(50) ? "+" : ""));
  w.line(formatv("x += {0}.values[{1} % {2}u] + {3}.values[{1} % {2}u];", copy, someNumber(),
                 packed, pack));
}

/// Counters that go round, in memory that is known or chosen.
void Variables::count() {
  static const std::vector<const char *> places = {"&held[tid]", "&counts[g]", "&held[tid]",
                                                   "&counts[g]", "({0} ? &held[tid] : &counts[g])"};
  std::string name = c.percent(50) ? "atomicInc" : "atomicDec", p = w.fresh("p");
  w.line(formatv("unsigned *{0} = {1};", p, formatv(c.of(places), condition())));
  if (c.percent(40)) {
    w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", c.between(1, 4)));
    w.line(formatv("x = x * 3 + {0}({1}, {2});", name, p, someNumber()));
    if (c.percent(50))
      w.line(formatv("{0} = {1};", p, formatv(c.of(places), condition())));
    return w.line("}");
  }
  w.line(formatv("x = x * 3 + {0}({1}, {2});", name, p, someNumber()));
}

void Variables::write() {
  static const std::vector<uint32_t> sizes = {32, 64, 16, 33, 96};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 3));
  w.sharesMemory();
  declareTables();
  declareLinks();
  w.pointer("const unsigned", w.memory(64), 0, c.percent(50), "in");
  w.pointer("unsigned", w.memory(w.threads() * w.blocks()), 0, c.percent(50), "counts");
  w.pointer("unsigned", w.memory(w.threads() * w.blocks()), 0, c.percent(50), "out");
  w.scalar("unsigned", c.between(0, 9), "n");
  declareParameters();
  w.line("unsigned tid = threadIdx.x, g = blockIdx.x * blockDim.x + tid;");
  w.line("unsigned x = in[tid & 63] + blockIdx.x;");
  w.line(formatv("__shared__ unsigned held[{0}];", w.threads()));
  w.line("held[tid] = x & 15;");
  static void (Variables::*const kinds[])() = {
      &Variables::readNeighbours, &Variables::readNeighbours,
      &Variables::readAnywhere,   &Variables::readThroughCall,
      &Variables::followLinks,    &Variables::readParameter,
      &Variables::readParameter,  &Variables::changeParameter,
      &Variables::count,          &Variables::count};
  for (uint32_t count = c.between(3, 6); count > 0; --count)
    (this->*kinds[c.below(std::size(kinds))])();
  w.line("out[g] = x + held[tid];");
}

void writeVariables(Writer &w) { Variables(w).write(); }

} // namespace regrain::fuzz::patterns
