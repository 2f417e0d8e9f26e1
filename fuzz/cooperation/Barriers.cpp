//===- Barriers.cpp - Acts in which barriers order threads ----------------===//
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

/// Each thread writes its own cell and reads another's, several times.
void exchangeThroughMemory(Builder &b) {
  Choices &choices = b.choices();
  Region out = b.results(b.everyone());
  Region cells = b.block({choices.percent(25), Reach::Block}, b.live(), 0);
  std::string from = choices.percent(35) ? b.alias(cells) : cells.pointer;
  uint32_t rounds = choices.between(1, 3), shift = 0;
  b.line("unsigned x = self * 7 + home;");
  for (uint32_t round = 0; round < rounds; ++round) {
    uint32_t step = choices.below(b.live());
    shift += step;
    if (round)
      b.meet();
    b.line(cells.at("self") + " = x + 1;");
    b.meet();
    b.line(formatv("x = {0}[(self + {1}) % {2}];", from, step, b.live()));
  }
  b.line(out.at(formatv("home * {0} + (self + {1}) % {0}", b.live(), shift % b.live())) + " = x;");
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(out, home * b.live(), b.live(), home + rounds, 7, "what threads hand on");
}

/// Returns a number for each of `count` threads, from coordinates or from tickets of
/// its own.
static std::string drawNumber(Builder &b, uint32_t groups, uint32_t count, const std::string &group,
                              const std::string &otherwise) {
  if (!group.empty() && !otherwise.empty() && b.choices().percent(40))
    return otherwise;
  Word word = {b.choices().percent(15), Reach::Block};
  Ticket ticket = drawTicket(b.choices(), word, count);
  Region drawn = b.grid(word, groups, ticket.initial);
  b.checkValues(drawn, 0, groups, ticket.after(count), "tickets that are drawn");
  b.line("const unsigned mine = " + with(ticket.text, drawn.addressOf(group)) + ";");
  if (b.choices().percent(50))
    b.meet();
  return "mine";
}

/// Writes iterations in which one of `count` numbers writes `cell` and all read
/// it. Returns the final value of `sum` in thread 0 of block 0.
static uint32_t announceRounds(Builder &b, const std::string &number, uint32_t count,
                               const std::string &cell, bool addsHome) {
  uint32_t sum = 0, rounds = b.choices().between(1, 3);
  b.line("unsigned sum = 0;");
  for (uint32_t round = 0; round < rounds; ++round) {
    uint32_t who = b.choices().percent(50) ? count - 1 : b.choices().below(count);
    uint32_t value = 1 + b.choices().below(1000);
    if (round)
      b.meet();
    b.line(formatv("if ({0} == {1})", number, who));
    b.line(formatv("  {0} = {1}{2};", cell, value, addsHome && round == 0 ? " + home" : ""));
    b.meet();
    b.line(formatv("sum = sum{0} + {1};", round ? " * 3" : "", cell));
    sum = sum * (round ? 3 : 1) + value;
  }
  uint32_t times = 1;
  for (uint32_t round = 1; round < rounds; ++round)
    times *= 3;
  b.line(formatv("sum = sum + home * {0};", 1000 - (addsHome ? times : 0)));
  return sum;
}

/// One thread after the other writes a value that all threads of the block
/// read.
void announce(Builder &b) {
  Region out = b.results(b.everyone());
  Region cell = b.block({b.choices().percent(25), Reach::Block}, 1, 0);
  std::string number = drawNumber(b, b.blocks(), b.live(), "home", "self");
  uint32_t sum =
      announceRounds(b, number, b.live(), cell.at("0"), /*addsHome=*/b.choices().percent(50));
  b.line(out.at(formatv("home * {0} + {1}", b.live(), number)) + " = sum + " + number + ";");
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(out, home * b.live(), b.live(), sum + home * 1000, 1, "what one thread says");
}

/// Does the same in each column of the block, whose threads are distinguished
/// only by tickets.
void shareColumns(Builder &b) {
  if (!b.hasRows() || !b.isWhole())
    return announce(b);
  uint32_t width = b.shape().block[0], rows = b.live() / width, columns = width * b.blocks();
  Region out = b.grid({false, Reach::Grid}, columns, 0);
  Region cells = b.block({false, Reach::Block}, width, 0);
  b.line("const unsigned x = threadIdx.x;");
  std::string number = drawNumber(b, columns, rows, formatv("home * {0} + x", width), "");
  uint32_t sum = announceRounds(b, number, rows, cells.at("x"), /*addsHome=*/false);
  b.line("atomicAdd(" + out.addressOf(formatv("home * {0} + x", width)) + ", sum);");
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(out, home * width, width, (sum + home * 1000) * rows, 0,
                  "what one thread of a column says");
}

/// All threads read, then all write the same memory, usually by two parameters.
void shiftInPlace(Builder &b) {
  Choices &choices = b.choices();
  uint32_t live = b.live();
  if (live < 4)
    return exchangeThroughMemory(b);
  // A thread does not write by one restrict pointer what it reads by the other.
  uint32_t shift = choices.between(1, 3);
  bool isRestrict = choices.percent(40), isDelayed = choices.percent(40);
  Region data = b.grid({false, Reach::Grid}, b.everyone(), 100, 1, isRestrict);
  std::string from = choices.percent(20) ? data.pointer : b.alias(data, isRestrict);
  b.line(formatv("unsigned x = {0}[home * {1} + (self + {2}) % {1}];", from, live, shift));
  if (isDelayed) { // delays later warps
    b.line("unsigned delay = self;");
    b.line("for (unsigned k = 0; k < self / 32 * 400u; ++k)");
    b.line("  delay = delay * 1664525u + 1013904223u;");
    b.line("x += delay & " + b.scalar(0) + ";");
  }
  b.meet();
  b.line(data.at(formatv("home * {0} + self", live)) + " = x;");
  for (uint32_t home = 0; home < b.blocks(); ++home) {
    uint32_t first = home * live;
    b.checkLinear(data, first, live - shift, 100 + first + shift, 1, "what is shifted in place");
    b.checkLinear(data, first + live - shift, shift, 100 + first, 1, "what is shifted in place");
  }
}

/// Each thread computes with neighbouring words of its own, to which it has several pointers.
void mixInPlace(Builder &b) {
  Choices &choices = b.choices();
  uint32_t width = choices.percent(60) ? 2 : choices.between(3, 4);
  Region data = b.grid({false, Reach::Grid}, b.everyone() * width, 100, 1);
  std::string other = choices.percent(85) ? b.alias(data) : data.pointer;
  // The index is signed and made of coordinates, so that compilers know the distance between the
  // words of two threads.
  std::string thread = "int(self)";
  if (b.isWhole())
    thread = b.hasRows() ? "(int(threadIdx.x) + int(blockDim.x) * (int(threadIdx.y) + "
                           "int(blockDim.y) * int(threadIdx.z)))"
                         : "int(threadIdx.x)";
  if (choices.percent(60))
    b.meet();
  b.line(formatv("const int own = (int(home) * {0} + {1}) * {2};", b.live(), thread, width));
  // Word k of thread i has the index base + i * step.
  struct Line {
    uint32_t base, step;
  };
  std::vector<Line> words;
  for (uint32_t k = 0; k < width; ++k)
    words.push_back({100 + k, width});
  for (uint32_t passes = choices.percent(20) ? 2 : 1; passes > 0; --passes) {
    uint32_t to = choices.below(width), from = (to + choices.between(1, width - 1)) % width;
    bool isSwapped = choices.percent(30);
    const std::string &written = isSwapped ? data.pointer : other;
    const std::string &read = isSwapped ? other : data.pointer;
    for (uint32_t k = 0; k < width; ++k, to = (to + 1) % width, from = (from + 1) % width) {
      uint32_t more = choices.between(1, 9), factor = choices.percent(40) ? 3 : 1;
      if (choices.percent(10)) {
        b.line(formatv("{0}[own + {1}] = {2};", read, to, more));
        words[to] = {more, 0};
      }
      b.line(formatv("{0}[own + {1}] = {2}[own + {3}] * {4} + {5};", written, to, read, from,
                     factor, more));
      words[to] = {words[from].base * factor + more, words[from].step * factor};
    }
  }
  for (uint32_t k = 0; k < width; ++k)
    b.checkLinear(data, k, b.everyone(), words[k].base, words[k].step, "what is mixed in place",
                  width);
}

} // namespace regrain::fuzz::cooperation
