//===- Locks.cpp - Acts with locks and semaphores -------------------------===//
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

/// The maximum of threads of a grid that take a permit before they know whether
/// there is one.
constexpr uint32_t mostWhoTakeBack = 6;

/// The threads that take part, and their number in a block.
struct Contenders {
  std::string condition; ///< empty: all
  uint32_t each = 1;
};

Contenders drawContenders(Builder &b) {
  uint32_t live = b.live(), kind = b.choices().below(4);
  if (kind <= 1)
    return {"self == 0", 1};
  if (kind == 2)
    return {"self % 32 == 0", (live + 31) / 32};
  return {"", live};
}

/// The place of a lock, and the ways to reach it.
struct Place {
  std::string parameters; ///< of functions that use it: "unsigned *locks, const unsigned *at"
  std::string inside;     ///< the pointer, in terms of these parameters
  std::string operands;   ///< operands for the parameters
};

/// The number of a lock is a literal, a parameter, or loaded again in each
/// iteration.
Place drawPlace(Builder &b, const Region &locks, uint32_t number, bool perBlock) {
  std::string type = locks.word.type();
  if (perBlock)
    return {type + " *lock", "lock", locks.addressOf("home")};
  switch (b.choices().below(5)) {
  case 0:
    return {type + " *lock", "lock", locks.addressOf(std::to_string(number))};
  case 1:
    return {type + " *locks, unsigned at", "&locks[at]", locks.pointer + ", " + b.scalar(number)};
  default:
    b.form("a lock's number is loaded in each round");
    Region which = b.grid({false, Reach::Grid}, 1, number);
    bool isVolatile = b.choices().percent(30);
    return {type + " *locks, const " + (isVolatile ? "volatile " : "") + "unsigned *at",
            "&locks[at[0]]", locks.pointer + ", " + which.pointer};
  }
}

/// Returns the operands of `place` for another pointer to the same locks.
std::string operandsBy(const Place &place, const Region &locks, const std::string &other) {
  std::string operands = place.operands;
  size_t at = operands.find(locks.pointer);
  return operands.replace(at, locks.pointer.size(), other);
}

/// Adds `step` to a sum by loads and stores.
void writeCritical(Builder &b, const Region &sum, uint32_t step) {
  std::string cell = sum.at("0");
  bool isPlain = b.choices().percent(30);
  if (isPlain)
    b.ordersByFences();
  std::string access =
      isPlain ? cell : formatv("*(volatile {0} *)&{1}", sum.word.type(), cell).str();
  b.line("__threadfence();");
  b.line(formatv("{0} = {0} + {1};", access, step));
  b.line("__threadfence();");
}

/// Expressions that take a lock, which is true on success, and release it.
struct Use {
  std::string take, give;
};

Use drawUse(Builder &b, const Lock &lock, const Region &locks, const Place &place,
            const Contenders &who) {
  std::string back = place.operands, pointer = "(" + place.inside + ")";
  if (b.choices().percent(30))
    back = operandsBy(place, locks, b.alias(locks));
  std::string tries = with(lock.text, pointer);
  Use use;
  use.take = b.function("bool", place.parameters, "  return " + tries + ";\n");
  use.give = b.function("void", place.parameters, "  " + with(lock.give, pointer) + ";\n");
  // Lanes that leave a loop may have to wait for those in it, which would wait for them.
  if (b.choices().percent(35) && !who.condition.empty())
    use.take =
        b.function("bool", place.parameters, "  while (!(" + tries + "))\n    ;\n  return true;\n");
  use.take += place.operands + ")";
  use.give += back + ")";
  return use;
}

void writeSpinning(Builder &b, const Use &use, const Region &sum, uint32_t step) {
  static const std::vector<std::string> pauses = {"", "", "  __threadfence();",
                                                  "  __nanosleep(20);"};
  std::string pause = b.choices().of(pauses);
  b.line("while (!(" + use.take + "))" + (pause.empty() ? " {" : ""));
  b.line(pause.empty() ? "}" : pause);
  writeCritical(b, sum, step);
  b.line(use.give + ";");
}

/// Tries to take the lock, and repeats on failure: lanes of a warp may do that.
void writeTrying(Builder &b, const Use &use, const Region &sum, uint32_t step) {
  b.line("for (bool done = false; !done;) {");
  b.line("if (" + use.take + ") {");
  writeCritical(b, sum, step);
  b.line(use.give + ";");
  b.line("done = true;");
  b.line("}");
  b.line("}");
}

} // namespace

/// Threads update a sum that a lock protects.
void protect(Builder &b) {
  Choices &choices = b.choices();
  bool perBlock = choices.percent(25);
  Word word = {choices.percent(25), perBlock ? Reach::Block : Reach::Grid};
  Lock lock = drawLock(choices, word);
  b.form("a lock by " + lock.operation + ", given back by " + lock.giving);
  uint32_t count = perBlock ? b.blocks() : 4, number = choices.below(4), step = 3;
  Region locks = b.grid(word, count, lock.initial);
  Region sum = b.grid({choices.percent(20), word.reach}, perBlock ? b.blocks() : 1, 0);
  Region cell = sum;
  if (perBlock)
    cell.pointer = "(" + sum.pointer + " + home)";
  Contenders who = drawContenders(b);
  Use use = drawUse(b, lock, locks, drawPlace(b, locks, number, perBlock), who);
  if (!who.condition.empty())
    b.line("if (" + who.condition + ") {");
  if (who.condition.empty() || choices.percent(40))
    writeTrying(b, use, cell, step);
  else
    writeSpinning(b, use, cell, step);
  if (!who.condition.empty())
    b.line("}");
  b.checkValues(locks, 0, count, lock.initial, "a lock that is given back");
  b.checkValues(sum, 0, perBlock ? b.blocks() : 1, step * who.each * (perBlock ? 1 : b.blocks()),
                "the sum that a lock protects");
}

/// How a thread takes a permit: {0} takes one or one too many, {1} gives that back, {2} is the
/// number of permits, and {3} exchanges a word.
constexpr const char *permitLoops[] = {R"(  for (;;) {{
    unsigned seen = *(volatile unsigned *)p;
    if (seen > 0 && {3}(p, seen, seen - 1) == seen)
      break;
  }
)",
                                       "  while (int({0}) <= 0)\n    {1};\n",
                                       "  while ({0} >= {2}u)\n    {1};\n"};

/// Threads use a semaphore, with a count of those that it admitted.
void countPermits(Builder &b) {
  Choices &choices = b.choices();
  Word word = {false, Reach::Grid};
  uint32_t permits = choices.between(1, 3);
  Contenders who = drawContenders(b);
  if (who.condition.empty())
    who = {"self % 32 == 0", (b.live() + 31) / 32}; // lanes would not leave the loop one by one
  // A thread that first takes a permit and then checks it excludes the others meanwhile:
  // many such threads hardly ever admit one.
  uint32_t kind = who.each * b.blocks() > mostWhoTakeBack ? 0 : choices.below(3);
  bool countsUp = kind == 2;
  Region free = b.grid(word, 1, countsUp ? 0 : permits);
  Region seen = b.grid(word, 3, 0);
  b.isInexact(seen);
  std::string other = choices.percent(60) ? b.alias(free) : free.pointer;
  std::string down = with(nameOf(choices, countsUp ? "Add" : "Sub", word.reach) + "($, 1u)", "p");
  if (choices.percent(30))
    down = nameOf(choices, "Add", word.reach) + (countsUp ? "(p, 1u)" : "(p, ~0u)");
  std::string up = nameOf(choices, countsUp ? "Sub" : "Add", word.reach) + "(q, 1u)";
  std::string loop =
      formatv(permitLoops[kind], down, up, permits, nameOf(choices, "CAS", word.reach));
  std::string enter = b.function("void", "unsigned *p, unsigned *q", loop);
  std::string leave = b.function("void", "unsigned *q", "  " + up + ";\n");
  b.line("if (" + who.condition + ") {");
  b.line(enter + free.pointer + ", " + other + ");");
  b.line(
      formatv("atomicMax({0}, atomicAdd({1}, 1u) + 1);", seen.addressOf("0"), seen.addressOf("1")));
  b.line(formatv("atomicAdd({0}, 1u);", seen.addressOf("2")));
  b.line(formatv("atomicSub({0}, 1u);", seen.addressOf("1")));
  b.line(leave + other + ");");
  b.line("}");
  b.checkValue(free, 0, countsUp ? 0 : permits, "permits that are given back");
  b.check({Invariant::AtMost, *seen.memory, 0, 1, permits, 0, "those inside at one time"});
  b.checkValue(seen, 1, 0, "those inside at the end");
  b.checkValue(seen, 2, who.each * b.blocks(), "those who got in");
}

} // namespace regrain::fuzz::cooperation
