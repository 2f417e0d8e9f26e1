//===- Addresses.cpp - Pointers to all memories ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into shared, constant, local and global memory become generic ones: they meet in
// variables, in arrays and structures, in memory, as integers and as arguments, beside null
// pointers, and are compared. Addresses of the first three have fewer bits on NVIDIA GPUs.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

constexpr uint32_t elements = 8; ///< of each object of a thread

class Addresses {
public:
  explicit Addresses(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declareObjects();
  void statement();
  std::string someObject(bool isWritten);
  void choose();
  void advance();
  void askForNull();
  void compare();
  void throughInteger();
  void throughMemory();
  void throughStructure();
  void throughCall();
  void throughArray();
  void fromNeighbour();
  void change();
  void loop();
  void copy();
  std::string index() { return formatv("({0} & 7)", w.word({"x", "tid"}, 1)); }
  std::string condition() { return w.condition({"x", "tid", "n", in + "[tid]"}); }

  Writer &w;
  cooperation::Choices &c;
  std::string in;
  std::vector<std::string> readable, own;
  std::vector<std::string> pointers; ///< variables that point to so many elements, or null
  bool hasShared = false;
};

} // namespace

/// Declares the memory: each thread has a part of the shared arrays that no other accesses.
void Addresses::declareObjects() {
  hasShared = c.percent(85);
  own = {"(mine + tid * 8)", "local"};
  readable = {formatv("({0} + tid * 8)", in)};
  w.line("unsigned local[8] = {x, tid, 3, 4, x ^ 5, 6, 7, 8};");
  if (c.percent(50)) {
    w.line("unsigned other[16];");
    w.line("for (unsigned i = 0; i < 16; ++i)\n    other[i] = i * x;");
    own.push_back(c.percent(50) ? "(other + 8)" : "other");
  }
  if (c.percent(70)) {
    std::string table = w.fresh("table");
    w.function(formatv(
        "__constant__ unsigned {0}[16] = {{1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};\n", table));
    readable.push_back("((unsigned *)" + table + (c.percent(50) ? ")" : " + 4)"));
  }
  if (c.percent(40)) {
    std::string table = w.fresh("table");
    w.function(formatv("__device__ unsigned {0}[8] = {{9, 8, 7, 6, 5, 4, 3, 2};\n", table));
    readable.push_back(table);
  }
  if (!hasShared)
    return;
  w.sharesMemory();
  uint32_t count = c.between(1, 3);
  for (uint32_t i = 0; i < count; ++i) {
    std::string held = w.fresh("held");
    bool isDynamic = i == 1 && c.percent(60);
    if (isDynamic) {
      w.dynamicBytes(w.threads() * elements * 4);
      w.line(formatv("extern __shared__ unsigned {0}[];", held));
    } else {
      w.line(formatv("__shared__ unsigned {0}[{1}];", held, w.threads() * elements));
    }
    own.push_back(formatv("({0} + tid * 8)", held));
    w.line(
        formatv("for (unsigned i = 0; i < 8; ++i)\n    {0}[tid * 8 + i] = x * i + {1};", held, i));
  }
}

std::string Addresses::someObject(bool isWritten) {
  return !isWritten && c.percent(45) ? c.of(readable) : c.of(own);
}

/// A pointer to one object or another, or to none.
void Addresses::choose() {
  std::string name = w.fresh("q"), first = someObject(false), second = someObject(false);
  // Numbers that are no addresses stand for no object, as null does.
  static const std::vector<std::string> nothing = {"(unsigned *)nullptr", "(unsigned *)nullptr",
                                                   "(unsigned *)4ull", "(unsigned *)~3ull"};
  std::string none = c.of(nothing);
  if (c.percent(45))
    (c.percent(50) ? first : second) = none;
  if (c.percent(50)) {
    w.line(formatv("unsigned *{0} = {1} ? {2} : {3};", name, condition(), first, second));
  } else {
    w.line(formatv("unsigned *{0} = {1};", name, first));
    w.line(formatv("if ({0})\n    {1} = {2};", condition(), name, second));
  }
  if (none == "(unsigned *)nullptr")
    pointers.push_back(name);
  if (c.percent(20)) {
    w.line(formatv("unsigned **{0}s = (unsigned **)(words + tid * 4);", name));
    w.line(formatv("*{0}s = {0};\n  x += *{0}s == {1};\n  *{0}s = nullptr;", name, none));
  }
  w.line(formatv("if ({0} != {1})\n    x += {0}[{2}];", name, none, index()));
}

/// A pointer that a loop moves through an object, or from object to object.
void Addresses::loop() {
  std::string name = w.fresh("q");
  if (c.percent(50)) {
    w.line(formatv("unsigned *{0} = {1};", name, someObject(false)));
    w.line(formatv("for (unsigned i = 0; i < {0}; ++i, {1} += {2}) {{", c.between(1, 4), name,
                   c.percent(50) ? "1" : "n % 2"));
    w.line(formatv("x = x * 3 + *{0};", name));
  } else {
    w.line(formatv("unsigned *{0} = {1};", name, c.percent(70) ? someObject(false) : "nullptr"));
    w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", c.between(1, 4)));
    w.line(formatv("if ({0})\n      x += {0}[i];", name));
    w.line(formatv("if ({0})\n      {1} = {2};", condition(), name, someObject(false)));
  }
  w.line("}");
}

/// Indices that are negative, or that wrap around in 32 bits.
void Addresses::advance() {
  static const std::vector<const char *> forms = {"x += ({0} + 7)[-int({1})];",
                                                  "x += ({0} + {1})[0 - int({1} / 2)];",
                                                  "x += *({0} + 8 - 1 - {1});",
                                                  "x += {0}[(long long)({1}) - 0];",
                                                  "x += ({0} + 7)[(long long)({1}) - 7];",
                                                  "x += {0}[({1} + 0xfffffff8u + 8u)];",
                                                  "x += *(unsigned *)((char *){0} + {1} * 4);",
                                                  "x += ((unsigned char *){0})[{1} * 4 + 1];"};
  w.line(formatv(c.of(forms), someObject(false), index()));
}

void Addresses::askForNull() {
  std::string name = w.fresh("q");
  w.line(formatv("unsigned *{0} = nullptr;", name));
  w.line(formatv("if ({0})\n    {1} = {2};", condition(), name, someObject(false)));
  w.line(formatv("x = x * 3 + ({0} == nullptr ? 1 : 2);", name));
  if (c.percent(50))
    w.line(formatv("x += {0} ? {1} == nullptr : 5;", condition(), someObject(false)));
  pointers.push_back(name);
}

void Addresses::compare() {
  static const std::vector<const char *> forms = {
      "x += {0} == {1};",
      "x += {0} != {1} ? 3 : 4;",
      "x += ({0} + 3 - {0});",
      "x += {0} + {2} < {0} + 4;",
      "x += (unsigned long long)({0} + {2}) > (unsigned long long){0};",
      "x += ((unsigned long long){0} == 0) + 1;",
      "x += (unsigned)((char *)({0} + {2}) - (char *){0});",
      "x += ((unsigned long long){0} & 3);"};
  std::string first = pointers.empty() || c.percent(50) ? someObject(false) : c.of(pointers);
  w.line(formatv(c.of(forms), first, someObject(false), index()));
}

void Addresses::throughInteger() {
  static const std::vector<const char *> forms = {
      "x += *(unsigned *)((unsigned long long){0} + {1} * 4);",
      "{{ unsigned long long a = (unsigned long long){0}; a ^= 0x5555000000005555ull; x += "
      "*(unsigned *)((a ^ 0x5555000000005555ull) + 4 * {1}); }",
      "{{ unsigned long long a = {2} ? (unsigned long long){0} : 0; if (a) x += *(unsigned *)(a + "
      "{1} * 4); else x += 9; }",
      "{{ size_t a = (size_t){0}; unsigned low = a, high = a >> 32; x += ((unsigned "
      "*)((size_t)high << 32 | low))[{1}]; }"};
  w.line(formatv(c.of(forms), someObject(false), index(), condition()));
}

/// A pointer is stored in memory of any kind, and loaded again.
void Addresses::throughMemory() {
  std::string place = w.fresh("place");
  switch (hasShared ? c.below(3) : c.below(2)) {
  case 0:
    w.line(formatv("unsigned *{0} = {1};", place, someObject(false)));
    w.line(formatv("unsigned **volatile {0}s = &{0};", place));
    return w.line(formatv("x += (*{0}s)[{1}];", place, index()));
  case 1:
    w.line(formatv("unsigned **{0} = (unsigned **)(words + tid * 4);", place));
    break;
  default:
    w.line(formatv("__shared__ unsigned *{0}s[{1}];", place, w.threads()));
    w.line(formatv("unsigned **{0} = {0}s + tid;", place));
  }
  w.line(formatv("*{0} = {1};", place, c.percent(75) ? someObject(false) : "nullptr"));
  w.line(formatv("if ({0})\n    *{1} = {2};", condition(), place, someObject(false)));
  w.line(formatv("if (*{0})\n    x += (*{0})[{1}];", place, index()));
  w.line(formatv("*{0} = nullptr;", place)); // addresses differ between runs
}

void Addresses::throughStructure() {
  std::string name = w.fresh("pair"), type = w.fresh("Pair");
  w.function(formatv("struct {0} {{\n  unsigned *first, count, *second;\n};\n", type));
  w.line(formatv("{0} {1} = {{{2}, {3}, {4}};", type, name, someObject(false), index(),
                 c.percent(70) ? someObject(false) : "nullptr"));
  w.line(formatv("if ({0}) {{", condition()));
  w.line(formatv("unsigned *kept = {0}.first;", name));
  w.line(formatv("{0}.first = {0}.second;", name));
  w.line(formatv("{0}.second = kept;", name));
  w.line("}");
  w.line(formatv("x += ({0}.first ? {0}.first[{0}.count] : 5) + ({0}.second == nullptr);", name));
}

void Addresses::throughCall() {
  std::string name = w.fresh("look"), how = c.percent(60) ? "__noinline__" : "__forceinline__";
  if (c.percent(50)) {
    w.function(formatv("__device__ {0} unsigned {1}(unsigned *p, unsigned i) {{\n"
                       "  return p ? p[i] : 17;\n}\n",
                       how, name));
    w.line(formatv("x += {0}({1}, {2});", name, c.percent(80) ? someObject(false) : "nullptr",
                   index()));
  } else {
    w.function(formatv("__device__ {0} unsigned *{1}(unsigned *p, unsigned *q, unsigned i) {{\n"
                       "  return i & 1 ? p : i & 2 ? q : nullptr;\n}\n",
                       how, name));
    std::string q = w.fresh("q");
    w.line(formatv("unsigned *{0} = {1}({2}, {3}, x);", q, name, someObject(false),
                   someObject(false)));
    w.line(formatv("x += {0} ? {0}[{1}] : 3;", q, index()));
    pointers.push_back(q);
  }
}

void Addresses::throughArray() {
  std::string name = w.fresh("all");
  uint32_t count = c.between(2, 4);
  std::string values;
  for (uint32_t i = 0; i < count; ++i)
    values += (i ? ", " : "") + (c.percent(85) ? someObject(false) : std::string("nullptr"));
  w.line(formatv("unsigned *{0}[{1}] = {{{2}};", name, count, values));
  std::string at = formatv("{0}[{1} % {2}]", name, w.word({"x", "tid"}, 1), count);
  w.line(formatv("if (unsigned *q = {0})\n    x += q[{1}];", at, index()));
}

/// Each thread reads through a pointer that another thread of the block has stored.
void Addresses::fromNeighbour() {
  if (!hasShared)
    return;
  std::string name = w.fresh("told"), held;
  w.line(formatv("__shared__ unsigned *{0}[{1}];", name, w.threads()));
  for (const std::string &each : own)
    if (each.find("held") != std::string::npos)
      held = each;
  w.line(formatv("{0}[tid] = {1} ? {2} : {3};", name, condition(), held,
                 c.percent(50) ? "nullptr" : c.of(readable)));
  w.line("__syncthreads();");
  w.line(formatv("if (unsigned *q = {0}[(tid + {1}) % {2}])\n    x += q[{3}];", name,
                 c.between(0, 40), w.threads(), index()));
  w.line("__syncthreads();");
}

/// Writes through a pointer to one object or another.
void Addresses::change() {
  static const std::vector<const char *> forms = {"{0}[{1}] = x;",
                                                  "x += atomicAdd(&{0}[{1}], 3u);",
                                                  "x ^= atomicMax(&{0}[{1}], x);",
                                                  "*(volatile unsigned *)&{0}[{1}] = x * 3;",
                                                  "x += atomicCAS(&{0}[{1}], x & 7, 77u);",
                                                  "{0}[{1}] += 1; x += {0}[0];"};
  std::string name = w.fresh("q");
  // The local memory of a thread takes no atomic operations.
  std::string first = someObject(true), second = someObject(true);
  bool isLocal = (first + second).find("mine") == std::string::npos ||
                 (first + second).find("local") != std::string::npos ||
                 (first + second).find("other") != std::string::npos;
  w.line(formatv("unsigned *{0} = {1} ? {2} : {3};", name, condition(), first, second));
  w.line(formatv(isLocal ? (c.percent(50) ? forms[0] : forms[5]) : c.of(forms), name, index()));
  pointers.push_back(name);
}

void Addresses::copy() {
  static const std::vector<const char *> forms = {
      "memcpy({0}, {1}, 16);", "*(uint2 *)({0} + 2) = *(const uint2 *){0};",
      "memset({0}, 0x5a, 8);", "*(uint4 *){0} = *(const uint4 *){0};",
      "memcpy({0} + 2, {1} + 1, 4 * {2});"};
  std::string from = someObject(false), to = someObject(true);
  if (from == to)
    from = formatv("({0} + tid * 8)", in);
  w.line(formatv(c.of(forms), to, from, "(x & 3)"));
}

void Addresses::statement() {
  static void (Addresses::*const kinds[])() = {&Addresses::choose,
                                               &Addresses::advance,
                                               &Addresses::askForNull,
                                               &Addresses::compare,
                                               &Addresses::throughInteger,
                                               &Addresses::throughMemory,
                                               &Addresses::throughStructure,
                                               &Addresses::throughCall,
                                               &Addresses::throughArray,
                                               &Addresses::fromNeighbour,
                                               &Addresses::change,
                                               &Addresses::loop,
                                               &Addresses::copy};
  (this->*kinds[c.below(std::size(kinds))])();
}

void Addresses::write() {
  static const std::vector<uint32_t> sizes = {32, 64, 16, 33, 96};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 3));
  uint32_t all = w.threads() * w.blocks();
  w.pointer("unsigned", w.memory(all * 8), 0, false, "mine");
  in = "in";
  w.pointer("unsigned", w.memory(w.threads() * 8), 0, c.percent(30), "in");
  w.pointer("unsigned", w.memory(all * 4), 0, false, "words");
  w.pointer("unsigned", w.memory(all), 0, c.percent(30), "out");
  w.scalar("unsigned", c.between(0, 9), "n");
  w.line("unsigned tid = threadIdx.x;");
  w.line(formatv("mine += blockIdx.x * {0};", w.threads() * 8));
  w.line(formatv("words += blockIdx.x * {0};", w.threads() * 4));
  w.line("unsigned x = in[tid] + blockIdx.x;");
  declareObjects();
  for (uint32_t count = c.between(2, 6); count > 0; --count)
    statement();
  w.line("for (unsigned i = 0; i < 8; ++i)\n    x = x * 31 + local[i];");
  w.line(formatv("out[blockIdx.x * {0} + tid] = x;", w.threads()));
}

void writeAddresses(Writer &w) { Addresses(w).write(); }

} // namespace regrain::fuzz::patterns
