//===- Progress.cpp - The progress line of tuning -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace regrain::tune {
namespace {

constexpr double leastInterval = 0.1; // seconds between two updates
constexpr const char *eraseLine = "\r\033[K";

std::string cut(std::string text, size_t width) {
  if (text.size() > width)
    text = text.substr(0, width > 2 ? width - 2 : 0) + (width > 2 ? ".." : "");
  return text;
}

} // namespace

std::string shortName(const std::string &kernelName) {
  std::string name = kernelName;
  const std::string unnamed = "(anonymous namespace)::";
  for (size_t at; (at = name.find(unnamed)) != std::string::npos;)
    name.erase(at, unnamed.size());
  size_t begin = 0, arguments = std::string::npos; // within the name: of its last <...>
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (depth == 0 && c == '(')
      name.resize(i);
    else if (depth == 0 && c == ' ')
      begin = i + 1;
    else if (c == '<' && depth++ == 0)
      arguments = i;
    else if (c == '>')
      --depth;
  }
  if (name.ends_with('>') && arguments != std::string::npos)
    name.resize(arguments);
  return name.substr(std::min(begin, name.size()));
}

std::optional<ProgressState> progressOf(const std::vector<Underway> &underway,
                                        const std::vector<Measurement> &measurements) {
  if (underway.empty() && measurements.empty())
    return std::nullopt;
  ProgressState state;
  TunedKernel kernel;
  std::string launchClass, kernelName;
  auto take = [&](const auto &of) {
    kernel = of.kernel;
    launchClass = of.launchClass;
    kernelName = of.kernelName;
    state.candidate = of.alternative;
  };
  if (underway.empty())
    take(measurements.back());
  else
    take(underway.back());
  state.kernel = shortName(kernelName);
  for (const Measurement &measurement : measurements)
    if (measurement.kernel == kernel && measurement.launchClass == launchClass &&
        measurement.outcome == "timed" && measurement.gain.ratio > state.bestRatio) {
      state.bestRatio = measurement.gain.ratio;
      state.best = measurement.alternative;
    }
  return state;
}

std::string progressText(const ProgressState &state, size_t width) {
  char ratio[32], left[32];
  std::snprintf(ratio, sizeof(ratio), " %.2fx", state.bestRatio);
  std::snprintf(left, sizeof(left), "%.0f s left", std::ceil(std::max(0.0, state.secondsLeft)));
  std::string best = state.best.empty() ? "the original" : state.best + ratio;
  std::string rest = ": " + state.candidate + ", best " + best + ", " + left;
  std::string begin = "tuning ";
  size_t room = width > 0 ? width - 1 : 0; // the terminal would wrap after the last column
  size_t forName = room - std::min(room, begin.size() + rest.size());
  size_t leastName = std::min<size_t>(state.kernel.size(), 8);
  return cut(begin + cut(state.kernel, std::max(forName, leastName)) + rest, room);
}

std::string ProgressLine::update(const ProgressState &state, size_t width, double now) {
  std::string text = progressText(state, width);
  if (text == shown || (drawn >= 0 && now - drawn < leastInterval))
    return "";
  shown = text;
  drawn = now;
  return eraseLine + text;
}

std::string ProgressLine::erase() {
  if (shown.empty())
    return "";
  shown.clear();
  return eraseLine;
}

} // namespace regrain::tune
