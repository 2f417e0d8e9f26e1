//===- Walks.cpp - Loops along several rows -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that step through rows of arrays at once, with strides that are arguments. The counters
// grow by one, by more, by what a condition selects, by what is known in the loop alone, or shrink;
// some loops run no time, some have two. Rows are read and written under conditions. A loop may be
// left between two accesses, and its indices are used behind it, with pointers that are known only
// there.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

/// A loop whose counter is always below 8.
struct Loop {
  const char *before, *head; ///< with {0} for the counter, {1} for the limit
  const char *step;          ///< at the end of an iteration
};

const std::vector<Loop> &loops() {
  static const std::vector<Loop> all = {
      {"int {0};", "for ({0} = 0; {0} < {1}; ++{0}) {{", ""},
      {"int {0};", "for ({0} = 0; {0} < {1}; {0} += 2) {{", ""},
      {"int {0} = 0;", "while ({0} < {1}) {{", "{0} += x & 1 ? 1 : 2;"},
      {"int {0} = 0;", "while ({0} < {1}) {{", "if (x & 4) {0} += 3; else ++{0};"},
      {"int {0};", "for ({0} = 0; {0} < {1}; {0} += one) {{", ""},
      {"int {0} = 0;", "while ({0} < {1}) {{", "{0} += int(tid & 1) + 1;"},
      {"int {0} = 0;", "while ({0} < {1}) {{", "{0} = {0} * two + 1;"},
      {"int {0} = {1};", "while ({0}-- > 0) {{", ""},
      {"int {0} = {1};", "for (; {0} > 0; --{0}) {{", ""},
      {"int {0} = 0;", "do {{", "if (++{0} >= {1}) break;"},
      {"int {0} = int(tid & 1);", "for (; {0} < {1}; ++{0}) {{", ""},
      {"int {0} = none;", "for (; {0} != {1}; ++{0}) {{", ""},
      {"unsigned {0};", "for ({0} = 0; {0} < {1}; ++{0}) {{", ""},
      {"unsigned char {0};", "for ({0} = 0; {0} < {1}; ++{0}) {{", ""},
      {"long long {0};", "for ({0} = 0; {0} < {1}; ++{0}) {{", ""},
      {"int {0} = 0, last = 0;", "for (; {0} < {1}; last = {0}, ++{0}) {{", "x += a[last * two];"}};
  return all;
}

class Walks {
public:
  explicit Walks(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void walk();
  void access(const std::string &counter);
  void leave(const std::string &counter);
  void walkInTwo();
  void declare();
  std::string index(const std::string &counter);
  std::string limit() {
    return c.of(std::vector<std::string>{"few", "none", "one", "few", "few - 1", "int(tid % 4)"});
  }

  Writer &w;
  cooperation::Choices &c;
  bool isPlain = false; ///< the loop has few indices, of one form that steps evenly
};

} // namespace

/// Returns an index from 0 to 39.
std::string Walks::index(const std::string &counter) {
  static const std::vector<const char *> forms = {"{0} * {1} + {2}",
                                                  "{2} + {1} * {0}",
                                                  "({0} + 1) * {1} + {2}",
                                                  "{0} * {1} + {0} + {2}",
                                                  "{0} * {1}",
                                                  "30 - {0} * {1}",
                                                  "{2} - (int({0}) - 7) * {1}",
                                                  "{0} * two + {2} + {0} * {1} / 2",
                                                  "(unsigned)({0} * {1}) + {2}",
                                                  "(x & 1 ? {0} : 2) * {1} + {2}"};
  static const std::vector<std::string> strides = {"three", "two", "(two + one)", "one",
                                                   "(size_t)three"},
                                        columns = {"int(tid & 7)", "own", "3", "int(x & 3)", "one"};
  if (isPlain)
    return formatv("{0} * {1} + {2}", counter, strides[c.below(2)], columns[c.below(3)]);
  return formatv(c.of(forms), counter, c.of(strides), c.of(columns));
}

/// Reads or writes one to four rows.
void Walks::access(const std::string &counter) {
  static const std::vector<const char *> reads = {"a[{0}]",           "b[{0}]",
                                                  "unsigned(h[{0}])", "__float_as_uint(f[{0}])",
                                                  "(a + own)[{0}]",   "unsigned(d[{0}] * 2)"};
  std::string sum = "x";
  for (uint32_t rows = c.between(1, isPlain ? 2 : 4); rows > 0; --rows)
    sum += c.of(std::vector<std::string>{" + ", " ^ ", " * 3 + "}) +
           formatv(c.of(reads), index(counter)).str();
  if (c.percent(25))
    w.line(formatv("if ({0})", w.condition({"x", "tid", "unsigned(" + counter + ")"})));
  w.line(c.percent(75) ? "x = " + sum + ";"
                       : formatv("mine[{0}] = {1};", index(counter), sum).str());
}

/// Leaves the loop, and uses its indices behind it.
void Walks::leave(const std::string &counter) {
  bool isOutside = c.percent(75);
  std::string first = isOutside ? "u" : w.fresh("u"), second = isOutside ? "v" : w.fresh("v"),
              type = isOutside ? "" : "auto ";
  w.line(formatv("{0}{1} = {2};", type, first, index(counter)));
  w.line(formatv("{0}{1} = {2};", type, second, index(counter)));
  w.line(formatv("x += a[{0}] ^ b[{1}];", first, second));
  w.line("if (" + w.condition({"x", "tid"}) + ") {");
  if (c.percent(30))
    w.line("for (int round = 0; round < few; ++round)");
  w.line(formatv("x += all[x & 1][{0}] + all[(x >> 1) & 1][{1}];", first, second));
  w.line("break;");
  w.line("}");
}

void Walks::walk() {
  const Loop &loop = c.of(loops());
  std::string counter = w.fresh("i"), end = limit();
  w.line("{");
  w.line(formatv(loop.before, counter, end));
  w.line(formatv(loop.head, counter, end));
  isPlain = c.percent(50);
  bool isLeft = c.percent(isPlain ? 70 : 40);
  for (uint32_t count = c.between(isPlain && isLeft ? 0 : 1, isPlain ? 1 : 2); count > 0; --count)
    access(counter);
  if (isLeft)
    leave(counter);
  if (loop.step[0])
    w.line(formatv(loop.step, counter, end));
  else if (c.percent(15))
    w.line("if (x % 5 == 1) continue;");
  w.line(llvm::StringRef(loop.head) == "do {{" ? "} while (true);" : "}");
  if (c.percent(30))
    w.line(formatv("x += {0};", counter));
  w.line("}");
}

/// A loop with conditions and two counters, from element to element.
void Walks::walkInTwo() {
  static const std::vector<const char *> places = {"{0} + 1", "{1} + 3",   "{0} + 2",
                                                   "{1}",     "{0} + {1}", "{0} + 4 + {1}"},
                                         steps = {"{0} += 2;", "if (x & 2) {0} += 3;", "++{0};",
                                                  "{0} += one;", "{0} = {1};"};
  std::string i = w.fresh("i"), j = w.fresh("j"),
              start = c.of(std::vector<std::string>{"own", "int(tid & 3)", "none"});
  auto element = [&](const char *memory) {
    return memory + ("[" + formatv(c.of(places), i, j).str() + "]");
  };
  w.line("{");
  w.line(formatv("int {0} = {1}, {2} = {1};", i, start, j));
  w.line(formatv("for (; {0} < few + {1}; ++{0}) {{", i, start));
  w.line("if (" + w.condition({"x", "tid"}) + ")");
  w.line("  x += " + element("a") + ";");
  w.line("else");
  w.line("  x = x * 3 ^ " + element("a") + ";");
  w.line("if (" + w.condition({"x", "tid"}) + ")");
  w.line("  x += " + element(c.percent(50) ? "b" : "h") + ";");
  w.line(formatv(c.of(steps), j, i));
  w.line("}");
  w.line("}");
}

void Walks::declare() {
  static const std::vector<uint32_t> sizes = {32, 64, 33, 16};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 3));
  uint32_t all = w.threads() * w.blocks();
  bool isRestrict = c.percent(50);
  const char *stride = c.percent(85) ? "int" : "unsigned";
  w.pointer("unsigned", w.memory(all * 64), 0, isRestrict, "mine");
  w.pointer("const unsigned", w.memory(64), 0, isRestrict, "a");
  w.pointer("const unsigned", w.memory(64), 0, isRestrict, "b");
  w.pointer("const unsigned short", w.memory(64), 0, isRestrict, "h");
  w.pointer("const float", w.memory(64, /*isReal=*/true), 0, isRestrict, "f");
  w.pointer("const signed char", w.memory(64), 0, isRestrict, "d");
  w.scalar("int", 5, "few");
  w.scalar("int", 0, "none");
  w.scalar(stride, 1, "one");
  w.scalar(stride, 2, "two");
  w.scalar(stride, 3, "three");
  w.pointer("unsigned", w.memory(all), 0, isRestrict, "out");
}

void Walks::write() {
  declare();
  w.line("unsigned tid = threadIdx.x;");
  w.line(formatv("unsigned gid = blockIdx.x * {0} + tid;", w.threads()));
  w.line("int own = int(gid & 7);");
  w.line("const unsigned *all[2] = {a, b};");
  w.line("int u, v;");
  w.line("mine += gid * 64;");
  w.line("unsigned x = a[gid & 15] + gid;");
  bool isRepeated = c.percent(30);
  if (isRepeated)
    w.line("for (int round = 0; round < few; ++round) {");
  for (uint32_t count = c.between(1, 3); count > 0; --count)
    c.percent(30) ? walkInTwo() : walk();
  if (isRepeated)
    w.line("}");
  w.line("out[gid] = x + unsigned(all[x & 1][own]);");
}

void writeWalks(Writer &w) { Walks(w).write(); }

} // namespace regrain::fuzz::patterns
