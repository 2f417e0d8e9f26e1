//===- Target.h - One interface for every back end --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target takes device LLVM IR for nvptx64 (clang's own for the base module,
// the exported form of a re-grained kernel for an alternative), lowers it to
// its machine, and reports the resources that each kernel takes.
//
// Calls are made from several threads at once, each with its own LLVMContext.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Phases/PhaseTimes.h"
#include "compiler/Refusal/RefusalKind.h"
#include "compiler/Target/Limits.h"
#include "runtime/image/grain.h"
#include "runtime/image/resources.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace regrain {

/// How code is generated; what the command line says, the same for all targets.
struct CodegenOptions {
  unsigned optLevel = 3;              ///< 0..3
  bool lineInfo = false;              ///< keep source lines for profilers
  bool fastMath = false;              ///< -use_fast_math: flush to zero, approximate division
  bool fuseMultiplyAdd = true;        ///< -fmad, where the IR's own flags do not decide
  unsigned maxRegisters = 0;          ///< -maxrregcount, 0: none
  std::vector<std::string> ptxasArgs; ///< -Xptxas
  /// Of AMD's code objects: 4 or 5 (LLVM's "User Guide for AMDGPU Backend", "Code Object
  /// Metadata"). ROCm 4.2 and newer load 4, 5.5 and newer 5; ROCm 7 does not load 4.
  unsigned codeObjectVersion = 5;
  unsigned assemblerSeconds = 0; ///< after which an assembler is ended; 0: the target's own
  /// Asked of an alternative, with the instructions in its module, before the stage
  /// that takes longest. Where it says no, the compile ends with an error.
  std::function<bool(uint64_t)> admits;
  bool sharedApart = false; ///< shared variables of a kernel stay variables of their own
  Addresses addresses = Addresses::Reduced; ///< for targets whose machine cares
  bool verbose = false;
  PhaseTimes *times = nullptr; ///< --time-phases: where compile time is added up
};

/// What beside the IR decides on the code that a target makes.
struct CodeInput {
  std::string name, value;
  friend auto operator<=>(const CodeInput &, const CodeInput &) = default;
};

/// One kernel in a module that a target compiles.
struct KernelCode {
  std::string symbol;        ///< of the function in the module
  Resources resources;       ///< -1 where the back end says nothing
  uint64_t instructions = 0; ///< with those that it calls, before that stage; 0: not counted
  /// Bit d: the code is right only where launched blocks have one thread in dimension d.
  unsigned singleDimensions = 0;
  /// Set where this target has no code for the kernel; one sentence.
  std::string missingReason;
  RefusalKind missingKind = RefusalKind::Undefined; ///< where missingReason is set
};

/// What a target makes of one LLVM module.
struct CompiledModule {
  std::vector<char> code;            ///< object file, PTX text or cubin
  std::vector<KernelCode> kernels;   ///< one for each kernel of the module
  std::vector<std::string> warnings; ///< one sentence each
};

/// The name under which a module reaches a variable that the base module owns.
/// The slot is a 64-bit device address that the runtime fills in after loading.
std::string slotNameFor(llvm::StringRef variable);

class Target {
public:
  virtual ~Target() = default;

  /// "cpu", "ptx" or "sm_90", as in --targets.
  virtual std::string name() const = 0;

  /// What a launch may not exceed, so that it need not be compiled.
  virtual TargetLimits limits() const { return {}; }

  /// An alternative of no more instructions, as `admits` is told them, compiles in
  /// seconds, however much it has grown.
  virtual uint64_t smallCode() const = 0;

  /// What decides on the code beside the IR and the grain, each once and in any order: the chip,
  /// the options that this target heeds, files of outside tools and libraries by a digest of their
  /// bytes. No path, and nothing that leaves the code as it is: debug information, limits of time.
  virtual llvm::Expected<std::vector<CodeInput>> inputs(const CodegenOptions &options) const = 0;

  /// Compiles the base module: every kernel as clang wrote it, and the module
  /// variables. `kernels` names the kernels.
  virtual llvm::Expected<CompiledModule> compileBase(std::unique_ptr<llvm::Module> module,
                                                     llvm::ArrayRef<std::string> kernels,
                                                     const CodegenOptions &options) const = 0;

  /// Compiles a module that holds re-grained kernels and the device functions
  /// they call. Module variables are declarations: the base module owns them. A
  /// nontemporal store is a hint: where the machine would order it otherwise than
  /// other stores, it is one of them.
  virtual llvm::Expected<CompiledModule>
  compileAlternative(std::unique_ptr<llvm::Module> module, llvm::ArrayRef<std::string> kernels,
                     const CodegenOptions &options) const = 0;
};

} // namespace regrain
