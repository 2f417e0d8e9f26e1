//===- PackImage.h - Compiled modules to image bytes ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Candidate.h"
#include "compiler/Selection/Plan.h"
#include "image_generated.h"

namespace regrain {

/// One kernel at one grain in a module.
struct PackedEntry {
  unsigned kernel = 0;
  unsigned alternative = 0;
  std::string symbol;
  Resources resources;
  bool remainder = false;        ///< for the launch that runs the alternative's remainder
  unsigned singleDimensions = 0; ///< as in KernelCode
  unsigned maxThreads = 0;       ///< the kernel's launch bounds on this target, 0: none
};

/// One module of the image.
struct PackedModule {
  image::CodeKind kind = image::CodeKind::CpuSharedObject;
  std::string arch;
  bool base = false;
  std::vector<char> code;
  std::vector<PackedEntry> entries;
  std::vector<std::string> slots; ///< variables reached through an address slot
  std::string generation;         ///< digestOf the target's inputs
};

/// Everything that an image contains.
struct ImageContents {
  std::string source;
  const DeviceCode *code = nullptr;
  llvm::ArrayRef<KernelFacts> facts; ///< of the kernels of `code`
  const Plan *plan = nullptr;
  std::vector<DeviceVariable> variables;
  std::vector<PackedModule> modules;
  std::vector<RefusedGrain> refused;
  std::vector<Candidate> candidates;
  std::vector<std::string> targets; ///< names, indexed by CandidateCode::target
  bool recordTimes = false;         ///< candidates contain their seconds
};

/// Builds the container of runtime/image. The same contents give the same bytes.
[[nodiscard]] std::vector<char> packImage(const ImageContents &contents);

} // namespace regrain
