//===- Signals.h - Signals to the supervisor --------------------*- C++ -*-===//
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
  /// The terminal sent it, to the program as well.
  bool fromTerminal;
};

/// Redirects signals that are requests to a process into a descriptor, and
/// ignores SIGPIPE, during the lifetime of this object.
class Signals {
public:
  Signals();
  Signals(const Signals &) = delete;
  ~Signals();

  [[nodiscard]] int descriptor() const { return file; }
  /// Returns the next pending signal; nothing if there is none.
  std::optional<Signal> next();

  /// Returns the signals to block, and not to ignore, in a started program, so that
  /// it finds them as if this object did not exist.
  [[nodiscard]] const sigset_t &blockedBefore() const { return before; }
  [[nodiscard]] const sigset_t &ignoredHere() const { return ignored; }

private:
  int file;
  sigset_t before, ignored;
  struct sigaction pipeBefore;
};

/// Returns whether the signal asks a process to end.
[[nodiscard]] bool asksToEnd(int signal);

} // namespace regrain::tune
