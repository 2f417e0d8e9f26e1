//===- Child.cpp - The program that is tuned ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Child.h"

#include "apps/Process/Spawn.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace regrain::tune {
namespace {

struct Process {
  pid_t id, parent;
  bool isAlive;
};

/// Parses /proc/ID/stat: "ID (name, of any characters) S PARENT ...".
bool readProcess(pid_t id, Process &process) {
  std::ifstream stream("/proc/" + std::to_string(id) + "/stat");
  std::string text; // empty if the process ends meanwhile
  std::getline(stream, text, '\0');
  size_t name = text.rfind(") ");
  if (name == std::string::npos || name + 4 >= text.size())
    return false;
  char state = text[name + 2];
  process = {id, std::atoi(text.c_str() + name + 4), state != 'Z' && state != 'X'};
  return true;
}

std::vector<Process> allProcesses() {
  std::vector<Process> processes;
  std::error_code error; // a process that ends meanwhile is ignored
  for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
    std::string name = entry.path().filename();
    Process process;
    if (std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c); }) &&
        readProcess(std::atoi(name.c_str()), process))
      processes.push_back(process);
  }
  return processes;
}

std::vector<pid_t> livingDescendants() {
  std::vector<Process> processes = allProcesses();
  std::set<pid_t> below = {::getpid()};
  std::vector<pid_t> living;
  for (size_t before = 0; before != below.size();) {
    before = below.size();
    for (const Process &process : processes)
      if (below.contains(process.parent) && below.insert(process.id).second && process.isAlive)
        living.push_back(process.id);
  }
  return living;
}

} // namespace

int Ending::lastSignal() const {
  constexpr int shellBase = 128;
  if (signal)
    return signal;
  return code > shellBase && code <= shellBase + SIGRTMAX ? code - shellBase : 0;
}

bool isCrash(int signal) {
  constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  return std::ranges::find(crashes, signal) != std::end(crashes);
}

Child::~Child() {
  if (file >= 0)
    ::close(file);
}

int Child::start(const StartOptions &options) {
  SpawnSetup setup;
  if (options.input >= 0)
    posix_spawn_file_actions_adddup2(&setup.actions, options.input, 0);
  if (options.output >= 0)
    posix_spawn_file_actions_adddup2(&setup.actions, options.output, 1);
  posix_spawnattr_setsigdefault(&setup.attributes, &options.defaults);
  posix_spawnattr_setsigmask(&setup.attributes, &options.blocked);
  posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (int error = posix_spawnp(&process, options.command.front().c_str(), &setup.actions,
                               &setup.attributes, spawnPointers(options.command).data(),
                               spawnPointers(options.environment).data()))
    return error;
  file = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (file >= 0)
    return 0;
  int error = errno;
  ::kill(process, SIGKILL);
  reap();
  return error;
}

Ending Child::reap() {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? Ending{.signal = WTERMSIG(status)}
                             : Ending{.code = WEXITSTATUS(status)};
}

std::vector<std::string> environmentWith(const std::vector<std::string> &added,
                                         const std::vector<std::string> &names) {
  std::vector<std::string> result = added;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view variable = *entry;
    if (std::ranges::find(names, variable.substr(0, variable.find('='))) == names.end())
      result.emplace_back(variable);
  }
  return result;
}

void adoptOrphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void reapOrphans(pid_t program) {
  siginfo_t info;
  do {
    info.si_pid = 0;
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == program)
      return;
  } while (info.si_pid != 0 && ::waitpid(info.si_pid, nullptr, WNOHANG) > 0);
}

bool isLivingDescendant(pid_t process) {
  Process at;
  if (!readProcess(process, at) || !at.isAlive)
    return false;
  while (at.parent != ::getpid())
    if (at.parent <= 1 || !readProcess(at.parent, at))
      return false;
  return true;
}

void killDescendants() {
  bool anyIsAlive = true;
  // A process that is killed may have started another one just before.
  for (int round = 0; anyIsAlive && round < 100; ++round) {
    anyIsAlive = false;
    for (pid_t process : livingDescendants()) {
      ::kill(process, SIGKILL);
      anyIsAlive = true;
    }
    if (anyIsAlive)
      ::usleep(1000);
  }
}

void reapDescendants() {
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

std::string nameOfSignal(int number) {
  const char *name = ::sigabbrev_np(number);
  return name ? "SIG" + std::string(name) : "signal " + std::to_string(number);
}

} // namespace regrain::tune
