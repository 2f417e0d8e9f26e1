//===- Tool.h - Programs that the compiler runs -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <sys/types.h>

namespace regrain {

struct ToolOptions {
  std::optional<llvm::StringRef> log = {}; ///< file for both outputs; none: the compiler's own
  std::optional<unsigned> seconds = {};    ///< it is killed after these
  /// It is killed when it has taken so much processor time itself, without its own tools.
  std::optional<unsigned> processorSeconds = {};
  llvm::function_ref<void(pid_t)> onStart = {}; ///< called once it runs
};

/// How a tool ended.
struct ToolEnd {
  enum class State { NotStarted, EndedEarly, Exited };
  State state = State::Exited;
  int exitCode = 0;   ///< if it exited
  std::string reason; ///< why it did not exit: one clause
  bool isSuccess() const { return state == State::Exited && exitCode == 0; }
};

/// Runs the program in the file, and waits for it. The first argument is the name by which it is
/// called. Any threads may call.
[[nodiscard]] ToolEnd runTool(llvm::StringRef file, llvm::ArrayRef<std::string> arguments,
                              const ToolOptions &options = {});

/// Returns the processor time in seconds of the tools that the calling thread has run. A tool that
/// was stopped counts with its limit at least.
[[nodiscard]] double toolSeconds();

} // namespace regrain
