//===- grain_targets.cpp - Keys that concern targets ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_keys.h"

namespace regrain {

std::string attributeOf(const GrainKey &key) { return "regrain-" + std::string(key.name); }

std::string whyRefusedBy(KeyTargets target, const Grain &grain) {
  for (const GrainKey &key : grainKeys())
    if (!key.refusedElsewhere.empty() && !includes(key.targets, target) &&
        !piecesOf(grain, key).empty())
      return std::string(key.refusedElsewhere);
  return {};
}

} // namespace regrain
