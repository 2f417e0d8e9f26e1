//===- max_resident.h - Grains that limit resident blocks -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// max-resident= concerns the launch alone. The code is that of the grain without it, so that an
// image needs none for it, and the runtime can add it to any grain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

inline constexpr std::string_view maxResidentKey = "max-resident";

/// Returns how many blocks of a launch at the grain may share a multiprocessor; 0: any number.
[[nodiscard]] inline uint32_t maxResidentOf(const Grain &grain) {
  auto found = grain.codegen.find(maxResidentKey);
  return found == grain.codegen.end() ? 0 : found->second;
}

/// Returns the grain whose code a launch at `grain` runs.
[[nodiscard]] inline Grain withAnyResidents(Grain grain) {
  grain.codegen.erase(maxResidentKey);
  return grain;
}

/// Returns the id of the grain whose code a launch at the grain `id` runs; `id` itself if it is no
/// canonical SPEC.
[[nodiscard]] inline std::string idOfCode(const std::string &id) {
  OrError<GrainSpec> spec = parseGrainSpec(id);
  return spec ? toString(withAnyResidents(std::move(spec->grain))) : id;
}

} // namespace regrain
