//===- retired.h - Code of closed libraries ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cpu/stream.h"

#include <memory>
#include <mutex>
#include <vector>

namespace regrain::cpu {

/// Keeps code until the work that may run it is complete. No member waits.
class RetiredCode {
public:
  void add(std::shared_ptr<void> code, std::vector<Ticket> users);
  /// Unloads the code that is no longer used.
  void sweep();

private:
  struct Entry {
    std::shared_ptr<void> code;
    std::vector<Ticket> users;
  };

  std::mutex mutex;
  std::vector<Entry> entries;
};

} // namespace regrain::cpu
