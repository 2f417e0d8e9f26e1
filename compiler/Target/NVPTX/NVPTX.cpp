//===- NVPTX.cpp - The back end for NVIDIA GPUs ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/NVPTX.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/Diagnostics.h"
#include "compiler/Target/FileDigest.h"
#include "compiler/Target/NVPTX/Assembler/Assembly.h"
#include "compiler/Target/NVPTX/Assembler/Ptxas.h"
#include "compiler/Target/NVPTX/Chip/LaunchBounds.h"
#include "compiler/Target/NVPTX/Generate.h"
#include "compiler/Target/NVPTX/PtxText/PtxNames.h"
#include "compiler/Target/ObjectCode.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regrain::nvptx;

namespace regrain {

namespace {
class NVPTXTarget final : public Target {
public:
  NVPTXTarget(StringRef targetName, StringRef arch, bool isCubin, Toolkit toolkit,
              const NVPTXOptions &options)
      : targetName(targetName), arch(arch), isCubin(isCubin), isIR(options.form == CodeForm::IR),
        toolkit(std::move(toolkit)), ptxasSeconds(options.ptxasSeconds) {}

  std::string name() const override { return targetName; }
  bool takesFixedProducts() const override { return true; }
  /// The limits of every chip since compute capability 3.0.
  TargetLimits limits() const override {
    return {mostDeclaredShared, maxBlockThreads, maxBlockSize, maxGridSize};
  }

  /// The number of PTX statements for which the assembler takes about ten seconds.
  uint64_t smallCode() const override { return 25000; }

  Expected<std::vector<CodeInput>> inputs(const CodegenOptions &options) const override;

  Expected<std::string> codeOf(ArrayRef<char> code, StringRef symbol) const override;

  Expected<CompiledModule> compileBase(std::unique_ptr<Module> module,
                                       ArrayRef<std::string> kernels,
                                       const CodegenOptions &options) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/true, {}, {});
  }
  /// Text is assembled by the driver, which may be older than the vendor's compiler.
  bool takesCompanions() const override { return isCubin && !isIR; }
  Expected<CompiledModule> compileBaseWith(const CompanionCode &companion,
                                           std::unique_ptr<Module> module,
                                           ArrayRef<std::string> kernels,
                                           const CodegenOptions &options) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/true, {}, companion);
  }
  Expected<CompiledModule> compileAlternative(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &options,
                                              const AlternativeLimits &limits) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/false, limits, {});
  }

private:
  Expected<CompiledModule> compile(std::unique_ptr<Module> module, ArrayRef<std::string> kernels,
                                   const CodegenOptions &options, bool isBase,
                                   const AlternativeLimits &limits,
                                   const CompanionCode &companion) const;

  std::string targetName;
  std::string arch; ///< "sm_90"
  bool isCubin;
  bool isIR; ///< the modules are LLVM IR, whatever they would be otherwise
  Toolkit toolkit;
  unsigned ptxasSeconds;
};
} // namespace

static Error checkModule(const Module &module, ArrayRef<std::string> kernels) {
  for (const std::string &symbol : kernels)
    if (!isPtxName(symbol))
      return createStringError("the kernel's name '" + symbol +
                               "' is not allowed in PTX: it may have letters, digits, '_' and '$', "
                               "and must not begin with a digit");
  return checkDeviceModule(module, kernels);
}

/// PTX text is assembled by the driver, whose version the tuner records separately.
Expected<std::vector<CodeInput>> NVPTXTarget::inputs(const CodegenOptions &options) const {
  std::vector<CodeInput> inputs = {{"chip", arch},
                                   {"form", isIR      ? "ir"
                                            : isCubin ? "cubin"
                                                      : "ptx"},
                                   {"optimisation", std::to_string(options.optLevel)},
                                   {"fast math", std::to_string(options.fastMath)},
                                   {"multiply-add", std::to_string(options.fuseMultiplyAdd)},
                                   {"registers", std::to_string(options.maxRegisters)}};
  if (isCubin)
    inputs.push_back({"assembler's options", join(decidingArguments(options.ptxasArgs), " ")});
  const std::string &math = toolkit.libdevice.empty() ? toolkit.libclc : toolkit.libdevice;
  for (auto [name, path] : {std::pair("assembler", isCubin ? toolkit.ptxas : std::string()),
                            std::pair("mathematics", math)}) {
    if (path.empty())
      continue;
    Expected<std::string> digest = digestOfFile(path);
    if (!digest)
      return digest.takeError();
    inputs.push_back({name, *digest});
  }
  return inputs;
}

/// Counts the statements of each kernel; those outside of kernels count for all of them. Returns
/// the number of statements in the module.
static uint64_t countInstructions(StringRef ptx, MutableArrayRef<KernelCode> kernels) {
  uint64_t all = ptx.count(";\n"), common = all;
  for (KernelCode &kernel : kernels) {
    StringRef body = ptx.substr(ptx.find(".entry " + kernel.symbol + "("));
    kernel.instructions = body.take_front(body.find("\n}")).count(";\n");
    common -= kernel.instructions;
  }
  for (KernelCode &kernel : kernels)
    kernel.instructions += common;
  return all;
}

/// The driver assembles PTX text, at its own level.
static void refuseAssembler(ArrayRef<std::string> kernels, RefusedKernels &refused) {
  for (const std::string &symbol : kernels)
    refused.insert({symbol, Refusal{RefusalKind::NotOnTarget,
                                    "assembler= needs ptxas: PTX text is assembled by the driver, "
                                    "which chooses the level"}});
}

/// Returns the kernels with what is known of them before they are assembled.
static std::vector<KernelCode> listKernels(const Module &module, ArrayRef<std::string> kernels,
                                           const RefusedKernels &refused) {
  std::vector<KernelCode> list;
  for (const std::string &symbol : kernels) {
    KernelCode &kernel = list.emplace_back();
    kernel.symbol = symbol;
    if (auto found = refused.find(symbol); found != refused.end())
      kernel.refusal = found->second;
    else
      kernel.resources.staticSharedBytes =
          static_cast<int32_t>(staticSharedBytes(*module.getFunction(symbol)));
  }
  return list;
}

/// Returns the module as text, NUL-terminated. Behind the code generator, it is what instructions
/// were selected for.
static std::vector<char> textOf(const Module &module) {
  std::string text;
  raw_string_ostream(text) << module;
  return std::vector<char>(text.c_str(), text.c_str() + text.size() + 1);
}

Expected<CompiledModule> NVPTXTarget::compile(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &options, bool isBase,
                                              const AlternativeLimits &limits,
                                              const CompanionCode &companion) const {
  DiagnosticScope diagnostics(module->getContext());
  if (Error error = checkModule(*module, kernels))
    return std::move(error);
  SmallVector<unsigned> threads;
  for (const std::string &symbol : kernels)
    threads.push_back(blockThreads(*module->getFunction(symbol)));
  RefusedKernels refused;
  std::string level = wordFor(*module, kernels, "regrain-assembler");
  boundRegisters(*module, kernels, isCubin ? 0 : options.maxRegisters, isCubin ? arch : "",
                 refused);
  if (!level.empty() && !isCubin)
    refuseAssembler(kernels, refused);
  PtxGenerator generator(toolkit, arch, isCubin && !isIR);
  Expected<Generated> generated = generator.generate(module, kernels, options, isBase, refused);
  if (!generated)
    return generated.takeError();
  if (Error error = diagnostics.takeError())
    return std::move(error);

  CompiledModule compiled;
  compiled.kernels = listKernels(*module, kernels, refused);
  if (isBase)
    compiled.warnings = std::move(diagnostics.warnings);
  if (!kernels.empty() && refused.size() == kernels.size())
    return compiled;
  compiled.code = isIR ? textOf(*module) : std::move(generated->ptx);
  if (isIR)
    return compiled;
  uint64_t instructions =
      countInstructions({compiled.code.data(), compiled.code.size()}, compiled.kernels);
  if (isCubin && limits.admits && !limits.admits(instructions))
    return createStringError("not assembled: " + Twine(instructions) + " instructions");
  if (!isCubin)
    return compiled;
  CodegenOptions asked = atLevel(options, level);
  unsigned seconds = limits.assemblerSeconds ? limits.assemblerSeconds : ptxasSeconds;
  return assembleBest({toolkit.ptxas, arch, asked, seconds, threads, isBase}, std::move(compiled),
                      generator, *generated, companion);
}

/// Returns a kernel's section of a cubin, or the text from its name to the brace that closes its
/// body.
Expected<std::string> NVPTXTarget::codeOf(ArrayRef<char> code, StringRef symbol) const {
  if (isCubin && !isIR)
    return sectionsOf(code, symbol, [&](StringRef section) {
      return section.consume_front(".text.") && section == symbol;
    });
  StringRef text(code.data(), code.size());
  size_t begin = text.find((isIR ? "@" + symbol + "(" : ".entry " + symbol + "(").str());
  size_t end = text.find("\n}", begin);
  if (begin == StringRef::npos || end == StringRef::npos)
    return createStringError("the text has no kernel " + symbol);
  return withoutName(text.slice(begin, end), symbol);
}

Expected<std::unique_ptr<Target>> createNVPTXTarget(StringRef name, const NVPTXOptions &options) {
  Toolkit toolkit = findToolkit(options);
  StringRef number = name;
  bool isPtx = name == "ptx" || number.consume_front("compute_");
  std::string arch = name == "ptx" ? "sm_70" : isPtx ? ("sm_" + number).str() : name.str();
  if (chipFor(arch).empty())
    return createStringError("unknown NVIDIA target " + name);
  if (!isPtx && toolkit.ptxas.empty())
    return createStringError("no ptxas was found, which target " + name +
                             " needs; set CUDA_PATH to a CUDA toolkit");
  // Toolkit 13 has dropped those before this one.
  constexpr StringLiteral firstKept = "sm_75";
  if (!isPtx && arch < firstKept && !mayAssembleFor(toolkit.ptxas, arch))
    return createStringError(toolkit.ptxas + " does not know " + arch);
  return std::make_unique<NVPTXTarget>(name, arch, !isPtx, std::move(toolkit), options);
}

} // namespace regrain
