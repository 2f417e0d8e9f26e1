//===- Frontend.h - .cu to LLVM IR and host objects -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the only part of the compiler that knows clang.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/Architecture.h"
#include "runtime/image/grain.h"
#include "runtime/image/launch_rule.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace regrain {

/// The CUDA releases that programs can see, as CUDART_VERSION has them.
inline constexpr unsigned oldestCudaVersion = 11080, newestCudaVersion = 13000;

/// Everything that clang needs to know about one source file.
struct FrontendOptions {
  std::string source;
  std::vector<std::string> clangArgs;  ///< both sides: -I, -D, -std=, -f, -W, ...
  std::vector<std::string> deviceArgs; ///< only for the device side
  std::vector<std::string> hostArgs;   ///< only for the host side: -O, -march=, -MD, ...
  std::string headers;                 ///< folder of our CUDA headers; cccl lies beside it
  /// The folders of a CUDA toolkit's headers, searched last. Our headers replace those of the same
  /// names.
  std::vector<std::string> toolkitHeaders;
  /// The folder of our headers for cuBLAS and similar libraries, and whether they come before the
  /// toolkit's, or after them for what the toolkit lacks. Empty: there is none.
  std::string mathHeaders;
  bool prefersOwnMath = false;
  unsigned cudaVersion = newestCudaVersion; ///< that programs see, as CUDART_VERSION
  std::vector<Architecture>
      architectures; ///< all of the device compiles, which the program may read
  bool fastMath = false;
  bool debug = false; ///< device code for a debugger: it is not optimised, and names variables
  /// Relocatable device code: a name for this translation unit that no other one of the program
  /// has, of letters and digits. Empty: the translation unit is the whole device program.
  std::string unit;
  bool offersVariants = false; ///< the device code has the variants that the source offers
  bool isModule = false;       ///< a program loads the device code, and finds its variables by name
  std::string tool = "regrain cc"; ///< precedes messages that belong to no source line
};

/// A launch as the source shows it, with what is constant there. The same kernel may be launched in
/// other ways, here or elsewhere.
struct SeenLaunch {
  KnownLaunch known;
  std::string file;
  unsigned line = 0;
};

struct DeviceKernel {
  std::string symbol; ///< mangled
  std::string name;   ///< demangled
  std::string file;
  unsigned line = 0;
  struct Parameter {
    uint32_t offset, size; ///< bytes
    bool pointer;          ///< it is a pointer; a structure may contain others
  };
  std::vector<Parameter> parameters;
  struct Integer {
    uint32_t parameter;    ///< index
    uint32_t offset, size; ///< bytes, within the parameter
  };
  /// The integers among the parameters and the members of structures that are passed by value, in
  /// their order. Those within arrays are left out; if there are very many, only the first ones are
  /// listed.
  std::vector<Integer> integers;
  unsigned maxThreads = 0; ///< __launch_bounds__, 0: none
  /// The clusters that its blocks form (__cluster_dims__); nothing if the launch decides.
  std::optional<std::array<uint32_t, 3>> cluster;
  bool usesDynamicShared = false;
  std::vector<SeenLaunch> launches; ///< in this translation unit, each kind once
  unsigned leastBlocks = 0;         ///< per multiprocessor, by __launch_bounds__; 0: none
  unsigned mostRegisters = 0;       ///< by __maxnreg__; 0: none
};

/// A kernel that the source offers in place of another one (docs/variants.md).
struct OfferedVariant {
  std::string original, variant; ///< symbols of kernels
  std::string name;              ///< of the variant, as in "variant="
  unsigned ulps = 0;             ///< how far its results may be from the original's
  LaunchRule rule;
  std::string file; ///< of the declaration
  unsigned line = 0;
};

struct DeviceVariable {
  enum Kind { Device, Constant, Managed };
  std::string symbol;
  Kind kind = Device;
  uint64_t size = 0;
  uint32_t align = 1;
  bool internal = false; ///< not visible outside the module, so the program never names it
};

/// The device side of a translation unit: nvptx64 LLVM IR on which no LLVM pass has run, with line
/// tables or full debug information, and without libdevice.
struct DeviceCode {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<DeviceKernel> kernels;
  std::vector<DeviceVariable> variables;
  /// Those that the source offers, in its order, if they are asked for.
  std::vector<OfferedVariant> variants;
  /// Kernels that only run as variants. The program cannot launch them by name.
  std::vector<DeviceKernel> offeredKernels;
  /// Relocatable device code: launches of kernels that this module does not define, by symbol.
  std::map<std::string, std::vector<SeenLaunch>> launchesElsewhere;
};

/// An error whose diagnostics have been printed already.
class Diagnosed : public llvm::ErrorInfo<Diagnosed> {
public:
  static char ID;
  void log(llvm::raw_ostream &out) const override { out << "compilation failed"; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::invalid_argument);
  }
};

/// Registers the targets of this build with LLVM; call it once before anything else.
void initializeFrontend();

/// Compiles the device side for the architecture. Diagnostics go to
/// stderr as clang prints them; the error is then Diagnosed, here and below. Device code that needs
/// something that is not supported (undefined variables, launches from the device) is refused with
/// one diagnostic, and so is a function that is not defined, unless the code is relocatable.
llvm::Expected<DeviceCode> compileDevice(const FrontendOptions &options, Architecture arch);

/// Returns the command by which clang compiles the host side without an image.
std::vector<std::string> hostCommand(const FrontendOptions &options, llvm::StringRef output);

/// Compiles the host side to an object file with `imagePath` embedded. Writes `output` and, if
/// hostArgs ask for it, the dependency file. With relocatable device code, `imagePath` goes into
/// the section __nv_relfatbin, and the object calls a function __cudaRegisterLinkedBinary... that
/// the device link defines.
llvm::Error compileHost(const FrontendOptions &options, llvm::StringRef imagePath,
                        llvm::StringRef output);

/// Runs only the host side's preprocessor: -E, -M or -MM in hostArgs determine what goes to
/// `output` ("-" is stdout).
llvm::Error preprocess(const FrontendOptions &options, llvm::StringRef output);

/// Returns the flags by which a source finds our headers, and after those of the command line the
/// toolkit's, in the spelling that clang and gcc share.
struct HeaderFlags {
  std::vector<std::string> first, last;
};
HeaderFlags headerFlags(const FrontendOptions &options);

/// Returns the flags by which clang warns of what gcc and nvcc accept.
std::vector<std::string> lenientFlags();

} // namespace regrain
