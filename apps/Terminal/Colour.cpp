//===- Colour.cpp - Colours on terminals ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/Colour.h"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <unistd.h>

namespace regrain::terminal {
namespace {

/// Returns the value of a variable; an empty one counts as not set.
std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

const char *codeOf(Tone tone) {
  switch (tone) {
  case Tone::Good:
    return "\033[32m";
  case Tone::Bad:
    return "\033[31m";
  case Tone::Doubtful:
    return "\033[33m";
  case Tone::Heading:
    return "\033[1m";
  }
  return "";
}

} // namespace

bool showsColours(int descriptor) {
  if (!variable("NO_COLOR").empty())
    return false;
  if (std::string_view force = variable("CLICOLOR_FORCE"); !force.empty() && force != "0")
    return true;
  return ::isatty(descriptor) && variable("TERM") != "dumb";
}

bool showsColours(const std::ostream &out) {
  if (&out == &std::cout)
    return showsColours(STDOUT_FILENO);
  return (&out == &std::cerr || &out == &std::clog) && showsColours(STDERR_FILENO);
}

std::string painted(const std::ostream &out, Tone tone, const std::string &text) {
  return showsColours(out) ? codeOf(tone) + text + "\033[0m" : text;
}

} // namespace regrain::terminal
