//===- Architectures.h - The GPUs on a command line -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/Architecture.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regrain {

/// The targets in the form that ImageOptions expects, each once, in the order of mention.
class TargetFamily;

class TargetList {
public:
  /// Adds "sm_90", "compute_90", "90", "sm_90a", "gfx90a", "native", "all", "all-major", or
  /// comma-separated lists of them. sm_NN adds the cubin and, with `withPtx`, the PTX of NN.
  llvm::Error addGpu(llvm::StringRef value, bool withPtx);

  /// Adds "arch=compute_80,code=[sm_80,compute_80]".
  llvm::Error addGencode(llvm::StringRef value);

  /// Adds -arch=VIRTUAL -code=A,B: code for A and B, each from the source as compiled for itself.
  llvm::Error addArchAndCode(llvm::StringRef arch, llvm::StringRef code);

  /// Adds one element of --targets: "cpu", "ptx", "compute_NN", "sm_NN", "gfx90a".
  llvm::Error addTarget(llvm::StringRef name);

  llvm::ArrayRef<std::string> names() const { return targets; }

  /// Returns the device compiles that the targets need.
  std::vector<Architecture> deviceArchitectures() const;

  /// Returns one sentence for each value that could not be used as written.
  llvm::ArrayRef<std::string> warnings() const { return notes; }

private:
  struct Gpu {
    Architecture arch;
    bool isVirtual;
  };
  llvm::Error addNamed(const TargetFamily &family, llvm::StringRef name);
  llvm::Expected<Gpu> parseGpu(llvm::StringRef value);
  llvm::Error addNative(bool withPtx);
  void add(Gpu gpu);
  void addOnce(std::string name);
  void warnOnce(std::string sentence);

  std::vector<std::string> targets;
  std::vector<std::string> notes;
};

} // namespace regrain
