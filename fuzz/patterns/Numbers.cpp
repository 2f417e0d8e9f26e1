//===- Numbers.cpp - Numbers at their ends --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of 8 to 64 bits that start or end where integers do, and that wrap around; indices that
// are extended with zeros and with signs; loops that run no time or once; divisions whose guards
// keep them from dividing by zero; quotients that become numbers of 8 bits; products of bytes. Only
// what is defined happens.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Numbers {
public:
  explicit Numbers(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void statement();
  void atTheEnd();
  void body(const std::string &small);
  void strided();
  void divide();
  void divideReal();
  void codes();
  void bytes();
  void decide();
  std::string word(unsigned depth = 2) { return w.word({"x", "tid", "a[tid & 15]", "n"}, depth); }
  std::string length() { return c.of(std::vector<std::string>{"few", "none", "one", "few"}); }

  Writer &w;
  cooperation::Choices &c;
  bool hasCodes = false; ///< the function that rounds to 8 bits is there
};

/// Rounds a float to four exponent and three mantissa bits, as PyTorch does. Functions of the
/// device library, which is linked for a GPU alone, would hide that from the passes for its code.
/// The limit is an argument, so that these passes see the bounds of the number with it.
constexpr const char toCode[] = R"(
#ifdef __clang__
#define bitsOf(number) __builtin_bit_cast(unsigned, (float)(number))
#define realOf(bits) __builtin_bit_cast(float, (unsigned)(bits))
#define smaller __builtin_fminf
#define larger __builtin_fmaxf
#else
#define bitsOf __float_as_uint
#define realOf __uint_as_float
#define smaller fminf
#define larger fmaxf
#endif
__device__ __forceinline__ unsigned char toCode(float number, unsigned none) {
  unsigned bits = bitsOf(number), sign = bits & 0x80000000u, code;
  bits ^= sign;
  if (bits >= none)
    code = 0x7f;
  else if (bits < 0x3c800000u)
    code = bitsOf(realOf(bits) + 16384.0f) - bitsOf(16384.0f);
  else
    code = (bits + ((unsigned)(7 - 127) << 23) + 0x7ffff + ((bits >> 20) & 1)) >> 20;
  return (unsigned char)code | (unsigned char)(sign >> 24);
})";

} // namespace

/// Uses a number below 16 as an index, in several widths.
void Numbers::body(const std::string &small) {
  static const std::vector<const char *> forms = {
      "x = x * 5 + a[{0}];",
      "x += a[{0}] ^ a[(size_t)(unsigned)({0}) + 1];",
      "x += a[{0} + 1] - a[(int)({0})];",
      "mine[{0}] = a[{0}] + x;",
      "mine[{0}] = mine[{0} + 1] * 3 + (unsigned){0};",
      "x += h[{0}] + h[(unsigned)({0}) + 1];",
      "x += b[{0}] * 3 + b[({0}) + 2];",
      "x += (a + 8)[(int)({0}) - 8];",
      "x += (a + 8)[(long long)({0}) - 8] + (b + 16)[-(int)({0})];",
      "if (a[{0}] & 1) mine[{0}] += x;"};
  for (uint32_t count = c.between(1, 3); count > 0; --count)
    w.line(formatv(c.of(forms), small));
}

/// A loop whose counter comes to the first or the last number of its type, or to both.
void Numbers::atTheEnd() {
  struct Form {
    const char *loop, *small; ///< with the counter and a length of at most 5
  };
  static const std::vector<Form> forms = {
      {"for (unsigned char {0} = 0; {0} < {1}; ++{0}) {{", "{0}"},
      {"for (unsigned char {0} = 253; {0} != (unsigned char)(253 + {1}); ++{0}) {{",
       "(unsigned char)({0} - 253)"},
      {"for (unsigned short {0} = 65534; {0} != (unsigned short)(65534 + {1}); ++{0}) {{",
       "(unsigned short)({0} - 65534)"},
      {"for (short {0} = 32767; {0} > 32767 - {1}; --{0}) {{", "(32767 - {0})"},
      {"for (signed char {0} = -128; {0} < -128 + {1}; ++{0}) {{", "({0} + 128)"},
      {"for (unsigned {0} = 0xfffffffdu; {0} != 0xfffffffdu + {1}; ++{0}) {{", "({0} + 3u)"},
      {"for (unsigned {0} = {1}; {0}-- != 0;) {{", "{0}"},
      {"for (int {0} = 0x7fffffff - {1}; {0} < 0x7fffffff; ++{0}) {{",
       "({0} - (0x7fffffff - {1}))"},
      {"for (int {0} = -0x7fffffff - 1; {0} < -0x7fffffff - 1 + {1}; ++{0}) {{",
       "({0} + 0x7fffffff + 1)"},
      {"for (int {0} = {1}; {0} > 0; --{0}) {{", "{0}"},
      {"for (int {0} = -{1}; {0} < 0; ++{0}) {{", "(-{0})"},
      {"for (long long {0} = 0x100000000ll; {0} < 0x100000000ll + {1}; ++{0}) {{",
       "((unsigned){0})"},
      {"for (long long {0} = -{1}; {0} <= 0; ++{0}) {{", "(-{0})"},
      {"for (unsigned long long {0} = ~0ull - {1}; {0} != ~0ull; ++{0}) {{", "(~0ull - {0})"},
      {"for (unsigned {0} = 0; {0} < {1} * 3u; {0} += 3) {{", "({0} / 3)"},
      {"for (unsigned {0} = 0x80000000u; {0} < 0x80000000u + {1}; ++{0}) {{",
       "({0} ^ 0x80000000u)"}};
  const Form &form = c.of(forms);
  std::string index = w.fresh("i"), count = length();
  w.line(formatv(form.loop, index, count));
  body(formatv(form.small, index, count).str());
  w.line("}");
}

/// Rows and columns of small matrices, with strides that are arguments, some of them negative.
void Numbers::strided() {
  static const std::vector<const char *> forms = {
      "x += a[{0} * three + {1}];",
      "x += (a + 15)[(int)({0} * -three) - (int){1}];",
      "x += a[{1} * three + {0}] * a[{1} * three + {0} + 1];",
      "x = x * 3 + (a + 14)[(int)({0} * minus) - (int){1}];",
      "mine[{0} * three + {1}] += a[{0} * three + {1}] + x;",
      "x += a[({0} - 1u) * three + three + {1}];",
      "x += h[{0} * three + {1}] - b[{1} * three + {0}];"};
  std::string row = w.fresh("i"), column = w.fresh("j");
  const char *type = c.percent(50) ? "int" : "unsigned";
  w.line(formatv("for ({0} {1} = 0; {1} < {2}; ++{1})", type, row,
                 c.percent(70) ? "few - 2" : length()));
  w.line(formatv("  for ({0} {1} = 0; {1} < {2}; ++{1}) {{", c.percent(70) ? type : "unsigned char",
                 column, c.percent(80) ? "few - 2" : "one"));
  for (uint32_t count = c.between(1, 2); count > 0; --count)
    w.line(formatv(c.of(forms), row, column));
  w.line("}");
}

void Numbers::divide() {
  static const std::vector<const char *> forms = {
      "x += {1} != 0 ? {0} / {1} : 7;",
      "x += {1} ? {0} % {1} : {0};",
      "{{ int p = {0}, q = {1}; x += q == 0 || (q == -1 && p == (int)0x80000000) ? 5 : p / q; }",
      "{{ int p = {0}, q = {1}; if (q > 1) x += p % q; else x -= p; }",
      "{{ int p = {0} | 0x80000000, q = -1 - (int)({1} & 1); if (p != (int)0x80000000) x += p / q "
      "+ p % q; }",
      "{{ unsigned long long p = {0} * 0x100000001ull, q = {1}; if (q) x += p / q; }",
      "{{ unsigned char p = {0}, q = {1}; if (q) x += p / q + p % q; }",
      "{{ short p = {0}, q = {1}; if (q) x += p / q; }"};
  w.line(formatv(c.of(forms), "(" + word() + ")", c.percent(40) ? "(x & 1)" : "(" + word(1) + ")"));
}

/// Divisions and roots that a selection guards; the results are no zero's sign and never none.
void Numbers::divideReal() {
  if (c.percent(40))
    return codes();
  static const std::vector<const char *> forms = {
      "{{ float p = {0}, q = {1}; if (q > 1.0f) p /= q; x += __float_as_uint(p); }",
      "{{ float p = {0}, q = {1}; p = q != 0.0f ? p / q : 3.0f; x += __float_as_uint(p); }",
      "{{ double p = {0}, q = {1}; p = q > 0 ? p / q : q; x += __double2loint(p) ^ "
      "__double2hiint(p); }",
      "{{ float p = {0}; float r = p > 4.0f ? sqrtf(p) : p; x ^= __float_as_uint(r); }",
      "{{ float p = {0}, q = {1}; float r = 1; for (int i = 0; i < few; ++i) {{ if (q > i) r = r / "
      "q + p; } x += __float_as_uint(r); }",
      "{{ float p = {0}, q = {1}; float r = p / (q + 1.0f); x += r > 1e30f || !isfinite(r) ? 1 : "
      "2; }"};
  std::string first = formatv("float(({0}) & 0xffff)", word()),
              second = formatv("float(({0}) & 15)", word(1));
  w.line(formatv(c.of(forms), first, second));
}

/// Quotients by one number that become numbers of 8 bits, behind bounds that leave no NaN.
void Numbers::codes() {
  static const std::vector<const char *> divisors = {
      "realOf({0})", "float(({0}) & 15) - 7.0f", "realOf(({0}) & 0x807fffffu)",
      "realOf((({0}) & 0xffu) << 23)", "float(({0}) & 0xffff) * 0x1p-12f"};
  static const std::vector<const char *> dividends = {
      "realOf(({0}) * (2u * k + 1))", "float((int)((({0}) >> k) & 0xffff) - 0x8000)",
      "realOf(a[(k + tid) & 15] << (k & 7))", "(float)k"};
  static const std::vector<const char *> both = {"larger(-448.0f, smaller({0}, 448.0f))",
                                                 "smaller(larger({0}, -448.0f), 448.0f)"},
                                         one = {
                                             "smaller({0}, 448.0f)", "larger({0}, -240.0f)",
                                             "smaller(realOf(bitsOf({0}) & 0x7fffffffu), 470.0f)",
                                             "-smaller(larger(-3.5f, {0}), 57344.0f)"};
  const std::vector<const char *> &bounds = c.percent(75) ? both : one;
  if (!std::exchange(hasCodes, true))
    w.function(toCode);
  w.form("quotients become numbers of 8 bits");
  w.line(formatv("{{ float s = {0};", formatv(c.of(divisors), word()).str()));
  w.line(formatv("  for (int k = 0; k < {0}; ++k)", c.percent(50) ? "4" : "few"));
  std::string quotient = formatv(c.of(dividends), word(1)).str() + " / s";
  w.line(formatv("    ((unsigned char *)(mine + 16))[k] = toCode({0}, 0x43f00000u); }",
                 formatv(c.of(bounds), quotient).str()));
}

/// Sums of products of bytes, with and without signs, some of them incomplete.
void Numbers::bytes() {
  static const std::vector<const char *> words = {"unsigned char", "signed char", "unsigned char",
                                                  "short"};
  std::string p = w.fresh("p"), q = w.fresh("q"), one = c.of(words), other = c.of(words);
  w.line(formatv("const {0} *{1} = (const {0} *)(a + (tid & 7));", one, p));
  w.line(formatv("const {0} *{1} = (const {0} *)(b + (x & 7));", other, q));
  std::string sum = "x";
  uint32_t count = c.percent(80) ? 4 : c.between(1, 8);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t with = c.percent(90) ? i : c.below(4);
    sum += formatv(" {0} {1}[{2}] * {3}[{4}]", c.percent(93) ? "+" : "-", p, i % 4, q, with % 4);
  }
  w.line(formatv("x = {0};", sum));
  if (c.percent(30))
    w.line(
        formatv("x += __dp4a({0}a[tid & 7], {0}b[tid & 7], {0}x);", c.percent(50) ? "(int)" : ""));
}

/// Conditions of conditions.
void Numbers::decide() {
  std::string first = w.condition({"x", "tid", "n"}), second = w.condition({"x", "a[tid & 7]"}),
              third = w.condition({"tid", "n"});
  static const std::vector<const char *> forms = {
      "x += ({0}) ? ({1}) : ({2});", "x += (({0}) && ({1})) || !({2}) ? 3 : 9;",
      "{{ bool s = ({0}) ? ({1}) != ({2}) : ({2}); if (s) x ^= 0x55; }",
      "{{ bool s = {0}; for (int i = 0; i < few; ++i) s = s ? {1} : {2}; x += s; }",
      "x += (int)({0}) - (int)({1}) + ((({2}) ^ ({0})) ? 2 : 4);"};
  w.line(formatv(c.of(forms), first, second, third));
}

void Numbers::statement() {
  static void (Numbers::*const kinds[])() = {
      &Numbers::atTheEnd,   &Numbers::atTheEnd, &Numbers::strided, &Numbers::divide,
      &Numbers::divideReal, &Numbers::bytes,    &Numbers::decide};
  (this->*kinds[c.below(std::size(kinds))])();
}

void Numbers::write() {
  static const std::vector<uint32_t> sizes = {32, 64, 33, 16};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 3));
  uint32_t all = w.threads() * w.blocks();
  bool isRestrict = c.percent(50);
  w.pointer("unsigned", w.memory(all * 20), 0, isRestrict, "mine");
  w.pointer("const unsigned", w.memory(24), 0, isRestrict, "a");
  w.pointer("const unsigned", w.memory(24), 0, isRestrict, "b");
  w.pointer("const unsigned short", w.memory(24), 0, isRestrict, "h");
  w.scalar("int", 5, "few");
  w.scalar("int", 0, "none");
  w.scalar("int", 1, "one");
  w.scalar("int", 3, "three");
  w.scalar("int", uint32_t(-3), "minus");
  w.scalar("unsigned", c.percent(50) ? c.below(10) : 0xffffffffu - c.below(3), "n");
  w.pointer("unsigned", w.memory(all), 0, isRestrict, "out");
  w.line("unsigned tid = threadIdx.x;");
  w.line(formatv("unsigned gid = blockIdx.x * {0} + tid;", w.threads()));
  w.line("mine += gid * 20;");
  w.line("unsigned x = a[gid & 15] + gid;");
  for (uint32_t count = c.between(2, 5); count > 0; --count)
    statement();
  w.line("out[gid] = x;");
}

void writeNumbers(Writer &w) { Numbers(w).write(); }

} // namespace regrain::fuzz::patterns
