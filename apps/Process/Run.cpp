//===- Run.cpp - Run a command with a time limit --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Process/Run.h"

#include "apps/Process/Child.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace regrain::process {
namespace {

/// A file that no other program inherits.
class OpenFile {
public:
  OpenFile(const std::filesystem::path &path, int flags)
      : number(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  OpenFile(const OpenFile &) = delete;
  ~OpenFile() {
    if (number >= 0)
      ::close(number);
  }
  const int number; ///< negative: it cannot be opened, and errno says why
};

/// Returns 0 or an errno.
int start(const Command &command, Child &child) {
  constexpr int write = O_WRONLY | O_CREAT | O_TRUNC;
  OpenFile nothing("/dev/null", O_RDONLY);
  OpenFile out(command.out, write);
  if (nothing.number < 0 || out.number < 0)
    return errno;
  std::optional<OpenFile> error;
  if (command.error != command.out)
    error.emplace(command.error, write);
  if (error && error->number < 0)
    return errno;
  StartOptions options = {.command = command.arguments,
                          .file = "/usr/bin/env", // it searches for the program in the new PATH
                          .environment = command.environment,
                          .folder = command.folder,
                          .input = nothing.number,
                          .output = out.number,
                          .errors = error ? error->number : out.number,
                          .ownGroup = true};
  options.command.insert(options.command.begin(), "env");
  return child.start(options);
}

} // namespace

Ended run(const Command &command) {
  auto begin = std::chrono::steady_clock::now();
  Child child;
  if (int error = start(command, child))
    return {.how = "cannot be started: " + std::string(std::strerror(error))};
  bool inTime = child.waitFor(std::chrono::seconds(command.limit));
  child.killGroup();
  Ending ending = child.reap();
  std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  Ended ended = {.inTime = inTime, .seconds = taken.count()};
  ended.how =
      inTime ? describe(ending) : "still running after " + std::to_string(command.limit) + " s";
  ended.succeeded = ended.how.empty();
  return ended;
}

} // namespace regrain::process
