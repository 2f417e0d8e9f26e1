//===- Descendants.cpp - The processes below this one ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Process/Descendants.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace regrain::process {
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

} // namespace regrain::process
