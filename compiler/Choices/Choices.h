//===- Choices.h - What was chosen for a program's kernels ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that `regrain tune -o` writes and `regrain cc --choose` reads;
// docs/choices-schema.md describes it. It goes from one machine to another and
// into version control: the same choices give the same bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// What a choice holds for beside the kernel's code. A file that was written by hand may leave
/// any of it out: the choice then holds for all.
struct MeasuredOn {
  std::string device;           ///< model, as cudaDeviceProp::name; empty: any
  uint32_t multiprocessors = 0; ///< of the device; 0: any number
  std::string generation;       ///< image::Module::generation of the code; empty: any
  friend auto operator<=>(const MeasuredOn &, const MeasuredOn &) = default;
};

/// What was chosen for one class of launches.
struct ClassChoice {
  std::string launchClass; ///< toString(LaunchClass)
  MeasuredOn measuredOn;
  std::string alternative;                                 ///< id; "original" where that stays
  Gain gain;                                               ///< of the alternative over the original
  double originalMicroseconds = 0, chosenMicroseconds = 0; ///< medians of a launch
  std::string verified; ///< how: "bitwise, 3 launches, 40 MiB compared"
};

/// What was chosen for one kernel, of one version.
struct KernelChoices {
  std::string name;                      ///< demangled
  std::string hash;                      ///< image::Kernel::hash of what was measured
  std::vector<std::string> alternatives; ///< ids that the classes use, without "original"
  std::string chosen = "original";       ///< the one with the largest share of the time
  std::vector<ClassChoice> classes;      ///< each class once of what it was measured on
};

/// Kernels of one name and different hashes may stand beside each other.
struct TunedChoices {
  std::vector<KernelChoices> kernels;
};

/// Reads and checks the whole file. Nothing where it cannot be read or is not as
/// the schema says: `error` is then one sentence that begins with the path and
/// names the line or the key at fault.
[[nodiscard]] std::optional<TunedChoices> readChoices(const std::string &path, std::string &error);

/// The same for its text; `path` is for messages alone.
[[nodiscard]] std::optional<TunedChoices> parseChoices(const std::string &text,
                                                       const std::string &path, std::string &error);

/// What parseChoices reads.
[[nodiscard]] std::string toJson(const TunedChoices &choices);

/// Puts the file in place of what is there, as a whole or not at all. False where
/// that fails; `error` is then one sentence.
[[nodiscard]] bool writeChoices(const TunedChoices &choices, const std::string &path,
                                std::string &error);

} // namespace regrain
