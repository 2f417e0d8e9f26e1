//===- ProgramImages.h - What a program's file holds ------------*- C++ -*-===//
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

/// The file that a command runs: looked up in PATH where the name has no slash. Empty
/// where there is none.
std::string findProgram(const std::string &name);

/// The images in a program's own file; those of its shared objects are not seen.
class ProgramImages {
public:
  /// A file that cannot be read, or is no executable of this machine, holds none.
  explicit ProgramImages(const std::string &path);

  /// Whether the file is an executable of this machine, no script.
  [[nodiscard]] bool isExecutable() const { return executable; }
  [[nodiscard]] bool empty() const { return images.empty(); }
  /// Whether some kernel has another grain than the original.
  [[nodiscard]] bool hasAlternatives() const;
  [[nodiscard]] bool holds(const TunedKernel &kernel) const;
  /// Figures of the kernel's code at that grain on a GPU: for the chip that the name of an
  /// AMD device says; on an NVIDIA device nothing where there is code for more than one
  /// architecture. Nothing where they are not known.
  [[nodiscard]] std::optional<Resources> figures(const TunedKernel &kernel,
                                                 const std::string &alternative) const;

private:
  std::vector<EmbeddedImage> images;
  bool executable = false;
};

} // namespace regrain::tune
