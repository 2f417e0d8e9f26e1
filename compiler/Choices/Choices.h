//===- Choices.h - Choices for a program's kernels --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the file that `regrain tune -o` writes and `regrain cc --choose` reads;
// docs/choices-schema.md describes it. It is copied between machines and kept in version control:
// the same choices give the same bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"
#include "runtime/tuning/database.h"

#include <string>
#include <vector>

namespace regrain {

/// The conditions of a choice besides the kernel's code. A file that was written by hand may leave
/// any of them out: the choice then holds for all values.
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
  std::string alternative;                                 ///< id; "original" if that stays
  Gain gain;                                               ///< of the alternative over the original
  double originalMicroseconds = 0, chosenMicroseconds = 0; ///< medians of a launch
  std::string verified; ///< how it was verified: "bitwise, 3 launches, 40 MiB compared"
  /// The block and the integers that all measured launches had, as a SPEC; empty: not known.
  std::string launch;
};

/// What was chosen for one version of a kernel.
struct KernelChoices {
  std::string name;                      ///< demangled
  std::string hash;                      ///< image::Kernel::hash of the code that was measured
  std::vector<std::string> alternatives; ///< ids that the classes use, without "original"
  std::string chosen = "original";       ///< the one with the largest share of the time
  std::vector<ClassChoice> classes;      ///< each class once for each device and generation that it
                                         ///< was measured on
};

/// The choices of a file. It may contain kernels of the same name with different hashes.
struct TunedChoices {
  std::vector<KernelChoices> kernels;
};

/// Reads and checks the whole file. It is an error if it cannot be read or violates the schema: the
/// sentence begins with the path and names the faulty line or key.
[[nodiscard]] OrError<TunedChoices> readChoices(const std::string &path);

/// Does the same for the text of a file; `path` is used only in messages.
[[nodiscard]] OrError<TunedChoices> parseChoices(const std::string &text, const std::string &path);

/// Returns the text that parseChoices reads.
[[nodiscard]] std::string toJson(const TunedChoices &choices);

/// Replaces the file as a whole or not at all.
[[nodiscard]] OrError<void> writeChoices(const TunedChoices &choices, const std::string &path);

} // namespace regrain
