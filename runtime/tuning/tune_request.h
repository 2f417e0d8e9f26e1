//===- tune_request.h - What REGRAIN_TUNE asks for --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/copy_bytes.h"
#include "runtime/tuning/tolerance.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace regrain {

/// REGRAIN_TUNE=session=ID,mode=replay|in-place,budget=SECONDS[,ulps=N][,device=BYTES]
/// [,host=BYTES][,unverified]
struct TuneRequest {
  enum class Mode : uint8_t { Replay, InPlace };
  std::string session;
  Mode mode = Mode::Replay;
  double budgetSeconds = 30;
  uint32_t ulps = usualUlps;
  CopyBytes mostCopies = CopyBytes::unlimited();
  bool mayRunUnverified = false;
};

/// A process exits so whose device a candidate has brought down; the row under way tells the
/// supervisor which.
inline constexpr int gaveUpExitCode = 121;

/// A process that exits so has found that it lacks what tuning takes, which is no candidate's
/// fault: the program is started without tuning.
inline constexpr int withoutTuningExitCode = 122;

/// Nothing, and one sentence in `error`, where `text` is not of that form.
[[nodiscard]] std::optional<TuneRequest> parseTuneRequest(std::string_view text,
                                                          std::string &error);

} // namespace regrain
