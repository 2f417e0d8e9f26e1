//===- SelectTargets.h - Names of targets to back ends ----------*- C++ -*-===//
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

/// A back end and how its code stands in the image.
struct SelectedTarget {
  std::unique_ptr<Target> target;
  image::CodeKind kind = image::CodeKind::CpuSharedObject;
  std::string arch;        ///< as Module.arch in the image
  unsigned deviceArch = 0; ///< the device compile that it is lowered from
  bool assembly = false;   ///< text for people, not for an image

  bool isCPU() const { return kind == image::CodeKind::CpuSharedObject; }
  /// The modules of an image become one; assembly text stays apart.
  bool linksObjects() const { return isCPU() && !assembly; }
};

/// The device compiles that these targets need, without repetition, lowest first.
/// Fails on a name that is not a target.
llvm::Expected<std::vector<unsigned>> deviceArchsFor(llvm::ArrayRef<std::string> targets);

/// Of those of `targets` that are GPUs and known.
std::vector<Multiprocessor> multiprocessorsOf(llvm::ArrayRef<std::string> targets);

/// Makes the back ends, each once. A cubin target where ptxas cannot be found
/// becomes PTX for the same arch, with a warning.
llvm::Expected<std::vector<SelectedTarget>> selectTargets(llvm::ArrayRef<std::string> targets,
                                                          std::vector<std::string> &warnings);

} // namespace regrain
