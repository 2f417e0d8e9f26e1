//===- main.cpp - Device LLVM IR to grain IR and back ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// regrain-translate FILE.ll                grain IR of every kernel
// regrain-translate --round-trip FILE.ll   each kernel as LLVM IR again
//
// Kernels that are not raised are named on stderr; the exit code is then 2.
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Export/Export.h"
#include "compiler/Import/Import.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace regrain;
namespace cl = llvm::cl;

static cl::OptionCategory category("What is printed");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE.ll"), cl::init("-"),
                                      cl::cat(category));
static cl::opt<bool> roundTrip("round-trip", cl::desc("Export each kernel to LLVM IR"),
                               cl::cat(category));
static cl::opt<bool> locations("locations", cl::desc("Print source positions in grain IR"),
                               cl::cat(category));
static cl::list<std::string> onlyKernels("kernel", cl::desc("Only this kernel (repeatable)"),
                                         cl::value_desc("SYMBOL"), cl::cat(category));
static cl::extrahelp examples(R"(
Examples:
  regrain-translate device.ll
      Print the grain IR of every kernel of device.ll.
  regrain-translate --round-trip device.ll
      Print every kernel as LLVM IR that has been grain IR.
)");

/// Returns the kernels in the order of their annotations.
static std::vector<std::string> findKernels(const llvm::Module &module) {
  std::vector<std::string> kernels;
  for (const llvm::GlobalValue *kernel : annotatedWith(module, "kernel"))
    kernels.push_back(kernel->getName().str());
  return kernels;
}

static llvm::Error exportAll(const ImportedModule &imported) {
  for (auto kernel : imported.module().getOps<grain::KernelOp>()) {
    llvm::LLVMContext context;
    auto module = exportKernel(kernel, imported, kernel.getName(), context);
    if (!module)
      return module.takeError();
    llvm::outs() << **module;
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Device LLVM IR to grain IR and back\n");
  llvm::ExitOnError exitOnError("regrain-translate: ");
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> device = llvm::parseIRFile(inputFile, diagnostic, context);
  if (!device) {
    diagnostic.print("regrain-translate", llvm::errs());
    return 1;
  }
  std::vector<std::string> kernels(onlyKernels.begin(), onlyKernels.end());
  if (kernels.empty())
    kernels = findKernels(*device);
  mlir::MLIRContext mlirContext;
  ImportedModule imported = exitOnError(importDeviceModule(*device, kernels, mlirContext));
  for (const auto &[symbol, refusal] : imported.notRaised())
    llvm::errs() << refusal.where.file << ":" << refusal.where.line << ": '" << symbol
                 << "' is not raised: " << refusal.reason
                 << "; to lift this: " << remedyFor(refusal.kind) << "\n";
  if (roundTrip) {
    exitOnError(exportAll(imported));
  } else {
    mlir::OpPrintingFlags flags;
    if (locations)
      flags.enableDebugInfo(true, /*prettyForm=*/true).useLocalScope();
    imported.module().print(llvm::outs(), flags);
    llvm::outs() << "\n";
  }
  return imported.notRaised().empty() ? 0 : 2;
}
