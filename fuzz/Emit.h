//===- Emit.h - Programs and their legal grains -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other machines run these programs: bench/gpu/fuzz_programs.py compiles and runs
// them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Guard.h"
#include <nlohmann/json.hpp>

namespace regrain::fuzz {

class Emitter {
public:
  explicit Emitter(std::string folder) : folder(std::move(folder)) {}

  /// Writes the subjects that were raised as FOLDER/seedN.cu, and adds them to the list of
  /// FOLDER/programs.json, with the grains that are legal by `run`. Returns false if
  /// something cannot be written, which has been reported.
  bool add(const std::vector<Subject> &subjects, const GuardedRun &run);

private:
  bool write(const std::string &name, const std::string &text) const;

  std::string folder;
  nlohmann::ordered_json programs = nlohmann::ordered_json::array();
};

} // namespace regrain::fuzz
