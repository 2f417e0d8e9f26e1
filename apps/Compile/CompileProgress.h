//===- CompileProgress.h - A line on how far compiling is -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Terminal/ProgressLine.h"
#include "compiler/Selection/CompileObserver.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace regrain {

/// Returns "app.cu: 37 of 120 compiled, scale(float*) at block.x=4, about 20 s left" in fewer than
/// `width` columns.
[[nodiscard]] std::string compileText(const CompileState &state, double seconds, size_t width);

/// Shows a line on standard error once compiling has taken a while.
class CompileProgress final : public CompileObserver {
public:
  /// Returns null where no line is to be shown: in pipes and logs, and below make, which may run
  /// several compilers on one terminal.
  static std::unique_ptr<CompileProgress> makeForTerminal();

  void update(const CompileState &state) override;
  void finish() override;

private:
  using Clock = std::chrono::steady_clock;

  std::mutex showing;
  terminal::ProgressLine line;
  std::optional<Clock::time_point> begin; ///< nothing: no file is being compiled
};

} // namespace regrain
