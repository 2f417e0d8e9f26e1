//===- Tickets.cpp - Acts without waiting ---------------------------------===//
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

/// An operation that every thread applies once to a word, and its result.
struct Update {
  const char *operation;
  uint32_t initial;
  std::string operand; ///< in terms of gid
  uint32_t (*step)(uint32_t word, uint32_t gid);
};

const std::vector<Update> updates = {
    {"Add", 5, "gid + 1", [](uint32_t word, uint32_t gid) { return word + gid + 1; }},
    {"Max", 3, "gid * 5", [](uint32_t word, uint32_t gid) { return std::max(word, gid * 5); }},
    {"Min", 9999, "gid + 7", [](uint32_t word, uint32_t gid) { return std::min(word, gid + 7); }},
    {"And", 0x7fffffff, "~(1u << gid % 29)",
     [](uint32_t word, uint32_t gid) { return word & ~(1u << gid % 29); }},
    {"Or", 0, "1u << gid % 31", [](uint32_t word, uint32_t gid) { return word | 1u << gid % 31; }},
    {"Xor", 1, "gid * 3", [](uint32_t word, uint32_t gid) { return word ^ gid * 3; }},
    {"Sub", 70000, "gid + 2", [](uint32_t word, uint32_t gid) { return word - gid - 2; }},
    {"Inc", 2, "10u", [](uint32_t word, uint32_t) { return word >= 10 ? 0 : word + 1; }},
    {"Dec", 2, "12u", [](uint32_t word, uint32_t) { return word == 0 ? 12 : word - 1; }}};

void exchangeWords(Builder &b) {
  b.form("a word goes round by Exch");
  Region words = b.grid({false, Reach::Grid}, b.everyone() + 1, 7);
  b.isInexact(words);
  b.line(formatv("{0} = {1}({2}, gid + 1);", words.at("gid + 1"),
                 nameOf(b.choices(), "Exch", Reach::Grid), words.addressOf("0")));
  uint32_t count = b.everyone();
  b.check({Invariant::Sum, *words.memory, 0, count + 1, 7 + count * (count + 1) / 2, 0,
           "words that are exchanged"});
}

} // namespace

/// The lanes in one branch draw together: one of them adds for all.
void drawTogether(Builder &b) {
  Choices &choices = b.choices();
  uint32_t parts = choices.between(2, 4);
  b.form("lanes of a branch draw together");
  Region next = b.grid({false, Reach::Grid}, 1, 0), out = b.results(b.everyone());
  b.isInexact(out);
  auto draw = [&] {
    return b.function(
               "unsigned", "unsigned *p",
               formatv("  const unsigned lane = ({1}) % 32;\n"
                       "  const unsigned lanes = __activemask(), leader = __ffs(lanes) - 1;\n"
                       "  unsigned first = 0;\n"
                       "  if (lane == leader)\n"
                       "    first = {0}(p, __popc(lanes));\n"
                       "  return __shfl_sync(lanes, first, leader) + __popc(lanes & ((1u << lane) "
                       "- 1));\n",
                       nameOf(choices, "Add", Reach::Grid), threadNumber)) +
           next.pointer + ");";
  };
  std::string cell = out.at(formatv("home * {0} + self", b.live()));
  b.line(formatv("if (self % {0} == {1}) {{", parts, choices.below(parts)));
  b.line(cell + " = " + draw());
  b.line("} else {");
  b.line(cell + " = " + draw());
  b.line("}");
  b.check({Invariant::Permutation, *out.memory, 0, b.everyone(), 0, 0, "numbers drawn together"});
  b.checkValue(next, 0, b.everyone(), "how many were drawn together");
}

/// Each thread adds its part to a word, by any atomic.
void tally(Builder &b) {
  Choices &choices = b.choices();
  b.line(formatv("const unsigned gid = home * {0} + self;", b.live()));
  if (choices.percent(15))
    return exchangeWords(b);
  bool isWide = choices.percent(25);
  const Update &update = updates[choices.below(isWide ? 6 : 9)];
  Word word = {isWide, Reach::Grid};
  b.form(std::string("a tally by ") + update.operation);
  Region total = b.grid(word, 1, update.initial);
  std::string text = formatv("{0}(p, v)", nameOf(choices, update.operation, Reach::Grid));
  std::string add = b.function("void", formatv("{0} *p, {0} v", word.type()), "  " + text + ";\n");
  // Wide words stay below 2^32.
  b.line(formatv("{0}{1}, {2});", add, total.pointer, update.operand));
  // Some tallies end with their initial value.
  Region out = b.results(b.everyone());
  b.line(out.at("gid") + " = gid;");
  b.checkLinear(out, 0, b.everyone(), 0, 1, "threads that have done their part");
  uint32_t left = update.initial;
  for (uint32_t gid = 0; gid < b.everyone(); ++gid)
    left = update.step(left, gid);
  if (isWide && std::string(update.operation) == "And")
    b.checkLinear(total, 0, 1, left, 0, "a tally");
  else
    b.checkValue(total, 0, left, "a tally");
}

/// Each item is processed once, by the thread that draws it.
void drainQueue(Builder &b) {
  Choices &choices = b.choices();
  Word word = {choices.percent(20), Reach::Grid};
  uint32_t items = choices.between(1, 150), draws = items + b.everyone();
  Ticket ticket = drawTicket(choices, word, draws);
  b.form("a queue by " + ticket.operation);
  Region head = b.grid(word, 1, ticket.initial), done = b.grid({false, Reach::Grid}, items, 0);
  std::string draw = b.function(word.type(), std::string(word.type()) + " *p",
                                "  return " + with(ticket.text, "p") + ";\n") +
                     head.pointer + ")";
  if (choices.percent(50)) {
    b.line("for (unsigned i; (i = " + draw + ") < " + std::to_string(items) + "u;)");
    b.line(formatv("  {0} = {0} + i + 1;", done.at("i")));
  } else {
    b.line("while (true) {");
    b.line("unsigned i = " + draw + ";");
    b.line(formatv("if (i >= {0}u)", items));
    b.line("  break;");
    b.line(formatv("{0} = {0} + i + 1;", done.at("i")));
    b.line("}");
  }
  b.checkLinear(done, 0, items, 1, 1, "items of a queue");
  b.checkValue(head, 0, ticket.after(draws), "the head of a queue");
}

/// The last block or the last thread to arrive adds up the results of all.
void electLast(Builder &b) {
  Choices &choices = b.choices();
  Word word = {choices.percent(20), Reach::Grid};
  bool byBlock = choices.percent(65), byAll = choices.percent(40);
  uint32_t parts = byBlock ? b.blocks() : b.everyone();
  Ticket ticket = drawTicket(choices, word, parts);
  b.form(std::string("the last ") + (byBlock ? "block" : "thread") + " to arrive, by " +
         ticket.operation);
  Region arrived = b.grid(word, 1, ticket.initial),
         partial = b.grid({false, Reach::Grid}, parts, 0);
  Region sum = b.grid({false, Reach::Grid}, 1, 0);
  std::string number = byBlock ? "home" : formatv("home * {0} + self", b.live()).str();
  std::string isLast = with(ticket.text, arrived.pointer) + formatv(" == {0}", parts - 1).str();
  std::string store = formatv("*(volatile unsigned *){0} = ({1}) * 2 + 1;",
                              partial.addressOf("(" + number + ")"), number);
  std::string add =
      formatv("atomicAdd({0}, *(volatile unsigned *){1});", sum.pointer, partial.addressOf("i"));
  if (byBlock) {
    Region last = b.block({false, Reach::Block}, 1, 0);
    uint32_t leader = choices.below(b.live());
    b.line(formatv("if (self == {0}) {{", leader));
    b.line(store);
    b.line("__threadfence();");
    b.line(last.at("0") + " = " + isLast + ";");
    b.line("}");
    b.meet();
    b.line(formatv("if ({0}{1})", last.at("0"), byAll ? "" : " && self == 0"));
    b.line(formatv("  for (unsigned i = {0}; i < {1}; i += {2})", byAll ? "self" : "0", parts,
                   byAll ? b.live() : 1));
    b.line("    " + add);
  } else {
    b.line(store);
    b.line("__threadfence();");
    b.line("if (" + isLast + ")");
    b.line(formatv("  for (unsigned i = 0; i < {0}; ++i)", parts));
    b.line("    " + add);
  }
  b.checkValue(sum, 0, parts * parts, "the sum that the last one adds up");
  b.checkValue(arrived, 0, ticket.after(parts), "those who arrive");
}

/// A failed compare-and-exchange is retried with the value found.
void retry(Builder &b) {
  Choices &choices = b.choices();
  Word word = {choices.percent(30), Reach::Grid};
  bool isTicket = choices.percent(50);
  Region total = b.grid(word, 1, 0);
  std::string cas = nameOf(choices, "CAS", word.reach);
  static const char *const bodies[] = {
      "  {0} old = *(volatile {0} *)p, seen;\n  while ((seen = {1}(p, old, old + v)) != old)\n"
      "    old = seen;\n  return old;\n",
      "  {0} seen = *p, old;\n  do {{\n    old = seen;\n    seen = {1}(p, old, old + v);\n"
      "  } while (seen != old);\n  return old;\n",
      "  for (;;) {{\n    {0} old = *(volatile {0} *)p;\n    if ({1}(p, old, old + v) == old)\n"
      "      return old;\n  }\n"};
  uint32_t body = choices.below(3);
  if (body == 1)
    b.ordersByFences(); // not ordered at all, and no result depends on it
  std::string call = b.function(word.type(), formatv("{0} *p, unsigned v", word.type()),
                                formatv(bodies[body], word.type(), cas));
  if (isTicket) {
    b.form("tickets by CAS");
    Region out = b.results(b.everyone());
    b.isInexact(out);
    b.line(formatv("unsigned t = {0}{1}, 1);", call, total.pointer));
    b.line(out.at("t") + formatv(" = home * {0} + self;", b.live()).str());
    b.check({Invariant::Permutation, *out.memory, 0, b.everyone(), 0, 0, "who drew a ticket"});
    b.checkValue(total, 0, b.everyone(), "tickets by CAS");
  } else {
    b.form("a sum by CAS");
    b.line(formatv("{0}{1}, self + 1);", call, total.pointer));
    b.checkValue(total, 0, b.blocks() * b.live() * (b.live() + 1) / 2, "a sum by CAS");
  }
}

} // namespace regrain::fuzz::cooperation
