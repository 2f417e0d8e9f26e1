//===- Arrays.cpp - Arrays of a thread, indexed in part by numbers --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread has an array of its own, which loops that are unrolled access at constant places, and
// other accesses at places that are known when the program runs: alone, in guards, and in loops,
// also within a loop around all of them. What is loaded has swizzled places.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Arrays {
public:
  explicit Arrays(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declare();
  void statement();
  void allElements();
  void anyElement();
  void someElements();
  std::string loaded(const std::string &row);
  std::string place() { return formatv("({0}) & {1}", w.word({"s", "tid", "n"}), size - 1).str(); }
  std::string bitsOf(const std::string &element) { return filled(type->bits, element); }
  std::string made(const std::string &bits) { return filled(type->make, bits); }

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  uint32_t size = 8;
};

} // namespace

void Arrays::declare() {
  w.launch({32, c.between(1, 2), 1}, c.between(1, 2));
  uint32_t threads = w.threads() * w.blocks();
  w.pointer("const unsigned", w.memory(1024), 0, c.percent(50), "a");
  w.pointer("unsigned", w.memory(threads), 0, c.percent(50), "out");
  w.scalar("int", c.between(0, 3), "n");
}

/// Returns an element of `a` for a row below 8.
std::string Arrays::loaded(const std::string &row) {
  static const std::vector<const char *> columns = {"tid & 7", "24", "s & 15", "n * 8", "tid & 31"};
  return formatv("a[(tid + ({0}) * {1}) ^ ({2})]", row, c.of(std::vector<uint32_t>{16, 32, 96}),
                 c.of(columns));
}

/// Accesses all elements at constant places, so often that what is stored is not seen again.
void Arrays::allElements() {
  std::string t = w.fresh("t"), e = w.fresh("e");
  bool isRepeated = c.percent(60);
  w.line(isRepeated ? "#pragma unroll" : "#pragma unroll 1");
  w.line(formatv("for (int {0} = 0; {0} < {1}; ++{0})", t, isRepeated ? "4" : "n"));
  w.line("#pragma unroll");
  w.line(formatv("for (int {0} = 0; {0} < {1}; ++{0}) {{", e, size));
  std::string element = formatv("own[{0}]", e);
  std::string other = formatv("own[({0} + {1}) & {2}]", e, c.below(3), size - 1);
  std::string in = loaded(c.percent(50) ? e + " & 7" : t);
  w.line(
      formatv("{0} = {1};", element, made(formatv("{0} * 5 + ({1} ^ {2})", bitsOf(other), in, e))));
  w.line("}");
}

/// Accesses one element at any place.
void Arrays::anyElement() {
  bool isGuarded = c.percent(40);
  if (isGuarded)
    w.line(formatv("if ({0}) {{", w.condition({"s", "tid", "n"})));
  std::string element = formatv("own[{0}]", place());
  if (c.percent(50))
    w.line(formatv("s += {0};", bitsOf(element)));
  else
    w.line(formatv("{0} = {1};", element, made(w.word({"s", "tid"}))));
  if (isGuarded)
    w.line("}");
}

/// Accesses elements in a loop that is not unrolled, of which the number is not constant.
void Arrays::someElements() {
  std::string k = w.fresh("k");
  w.line("#pragma unroll 1");
  w.line(formatv("for (int {0} = 0; {0} < {1} + n; {0} += {2}) {{", k, size - 3, c.between(1, 3)));
  std::string element = formatv("own[{0}]", k);
  w.line(formatv("s = s * 3 + {0};", bitsOf(element)));
  if (c.percent(40))
    w.line(formatv("{0} = {1};", element, made(formatv("s ^ {0}", k))));
  w.line("}");
}

void Arrays::statement() {
  switch (c.below(5)) {
  case 0:
    return anyElement();
  case 1:
    return someElements();
  case 2:
    return w.line(formatv("s ^= {0};", bitsOf(formatv("own[{0}]", c.below(size)))));
  default:
    return allElements();
  }
}

void Arrays::write() {
  type = &c.of(elementTypes());
  size = c.of(std::vector<uint32_t>{4, 16, 32});
  declare();
  w.line("unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, s = tid * 7 + 1;");
  w.line(formatv("{0} own[{1}] = {{};", type->name, size));
  bool isRepeated = c.percent(40);
  if (isRepeated)
    w.line("for (int r = 0; r < n; ++r) {");
  for (uint32_t count = c.between(2, 4); count > 0; --count)
    statement();
  if (isRepeated)
    w.line("}");
  if (c.percent(50))
    statement();
  someElements();
  w.line("out[blockIdx.x * (blockDim.x * blockDim.y) + tid] = s;");
  w.grain("thread.x=2");
  w.grain("block.x=2");
}

void writeArrays(Writer &w) { Arrays(w).write(); }

} // namespace regrain::fuzz::patterns
