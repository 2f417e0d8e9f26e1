//===- recent_answers.h - Questions that launches ask again -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches of a kernel ask what launches before them have asked, and the answer depends on a
// few words alone. Then it is found without a lock and without memory. Nothing voids an answer, so
// a question contains all that its answer depends on.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace regrain {

/// The answers to the last few questions. Any threads may use it at once.
class RecentAnswers {
public:
  RecentAnswers(size_t questionWords, size_t answerWords);

  /// Returns whether the question was asked before, and then gives its answer. A false result says
  /// nothing about `answer`.
  [[nodiscard]] bool find(std::span<const uint64_t> question, std::span<uint64_t> answer) const;
  void note(std::span<const uint64_t> question, std::span<const uint64_t> answer);

private:
  /// A question and behind it its answer. `writes` is odd while a thread changes the words, and 0
  /// while there are none.
  struct Slot {
    std::atomic<uint32_t> writes = 0;
    std::unique_ptr<std::atomic<uint64_t>[]> words;
  };
  static bool find(const Slot &slot, std::span<const uint64_t> question,
                   std::span<uint64_t> answer);

  /// Programs alternate between a few launches, as when they exchange two buffers.
  std::array<Slot, 8> slots;
  std::atomic<uint32_t> next = 0; ///< the slot that is written next
};

} // namespace regrain
