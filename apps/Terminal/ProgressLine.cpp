//===- ProgressLine.cpp - A line that is redrawn in place -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/ProgressLine.h"

#include <sys/ioctl.h>

namespace regrain::terminal {
namespace {

constexpr double leastInterval = 0.1; // seconds between two updates
constexpr const char *eraseLine = "\r\033[K";

} // namespace

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
