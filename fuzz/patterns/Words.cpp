//===- Words.cpp - Loops carry words of two numbers -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread has words of two numbers of 16 bits. Loops change them as words, by operators and by
// assembly, or number by number; in front of the loops and behind them they are numbers or words.
// Loops run never, once, twice, or more often, and are unrolled as LLVM likes or as the program
// asks, with a rest. Some numbers are only defined on the ways on which they are used.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

/// A type of words. `make` has {0} for any number, and `read` for one of the two.
struct WordType {
  const char *name, *half, *make, *read;
  bool hasMembers; ///< x and y
};

const std::vector<WordType> wordTypes = {
    {"__half2", "__half", "toHalf({0})", "fromHalf({0})", true},
    {"__nv_bfloat162", "__nv_bfloat16", "toBfloat({0})", "toWord(__bfloat162float({0}))", true},
    {"unsigned", "unsigned short", "(unsigned short)({0})", "unsigned({0})", false},
    {"ushort2", "unsigned short", "(unsigned short)({0})", "unsigned({0})", true}};

class Words {
public:
  explicit Words(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  struct Array {
    std::string name;
    const WordType *type;
    uint32_t number; ///< of its type
  };

  void fill(const Array &array);
  void loop();
  void change(const Array &array);
  void changeNumber(const Array &array);
  void add();
  void read(const Array &array);
  std::string half(const Array &array, bool isHigh) const;
  std::string word(const Array &array) const {
    return formatv("reinterpret_cast<unsigned &>({0}[i])", array.name);
  }
  const Array &other() { return c.of(arrays); }
  std::string iteration();
  std::string input() { return formatv("in[(tid + i * {0} + k) & 63]", c.between(1, 5)); }

  Writer &w;
  cooperation::Choices &c;
  std::vector<Array> arrays;
  uint32_t pairs = 4;
  bool areSums = false; ///< of numbers with a fraction: their bits are no numbers to compute with
  bool isSetFirst = false; ///< the high numbers are set in the first iteration
};

} // namespace

std::string Words::half(const Array &array, bool isHigh) const {
  if (array.type->hasMembers)
    return array.name + (isHigh ? "[i].y" : "[i].x");
  return formatv("reinterpret_cast<{0} *>(&{1}[i])[{2}]", array.type->half, array.name,
                 isHigh ? 1 : 0);
}

/// Gives the words of an array their first numbers, one by one.
void Words::fill(const Array &array) {
  static const std::vector<const char *> numbers = {
      "in[(tid + i) & 63]", "in[(tid ^ (i * 7)) & 63]", "i * 5 + 3", "tid + i", "n"};
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", pairs));
  for (bool isHigh : {false, true})
    if (!isHigh || !isSetFirst)
      w.line(formatv("{0} = {1};", half(array, isHigh), filled(array.type->make, c.of(numbers))));
  w.line("}");
}

/// A condition on the iteration, or on the thread.
std::string Words::iteration() {
  static const std::vector<const char *> conditions = {
      "k & 1",       "k & 1",      "k % 3 == 1",    "k % 5 == 2",
      "k > 1",       "k == 0",     "(tid + k) & 2", "in[(tid + k) & 63] & 1",
      "(s + k) & 1", "length == 2"};
  return c.of(conditions);
}

/// Sums of two numbers at once.
void Words::add() {
  const Array &array = arrays.front();
  w.line(formatv("asm(\"add.f16x2 %0, %0, %1;\" : \"+r\"({0}) : \"r\"(more));", word(array)));
}

/// Changes a word as a whole.
void Words::change(const Array &array) {
  static const std::vector<const char *> texts = {
      "{0} = {0} * 5 + {1};", "{0} ^= {1};",
      "asm(\"mad.lo.u32 %0, %0, %1, %1;\" : \"+r\"({0}) : \"r\"({1}));",
      "asm volatile(\"xor.b32 %0, %0, %1;\" : \"+r\"({0}) : \"r\"({1}));"};
  static const std::vector<const char *> selectors = {"0x5410", "0x7632", "0x1032", "0x5432",
                                                      "0x3276"};
  std::string own = word(array);
  const Array &from = other();
  bool isSame = from.number == array.number;
  switch (c.below(areSums ? 4 : 6)) {
  case 0:
    return w.line(formatv("{0} = {0} >> 16 | {0} << 16;", own));
  case 1:
    if (isSame)
      return w.line(formatv("{0} = __byte_perm({0}, {1}, {2});", own, word(from), c.of(selectors)));
    [[fallthrough]];
  case 2:
    if (isSame && from.name != array.name)
      return w.line(formatv("{0}[i] = {1}[i];", array.name, from.name));
    [[fallthrough]];
  case 3:
    if (areSums && array.number == 0)
      return add();
    return changeNumber(array);
  default:
    return w.line(formatv(c.of(texts), own, c.percent(50) ? input() : "more"));
  }
}

/// Changes the numbers of a word.
void Words::changeNumber(const Array &array) {
  std::string low = half(array, false), high = half(array, true);
  if (c.percent(50))
    return w.line(
        formatv("{{ {0} low = {1}; {1} = {2}; {2} = low; }", array.type->half, low, high));
  bool isHigh = c.percent(50);
  w.line(formatv("{0} = {1};", isHigh ? high : low, filled(array.type->make, input())));
}

void Words::loop() {
  static const std::vector<const char *> lengths = {
      "n", "n", "n", "min(n, 2u)", "tid & 3", "in[tid & 63] % 3", "n + (tid & 1)"};
  static const std::vector<const char *> heads = {
      "for (unsigned k = 0; k < length; ++k) {{", "for (unsigned k = 0; k < length; ++k) {{",
      "for (unsigned k = 0; k != length; ++k) {{", "for (unsigned k = length; k-- > 0;) {{",
      "for (unsigned k = 0; k < length; k += {0}) {{"};
  w.line(formatv("length = {0};", c.of(lengths)));
  // Words that are not filled are only used where the loop runs.
  isSetFirst = c.percent(15);
  bool isOptional = c.percent(20);
  uint32_t head = isSetFirst ? c.below(3) : c.below(uint32_t(heads.size()));
  if (isOptional || isSetFirst)
    w.line("if (length > 0) {");
  for (const Array &array : arrays)
    fill(array);
  if (isOptional && !isSetFirst && c.percent(50)) {
    w.line("}");
    w.line("if (length > 0) {");
  }
  if (c.percent(40))
    w.line(formatv("#pragma unroll {0}", c.of(std::vector<uint32_t>{1, 2, 2, 3, 4})));
  w.line(formatv(heads[head], c.between(2, 3)));
  if (c.percent(80))
    w.line("#pragma unroll");
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", pairs));
  if (isSetFirst)
    for (const Array &array : arrays)
      w.line(formatv("if (k == 0) {0} = {1};", half(array, true),
                     filled(array.type->make, "in[(tid * 3 + i) & 63]")));
  for (const Array &array : arrays)
    for (uint32_t count = c.between(1, 3); count > 0; --count) {
      if (c.percent(60))
        w.line(formatv("if ({0})", iteration()));
      change(array);
    }
  if (areSums && c.percent(70))
    add();
  w.line("}");
  if (c.percent(15))
    w.line(formatv("if ((in[tid & 63] + k) % {0} == 1)\n      break;", c.between(3, 9)));
  w.line("}");
  for (const Array &array : arrays)
    read(array);
  if (isOptional || isSetFirst)
    w.line("}");
}

/// Reads numbers and words.
void Words::read(const Array &array) {
  if (c.percent(15))
    w.line(formatv("if ({0})", w.condition({"tid", "n"})));
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", pairs));
  uint32_t kind = c.below(6);
  if (kind != 1)
    w.line(formatv("s = s * 3 + {0};", filled(array.type->read, half(array, false))));
  if (kind != 2)
    w.line(formatv("s = s * 7 + {0};", filled(array.type->read, half(array, true))));
  if (kind >= 4)
    w.line(formatv("s = s * 31 + ({0} >> {1});", word(array), c.below(4)));
  w.line("}");
}

void Words::write() {
  static const std::vector<uint32_t> sizes = {8, 32, 33, 64},
                                     lengths = {0, 1, 1, 1, 2, 2, 3, 4, 5, 9};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 2));
  w.pointer("const unsigned", w.memory(64), 0, c.percent(50), "in");
  w.pointer("unsigned", w.memory(w.threads() * w.blocks()), 0, c.percent(50), "out");
  w.scalar("unsigned", c.of(lengths), "n");
  w.scalar("unsigned", 0x3c003800, "more"); // 0.5 and 1
  areSums = c.percent(40);
  pairs = c.of(std::vector<uint32_t>{4, 4, 2, 1, 3});
  w.line("unsigned tid = threadIdx.x, s = tid, length = 0;");
  for (uint32_t count = c.between(1, 2); count > 0; --count) {
    uint32_t number = areSums && arrays.empty() ? 0 : c.below(uint32_t(wordTypes.size()));
    const WordType *type = &wordTypes[number];
    arrays.push_back({w.fresh("words"), type, number});
    w.line(formatv("{0} {1}[{2}];", type->name, arrays.back().name, pairs));
  }
  bool isRepeated = c.percent(20);
  if (isRepeated)
    w.line(formatv("for (unsigned r = 0; r < {0}; ++r) {{", c.between(2, 3)));
  for (uint32_t count = c.between(1, 2); count > 0; --count)
    loop();
  if (isRepeated)
    w.line("}");
  w.line("out[blockIdx.x * blockDim.x + tid] = s;");
  w.grain("thread.x=2");
  w.grain("block.x=2");
}

void writeWords(Writer &w) { Words(w).write(); }

} // namespace regrain::fuzz::patterns
