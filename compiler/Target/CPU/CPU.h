//===- CPU.h - x86-64 as a target -------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles device LLVM IR to x86-64 code that runs one block of threads at a time, according to
// runtime/plugins/cpu/abi.h. A block's threads become loops: barriers and warp operations split
// them, and between two splits the innermost loop runs over threadIdx.x and is vectorised. A kernel
// for which that is impossible runs each thread as a continuation, so no legal CUDA is refused
// because of its control flow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain {

/// Instruction sets, as the psABI names them.
enum class CPULevel { V2, V3, V4 };

/// How the threads of a block run.
enum class CPUPath {
  Fastest,       ///< the first of those below that the kernel allows
  ThreadLoops,   ///< the first of the following that the kernel allows
  StateLoops,    ///< the same, with a state for each thread
  Continuations, ///< one continuation for each thread; possible for every kernel
};

struct CPUOptions {
  CPULevel level = CPULevel::V3;
  /// The path to force, for tests; a kernel that does not allow it takes the next one.
  CPUPath path = CPUPath::Fastest;
  /// Modules are assembly text for people to read instead of objects.
  bool assembly = false;
};

class TargetFamily;

/// Returns the family of the one target "cpu".
const TargetFamily &cpuFamily();

class CPUTarget : public Target {
public:
  explicit CPUTarget(CPUOptions options = {}) : options(options) {}

  std::string name() const override { return "cpu"; }
  bool takesFixedProducts() const override { return false; }

  /// The number of LLVM instructions, before passes, for which LLVM's passes take about ten
  /// seconds.
  uint64_t smallCode() const override { return 60000; }

  llvm::Expected<std::vector<CodeInput>> inputs(const CodegenOptions &codegen) const override;

  llvm::Expected<std::string> codeOf(llvm::ArrayRef<char> code,
                                     llvm::StringRef symbol) const override;

  llvm::Expected<CompiledModule> compileBase(std::unique_ptr<llvm::Module> module,
                                             llvm::ArrayRef<std::string> kernels,
                                             const CodegenOptions &codegen) const override;

  llvm::Expected<CompiledModule> compileAlternative(std::unique_ptr<llvm::Module> module,
                                                    llvm::ArrayRef<std::string> kernels,
                                                    const CodegenOptions &codegen,
                                                    const AlternativeLimits &limits) const override;

private:
  CPUPath pathFor(const CodegenOptions &codegen) const;

  CPUOptions options;
};

/// Links the objects of one image, base and alternatives, into one shared object. Runs ld.lld; if
/// it is not found, the error says where it was looked for.
llvm::Expected<std::vector<char>> linkShared(llvm::ArrayRef<std::vector<char>> objects);

} // namespace regrain
