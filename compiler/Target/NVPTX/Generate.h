//===- Generate.h - A device module to PTX ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of a module in their order: mathematics, what the chip cannot do, LLVM's pipeline,
// shared memory, and the code generator.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/Calls/DeviceMath.h"
#include "compiler/Target/NVPTX/Optimize.h"
#include "compiler/Target/Reach.h"
#include "compiler/Target/Target.h"

namespace regrain::nvptx {

/// The PTX of a module, and what it takes to write it in another order.
struct Generated {
  std::vector<char> ptx;
  std::unique_ptr<llvm::Module> again; ///< the optimised module; null if only the PTX is wanted
  MachineSettings settings;
  LoopAddresses addresses;
  CacheHints hints;
};

class PtxGenerator {
public:
  /// Writes PTX for `arch`, which ptxas assembles next if `isAssembled`.
  PtxGenerator(const Toolkit &toolkit, llvm::StringRef arch, bool isAssembled)
      : toolkit(toolkit), arch(arch), isAssembled(isAssembled) {}

  /// Optimises the module and writes its PTX. Kernels for which that is not possible are removed,
  /// and added to `refused`. The module may be replaced by a copy.
  llvm::Expected<Generated> generate(std::unique_ptr<llvm::Module> &module,
                                     llvm::ArrayRef<std::string> kernels,
                                     const CodegenOptions &options, bool isBase,
                                     RefusedKernels &refused) const;

  /// Writes the PTX of the same module with its instructions in the order that spares registers.
  /// May be called once.
  llvm::Expected<std::vector<char>> inOtherOrder(Generated &generated) const;

private:
  /// What the steps of one module share.
  struct Work;

  llvm::Expected<Generated> generate(Work &work) const;
  llvm::Error prepare(Work &work) const;
  llvm::Error optimise(Work &work) const;
  MachineSettings settingsFor(const CodegenOptions &options, MathSource math, bool isFixed) const;
  llvm::Expected<std::vector<char>> writePtx(llvm::Module &module, MachineSettings settings,
                                             LoopAddresses addresses,
                                             const CacheHints &hints) const;

  const Toolkit &toolkit;
  llvm::StringRef arch;
  bool isAssembled;
};

} // namespace regrain::nvptx
