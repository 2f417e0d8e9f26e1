//===- Signals.cpp - Signals to the supervisor ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace regrain::tune {

Signals::Signals() {
  sigset_t caught;
  sigemptyset(&caught);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH})
    sigaddset(&caught, signal);
  sigprocmask(SIG_BLOCK, &caught, &before);
  file = ::signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &pipeBefore);
  sigemptyset(&ignored);
  if (pipeBefore.sa_handler != SIG_IGN)
    sigaddset(&ignored, SIGPIPE);
}

Signals::~Signals() {
  while (next()) { // discards pending signals
  }
  ::close(file);
  sigaction(SIGPIPE, &pipeBefore, nullptr);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

std::optional<Signal> Signals::next() {
  signalfd_siginfo info;
  if (::read(file, &info, sizeof(info)) != sizeof(info))
    return std::nullopt;
  return Signal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

bool asksToEnd(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

} // namespace regrain::tune
