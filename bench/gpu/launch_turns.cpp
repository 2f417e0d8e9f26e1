//===- launch_turns.cpp - The host's time of launches, in turn ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: launch_turns SECONDS LIBRARY...
//
// Times launches of several libraries in one process, one case after the other: what differs from
// process to process, which is more than the compilers do, is then common. The libraries are made
// of launch_turns.cu, by compilers with a runtime of their own. Prints one JSON object: for each
// library and case the host's microseconds of a launch in a batch that the device's queue holds
// ("host"), those of a launch in a loop with its end ("loop"), and those of a launch in a graph
// with its end ("graph"); medians, and for the first the quartiles and the least as well.
//
//===----------------------------------------------------------------------===//
#include "launch_turns.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

constexpr int leading = 20, perBatch = 200, perLoop = 2000, perGraph = 200;
constexpr int leastRounds = 3, mostRounds = 3000, roundsPerLoop = 20, roundsPerGraph = 5;

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

struct Timed {
  std::string name;
  LaunchCase each;
  LaunchLibrary library;
  void *graph;
  std::vector<double> host, loop, inGraph;
};

/// Returns the value at that part of the sorted ones.
double at(std::vector<double> &values, double part) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[size_t(double(values.size() - 1) * part)];
}

template <typename Function> void find(void *library, const char *name, Function &out) {
  out = reinterpret_cast<Function>(dlsym(library, name));
  if (out)
    return;
  std::fprintf(stderr, "launch_turns: %s\n", dlerror());
  std::exit(1);
}

void addCases(const char *path, std::vector<Timed> &all) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "launch_turns: %s\n", dlerror());
    std::exit(1);
  }
  LaunchLibrary calls;
  find(library, "prepare", calls.prepare);
  find(library, "finish", calls.finish);
  find(library, "capture", calls.capture);
  find(library, "replay", calls.replay);
  for (const LaunchCase *each = calls.prepare(); each->name; ++each)
    all.push_back({std::string(path) + " " + each->name,
                   *each,
                   calls,
                   calls.capture(each->launch, perGraph),
                   {},
                   {},
                   {}});
}

/// Returns the host's time of so many launches, of which it waits for the end if that is asked.
double timeLaunches(const Timed &timed, int count, bool withEnd) {
  auto start = Clock::now();
  timed.each.launch(count);
  double queued = microsecondsSince(start);
  timed.library.finish();
  return (withEnd ? microsecondsSince(start) : queued) / count;
}

double timeReplay(const Timed &timed) {
  timed.library.replay(timed.graph);
  timed.library.finish();
  auto start = Clock::now();
  timed.library.replay(timed.graph);
  timed.library.finish();
  return microsecondsSince(start) / perGraph;
}

void timeOnce(Timed &timed, int round) {
  timeLaunches(timed, leading, true);
  timed.host.push_back(timeLaunches(timed, perBatch, false));
  if (round % roundsPerLoop == 0)
    timed.loop.push_back(timeLaunches(timed, perLoop, true));
  if (round % roundsPerGraph == 0)
    timed.inGraph.push_back(timeReplay(timed));
}

void print(std::vector<Timed> &all, int rounds) {
  std::printf("{\"rounds\": %d", rounds);
  for (Timed &timed : all)
    std::printf(",\n \"%s\": {\"host\": %.4f, \"low\": %.4f, \"high\": %.4f, \"least\": %.4f, "
                "\"loop\": %.4f, \"graph\": %.4f}",
                timed.name.c_str(), at(timed.host, 0.5), at(timed.host, 0.25), at(timed.host, 0.75),
                at(timed.host, 0), at(timed.loop, 0.5), at(timed.inGraph, 0.5));
  std::printf("}\n");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: launch_turns SECONDS LIBRARY...\n");
    return 2;
  }
  auto began = Clock::now();
  double limit = std::atof(argv[1]) * 1e6;
  std::vector<Timed> all;
  for (int i = 2; i < argc; ++i)
    addCases(argv[i], all);
  int round = 0;
  for (; round < leastRounds || (microsecondsSince(began) < limit && round < mostRounds); ++round)
    for (size_t k = 0; k < all.size(); ++k)
      timeOnce(all[(k + size_t(round) * 7) % all.size()], round);
  print(all, round);
  std::fflush(stdout);
  std::_Exit(0); // the libraries' runtimes have no common end
}
