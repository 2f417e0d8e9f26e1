//===- retired.cpp - Code of closed libraries -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/retired.h"

#include <algorithm>
#include <iterator>

namespace regrain::cpu {

void RetiredCode::add(std::shared_ptr<void> code, std::vector<Ticket> users) {
  std::lock_guard lock(mutex);
  entries.push_back({std::move(code), std::move(users)});
}

void RetiredCode::sweep() {
  // Unloading happens without the lock: it takes the loader's lock, which a thread that
  // closes a library and comes here already holds.
  std::vector<Entry> unused;
  std::lock_guard lock(mutex);
  auto isUsed = [](const Entry &entry) {
    return std::any_of(entry.users.begin(), entry.users.end(),
                       [](const Ticket &ticket) { return !ticket.isReached(); });
  };
  auto end = std::partition(entries.begin(), entries.end(), isUsed);
  std::move(end, entries.end(), std::back_inserter(unused));
  entries.erase(end, entries.end());
}

} // namespace regrain::cpu
