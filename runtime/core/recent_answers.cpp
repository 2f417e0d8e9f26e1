//===- recent_answers.cpp - Questions that launches ask again -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/recent_answers.h"

namespace regrain {

RecentAnswers::RecentAnswers(size_t questionWords, size_t answerWords) {
  for (Slot &slot : slots)
    slot.words = std::make_unique<std::atomic<uint64_t>[]>(questionWords + answerWords);
}

/// What a thread is writing is not found. What is read with `acquire` after the first read of
/// `writes` is either the old words, or makes the second read see the change.
bool RecentAnswers::find(const Slot &slot, std::span<const uint64_t> question,
                         std::span<uint64_t> answer) {
  uint32_t writes = slot.writes.load(std::memory_order_acquire);
  if (writes == 0 || writes % 2 != 0)
    return false;
  const std::atomic<uint64_t> *word = slot.words.get();
  for (uint64_t asked : question)
    if ((word++)->load(std::memory_order_acquire) != asked)
      return false;
  for (uint64_t &known : answer)
    known = (word++)->load(std::memory_order_acquire);
  return slot.writes.load(std::memory_order_relaxed) == writes;
}

bool RecentAnswers::find(std::span<const uint64_t> question, std::span<uint64_t> answer) const {
  for (const Slot &slot : slots)
    if (find(slot, question, answer))
      return true;
  return false;
}

/// Of two threads that write at once, one leaves the slot as it is.
void RecentAnswers::note(std::span<const uint64_t> question, std::span<const uint64_t> answer) {
  Slot &slot = slots[next.fetch_add(1, std::memory_order_relaxed) % slots.size()];
  uint32_t writes = slot.writes.load(std::memory_order_relaxed);
  if (writes % 2 != 0 ||
      !slot.writes.compare_exchange_strong(writes, writes + 1, std::memory_order_acq_rel))
    return;
  std::atomic<uint64_t> *word = slot.words.get();
  for (std::span<const uint64_t> part : {question, answer})
    for (uint64_t each : part)
      (word++)->store(each, std::memory_order_release);
  slot.writes.store(writes + 2, std::memory_order_release);
}

} // namespace regrain
