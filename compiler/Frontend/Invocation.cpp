//===- Invocation.cpp - A clang instance from ordinary flags --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Invocation.h"
#include "compiler/Folders/Folders.h"
#include "compiler/Frontend/ChangedSources.h"
#include "compiler/Frontend/DeviceLaunches.h"
#include "compiler/Frontend/HeaderOverlay.h"
#include "compiler/Frontend/MissingHeader.h"
#include "compiler/Frontend/PragmaMacros.h"
#include "compiler/Frontend/RedeclaredSides.h"
#include "compiler/Frontend/SpecialisationSides.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <set>

using namespace clang;

namespace regrain {

char Diagnosed::ID = 0;

namespace {

using Diagnostics = IntrusiveRefCntPtr<DiagnosticsEngine>;

Diagnostics makeDiagnostics(llvm::ArrayRef<const char *> flags, const std::string &tool) {
  IntrusiveRefCntPtr<DiagnosticOptions> options = CreateAndPopulateDiagOpts(flags).release();
  auto *printer = new TextDiagnosticPrinter(llvm::errs(), options.get());
  printer->setPrefix(tool);
  return new DiagnosticsEngine(new DiagnosticIDs(), options, printer);
}

/// Returns the arguments of the compile job; empty after an error.
llvm::opt::ArgStringList compileJob(driver::Compilation &compilation,
                                    DiagnosticsEngine &diagnostics, llvm::StringRef tool) {
  for (const driver::Command &job : compilation.getJobs())
    if (llvm::StringRef(job.getCreator().getName()) == "clang")
      return job.getArguments();
  if (!diagnostics.hasErrorOccurred())
    llvm::errs() << tool << ": error: with these options there is nothing to compile\n";
  return {};
}

/// Returns "700,900".
std::string archList(llvm::ArrayRef<Architecture> architectures) {
  std::set<unsigned> numbers;
  for (Architecture arch : architectures)
    numbers.insert(arch.number);
  return llvm::join(
      llvm::map_range(numbers, [](unsigned arch) { return std::to_string(arch * 10); }), ",");
}

} // namespace

void initializeFrontend() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

HeaderFlags headerFlags(const FrontendOptions &options) {
  HeaderFlags flags;
  std::string major = std::to_string(options.cudaVersion / 1000),
              minor = std::to_string(options.cudaVersion % 1000 / 10);
  flags.first = {"-I" + options.headers,
                 "-D__NVCC__",
                 "-DREGRAIN_CUDA_VERSION=" + std::to_string(options.cudaVersion),
                 "-D__CUDACC_VER_MAJOR__=" + major,
                 "-D__CUDACC_VER_MINOR__=" + minor,
                 "-D__CUDACC_VER_BUILD__=0"};
  if (!options.toolkitHeaders.empty())
    flags.last = {"-isystem", (llvm::sys::path::parent_path(options.headers) + "/cccl").str()};
  std::vector<std::string> libraries = options.toolkitHeaders;
  if (!options.mathHeaders.empty())
    libraries.insert(options.prefersOwnMath ? libraries.begin() : libraries.end(),
                     options.mathHeaders);
  for (const std::string &folder : libraries)
    // The compiler searches this one in any case; to name it would change the order.
    if (folder != "/usr/include")
      flags.last.insert(flags.last.end(), {"-isystem", folder});
  return flags;
}

std::vector<std::string> lenientFlags() {
  return {"-Wno-error=register", "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal", "-Wno-error=enum-constexpr-conversion",
          "-Wno-error=missing-template-arg-list-after-template-kw"};
}

std::vector<std::string> commonFlags(const FrontendOptions &options) {
  std::vector<std::string> flags = {(llvmToolsFolder() + "/clang++").str(), "-x", "cuda",
                                    // clang's own use of a toolkit is for its headers alone, so it
                                    // is given a folder that is no toolkit.
                                    "-nocudainc", "-nocudalib", "--cuda-path=" + options.headers,
                                    // Templates select by f(...) without a call; one that reads its
                                    // arguments is refused (Unsupported.h).
                                    "-Xclang", "-fcuda-allow-variadic-functions",
                                    // A flag that only one side reads is not a mistake of the user.
                                    "-Qunused-arguments", pragmaMacroFlag.str()};
  HeaderFlags folders = headerFlags(options);
  flags.insert(flags.end(), folders.first.begin(), folders.first.end());
  flags.insert(flags.end(), {"-include", "regrain_prelude.h"});
  std::vector<std::string> lenient = lenientFlags();
  flags.insert(flags.end(), lenient.begin(), lenient.end());
  if (!options.architectures.empty())
    flags.push_back("-D__CUDA_ARCH_LIST__=" + archList(options.architectures));
  flags.insert(flags.end(), options.clangArgs.begin(), options.clangArgs.end());
  flags.insert(flags.end(), folders.last.begin(), folders.last.end());
  if (!options.unit.empty())
    flags.push_back("-fgpu-rdc");
  if (options.fastMath)
    flags.push_back("-fgpu-approx-transcendentals");
  return flags;
}

std::unique_ptr<CompilerInstance> makeInstance(const std::vector<std::string> &flags,
                                               const FrontendOptions &options) {
  llvm::SmallVector<const char *, 64> argv;
  for (const std::string &flag : flags)
    argv.push_back(flag.c_str());
  Diagnostics diagnostics = makeDiagnostics(argv, options.tool);
  driver::Driver driver(argv[0], llvm::sys::getDefaultTargetTriple(), *diagnostics, options.tool);
  std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(argv));
  if (!compilation || compilation->containsError() || diagnostics->hasErrorOccurred())
    return nullptr;
  llvm::opt::ArgStringList job = compileJob(*compilation, *diagnostics, options.tool);
  auto invocation = std::make_shared<CompilerInvocation>();
  if (job.empty() || !CompilerInvocation::CreateFromArgs(*invocation, job, *diagnostics, argv[0]))
    return nullptr;

  invocation->getTargetOpts().SDKVersion = clangsRelease;
  // Both sides derive the same device names from it for what is local to the file.
  invocation->getLangOpts().CUID = options.unit;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false;
  matchSpecialisationSides();
  auto instance = std::make_unique<CompilerInstance>();
  instance->setInvocation(std::move(invocation));
  instance->createDiagnostics();
  DiagnosticsEngine &engine = instance->getDiagnostics();
  engine.setClient(withDeviceLaunches(withHeaderAdvice(engine.takeClient())).release());
  // nvcc and gcc ignore such an attribute with a warning, as in `float alignas(16) x[4];`. clang
  // can turn an error into a remark, but not into a warning.
  engine.setSeverity(diag::err_attribute_not_type_attr, diag::Severity::Remark, {});
  // nvcc ignores `__restrict__` at what is no pointer, as in `uint32_t __restrict__ parts[][4]`.
  engine.setSeverity(diag::err_typecheck_invalid_restrict_not_pointer, diag::Severity::Ignored, {});
  joinRedeclaredSides(engine);
  instance->createFileManager(createVFSFromCompilerInvocation(
      instance->getInvocation(), engine,
      withChangedSources(overlayHeaders(options.headers, options.toolkitHeaders))));
  return instance;
}

llvm::Error execute(CompilerInstance &instance, FrontendAction &action) {
  return instance.ExecuteAction(action) ? llvm::Error::success() : llvm::make_error<Diagnosed>();
}

} // namespace regrain
