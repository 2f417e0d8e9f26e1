//===- tune_request.h - Parsing REGRAIN_TUNE --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"
#include "runtime/tuning/copy_bytes.h"
#include "runtime/tuning/tolerance.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace regrain {

/// REGRAIN_TUNE=session=ID,mode=replay|in-place|survey|review,budget=SECONDS[,ulps=N][,sum-ulps=N]
/// [,device=BYTES][,host=BYTES][,unverified][,trace]
struct TuneRequest {
  enum class Mode : uint8_t { Replay, InPlace, Survey, Review };
  std::string session;
  Mode mode = Mode::Replay;
  double budgetSeconds = 30;
  uint32_t ulps = usualUlps;
  uint32_t sumUlps = usualSumUlps;
  CopyBytes mostCopies = CopyBytes::unlimited();
  bool mayRunUnverified = false;
  bool writesTrace = false; ///< to traceEventsPath() (trace_file.h)
};

/// The exit code of a process whose device a candidate has made unusable; the row in the
/// database tells the supervisor which candidate it was.
inline constexpr int gaveUpExitCode = 121;

/// The exit code of a process that lacks the resources for tuning, which is no candidate's
/// fault: the program is started again without tuning.
inline constexpr int withoutTuningExitCode = 122;

/// Returns the file in which processes of a session that cannot load the tuning library say why.
/// It is beside the database.
[[nodiscard]] inline std::string untunedNotePath(const std::string &database,
                                                 std::string_view session) {
  return database + "." + std::string(session) + ".untuned";
}

/// It is an error if `text` does not have that form.
[[nodiscard]] OrError<TuneRequest> parseTuneRequest(std::string_view text);

} // namespace regrain
