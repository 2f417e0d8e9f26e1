//===- Guard.cpp - Work in a process of its own ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Guard.h"

#include "apps/Process/Ending.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

namespace regrain::fuzz {

namespace {

constexpr rlim_t mostMemory = 4ull << 30;

[[noreturn]] void work(const std::vector<Subject> &subjects, const BatchOptions &options,
                       int pipe) {
  rlimit limit = {mostMemory, mostMemory};
  rlimit noCore = {0, 0};
  int null = open("/dev/null", O_WRONLY);
  if (setrlimit(RLIMIT_DATA, &limit) != 0 || setrlimit(RLIMIT_CORE, &noCore) != 0 || null < 0 ||
      dup2(null, STDERR_FILENO) < 0)
    _exit(2);
  runBatch(subjects, options, [pipe](const Outcome &outcome) {
    std::string line = std::to_string(outcome.kernel) + "\t" + outcome.grain + "\t" +
                       std::to_string(unsigned(outcome.verdict)) + "\t" + outcome.detail + "\n";
    for (size_t at = 0; at < line.size();) {
      ssize_t written = write(pipe, line.data() + at, line.size() - at);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        _exit(2);
      at += size_t(written);
    }
  });
  // The child must not close anything that the parent opened.
  _exit(0);
}

void take(std::string &pending, std::vector<Outcome> &outcomes) {
  for (size_t end; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
    llvm::SmallVector<llvm::StringRef, 4> fields;
    llvm::StringRef(pending).take_front(end).split(fields, '\t');
    unsigned kernel = 0, verdict = 0;
    if (fields.size() != 4 || fields[0].getAsInteger(10, kernel) ||
        fields[2].getAsInteger(10, verdict))
      continue;
    outcomes.push_back({kernel, fields[1].str(), Verdict(verdict), fields[3].str()});
  }
}

/// Measures how long a child has been silent, in its own processor time, so that
/// a busy machine does not make it look hung. The wall clock detects a child
/// that waits for ever.
class Silence {
public:
  Silence(pid_t child, unsigned seconds) : seconds(seconds) {
    isKnown = clock_getcpuclockid(child, &clock) == 0;
    restart();
  }
  void restart() { used = processorSeconds(), since = std::chrono::steady_clock::now(); }
  bool isTooLong() const {
    auto waited = std::chrono::steady_clock::now() - since;
    return processorSeconds() - used > seconds || waited > std::chrono::seconds(20) * seconds;
  }

private:
  double processorSeconds() const {
    timespec now;
    return isKnown && clock_gettime(clock, &now) == 0 ? double(now.tv_sec) : 0;
  }

  unsigned seconds;
  clockid_t clock;
  bool isKnown;
  double used = 0;
  std::chrono::steady_clock::time_point since;
};

/// Reads until the child closes its end; returns false if it is silent for too
/// long.
bool listen(int pipe, Silence silence, std::vector<Outcome> &outcomes) {
  std::string pending;
  for (;;) {
    pollfd waiting = {pipe, POLLIN, 0};
    int ready = poll(&waiting, 1, /*milliseconds=*/500);
    if (ready < 0 && errno != EINTR)
      return false;
    if (ready <= 0) {
      if (silence.isTooLong())
        return false;
      continue;
    }
    silence.restart();
    char bytes[4096];
    ssize_t got = read(pipe, bytes, sizeof(bytes));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return true;
    pending.append(bytes, size_t(got));
    take(pending, outcomes);
  }
}

} // namespace

GuardedRun runGuarded(const std::vector<Subject> &subjects, const BatchOptions &options,
                      unsigned seconds) {
  GuardedRun run;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {{}, std::string("no pipe: ") + std::strerror(errno)};
  pid_t child = fork();
  if (child == 0)
    work(subjects, options, ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return {{}, std::string("no process: ") + std::strerror(errno)};
  }
  bool answered = listen(ends[0], Silence(child, seconds), run.outcomes);
  close(ends[0]);
  if (!answered)
    kill(child, SIGKILL);
  process::Ending ending = process::reap(child);
  run.death =
      answered ? process::describe(ending) : "no answer for " + std::to_string(seconds) + " s";
  return run;
}

} // namespace regrain::fuzz
