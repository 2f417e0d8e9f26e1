//===- settings.h - Settings from the environment ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"

#include <string>
#include <vector>

namespace regrain {

/// The environment variables, read once at the first use of a device.
struct Settings {
  std::string device;                       ///< REGRAIN_DEVICE, empty: free choice
  std::vector<AlternativeRequest> requests; ///< REGRAIN_ALTERNATIVE
  bool verbose = false;                     ///< REGRAIN_VERBOSE=1
  bool isTuning = false;                    ///< REGRAIN_TUNE is set
  bool watches = true;                      ///< false under REGRAIN_WATCH=off

  static const Settings &get();
};

/// Writes "regrain: MESSAGE" and a newline to stderr in one piece.
void say(const std::string &message);

/// Says why a setting cannot be met, and ends the process with status 1: what it would do without
/// the setting is not what it was started for.
[[noreturn]] void refuse(const std::string &message);

/// Does the same as `say`, but only under REGRAIN_VERBOSE=1.
void sayVerbose(const std::string &message);

} // namespace regrain
