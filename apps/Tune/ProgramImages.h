//===- ProgramImages.h - The images in a program's file ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/elf_images.h"
#include "runtime/image/resources.h"
#include "runtime/tuning/database.h"

#include <optional>
#include <string>
#include <vector>

namespace regrain::tune {

/// Returns the file that a command runs, which is searched for in PATH if the name
/// has no slash; empty if there is none.
std::string findProgram(const std::string &name);

/// The images in a program's own file; those of its shared objects are not
/// included.
class ProgramImages {
public:
  /// A file that cannot be read, or is not an executable of this machine, has
  /// none.
  explicit ProgramImages(const std::string &path);

  /// Returns whether the file is an executable of this machine, not a script.
  [[nodiscard]] bool isExecutable() const { return executable; }
  [[nodiscard]] bool empty() const { return images.empty(); }
  /// Returns whether some kernel has another grain than the original.
  [[nodiscard]] bool hasAlternatives() const;
  [[nodiscard]] bool holds(const TunedKernel &kernel) const;
  /// Returns figures of the kernel's code at that grain on a GPU, with the occupancy of the blocks
  /// that launches of the choice's class then have. For an AMD device, they are those of the chip
  /// in its name; for an NVIDIA device, there are none if there is code for more than one
  /// architecture. Returns nothing if they are not known.
  [[nodiscard]] std::optional<Resources> figures(const Choice &choice,
                                                 const std::string &alternative) const;

private:
  std::vector<EmbeddedImage> images;
  bool executable = false;
};

} // namespace regrain::tune
