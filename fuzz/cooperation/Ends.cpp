//===- Ends.cpp - Acts at the ends of threads and integers ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Acts.h"
#include "fuzz/cooperation/Builder.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::cooperation {

namespace {

#define REGRAIN_LOOP(name, what, ...)                                                              \
  unsigned name(unsigned few, const unsigned *table) { __VA_ARGS__ }
#include "fuzz/cooperation/Loops.inc"
#undef REGRAIN_LOOP

struct Loop {
  const char *what;
  unsigned (*run)(unsigned few, const unsigned *table);
  const char *body;
};

#define REGRAIN_LOOP(name, what, ...) {what, name, #__VA_ARGS__},
const std::vector<Loop> loops = {
#include "fuzz/cooperation/Loops.inc"
};
#undef REGRAIN_LOOP

} // namespace

/// Some threads end, the others continue. No act may follow.
void leave(Builder &b) {
  Choices &choices = b.choices();
  static const std::vector<std::pair<const char *, const char *>> ways = {
      {"return;", "some threads return"},
      {"EXIT_THREAD();", "some threads exit"},
      {"EXIT_THREAD();", "some threads exit"},
      {"asm volatile(\"exit;\");", "some threads exit in assembly"}};
  auto [text, description] = choices.of(ways);
  b.form(description);
  uint32_t modulus = choices.between(2, 5), rest = choices.below(modulus);
  Region out = b.results(b.everyone()), count = b.grid({false, Reach::Grid}, 1, 0);
  std::string gid = formatv("(home * {0} + self)", b.live());
  std::string condition = choices.percent(30)
                              ? formatv("{0} % {1} == {2}", gid, b.scalar(modulus), rest).str()
                              : formatv("{0} % {1} == {2}", gid, modulus, rest).str();
  bool stores = choices.percent(40);
  if (stores)
    b.line(formatv("if ({0}) {{", condition));
  else
    b.line(formatv("if ({0})", condition));
  if (stores)
    b.line(out.at(gid) + " = 5;");
  b.line((stores ? "" : "  ") + std::string(text));
  if (stores)
    b.line("}");
  b.line(out.at(gid) + " = 9;");
  b.line("atomicAdd(" + count.pointer + ", 1u);");
  uint32_t everyone = b.everyone(), left = 0;
  for (uint32_t i = 0; i < std::min(modulus, everyone); ++i) {
    bool leaves = i == rest;
    uint32_t number = (everyone - i + modulus - 1) / modulus;
    left += leaves ? number : 0;
    b.checkLinear(out, i, number,
                  !leaves  ? 9
                  : stores ? 5
                           : 0xeeeeeeee,
                  0, leaves ? "what a thread that left has left" : "what a thread that stayed says",
                  modulus);
  }
  b.checkValue(count, 0, everyone - left, "threads that stay");
}

/// Each thread runs loops with its own bounds.
void countToTheEnd(Builder &b) {
  Choices &choices = b.choices();
  constexpr uint32_t base = 3, step = 7;
  unsigned words[8];
  for (unsigned i = 0; i < 8; ++i)
    words[i] = base + i * step;
  Region table = b.grid({false, Reach::Grid}, 8, base, step), out = b.results(b.everyone());
  const Loop &loop = choices.of(loops);
  uint32_t modulus = choices.between(1, 5);
  b.form(std::string("a loop ") + loop.what);
  std::string call = b.function("unsigned", "unsigned few, const unsigned *table",
                                std::string("  ") + loop.body + "\n");
  std::string gid = formatv("home * {0} + self", b.live());
  b.line(formatv("{0} = {1}({2}) % {3}, {4});", out.at(gid), call, gid, modulus, table.pointer));
  for (uint32_t few = 0; few < std::min(modulus, b.everyone()); ++few)
    b.checkLinear(out, few, (b.everyone() - few + modulus - 1) / modulus, loop.run(few, words), 0,
                  "what a loop gives", modulus);
}

} // namespace regrain::fuzz::cooperation
