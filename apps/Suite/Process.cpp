//===- Process.cpp - Run a command with a time limit ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Process.h"

#include "apps/Process/Spawn.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace regrain::suite {
namespace {

std::string_view nameOf(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

/// Returns the caller's environment, overridden by the command's.
std::vector<std::string> environmentOf(const Command &command) {
  std::vector<std::string> result = command.environment;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view variable = *entry;
    bool hidden = variable.starts_with("NVCC_") || variable.starts_with("REGRAIN_") ||
                  variable.starts_with("MAKE");
    for (const std::string &own : command.environment)
      hidden |= nameOf(own) == nameOf(variable);
    if (!hidden)
      result.emplace_back(variable);
  }
  return result;
}

/// Starts the command as the leader of a new process group; returns 0 or an
/// errno.
int start(const Command &command, pid_t &process) {
  SpawnSetup setup;
  constexpr int write = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&setup.actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&setup.actions, 1, command.out.c_str(), write, 0644);
  if (command.error == command.out)
    posix_spawn_file_actions_adddup2(&setup.actions, 1, 2);
  else
    posix_spawn_file_actions_addopen(&setup.actions, 2, command.error.c_str(), write, 0644);
  posix_spawn_file_actions_addchdir_np(&setup.actions, command.folder.c_str());
  posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&setup.attributes, 0);
  std::vector<std::string> environment = environmentOf(command);
  std::vector<std::string> arguments = command.arguments;
  // env searches for the program in the new PATH.
  arguments.insert(arguments.begin(), "env");
  return posix_spawn(&process, "/usr/bin/env", &setup.actions, &setup.attributes,
                     spawnPointers(arguments).data(), spawnPointers(environment).data());
}

/// Returns whether the process ended within the limit.
bool waitFor(pid_t process, unsigned limit) {
  int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (descriptor < 0)
    return false;
  pollfd watched = {descriptor, POLLIN, 0};
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(limit);
  int ready = 0;
  do {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    ready = ::poll(&watched, 1, static_cast<int>(std::max<int64_t>(0, left.count())));
  } while (ready < 0 && errno == EINTR);
  ::close(descriptor);
  return ready > 0;
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return WEXITSTATUS(status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

Ended run(const Command &command) {
  auto begin = std::chrono::steady_clock::now();
  pid_t process = 0;
  if (int error = start(command, process))
    return {.how = "cannot be started: " + std::string(std::strerror(error))};
  bool inTime = waitFor(process, command.limit);
  ::kill(-process, SIGKILL); // the ended process is not reaped, so its group's number is still ours
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  Ended ended = {.inTime = inTime, .seconds = taken.count()};
  ended.how =
      inTime ? describe(status) : "still running after " + std::to_string(command.limit) + " s";
  ended.succeeded = ended.how.empty();
  return ended;
}

std::string tailOf(const std::filesystem::path &file, size_t lines) {
  std::ifstream stream(file);
  std::deque<std::string> last;
  for (std::string line; std::getline(stream, line);) {
    last.push_back(line);
    if (last.size() > lines)
      last.pop_front();
  }
  std::string text;
  for (const std::string &line : last)
    text += (text.empty() ? "" : "\n") + line;
  return text;
}

} // namespace regrain::suite
