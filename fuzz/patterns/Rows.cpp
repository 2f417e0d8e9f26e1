//===- Rows.cpp - Rows that a block reads again ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block has a row of several arrays, and runs loops over it, with barriers between some. In most
// loops, a thread accesses its own elements; in some, it writes those of other threads. Two
// parameters may point into one array.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

/// A parameter that points to the rows of an array.
struct RowArray {
  std::string name;
  uint32_t memory;
  bool isWritten;
};

class Rows {
public:
  explicit Rows(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void chooseArrays();
  void addGrains();
  void loop();
  void statements(const std::string &index);
  void statement(const std::string &index);
  void writeOthers();
  void tree();
  void between();
  std::string element(const RowArray &array, const std::string &index) {
    return formatv("{0}[row + {1}]", array.name, index);
  }
  std::string word(const std::string &index, unsigned depth = 2) {
    return w.word({"x", index, filled(type->bits, element(c.of(arrays), index)), "before"}, depth);
  }

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  uint32_t length = 0, pitch = 0;
  std::vector<RowArray> arrays;
  std::string n;
  uint32_t numberOfN = 0;
  bool meetsOthers = false; ///< parameters point into one array
};

} // namespace

void Rows::chooseArrays() {
  uint32_t count = c.between(2, 3), words = pitch * w.blocks() * type->bytes / 4 + 4;
  bool isRestrict = c.percent(30);
  for (uint32_t i = 0; i < count; ++i) {
    bool isWritten = i == 0 || c.percent(50);
    bool joins = i > 0 && !isRestrict && c.percent(20);
    RowArray array = {"", joins ? arrays[0].memory : w.memory(words & ~3u, type->isReal),
                      isWritten};
    if (joins)
      arrays[0].isWritten = array.isWritten = true;
    meetsOthers |= joins;
    // Elements at this distance are of the same thread.
    uint32_t offset = joins ? c.below(3) * w.threads() * type->bytes / 4 : 0;
    array.name = w.pointer((array.isWritten ? "" : "const ") + std::string(type->name),
                           array.memory, offset & ~3u, isRestrict);
    arrays.push_back(array);
  }
}

void Rows::addGrains() {
  std::string known = formatv("{0},for.arg{1}={2}", w.knownBlock(), numberOfN, length);
  std::vector<std::string> factors = {""};
  for (uint32_t factor : {2u, 4u})
    if (w.threads() % factor == 0) {
      factors.push_back(formatv("thread.x={0},", factor));
      factors.push_back(formatv("thread.x={0}:contiguous,", factor));
    }
  if (w.threads() % 64 == 0)
    factors.push_back("thread.x=2,exchange=levels,");
  for (const std::string &factor : factors) {
    std::string rows = factor + "rows=registers,";
    w.grain(rows + known + ",for.pointers=16,for.aliases=none");
    if (c.percent(40))
      w.grain(rows + known);
    w.grain(rows + known + ",for.aliases=none");
    if (factor.find("contiguous") != std::string::npos)
      w.grain("fuse.x=2," + factor + known + ",for.pointers=16,for.aliases=none");
  }
}

/// One statement about the thread's own element.
void Rows::statement(const std::string &index) {
  const RowArray &array = c.of(arrays);
  switch (c.below(array.isWritten ? 5 : 2)) {
  case 0:
    return w.line(formatv("x += {0};", word(index)));
  case 1:
    if (type->isReal)
      return w.line(formatv("sum += {0} * {1};", element(array, index), c.between(1, 5)));
    return w.line(formatv("x = max(x, {0});", word(index, 1)));
  case 2:
    if (c.percent(40))
      w.line("if (" + w.condition({index, "x", "before"}) + ")");
    [[fallthrough]];
  default:
    return w.line(formatv("  {0} = {1};", element(array, index), filled(type->make, word(index))));
  }
}

void Rows::statements(const std::string &index) {
  for (uint32_t count = c.between(1, 3); count > 0; --count)
    statement(index);
}

/// A loop over the thread's own elements.
void Rows::loop() {
  static const std::vector<const char *> forms = {
      "for (unsigned {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x) {{",
      "for (int {0} = threadIdx.x; {0} < int({1}); {0} += blockDim.x) {{",
      "for (unsigned {0} = threadIdx.x; {0} < {1}; {0} += {2}) {{",
      "for (unsigned long long {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x) {{",
      "for (unsigned {0} = threadIdx.x; {0} + 1 <= {1}; {0} += blockDim.x) {{"};
  std::string index = w.fresh("i");
  w.line(formatv(c.percent(60) ? forms[0] : c.of(forms), index, n, w.threads()));
  if (c.percent(8))
    w.line(formatv("if (unsigned({0}) == {1} + threadIdx.x)\n      {2};", index, w.threads(),
                   c.percent(50) ? "break" : "continue"));
  std::string number = "unsigned(" + index + ")";
  if (c.percent(80))
    w.line(formatv("x = x * 3 + {0};", filled(type->bits, element(arrays[0], number))));
  statements(number);
  w.line("}");
}

/// Each thread writes elements that others own, all behind a barrier and before another.
void Rows::writeOthers() {
  const RowArray &array = arrays[0];
  std::string index = w.fresh("i");
  w.line("__syncthreads();");
  w.line(formatv("for (unsigned {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x)", index, n));
  w.line(formatv("  {0} = {1};",
                 element(array, formatv("({0} + {1}) % {2}", index, c.between(1, 40), n)),
                 filled(type->make, w.word({"x", index}))));
  w.line("__syncthreads();");
}

/// A tree over what the threads have computed, and the result for all of them.
void Rows::tree() {
  std::string held = w.fresh("held");
  w.line(formatv("__shared__ unsigned {0}[{1}];", held, w.threads()));
  w.line(formatv("{0}[threadIdx.x] = x;", held));
  w.line("__syncthreads();");
  w.line(formatv("for (unsigned far = {0}; far > 0; far /= 2) {{", w.threads() / 2));
  w.line("if (threadIdx.x < far)");
  w.line(formatv("  {0}[threadIdx.x] += {0}[threadIdx.x + far];", held));
  w.line("__syncthreads();");
  w.line("}");
  w.line(formatv("before += {0}[0];", held));
}

void Rows::between() {
  if (c.percent(25) && !meetsOthers)
    return writeOthers();
  if (c.percent(65))
    return c.percent(50) ? tree() : w.line("__syncthreads();");
  switch (c.below(8)) {
  case 0:
    return w.line("__syncthreads();");
  case 1:
    return tree();
  case 2:
    return tree();
  case 3:
    return w.line("__threadfence();");
  case 4:
    if (std::string(type->name) == "unsigned" && arrays[0].isWritten)
      return w.line(formatv("atomicAdd(&{0}, {1});", element(arrays[0], "threadIdx.x"),
                            word("threadIdx.x", 1)));
    return;
  case 5:
    if (arrays[0].isWritten)
      return w.line(formatv("*(volatile {0} *)&{1} = {2};", type->name,
                            element(arrays[0], "threadIdx.x"), filled(type->make, "x")));
    return;
  case 6:
    if (arrays[0].isWritten) {
      std::string name = w.fresh("change");
      w.function(
          formatv("__device__ __noinline__ void {0}({1} *at, unsigned x) {{\n  *at = {2};\n}\n",
                  name, type->name, filled(type->make, "x * 3")));
      return w.line(formatv("{0}(&{1}, x);", name, element(arrays[0], "threadIdx.x")));
    }
    return;
  default:
    return;
  }
}

void Rows::write() {
  static const std::vector<uint32_t> sizes = {32, 64, 128, 64, 16, 96, 256};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 4));
  type = &c.of(elementTypes());
  length = w.threads() * c.between(1, 5) + (c.percent(15) ? c.between(1, 3) : 0);
  pitch = length + 2 * w.threads() + (c.percent(30) ? 4 : 0);
  chooseArrays();
  n = w.scalar("unsigned", length);
  numberOfN = w.lastParameter();
  uint32_t all = w.threads() * w.blocks();
  std::string out = w.pointer("unsigned", w.memory(all));
  w.sharesMemory();
  w.line("unsigned x = threadIdx.x * 7 + blockIdx.x, before = 3;");
  w.line(formatv("{0} sum = 0;", type->isReal ? type->name : "unsigned"));
  w.line(formatv("size_t row = size_t(blockIdx.x) * {0};", pitch));
  for (uint32_t loops = c.between(2, 4); loops > 0; --loops) {
    bool isConditional = c.percent(8);
    if (isConditional)
      w.line("if (" + w.condition({"x", "before"}) + ") {");
    loop();
    if (isConditional)
      w.line("}");
    if (loops > 1)
      between();
  }
  w.line(formatv("{0}[blockIdx.x * {1} + threadIdx.x] = x + before + {2};", out, w.threads(),
                 type->isReal ? filled(type->bits, "sum") : "sum"));
  addGrains();
}

void writeRows(Writer &w) { Rows(w).write(); }

} // namespace regrain::fuzz::patterns
