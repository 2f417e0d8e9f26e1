//===- settings.cpp - Settings from the environment -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/settings.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace regrain {
namespace {

std::string_view environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Settings *readSettings() {
  auto *settings = new Settings; // lives as long as the process: used during its exit
  settings->device = environment("REGRAIN_DEVICE");
  std::string_view verbose = environment("REGRAIN_VERBOSE");
  settings->verbose = !verbose.empty() && verbose != "0";
  settings->isTuning = !environment("REGRAIN_TUNE").empty();
  std::string_view watch = environment("REGRAIN_WATCH");
  settings->watches = watch != "off";
  if (!watch.empty() && watch != "off" && watch != "on")
    say("REGRAIN_WATCH: '" + std::string(watch) + "' is not understood; it is on or off");
  AlternativeRequests asked = parseAlternativeRequests(environment("REGRAIN_ALTERNATIVE"));
  settings->requests = std::move(asked.requests);
  if (!asked.error.empty())
    refuse("REGRAIN_ALTERNATIVE: " + asked.error);
  return settings;
}

} // namespace

const Settings &Settings::get() {
  static const Settings *settings = readSettings();
  return *settings;
}

void say(const std::string &message) { std::fputs(("regrain: " + message + "\n").c_str(), stderr); }

/// The program's exit handlers do not run: they may use what a launch holds.
void refuse(const std::string &message) {
  std::fflush(stdout);
  say(message);
  std::_Exit(1);
}

void sayVerbose(const std::string &message) {
  if (Settings::get().verbose)
    say(message);
}

} // namespace regrain
