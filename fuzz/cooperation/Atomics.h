//===- Atomics.h - What threads say to each other by atomics ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idioms as CUDA source. `$` stands for the pointer to the word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/cooperation/Choices.h"
#include <string>

namespace regrain::fuzz::cooperation {

/// Who the word is for: that decides which scopes will do.
enum class Reach : uint8_t { Block, Grid };

/// What the word is: its width, and whom it is for.
struct Word {
  bool isWide = false; ///< unsigned long long
  Reach reach = Reach::Grid;

  const char *type() const { return isWide ? "unsigned long long" : "unsigned"; }
  uint32_t words() const { return isWide ? 2 : 1; }
  /// A literal of the type.
  std::string number(uint32_t value) const {
    return std::to_string(value) + (isWide ? "ull" : "u");
  }
};

/// "atomicAdd_system": an operation of a scope that will do.
std::string nameOf(Choices &choices, const std::string &operation, Reach reach);

/// `pattern` with the pointer in place.
std::string with(const std::string &pattern, const std::string &pointer);

/// An expression, and what the word is before the first.
struct Idiom {
  uint32_t initial = 0;
  std::string text;
  std::string operation; ///< "Add"
};

/// Gives 0, 1, 2, ..., each to one caller, of at most `most` callers.
struct Ticket : Idiom {
  bool goesDown = false;
  uint32_t after(uint32_t draws) const { return goesDown ? initial - draws : draws; }
};
Ticket drawTicket(Choices &choices, Word word, uint32_t most);

/// True for one caller: the first.
Idiom drawElection(Choices &choices, Word word);

/// True where the caller has got it; `give` hands it back.
struct Lock : Idiom {
  std::string give;
  std::string giving;   ///< the operation that hands back
  bool isBinary = true; ///< the word is 0 or 1, and not counted up by those who fail
};
Lock drawLock(Choices &choices, Word word);

/// What sets a word once, and what it then is: a statement without the semicolon.
struct Signal : Idiom {
  uint32_t set = 1;
};
Signal drawSignal(Choices &choices, Word word);

/// How a word is looked at over and over.
struct Poll {
  std::string text;    ///< the expression that reads it
  std::string between; ///< a statement between two looks; may be empty
  std::string operation;
  bool isPlain = false; ///< a plain load beside a fence
};
Poll drawPoll(Choices &choices, Word word);

/// An atomic that looks at a word and leaves it as it is.
Idiom drawLook(Choices &choices, Word word);

} // namespace regrain::fuzz::cooperation
