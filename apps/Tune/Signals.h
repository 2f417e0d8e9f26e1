//===- Signals.h - Signals that the supervisor gets -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csignal>
#include <optional>

namespace regrain::tune {

struct Signal {
  int number;
  /// It came from the terminal, which has sent it to the program as well.
  bool fromTerminal;
};

/// While it lives, signals that ask a process for something come through a
/// descriptor, and SIGPIPE is ignored.
class Signals {
public:
  Signals();
  Signals(const Signals &) = delete;
  ~Signals();

  [[nodiscard]] int descriptor() const { return file; }
  /// The next one that has come; none where there is none.
  std::optional<Signal> next();

  /// What a started program shall find blocked, and not ignored, as if this were not.
  [[nodiscard]] const sigset_t &blockedBefore() const { return before; }
  [[nodiscard]] const sigset_t &ignoredHere() const { return ignored; }

private:
  int file;
  sigset_t before, ignored;
  struct sigaction pipeBefore;
};

/// Whether the signal asks a process to end.
[[nodiscard]] bool asksToEnd(int signal);

} // namespace regrain::tune
