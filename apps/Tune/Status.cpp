//===- Status.cpp - What a tuning run is doing ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Status.h"

#include "apps/Terminal/ProgressLine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace regrain::tune {
namespace {

/// A kernel's name without its result, its parameters and unnamed namespaces.
struct CutName {
  std::string name;
  size_t arguments = std::string::npos; ///< where its last <...> begins, if it ends with it
};

CutName cutName(const std::string &kernelName) {
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
  begin = std::min(begin, name.size());
  bool endsWithThem = name.ends_with('>') && arguments != std::string::npos;
  return {name.substr(begin), endsWithThem ? arguments - begin : std::string::npos};
}

} // namespace

std::string shortName(const std::string &kernelName) {
  CutName cut = cutName(kernelName);
  return cut.name.substr(0, cut.arguments);
}

std::string instanceName(const std::string &kernelName) { return cutName(kernelName).name; }

std::optional<Status> statusOf(const std::vector<Underway> &underway,
                               const std::vector<Measurement> &measurements, double secondsLeft) {
  if (underway.empty() && measurements.empty())
    return std::nullopt;
  Status status;
  status.secondsLeft = secondsLeft;
  TunedKernel kernel;
  std::string launchClass, kernelName;
  auto take = [&](const auto &of) {
    kernel = of.kernel;
    launchClass = of.launchClass;
    kernelName = of.kernelName;
    status.candidate = of.alternative;
  };
  if (underway.empty())
    take(measurements.back());
  else
    take(underway.back());
  status.kernel = shortName(kernelName);
  for (const Measurement &measurement : measurements)
    if (measurement.kernel == kernel && measurement.launchClass == launchClass &&
        measurement.outcome.starts_with("timed") && measurement.gain.ratio > status.bestRatio) {
      status.bestRatio = measurement.gain.ratio;
      status.best = measurement.alternative;
    }
  return status;
}

/// Cuts the text so that `excess` characters less are needed, but leaves `least` of them.
static void shorten(std::string &text, size_t least, size_t &excess) {
  size_t kept = text.size() - std::min(excess, text.size() - std::min(least, text.size()));
  excess -= text.size() - kept;
  text = terminal::cut(text, kept);
}

std::string statusText(const Status &status, size_t width) {
  char ratio[32], left[32];
  std::snprintf(ratio, sizeof(ratio), " %.2fx", status.bestRatio);
  std::snprintf(left, sizeof(left), ", %.0f s left", std::ceil(std::max(0.0, status.secondsLeft)));
  bool hasBest = !status.best.empty();
  std::string kernel = status.kernel, candidate = status.candidate,
              best = hasBest ? status.best : "the original";
  auto line = [&] {
    return "tuning " + kernel + ": " + candidate + ", best " + best + (hasBest ? ratio : "") + left;
  };
  size_t room = width > 0 ? width - 1 : 0; // the terminal would wrap after the last column
  size_t excess = line().size() - std::min(room, line().size());
  // Names and grains are cut before the figures behind them are lost.
  shorten(kernel, 8, excess);
  shorten(candidate, 12, excess);
  shorten(best, 8, excess);
  return terminal::cut(line(), room);
}

} // namespace regrain::tune
