//===- MeasurementJson.cpp - A measurement as JSON ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/MeasurementJson.h"

namespace regrain::database {

Json measurementJson(const Measurement &measurement) {
  return {{"alternative", measurement.alternative},
          {"launch", measurement.launch},
          {"weight", measurement.weight},
          {"blocks", measurement.blocks ? Json(measurement.blocks) : Json()},
          {"original_us", measurement.originalMicroseconds},
          {"candidate_us", measurement.candidateMicroseconds},
          {"gain", measurement.gain.ratio},
          {"gain_low", measurement.gain.low},
          {"gain_high", measurement.gain.high},
          {"pairs", measurement.pairs},
          {"outcome", measurement.outcome},
          {"seconds", measurement.seconds}};
}

} // namespace regrain::database
