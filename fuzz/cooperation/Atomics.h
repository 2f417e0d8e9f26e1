//===- Atomics.h - Communication of threads by atomics ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are idioms as CUDA source. `$` stands for the pointer to the word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/cooperation/Choices.h"
#include <string>

namespace regrain::fuzz::cooperation {

/// The threads that use the word, which determine the scopes that suffice.
enum class Reach : uint8_t { Block, Grid };

/// The properties of a word: its width, and the threads that use it.
struct Word {
  bool isWide = false; ///< unsigned long long
  Reach reach = Reach::Grid;

  const char *type() const { return isWide ? "unsigned long long" : "unsigned"; }
  uint32_t words() const { return isWide ? 2 : 1; }
  /// Returns a literal of the type.
  std::string number(uint32_t value) const {
    return std::to_string(value) + (isWide ? "ull" : "u");
  }
};

/// Returns "atomicAdd_system": an operation in a sufficient scope.
std::string nameOf(Choices &choices, const std::string &operation, Reach reach);

/// Returns `pattern` with the pointer in place.
std::string with(const std::string &pattern, const std::string &pointer);

/// An expression, and the word's initial value.
struct Idiom {
  uint32_t initial = 0;
  std::string text;
  std::string operation; ///< "Add"
};

/// Returns 0, 1, 2, ..., each to one caller, for at most `most` callers.
struct Ticket : Idiom {
  bool goesDown = false;
  uint32_t after(uint32_t draws) const { return goesDown ? initial - draws : draws; }
};
Ticket drawTicket(Choices &choices, Word word, uint32_t most);

/// The expression is true for one caller: the first.
Idiom drawElection(Choices &choices, Word word);

/// The expression is true if the caller has got it; `give` releases it.
struct Lock : Idiom {
  std::string give;
  std::string giving;   ///< the operation that releases it
  bool isBinary = true; ///< the word is 0 or 1, and failed attempts do not count it up
};
Lock drawLock(Choices &choices, Word word);

/// A statement without the semicolon that sets a word once, and the word's value
/// after it.
struct Signal : Idiom {
  uint32_t set = 1;
};
Signal drawSignal(Choices &choices, Word word);

/// A way to read a word repeatedly.
struct Poll {
  std::string text;    ///< the expression that reads it
  std::string between; ///< a statement between two reads; may be empty
  std::string operation;
  bool isPlain = false; ///< a plain load beside a fence
};
Poll drawPoll(Choices &choices, Word word);

/// Returns an atomic that reads a word and leaves it unchanged.
Idiom drawLook(Choices &choices, Word word);

} // namespace regrain::fuzz::cooperation
