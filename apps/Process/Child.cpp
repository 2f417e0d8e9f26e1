//===- Child.cpp - A program that this process starts ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Process/Child.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace regrain::process {
namespace {

/// posix_spawn's two descriptions, released together.
struct SpawnSetup {
  explicit SpawnSetup(const StartOptions &options);
  SpawnSetup(const SpawnSetup &) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

SpawnSetup::SpawnSetup(const StartOptions &options) {
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (auto [from, to] : {std::pair(options.input, 0), {options.output, 1}, {options.errors, 2}})
    if (from >= 0)
      posix_spawn_file_actions_adddup2(&actions, from, to);
  if (!options.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  short flags = 0;
  if (options.ownGroup) {
    posix_spawnattr_setpgroup(&attributes, 0);
    flags |= POSIX_SPAWN_SETPGROUP;
  }
  if (options.blocked) {
    posix_spawnattr_setsigmask(&attributes, &*options.blocked);
    flags |= POSIX_SPAWN_SETSIGMASK;
  }
  if (options.defaults) {
    posix_spawnattr_setsigdefault(&attributes, &*options.defaults);
    flags |= POSIX_SPAWN_SETSIGDEF;
  }
  posix_spawnattr_setflags(&attributes, flags);
}

/// Returns the strings in the form in which posix_spawn takes arguments and
/// environments: with a null at the end. The strings must outlive the result, and are
/// not written.
std::vector<char *> pointersTo(const std::vector<std::string> &strings) {
  std::vector<char *> result;
  for (const std::string &string : strings)
    result.push_back(const_cast<char *>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string_view nameOf(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

} // namespace

Child::~Child() {
  if (file >= 0)
    ::close(file);
}

int Child::start(const StartOptions &options) {
  SpawnSetup setup(options);
  const std::string &program = options.file.empty() ? options.command.front() : options.file;
  if (int error =
          posix_spawnp(&process, program.c_str(), &setup.actions, &setup.attributes,
                       pointersTo(options.command).data(), pointersTo(options.environment).data()))
    return error;
  file = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (file >= 0)
    return 0;
  int error = errno;
  send(SIGKILL);
  reap();
  return error;
}

bool Child::waitFor(std::chrono::milliseconds time) const {
  using std::chrono::milliseconds, std::chrono::steady_clock;
  pollfd watched = {file, POLLIN, 0};
  steady_clock::time_point end = steady_clock::now() + time;
  int ready = 0;
  do {
    auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
    ready = ::poll(&watched, 1, static_cast<int>(std::clamp<int64_t>(left.count(), 0, INT_MAX)));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

void Child::send(int signal) const { ::kill(process, signal); }

void Child::killGroup() const { ::kill(-process, SIGKILL); }

std::vector<std::string> environmentWith(const std::vector<std::string> &added,
                                         const std::function<bool(std::string_view)> &isHidden) {
  std::vector<std::string> result = added;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view variable = *entry, name = nameOf(variable);
    bool isReplaced =
        std::ranges::any_of(added, [&](const std::string &own) { return nameOf(own) == name; });
    if (!isReplaced && !isHidden(name))
      result.emplace_back(variable);
  }
  return result;
}

} // namespace regrain::process
