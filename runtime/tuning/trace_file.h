//===- trace_file.h - Activities in a file ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All processes of a session append to one file, an event of the Trace Event Format as a line of
// JSON at a time. What a process that dies has written stays; `regrain tune --trace` makes a whole
// trace of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/activities.h"

#include <string>
#include <string_view>

namespace regrain {

/// Returns the file to which the processes of a session append. It is beside the database.
[[nodiscard]] inline std::string traceEventsPath(const std::string &database,
                                                 std::string_view session) {
  return database + "." + std::string(session) + ".trace";
}

/// Opens the file; returns null, and in `reason` why, if that is not possible.
[[nodiscard]] std::unique_ptr<ActivityListener> makeTraceFile(const std::string &path,
                                                              std::string &reason);

} // namespace regrain
