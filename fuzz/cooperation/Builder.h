//===- Builder.h - Builder of a cooperating program -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every act may use in its text:
//   self   number of the thread among the `live()` threads of its block
//   home   number of its block among `blocks()`
// The way to determine these is drawn: from coordinates, or only from tickets.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/cooperation/Atomics.h"
#include "fuzz/cooperation/Program.h"

namespace regrain::fuzz::cooperation {

/// The words on which an act works, and the expression for the pointer to the
/// first.
struct Region {
  std::optional<uint32_t> memory; ///< its number; shared memory has none
  std::string pointer;
  Word word;
  std::string offset = {}; ///< offset of the block's part: " + home * 8"

  std::string at(const std::string &index) const { return pointer + "[" + index + "]"; }
  std::string addressOf(const std::string &index) const { return "&" + at(index); }
};

/// The number of a thread in its block, in which the lanes of a warp are
/// adjacent.
inline constexpr const char *threadNumber =
    "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)";

/// The way from the kernel to a function.
enum class Linkage : uint8_t { Plain, Inline, NotInlined, Recursive, Lambda, Pointer };

class Builder {
public:
  explicit Builder(const Plan &plan) { program.plan = plan; }

  Program run();

  // Queries for acts.
  Choices &choices() { return current; }
  uint32_t live() const { return liveThreads; }
  uint32_t blocks() const { return program.shape.blocks(); }
  uint32_t everyone() const { return live() * blocks(); }
  const Shape &shape() const { return program.shape; }
  /// Returns whether all threads of the block are live.
  bool isWhole() const { return live() == program.shape.threads(); }
  bool hasRows() const { return program.shape.block[1] * program.shape.block[2] > 1; }

  // Additions by acts.
  /// Adds a statement or line; braces indent the lines after them.
  void line(const std::string &text);
  void form(const std::string &text) { program.forms.insert(text); }
  void check(Check check) { program.checks.push_back(std::move(check)); }
  /// Adds the check that `count` values of the region, starting at `index`, are
  /// `value`.
  void checkValues(const Region &region, uint32_t index, uint32_t count, uint32_t value,
                   const std::string &what);
  void checkValue(const Region &region, uint32_t index, uint32_t value, const std::string &what) {
    checkValues(region, index, 1, value, what);
  }
  void ordersByFences() { program.ordersByFences = true; }
  void checkLinear(const Region &region, uint32_t first, uint32_t count, uint32_t a, uint32_t b,
                   const std::string &what, uint32_t stride = 1) {
    check({Invariant::Linear, *region.memory, first, count, a, b, what, stride});
  }
  void meet() {
    program.hasShared = true;
    line("__syncthreads();");
  }

  /// Returns a unique name.
  std::string fresh(const std::string &stem) { return stem + std::to_string(++names); }
  /// Adds memory of the grid with `count` words of the kind, each `initial`.
  Region grid(Word word, uint32_t count, uint32_t initial, uint32_t step = 0,
              bool isRestrict = false);
  /// Adds results of 32 bits, with an initial value that no act writes.
  Region results(uint32_t count) { return grid({false, Reach::Grid}, count, 0xeeeeeeee); }
  /// Adds memory of the block, whose words are `initial` after the barrier that this
  /// writes; it is drawn whether the memory is shared or global.
  Region block(Word word, uint32_t count, uint32_t initial);
  /// Returns another pointer to the region's begin; it is a parameter of the kernel unless
  /// the memory is shared.
  std::string alias(const Region &region, bool isRestrict = false);
  /// Adds a parameter of the kernel by value.
  std::string scalar(uint32_t value);
  /// Says that the final contents of the region depend on the order of threads.
  void isInexact(const Region &region) { program.memory[*region.memory].isExact = false; }

  /// Adds a function; returns the call, "name(", to which the operands and ")" are
  /// to be added.
  std::string function(const std::string &result, const std::string &parameters,
                       const std::string &body);

private:
  void chooseShape();
  void findBlock();
  void findThread();
  void findBoth();
  void trim();
  void fillParameters();
  std::string pointerTo(const Region &region, bool isRestrict);
  Region shared(Word word, uint32_t count);
  uint32_t parameterBytes() const;

  Program program;
  Choices current;
  uint32_t liveThreads = 0;
  unsigned names = 0, indent = 1;
  bool restricts = false;
};

} // namespace regrain::fuzz::cooperation
