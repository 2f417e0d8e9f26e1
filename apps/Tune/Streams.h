//===- Streams.h - The program's standard input and output ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the program and the outside only where a second run needs it.
//
// Output goes through a pipe and is passed on as it comes. Where it is a terminal the
// program gets a pseudo-terminal instead, in raw mode and of the same size: with a
// pipe it would see that it does not write to a terminal, and hold its lines back
// until a buffer is full. Standard error is never touched.
//
// Input from a file is the program's own and is rewound for a second run. A pipe is
// read ahead of the program, by a page at most, and kept. A terminal is the program's
// own: what was typed for the first run is not there for the second.
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

  /// Begins a run. `program` is the descriptor that the program writes to, to be closed
  /// once it is started. 0 or an errno.
  [[nodiscard]] int begin(int &program);
  /// To be polled for reading, and for writing; -1 where there is nothing to wait for.
  /// What is read is passed on before more is read.
  [[nodiscard]] int readable() const { return pending.empty() ? source : -1; }
  [[nodiscard]] int writable() const;
  /// Moves what can be moved without waiting.
  void move(bool canRead, bool canWrite);
  /// Nothing is left to be moved.
  [[nodiscard]] bool isDone() const { return source < 0 && pending.empty(); }
  /// The program sees from now on that nobody reads.
  void close();

  /// The terminal's size has changed.
  void resize() const;
  [[nodiscard]] bool isTerminal() const { return terminal; }
  /// Whether nobody reads what is passed on.
  [[nodiscard]] bool isGone() const { return gone; }
  /// Whether a line has begun that is not ended yet.
  [[nodiscard]] bool isWithinLine() const { return withinLine; }
  [[nodiscard]] const Repeat &repeat() const { return repeated; }

private:
  [[nodiscard]] int openTerminal(int &program);
  void read();
  void write();

  Repeat repeated;
  std::string pending; ///< read and not passed on
  int source = -1;
  bool terminal;
  bool gone = false, withinLine = false;
};

class Input {
public:
  Input();
  Input(const Input &) = delete;
  ~Input() { close(); }

  /// Begins a run. `program` is the descriptor that the program reads, to be closed once
  /// it is started; -1 where it reads this process's own. 0 or an errno.
  [[nodiscard]] int begin(int &program);
  /// To be polled for reading, and for writing; -1 where there is nothing to wait for.
  [[nodiscard]] int readable() const;
  [[nodiscard]] int writable() const { return pending.empty() ? -1 : sink; }
  /// Moves what can be moved without waiting.
  void move(bool canRead, bool canWrite);
  void close();
  /// Whether a second run would read the same.
  [[nodiscard]] bool canRepeat() const { return kept.isComplete() || !isSpooled; }

private:
  void refill();

  Spool kept;
  uint64_t position = 0; ///< in `kept`: what the run has got, or is pending
  std::string pending;
  int sink = -1;
  bool isSpooled = false, hasEnded = false;
  off_t origin = -1; ///< of a file, when this process began
};

} // namespace regrain::tune
