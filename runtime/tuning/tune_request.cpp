//===- tune_request.cpp - Parsing REGRAIN_TUNE ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/tune_request.h"

#include <algorithm>
#include <charconv>

namespace regrain {

/// Parses a text that is a number and nothing else.
template <typename Number> static bool parseNumber(std::string_view text, Number &number) {
  const char *end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc() && stop == end;
}

static bool parseSeconds(std::string_view text, double &seconds) {
  return parseNumber(text, seconds) && seconds > 0;
}

OrError<TuneRequest> parseTuneRequest(std::string_view text) {
  TuneRequest request;
  while (!text.empty()) {
    std::string_view piece = text.substr(0, text.find(','));
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
    std::string_view name = piece.substr(0, piece.find('='));
    std::string_view value = piece.substr(std::min(name.size() + 1, piece.size()));
    if (name == "session" && !value.empty())
      request.session = value;
    else if (piece == "mode=replay")
      request.mode = TuneRequest::Mode::Replay;
    else if (piece == "mode=in-place")
      request.mode = TuneRequest::Mode::InPlace;
    else if (piece == "mode=survey")
      request.mode = TuneRequest::Mode::Survey;
    else if (piece == "mode=review")
      request.mode = TuneRequest::Mode::Review;
    else if (piece == "unverified")
      request.mayRunUnverified = true;
    else if (piece == "trace")
      request.writesTrace = true;
    else if ((name == "ulps" && parseNumber(value, request.ulps)) ||
             (name == "sum-ulps" && parseNumber(value, request.sumUlps)) ||
             (name == "device" && parseNumber(value, request.mostCopies.device)) ||
             (name == "host" && parseNumber(value, request.mostCopies.host)))
      continue;
    else if (name != "budget" || !parseSeconds(value, request.budgetSeconds))
      return tl::unexpected("'" + std::string(piece) + "' is not understood");
  }
  if (request.session.empty())
    return tl::make_unexpected("it lacks session=ID; regrain tune sets it");
  return request;
}

} // namespace regrain
