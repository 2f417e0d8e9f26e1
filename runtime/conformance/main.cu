//===- main.cu - Asks one area, or each in a process of its own -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: conformance [AREA | -AREA...]     (-AREA: all but these)
// The exit code is 77 if there is no device, which CTest recognises as skipped.
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace conformance {
namespace {

constexpr int skipped = 77, noSuchArea = 2;
constexpr unsigned timeLimit = 60; // seconds for an area; none takes long

struct Area {
  const char *name;
  void (*ask)();
};

const Area areas[] = {
#define CONFORMANCE_AREA(NAME) {#NAME, NAME##Area},
#include "areas.def"
};

const char *current = "";

} // namespace

// A number distinguishes a question that an area asks again from the first one.
void answer(const char *question, const char *text) {
  static std::map<std::string, int> asked;
  std::string name = question;
  if (int times = ++asked[name]; times > 1)
    name += " (" + std::to_string(times) + ")";
  std::printf("%s.%s: %s\n", current, name.c_str(), text);
  std::fflush(stdout);
}

void answer(const char *question, bool holds) { answer(question, holds ? "yes" : "no"); }

void answer(const char *question, long long number) {
  answer(question, std::to_string(number).c_str());
}

void answer(const char *question, cudaError_t status) {
  std::string text = cudaGetErrorName(status);
  cudaError_t last = cudaGetLastError();
  if (last != status)
    text += std::string(", last ") + cudaGetErrorName(last);
  answer(question, text.c_str());
}

void answerCases(const Case *cases, size_t count) {
  for (const Case *each = cases; each != cases + count; ++each)
    answer(each->name, each->run());
}

namespace {

const Area *find(const char *name) {
  for (const Area &area : areas)
    if (!std::strcmp(area.name, name))
      return &area;
  return nullptr;
}

int ask(const Area &area) {
  int devices = 0;
  alarm(timeLimit);
  if (cudaGetDeviceCount(&devices) == cudaErrorNoDevice)
    return skipped;
  current = area.name;
  area.ask();
  std::fflush(stdout);
  // This skips the end of the process, at which a failed device may crash.
  _exit(0);
}

/// Asks the area in a new process, which has not used the device before.
int askElsewhere(const Area &area) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "conformance", area.name, static_cast<char *>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 1;
  if (WIFSIGNALED(status)) {
    current = area.name;
    answer("ended by",
           WTERMSIG(status) == SIGALRM ? "the time limit" : strsignal(WTERMSIG(status)));
    return 1;
  }
  return WEXITSTATUS(status);
}

/// `leftOut` has the names of areas with a minus before each.
int askAll(char **leftOut, int count) {
  int result = 0;
  for (const Area &area : areas) {
    if (std::any_of(leftOut, leftOut + count,
                    [&](const char *name) { return !std::strcmp(name + 1, area.name); }))
      continue;
    int status = askElsewhere(area);
    if (status == skipped)
      return skipped;
    result = status ? 1 : result;
  }
  return result;
}

} // namespace
} // namespace conformance

int main(int count, char **arguments) {
  bool areLeftOut = std::all_of(arguments + 1, arguments + count, [](const char *argument) {
    return argument[0] == '-' && conformance::find(argument + 1);
  });
  if (areLeftOut)
    return conformance::askAll(arguments + 1, count - 1);
  if (const conformance::Area *area = conformance::find(arguments[1]); count == 2 && area)
    return conformance::ask(*area);
  std::fprintf(stderr, "usage: conformance [AREA | -AREA...]\n");
  return conformance::noSuchArea;
}
