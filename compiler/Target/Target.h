//===- Target.h - The interface of every back end ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target receives device LLVM IR for nvptx64 (clang's own for the base module, the exported form
// of a re-grained kernel for an alternative), compiles it for its hardware, and reports the
// resources that each kernel uses.
//
// Several threads may call a target at once, each with its own LLVMContext.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "compiler/Target/Companion.h"
#include "compiler/Target/Limits.h"
#include "mlir/Support/Timing.h"
#include "runtime/image/resources.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// The names of the phases that targets time.
inline constexpr llvm::StringLiteral optimisePhase = "optimise"; ///< LLVM's and the target's passes
inline constexpr llvm::StringLiteral generatePhase = "generate"; ///< LLVM IR to PTX or an object
inline constexpr llvm::StringLiteral assemblePhase = "assemble"; ///< ptxas

/// What the code says of the source.
enum class DebugInfo {
  None,
  Lines, ///< for profilers and messages; the code is optimised as without
  Full,  ///< for a debugger: also variables; meant for code that is not optimised
};

/// The mistakes that the code looks for while it runs. Only the CPU can do that.
struct Sanitizers {
  bool address = false, undefined = false, thread = false;

  bool areAny() const { return address || undefined || thread; }
};

/// How code is generated: what the command line says, the same for all targets.
struct CodegenOptions {
  unsigned optLevel = 3; ///< 0..3
  DebugInfo debugInfo = DebugInfo::None;
  Sanitizers sanitizers;
  bool fastMath = false;              ///< -use_fast_math: flush to zero, approximate division
  bool fuseMultiplyAdd = true;        ///< -fmad, if the IR's own flags do not decide
  unsigned maxRegisters = 0;          ///< -maxrregcount, 0: none
  std::vector<std::string> ptxasArgs; ///< -Xptxas
  /// The version of AMD's code objects: 4 or 5 (LLVM's "User Guide for AMDGPU Backend", "Code
  /// Object Metadata"). ROCm 4.2 and newer load version 4, 5.5 and newer version 5; ROCm 7 does not
  /// load version 4.
  unsigned codeObjectVersion = 5;
  bool verbose = false;
  /// --time-phases: the scope in which the phases are timed; null if nobody asks. Several threads
  /// may time phases in it at once.
  mlir::TimingScope *timing = nullptr;

  /// Times `phase` until the result is stopped or destroyed, which the thread does that calls this.
  mlir::TimingScope time(llvm::StringRef phase) const;
};

/// Limits for the compile of one alternative.
struct AlternativeLimits {
  unsigned assemblerSeconds = 0; ///< after which an assembler is killed; 0: the target's own limit
  /// Is called with the number of instructions in the module, before the stage that takes longest.
  /// If it returns false, the compile ends with an error.
  std::function<bool(uint64_t)> admits = {};
};

/// Something besides the IR that determines the code of a target.
struct CodeInput {
  std::string name, value;
  friend auto operator<=>(const CodeInput &, const CodeInput &) = default;
};

/// One kernel in a module that a target compiles.
struct KernelCode {
  std::string symbol;        ///< the function in the module
  Resources resources;       ///< -1 if the back end does not report a figure
  uint64_t instructions = 0; ///< including those that it calls, before that stage; 0: not counted
  /// Bit d: the code is correct only if launched blocks have one thread in dimension d.
  unsigned singleDimensions = 0;
  std::optional<Refusal> refusal = {}; ///< why this target has no code for the kernel
};

/// The result of compiling one LLVM module for a target.
struct CompiledModule {
  std::vector<char> code;          ///< object file, PTX text or cubin
  std::vector<KernelCode> kernels; ///< one for each kernel of the module
  /// Managed variables that the base module reaches through slots: the runtime provides the memory.
  std::vector<std::string> managedSlots;
  std::vector<std::string> warnings; ///< one sentence each
};

/// Returns the name under which a module reaches a variable that the base module owns. The slot is
/// a 64-bit device address that the runtime fills in after loading.
std::string slotNameFor(llvm::StringRef variable);

class Target {
public:
  virtual ~Target() = default;

  /// Returns the name as in --targets: "cpu", "ptx" or "sm_90".
  virtual std::string name() const = 0;

  /// Returns whether the target fuses just the products that fuseProducts chose. An original that
  /// has alternatives is then made from ImportedModule::base.
  virtual bool takesFixedProducts() const = 0;

  /// Returns the limits of a launch; code for a launch beyond them is not compiled.
  virtual TargetLimits limits() const { return {}; }

  /// Returns the number of instructions, as passed to `admits`, up to which an alternative compiles
  /// in seconds, however much it has grown.
  virtual uint64_t smallCode() const = 0;

  /// Returns what determines the code besides the IR, each input once and in any
  /// order: the chip, the options that this target uses, and outside tools and libraries by digests
  /// of their files. It contains no paths, and nothing that does not affect the code, such as debug
  /// information and time limits.
  virtual llvm::Expected<std::vector<CodeInput>> inputs(const CodegenOptions &options) const = 0;

  /// Returns the code of one kernel of a compiled module, without the kernel's name: kernels for
  /// which it is equal do the same. Fails if the module has no such kernel, or is damaged.
  virtual llvm::Expected<std::string> codeOf(llvm::ArrayRef<char> code,
                                             llvm::StringRef symbol) const = 0;

  /// Compiles the base module: every kernel as clang emitted it, and the module variables.
  /// `kernels` names the kernels.
  virtual llvm::Expected<CompiledModule> compileBase(std::unique_ptr<llvm::Module> module,
                                                     llvm::ArrayRef<std::string> kernels,
                                                     const CodegenOptions &options) const = 0;

  /// Returns whether the base module can contain kernels of the vendor's compiler.
  virtual bool takesCompanions() const { return false; }

  /// Compiles the base module with a companion, for a target that takes some. The result lists the
  /// companion's kernels after `kernels`, refused if the module cannot be made with them.
  virtual llvm::Expected<CompiledModule> compileBaseWith(const CompanionCode &companion,
                                                         std::unique_ptr<llvm::Module> module,
                                                         llvm::ArrayRef<std::string> kernels,
                                                         const CodegenOptions &options) const;

  /// Compiles a module that contains re-grained kernels and the device functions that they call.
  /// Function attributes of the kernels, named "regrain-" and the key, carry what a code generator
  /// may heed: "regrain-registers", "regrain-unroll", "regrain-shared" and so on (docs/grains.md).
  /// Module variables are declarations, because the base module owns them. A nontemporal store is a
  /// hint: if the hardware would order it differently from other stores, it becomes a plain store.
  virtual llvm::Expected<CompiledModule>
  compileAlternative(std::unique_ptr<llvm::Module> module, llvm::ArrayRef<std::string> kernels,
                     const CodegenOptions &options, const AlternativeLimits &limits) const = 0;
};

} // namespace regrain
