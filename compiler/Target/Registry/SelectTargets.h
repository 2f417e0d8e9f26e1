//===- SelectTargets.h - From names of targets to back ends -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Multiprocessor.h"
#include "compiler/Target/Target.h"
#include "image_generated.h"

namespace regrain {

/// A back end, and how its code is stored in the image.
struct SelectedTarget {
  std::unique_ptr<Target> target;
  image::CodeKind kind = image::CodeKind::CpuSharedObject;
  std::string arch;        ///< as Module.arch in the image
  unsigned deviceArch = 0; ///< the device compile from which it is lowered
  bool assembly = false;   ///< text for people to read, not for an image

  bool isCPU() const { return kind == image::CodeKind::CpuSharedObject; }
  /// Returns whether the modules of an image become one; assembly text is not linked.
  bool linksObjects() const { return isCPU() && !assembly; }
};

/// Returns the device compiles that these targets need, each once and lowest first. Fails on a name
/// that is not a target.
llvm::Expected<std::vector<unsigned>> deviceArchsFor(llvm::ArrayRef<std::string> targets);

/// Returns the multiprocessors of those of `targets` that are known GPUs.
std::vector<Multiprocessor> multiprocessorsOf(llvm::ArrayRef<std::string> targets);

/// Creates the back ends, each once. A cubin target becomes PTX for the same architecture, with a
/// warning, if ptxas cannot be found.
llvm::Expected<std::vector<SelectedTarget>> selectTargets(llvm::ArrayRef<std::string> targets,
                                                          std::vector<std::string> &warnings);

} // namespace regrain
