//===- ProgressLine.cpp - A line that is redrawn in place -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/ProgressLine.h"

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace regrain::terminal {
namespace {

constexpr double leastInterval = 0.1; // seconds between two updates
constexpr const char *eraseLine = "\r\033[K";
// An estimate from fewer steps, or within less time, says little.
constexpr size_t leastSteps = 2;
constexpr double leastSeconds = 2;

} // namespace

bool canRedraw(int descriptor) {
  const char *kind = std::getenv("TERM");
  return ::isatty(descriptor) && (!kind || std::string_view(kind) != "dumb");
}

std::string timeLeft(size_t done, size_t all, double seconds) {
  if (done < leastSteps || done >= all || seconds < leastSeconds)
    return "";
  double left = std::ceil(seconds / double(done) * double(all - done));
  bool isLong = left >= 120;
  return "about " + std::to_string(long(isLong ? std::round(left / 60) : left)) +
         (isLong ? " min left" : " s left");
}

size_t widthOf(int descriptor) {
  winsize size;
  bool isKnown = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return isKnown ? size.ws_col : 80;
}

std::string cut(std::string text, size_t width) {
  if (text.size() > width)
    text = text.substr(0, width > 2 ? width - 2 : 0) + (width > 2 ? ".." : "");
  return text;
}

std::string ProgressLine::update(const std::string &text, double now) {
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

} // namespace regrain::terminal
