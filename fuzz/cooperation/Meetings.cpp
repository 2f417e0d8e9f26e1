//===- Meetings.cpp - Acts in which lanes of a warp meet ------------------===//
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

/// An exchange of the lanes of a warp, as text.
struct Meeting {
  const char *form;
  std::string hear;  ///< the head of a loop that continues until the last iteration
  std::string round; ///< for the lane that sends, with the number i
  std::string last;
};

/// `lanes` is a mask, `tells` the lane that sends, and `cell` memory of the
/// block.
Meeting drawMeeting(Choices &choices, const std::string &lanes, uint32_t tells,
                    const std::string &cell) {
  switch (choices.below(3)) {
  case 0:
    return {"lanes vote elsewhere", formatv("while (!__any_sync({0}, 0))", lanes),
            formatv("__any_sync({0}, 0);", lanes), formatv("__any_sync({0}, 1);", lanes)};
  case 1: {
    std::string meet = formatv("__syncwarp({0})", lanes);
    return {"lanes fall in elsewhere",
            formatv("for (unsigned heard = 0; {0}, heard = {1}, {0}, heard != ~0u;)", meet, cell),
            formatv("{1} = i, {0}, {0};", meet, cell), formatv("{1} = ~0u, {0}, {0};", meet, cell)};
  }
  default:
    return {"lanes shuffle elsewhere",
            formatv("while (__shfl_sync({0}, 0u, {1}) != ~0u)", lanes, tells),
            formatv("__shfl_sync({0}, i, {1});", lanes, tells),
            formatv("__shfl_sync({0}, ~0u, {1});", lanes, tells)};
  }
}

} // namespace

/// Two lanes of a warp meet at different places: one is in a loop until it hears that the
/// other has left its own.
void meetElsewhere(Builder &b) {
  Choices &choices = b.choices();
  uint32_t threads = b.shape().threads();
  if (threads < 2 || !b.isWhole())
    return tally(b);
  uint32_t first = choices.below(std::min(threads, 32u) - 1);
  bool isSwapped = choices.percent(50);
  uint32_t hears = first + isSwapped, tells = first + !isSwapped;
  uint32_t factor = choices.between(1, 5), rounds = choices.between(2, 9);
  Region out = b.results(b.blocks()), cell = b.block({false, Reach::Block}, 1, 0);
  Meeting meeting = drawMeeting(choices, formatv("{0}u", 3u << first), tells, cell.at("0"));
  b.form(meeting.form);
  b.line(formatv("const unsigned rounds = (home * {0} + 1) % {1};", factor, rounds));
  // A drawn number does not determine the lane.
  b.line(formatv("const unsigned lane = {0};", threadNumber));
  b.line(formatv("if (lane == {0}) {{", hears));
  b.line("unsigned count = 0;");
  b.line(meeting.hear);
  b.line("  ++count;");
  b.line(out.at("home") + " = count;");
  b.line(formatv("} else if (lane == {0}) {{", tells));
  b.line("for (unsigned i = 0; i < rounds; ++i)");
  b.line("  " + meeting.round);
  b.line(meeting.last);
  b.line("}");
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(out, home, 1, (home * factor + 1) % rounds, 0, "what lanes hear elsewhere");
}

namespace {

/// The ways in which lanes arrive at the same number of exchanges.
struct Ways {
  uint32_t count;  ///< number of exchanges, even
  uint32_t factor; ///< distinguishes lanes
  std::string exchange, exchangeAsFloat;
};

void exchangeInSomeRounds(Builder &b, Ways &ways) {
  uint32_t more = b.choices().between(1, 4);
  bool isOfTwoTypes = b.choices().percent(40);
  b.form(isOfTwoTypes ? "lanes meet as numbers of two types" : "lanes meet in rounds of their own");
  b.line(formatv("const unsigned rounds = {0}u << number * {1} % {2};", (1u << ways.count) - 1,
                 ways.factor, more + 1));
  b.line(formatv("for (unsigned r = 0; r < {0}; ++r)", b.scalar(ways.count + more)));
  b.line("  if (rounds >> r & 1)");
  if (isOfTwoTypes)
    b.line("    if (r & 1)\n      " + ways.exchangeAsFloat + "\n    else");
  b.line("      " + ways.exchange);
}

void exchangeInLoopsOfTheirOwn(Builder &b, Ways &ways) {
  b.form("lanes meet in loops of their own");
  b.line(formatv("const unsigned first = number * {0} % {1};", ways.factor, ways.count + 1));
  b.line(formatv("for (unsigned r = 0; r < {0}; ++r)", b.scalar(2)));
  b.line(formatv("  for (unsigned i = r ? first : 0; i < (r ? {0} : first); ++i)", ways.count));
  b.line("    " + ways.exchange);
}

/// There are six exchanges: lanes run two iterations of three, or three of two. The memory
/// contains zeros.
void exchangeInRoundsOfRounds(Builder &b, Ways &ways) {
  ways.count = 6;
  b.form("lanes meet in rounds of rounds");
  Region more = b.grid({false, Reach::Grid}, b.everyone(), 0);
  b.line("const unsigned outer = number % 2 ? 2 : 3;");
  b.line("const unsigned inner = 6 / outer + " + more.at(formatv("home * {0} + number", b.live())) +
         ";");
  b.line("for (unsigned r = 0; r < outer; ++r)");
  b.line("  for (unsigned i = 0; i < inner; ++i)");
  b.line("    " + ways.exchange);
}

void exchangeAmongEquals(Builder &b, Ways &ways) {
  b.form("lanes meet as many times as they have equals");
  // No value passes from one loop to the other: they end by what the lanes receive.
  std::string first = formatv("(equals % {0} + 1)", ways.count - 1).str();
  for (std::string limit : {first, std::to_string(ways.count) + " - " + first}) {
    b.line("for (unsigned done = 0, equals = ~0u; done == 0 || done < " + limit + ";) {");
    b.line(ways.exchange);
    b.line("++done;");
    b.line("equals = __match_any_sync(~0u, number % 3);");
    b.line("}");
  }
}

void exchangeAroundBarriers(Builder &b, Ways &ways) {
  b.form("lanes meet around barriers");
  b.line("const bool isLate = number % 32 >= 16;");
  b.line(formatv("for (unsigned r = 0; r < {0}; ++r) {{", b.scalar(ways.count / 2)));
  b.line("if (isLate && r > 0)\n  " + ways.exchange);
  b.meet();
  b.line(ways.exchange);
  b.line("if (!isLate)\n  " + ways.exchange);
  b.line("}");
  b.line("if (isLate)\n  " + ways.exchange);
}

} // namespace

/// All lanes exchange with their neighbours equally often, each in iterations of its
/// own.
void meetInRounds(Builder &b) {
  Choices &choices = b.choices();
  uint32_t threads = b.shape().threads();
  if (threads % 2 != 0 || !b.isWhole())
    return tally(b);
  Ways ways = {2 * choices.between(1, 3), choices.between(1, 7),
               "x = __shfl_xor_sync(~0u, x, 1) * 3 + 1;",
               "x = __float_as_uint(__shfl_xor_sync(~0u, __uint_as_float(x), 1)) * 3 + 1;"};
  Region out = b.results(b.everyone());
  b.line(formatv("const unsigned number = {0};", threadNumber));
  b.line(formatv("unsigned x = home * {0} + number;", threads));
  using Write = void (*)(Builder &, Ways &);
  static const std::vector<Write> forms = {exchangeInSomeRounds, exchangeInLoopsOfTheirOwn,
                                           exchangeInRoundsOfRounds, exchangeAmongEquals,
                                           exchangeAroundBarriers};
  choices.of(forms)(b, ways);
  b.line(out.at(formatv("home * {0} + number", threads)) + " = x;");
  uint32_t base = 0, step = 1;
  for (uint32_t i = 0; i < ways.count; ++i)
    base = base * 3 + 1, step *= 3;
  b.checkLinear(out, 0, b.everyone(), base, step, "what lanes have exchanged");
}

} // namespace regrain::fuzz::cooperation
