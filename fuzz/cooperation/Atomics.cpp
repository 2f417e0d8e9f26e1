//===- Atomics.cpp - Communication of threads by atomics ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Atomics.h"

namespace regrain::fuzz::cooperation {

namespace {

/// Returns "atomicAnd_block($, 0u)".
std::string call(Choices &choices, Word word, const std::string &operation,
                 const std::string &operands) {
  return nameOf(choices, operation, word.reach) + "($, " + operands + ")";
}

std::string ones(Word word) { return "~" + word.number(0); }

/// Returns what replaces the other one of 0 and 1 by `to`; `operation` gets its
/// name.
std::string flip(Choices &choices, Word word, uint32_t to, std::string &operation) {
  const std::vector<std::string> operations = {"Exch",
                                               "CAS",
                                               to ? "Or" : "And",
                                               "Add",
                                               to ? "Max" : "Min",
                                               "Xor",
                                               "volatile store",
                                               to ? "Inc" : "Dec",
                                               "Sub"};
  operation = operations[choices.below(word.isWide ? 7 : 9)];
  if (operation == "volatile store")
    return std::string("*(volatile ") + word.type() + " *)$ = " + word.number(to);
  std::string operands = word.number(to);
  if (operation == "CAS")
    operands = word.number(1 - to) + ", " + operands;
  else if (operation == "Inc" || operation == "Dec" || operation == (to ? "Sub" : "Add"))
    operands = ones(word);
  else if (operation == "Xor" || operation == "Sub")
    operands = word.number(1);
  return call(choices, word, operation, operands);
}

} // namespace

std::string nameOf(Choices &choices, const std::string &operation, Reach reach) {
  static const char *const scopes[] = {"", "", "_system", "_block"};
  return "atomic" + operation + scopes[choices.below(reach == Reach::Block ? 4 : 3)];
}

std::string with(const std::string &pattern, const std::string &pointer) {
  std::string text = pattern;
  for (size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at))
    text.replace(at, 1, pointer), at += pointer.size();
  return text;
}

Ticket drawTicket(Choices &choices, Word word, uint32_t most) {
  Ticket ticket;
  static const std::vector<std::string> operations = {"Add", "Inc", "Sub", "Dec"};
  ticket.operation = operations[word.isWide ? 0 : choices.below(4)];
  if (ticket.operation == "Dec") {
    ticket.initial = most;
    ticket.goesDown = true;
    ticket.text =
        "(" + word.number(most) + " - " + call(choices, word, "Dec", word.number(most)) + ")";
  } else if (ticket.operation == "Add") {
    ticket.text = call(choices, word, "Add", word.number(1));
  } else {
    ticket.text = call(choices, word, ticket.operation, ones(word));
  }
  return ticket;
}

Idiom drawElection(Choices &choices, Word word) {
  // The last three exist only for words of 32 bits.
  static const std::vector<std::string> operations = {"Exch", "CAS", "Or",  "Add", "Add", "Max",
                                                      "And",  "Min", "Inc", "Dec", "Sub"};
  Idiom idiom;
  idiom.operation = operations[choices.below(word.isWide ? 8 : 11)];
  bool goesDown = idiom.operation == "And" || idiom.operation == "Min" ||
                  idiom.operation == "Dec" || idiom.operation == "Sub";
  std::string operands = word.number(goesDown ? 0 : 1);
  if (idiom.operation == "CAS")
    operands = word.number(0) + ", " + word.number(1);
  else if (idiom.operation == "Inc" || idiom.operation == "Dec")
    operands = ones(word);
  else if (idiom.operation == "Sub")
    operands = word.number(1);
  idiom.initial = goesDown ? 1 : 0;
  idiom.text = call(choices, word, idiom.operation, operands) + " == " + word.number(idiom.initial);
  return idiom;
}

Lock drawLock(Choices &choices, Word word) {
  Lock lock;
  static_cast<Idiom &>(lock) = drawElection(choices, word);
  lock.isBinary = lock.operation != "Add" && lock.operation != "Inc" && lock.operation != "Dec" &&
                  lock.operation != "Sub";
  if (lock.isBinary) {
    lock.give = flip(choices, word, lock.initial, lock.giving);
  } else {
    lock.giving = "Exch";
    lock.give = call(choices, word, "Exch", word.number(lock.initial));
  }
  return lock;
}

Signal drawSignal(Choices &choices, Word word) {
  Signal signal;
  signal.set = choices.below(3) == 2 ? 0 : 1;
  signal.initial = 1 - signal.set;
  signal.text = flip(choices, word, signal.set, signal.operation);
  return signal;
}

Idiom drawLook(Choices &choices, Word word) {
  static const std::vector<std::string> operations = {"Add", "Or",  "CAS", "Max",
                                                      "And", "Xor", "Min", "Sub"};
  Idiom look;
  look.operation = operations[choices.below(word.isWide ? 7 : 8)];
  std::string operands = word.number(0);
  if (look.operation == "And" || look.operation == "Min")
    operands = ones(word);
  else if (look.operation == "CAS")
    operands = word.number(7) + ", " + word.number(7);
  look.text = call(choices, word, look.operation, operands);
  return look;
}

Poll drawPoll(Choices &choices, Word word) {
  Poll poll;
  switch (choices.below(5)) {
  case 0:
    poll.text = std::string("*(volatile ") + word.type() + " *)$";
    poll.operation = "volatile load";
    break;
  case 1:
    poll.text = "*$";
    poll.between = "__threadfence();";
    poll.operation = "load beside a fence";
    poll.isPlain = true;
    return poll;
  default:
    Idiom look = drawLook(choices, word);
    poll.text = look.text;
    poll.operation = look.operation;
  }
  static const std::vector<std::string> pauses = {"", "", "__threadfence();", "__nanosleep(20);"};
  poll.between = choices.of(pauses);
  return poll;
}

} // namespace regrain::fuzz::cooperation
