//===- Handshakes.cpp - Acts in which threads wait for each other ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA guarantees that each thread of a running block makes progress. A block has
// been started before those with higher numbers if the numbers are drawn or the
// grid is resident: a block therefore waits only for lower numbers.
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Acts.h"
#include "fuzz/cooperation/Builder.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::cooperation {

namespace {

Poll drawPollFor(Builder &b, Word word) {
  Poll poll = drawPoll(b.choices(), word);
  b.form("a wait by " + poll.operation);
  if (poll.isPlain)
    b.ordersByFences();
  return poll;
}

/// Returns a call that ends when the word at `pointer` is (not) `value`, which may be an
/// expression.
std::string drawWait(Builder &b, Word word, const std::string &pointer, const char *compare,
                     const std::string &value) {
  Poll poll = drawPollFor(b, word);
  std::string body =
      formatv("  while (!({0} {1} n))\n    {2};\n", with(poll.text, "p"), compare,
              poll.between.empty() ? "" : poll.between.substr(0, poll.between.size() - 1));
  return b.function("void", formatv("{0} *p, {0} n", word.type()), body) + pointer + ", " + value +
         ");";
}

/// Returns a statement that passes the turn from `mine` to the next.
std::string drawAdvance(Choices &choices, const Region &turn) {
  static const std::vector<std::string> steps = {"Add", "Inc", "Exch", "Max", "CAS", ""};
  std::string step = choices.of(steps);
  if (step.empty())
    return formatv("*(volatile {0} *){1} = mine + 1;", turn.word.type(), turn.pointer);
  if (turn.word.isWide && step == "Inc")
    step = "Add";
  const char *operands = step == "Add"   ? "1"
                         : step == "Inc" ? "~0u"
                         : step == "CAS" ? "mine, mine + 1"
                                         : "mine + 1";
  return formatv("{0}({1}, {2});", nameOf(choices, step, turn.word.reach), turn.pointer, operands);
}

} // namespace

/// One thread, or all threads, wait for one.
void waitForThread(Builder &b) {
  Choices &choices = b.choices();
  if (b.live() < 2)
    return tally(b);
  Word word = {choices.percent(20), Reach::Block};
  Signal signal = drawSignal(choices, word);
  b.form("a signal by " + signal.operation);
  bool allWait = choices.percent(30);
  uint32_t live = b.live(), waiter = choices.below(live);
  uint32_t setter = (waiter + 1 + choices.below(live - 1)) % live;
  if (choices.percent(40) && live >= 2)
    waiter = 0, setter = live / 2;
  Region flag = b.block(word, 1, signal.initial);
  Region data = b.block({false, Reach::Block}, 1, 0), out = b.results(b.everyone());
  std::string wait = drawWait(b, word, flag.pointer, "==", word.number(signal.set));
  std::string cell = "*(volatile unsigned *)" + data.pointer;
  b.line(formatv("if (self == {0}) {{", setter));
  b.line(cell + " = 17 + home;");
  b.line("__threadfence();");
  b.line(with(signal.text, flag.pointer) + ";");
  b.line(allWait ? "} else {" : formatv("} else if (self == {0}) {{", waiter).str());
  b.line(wait);
  b.line("__threadfence();");
  b.line(out.at(allWait ? formatv("home * {0} + self", live).str() : "home") + " = " + cell + ";");
  b.line("}");
  for (uint32_t home = 0; home < b.blocks(); ++home) {
    if (!allWait) {
      b.checkLinear(out, home, 1, 17 + home, 0, "what is waited for");
      continue;
    }
    b.checkLinear(out, home * live, setter, 17 + home, 0, "what is waited for");
    b.checkLinear(out, home * live + setter + 1, live - setter - 1, 17 + home, 0,
                  "what is waited for");
  }
}

/// Threads poll by adding: either one thread, until another has set a bit that no polls reach,
/// or the first half, which undo their polls, until one of the others has added more than these
/// can amount to.
void lookByAdding(Builder &b) {
  Choices &choices = b.choices();
  uint32_t live = b.live();
  if (live < 2)
    return tally(b);
  bool takesBack = choices.percent(60);
  // Polls that are undone do not reach the limit in 32 bits either.
  Word word = {choices.percent(takesBack ? 20 : 60), Reach::Block};
  b.form(takesBack ? "a wait that takes its looks back" : "a wait that counts its looks");
  uint32_t waiters = takesBack ? live / 2 : 1;
  uint32_t setter = live > 32 && choices.percent(70) ? 32 : 1;
  std::string limit = takesBack     ? std::to_string(live + 1)
                      : word.isWide ? "(1ull << 40)"
                                    : "(1u << 30)";
  Region flag = b.block(word, 1, 0);
  if (flag.memory)
    b.isInexact(flag);
  Region out = b.results(b.blocks() * waiters);
  // All threads use one name: the compiler examines only atomics of the default
  // scope.
  std::string add = nameOf(choices, "Add", Reach::Block);
  std::string name = "p", parameters, operands; // the word, and the means of finding it
  std::string back = formatv("{0}(q, {1})", add, word.isWide ? "~0ull" : "~0u");
  if (choices.percent(40)) {
    b.form("a word that is looked at is found in each round");
    name = "&p[at[0]]";
    parameters = ", const unsigned *at";
    operands = ", " + b.grid({false, Reach::Grid}, 1, 0).pointer;
  }
  std::string look = b.function(
      "void", formatv("{0} *p, {0} *q{1}", word.type(), parameters),
      formatv("  while ({0}({1}, 1) < {2})\n    {3};\n", add, name, limit, takesBack ? back : ""));
  std::string other = takesBack && choices.percent(85) ? b.alias(flag) : flag.pointer;
  b.line(formatv("if (self < {0}) {{", waiters));
  b.line(look + flag.pointer + ", " + other + operands + ");");
  b.line("__threadfence();");
  b.line(out.at(formatv("home * {0} + self", waiters)) + " = 23 + home;");
  b.line(takesBack ? "} else {" : formatv("} else if (self == {0}) {{", setter).str());
  b.line(formatv("{0}({1}, {2});", takesBack ? add : nameOf(choices, "Or", Reach::Block), other,
                 limit));
  b.line("}");
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(out, home * waiters, waiters, 23 + home, 0, "who has looked by adding");
}

/// Threads act one after the other, in ascending or descending order, each at
/// its turn.
void takeTurns(Builder &b) {
  Choices &choices = b.choices();
  Word word = {choices.percent(20), Reach::Block};
  bool byWarp = choices.percent(60), isDown = choices.percent(60);
  uint32_t count = byWarp ? (b.live() + 31) / 32 : b.live();
  b.form(byWarp ? "warps take turns" : "threads take turns");
  Region turn = b.block(word, 1, 0), met = b.block({false, Reach::Block}, 1, 0);
  Region order = b.results(b.blocks() * count);
  std::string advance = drawAdvance(choices, turn);
  std::string self = byWarp ? "self / 32" : "self";
  std::string mine = isDown ? formatv("{0} - {1}", count - 1, self).str() : self;
  std::string cell = "*(volatile unsigned *)" + met.pointer;
  auto work = [&] {
    b.line(formatv("{0} = {1};", order.at(formatv("home * {0} + {1}", count, cell)), self));
    b.line(formatv("{0} = {0} + 1;", cell));
    b.line("__threadfence();");
    b.line(advance);
  };
  if (byWarp) {
    b.line(formatv("if (self % 32 == {0}) {{", b.live() % 32 == 0 ? choices.below(32) : 0));
    b.line(formatv("const {0} mine = {1};", word.type(), mine));
    b.line(drawWait(b, word, turn.pointer, "==", "mine"));
    work();
    b.line("}");
  } else {
    Poll poll = drawPollFor(b, word);
    b.line(formatv("const {0} mine = {1};", word.type(), mine));
    b.line("for (bool done = false; !done;) {");
    b.line(formatv("if ({0} == mine) {{", with(poll.text, "(" + turn.pointer + ")")));
    work();
    b.line("done = true;");
    b.line("}");
    if (!poll.between.empty())
      b.line(poll.between);
    b.line("}");
  }
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(order, home * count, count, isDown ? count - 1 : 0, isDown ? ~0u : 1,
                  "the order of turns");
}

/// One thread passes numbers to another by a word that both write.
void passTokens(Builder &b) {
  Choices &choices = b.choices();
  if (b.live() < 2)
    return tally(b);
  static const std::vector<std::string> takings = {"Exch", "And", "Min", "Inc"};
  Word word = {choices.percent(20), Reach::Block};
  std::string taking = takings[choices.below(word.isWide ? 3 : 4)];
  b.form("polls that write by CAS and " + taking);
  uint32_t live = b.live(), giver = choices.below(live), tokens = choices.between(1, 12);
  uint32_t taker = (giver + 1 + choices.below(live - 1)) % live;
  Region box = b.block(word, 1, 0), sum = b.grid({false, Reach::Grid}, b.blocks(), 0);
  std::string parameters = std::string(word.type()) + " *p, unsigned n";
  std::string give = b.function("void", parameters,
                                formatv("  while ({0}(p, {1}, n) != 0)\n    ;\n",
                                        nameOf(choices, "CAS", word.reach), word.number(0)));
  std::string take =
      b.function("unsigned", parameters,
                 formatv("  {0} got;\n  while ((got = {1}(p, {2})) == n)\n    ;\n  return got;\n",
                         word.type(), nameOf(choices, taking, word.reach), word.number(0)));
  auto rounds = formatv("for (unsigned i = 1; i <= {0}; ++i)", tokens).str();
  b.line(formatv("if (self == {0}) {{", giver));
  b.line(rounds);
  b.line("  " + give + box.pointer + ", i);");
  b.line(formatv("} else if (self == {0}) {{", taker));
  b.line("unsigned got = 0;");
  b.line(rounds);
  b.line("  got = got * 3 + " + take + box.pointer + ", 0);");
  b.line(sum.at("home") + " = got;");
  b.line("}");
  uint32_t expected = 0;
  for (uint32_t i = 1; i <= tokens; ++i)
    expected = expected * 3 + i;
  b.checkLinear(sum, 0, b.blocks(), expected, 0, "tokens in their order");
}

/// Each block waits for its predecessor.
void chainBlocks(Builder &b) {
  Choices &choices = b.choices();
  Word word = {choices.percent(20), Reach::Grid};
  bool byTurn = choices.percent(50), allRead = choices.percent(50);
  b.form(byTurn ? "blocks take turns" : "blocks look back");
  Region values = b.grid({false, Reach::Grid}, b.blocks() + 1, 5);
  Signal signal = drawSignal(choices, word);
  Region flags = b.grid(word, byTurn ? 1 : b.blocks() + 1, byTurn ? 0 : signal.initial);
  std::string wait =
      byTurn ? drawWait(b, word, flags.pointer, "==", "home")
             : drawWait(b, word, flags.addressOf("home"), "==", word.number(signal.set));
  b.line("if (self == 0) {");
  if (!byTurn)
    b.line("if (home > 0)");
  b.line((byTurn ? "" : "  ") + wait);
  b.line("__threadfence();");
  std::string cell = "((volatile unsigned *)" + values.pointer + ")";
  b.line(formatv("{0}[home + 1] = {0}[home] + home * 2;", cell));
  b.line("__threadfence();");
  if (byTurn)
    b.line(nameOf(choices, "Add", word.reach) + "(" + flags.pointer + ", " + word.number(1) + ");");
  else
    b.line(with(signal.text, "(" + flags.addressOf("home + 1") + ")") + ";");
  b.line("}");
  if (allRead) {
    Region out = b.results(b.everyone());
    b.meet();
    b.line(formatv("{0} = {1}[home];", out.at(formatv("home * {0} + self", b.live())), cell));
    for (uint32_t home = 0; home < b.blocks(); ++home)
      b.checkLinear(out, home * b.live(), b.live(), 5 + (home ? home * (home - 1) : 0), 0,
                    "what the blocks before have left");
  }
  for (uint32_t home = 0; home < b.blocks(); ++home)
    b.checkLinear(values, home + 1, 1, 5 + home * (home + 1), 0, "what blocks hand on");
}

} // namespace regrain::fuzz::cooperation
