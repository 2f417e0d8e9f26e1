//===- CompileProgress.cpp - A line on how far compiling is ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Compile/CompileProgress.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace regrain {
namespace {

/// What compiles faster needs no line.
constexpr double silentSeconds = 1;

} // namespace

std::string compileText(const CompileState &state, double seconds, size_t width) {
  std::string text = state.source.substr(state.source.find_last_of('/') + 1) + ": " +
                     std::to_string(state.done) + " of " + std::to_string(state.known) +
                     " compiled";
  std::string left = terminal::timeLeft(state.done, state.known, seconds);
  if (!left.empty())
    text += ", " + left;
  if (!state.kernel.empty())
    text += ", " + state.kernel.substr(0, state.kernel.find('(', 1)) + " at " + state.grain;
  return terminal::cut(text, width > 0 ? width - 1 : 0);
}

std::unique_ptr<CompileProgress> CompileProgress::makeForTerminal() {
  bool isBelowMake = std::getenv("MAKELEVEL") != nullptr;
  return terminal::canRedraw(STDERR_FILENO) && !isBelowMake ? std::make_unique<CompileProgress>()
                                                            : nullptr;
}

void CompileProgress::update(const CompileState &state) {
  std::lock_guard lock(showing);
  Clock::time_point now = Clock::now();
  if (!begin)
    begin = now;
  double seconds = std::chrono::duration<double>(now - *begin).count();
  if (seconds < silentSeconds)
    return;
  std::string text = compileText(state, seconds, terminal::widthOf(STDERR_FILENO));
  std::fputs(line.update(text, seconds).c_str(), stderr);
}

void CompileProgress::finish() {
  std::lock_guard lock(showing);
  std::fputs(line.erase().c_str(), stderr);
  line = {};
  begin.reset();
}

} // namespace regrain
