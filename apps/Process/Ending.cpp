//===- Ending.cpp - The end of a process ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Process/Ending.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <sys/wait.h>

namespace regrain::process {

int Ending::lastSignal() const {
  constexpr int shellBase = 128;
  if (signal)
    return signal;
  return code > shellBase && code <= shellBase + SIGRTMAX ? code - shellBase : 0;
}

Ending reap(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? Ending{.signal = WTERMSIG(status)}
                             : Ending{.code = WEXITSTATUS(status)};
}

std::string describe(const Ending &ending) {
  if (ending.signal)
    return "signal " + std::to_string(ending.signal) + " (" + ::strsignal(ending.signal) + ")";
  return ending.code ? "exit status " + std::to_string(ending.code) : "";
}

bool isCrash(int signal) {
  constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  return std::ranges::find(crashes, signal) != std::end(crashes);
}

std::string nameOfSignal(int number) {
  const char *name = ::sigabbrev_np(number);
  return name ? "SIG" + std::string(name) : "signal " + std::to_string(number);
}

} // namespace regrain::process
