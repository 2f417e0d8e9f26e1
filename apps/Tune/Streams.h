//===- Streams.h - The program's standard input and output ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The supervisor stands between the program and its surroundings only as far as
// a second run requires it.
//
// Output goes through a pipe and is passed on as it comes. If it is a terminal, the
// program gets a pseudo-terminal instead, in raw mode and of the same size: with a
// pipe, the program would notice that it does not write to a terminal, and hold its
// lines back until a buffer is full. Standard error is never redirected.
//
// A file as input is the program's own and is rewound for a second run. A pipe is
// read ahead of the program, by at most a page, and kept. A terminal is the program's
// own: input that was typed for the first run is lost to the second.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Tune/Repeat.h"
#include "apps/Tune/Spool.h"

#include <string>
#include <sys/types.h>

namespace regrain::tune {

class Output {
public:
  Output();
  Output(const Output &) = delete;
  ~Output() { close(); }

  /// Begins a run. `program` is the descriptor to which the program writes; it is to be
  /// closed once the program is started. Returns 0 or an errno.
  [[nodiscard]] int begin(int &program);
  /// Return the descriptors to poll for reading and for writing; -1 if there is
  /// nothing to wait for. Bytes are passed on before more are read.
  [[nodiscard]] int readable() const { return pending.empty() ? source : -1; }
  [[nodiscard]] int writable() const;
  /// Moves what can be moved without blocking.
  void move(bool canRead, bool canWrite);
  /// Returns whether nothing is left to move.
  [[nodiscard]] bool isDone() const { return source < 0 && pending.empty(); }
  /// Signals to the program that nothing reads its output any more.
  void close();

  /// Must be called when the terminal's size has changed.
  void resize() const;
  [[nodiscard]] bool isTerminal() const { return terminal; }
  /// Returns whether the reader of the output is gone.
  [[nodiscard]] bool isGone() const { return gone; }
  /// Returns whether a line has begun and not ended.
  [[nodiscard]] bool isWithinLine() const { return withinLine; }
  [[nodiscard]] const Repeat &repeat() const { return repeated; }

private:
  [[nodiscard]] int openTerminal(int &program);
  void read();
  void write();

  Repeat repeated;
  std::string pending; ///< read, but not passed on
  int source = -1;
  bool terminal;
  bool gone = false, withinLine = false;
};

class Input {
public:
  Input();
  Input(const Input &) = delete;
  ~Input() { close(); }

  /// Begins a run. `program` is the descriptor from which the program reads; it is to be
  /// closed once the program is started; -1 if the program reads this process's own.
  /// Returns 0 or an errno.
  [[nodiscard]] int begin(int &program);
  /// Return the descriptors to poll for reading and for writing; -1 if there is
  /// nothing to wait for.
  [[nodiscard]] int readable() const;
  [[nodiscard]] int writable() const { return pending.empty() ? -1 : sink; }
  /// Moves what can be moved without blocking.
  void move(bool canRead, bool canWrite);
  void close();
  /// Returns whether a second run would read the same.
  [[nodiscard]] bool canRepeat() const { return kept.isComplete() || !isSpooled; }

private:
  void refill();

  Spool kept;
  uint64_t position = 0; ///< in `kept`: before it is what the run has read, or is pending
  std::string pending;
  int sink = -1;
  bool isSpooled = false, hasEnded = false;
  off_t origin = -1; ///< of a file, at the start of this process
};

} // namespace regrain::tune
