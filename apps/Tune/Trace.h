//===- Trace.h - A tuning run as a trace ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace is JSON in the Trace Event Format, for Perfetto and chrome://tracing. It has the runs
// of the program, and what the program's processes did (runtime/tuning/trace_file.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Tune/Supervisor.h"

#include <string>

namespace regrain::tune {

/// Returns the trace. `events` are the lines that the processes have written; the last one of a
/// process that died may be incomplete, and what it had begun ends with its run.
[[nodiscard]] std::string traceOf(const Plan &plan, const Outcome &outcome,
                                  const std::string &events);

/// Writes the trace to the file, as a whole or not at all, and removes the events of the processes.
[[nodiscard]] OrError<void> writeTrace(const Plan &plan, const Outcome &outcome,
                                       const std::string &file);

} // namespace regrain::tune
