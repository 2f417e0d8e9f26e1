//===- Diagnostics.cpp - LLVM's diagnostics of a module -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regrain {

struct DiagnosticScope::Collector : DiagnosticHandler {
  DiagnosticScope &scope;
  Collector(DiagnosticScope &scope) : scope(scope) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    scope.add(info);
    return true;
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return scope.remark && pass == scope.remarkPass;
  }
  bool isAnyRemarkEnabled() const override { return bool(scope.remark); }
};

DiagnosticScope::DiagnosticScope(LLVMContext &context, std::string remarkPass, Remark remark)
    : context(context), previous(context.getDiagnosticHandler()), remarkPass(std::move(remarkPass)),
      remark(std::move(remark)) {
  context.setDiagnosticHandler(std::make_unique<Collector>(*this));
}

DiagnosticScope::~DiagnosticScope() { context.setDiagnosticHandler(std::move(previous)); }

Error DiagnosticScope::takeError() const {
  return error.empty() ? Error::success() : createStringError(error);
}

void DiagnosticScope::add(const DiagnosticInfo &info) {
  if (auto *note = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
      note && remark && note->getPassName() == remarkPass)
    return remark(*note);
  if (info.getSeverity() != DS_Error && info.getSeverity() != DS_Warning)
    return;
  std::string text;
  raw_string_ostream stream(text);
  DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  if (info.getSeverity() == DS_Warning) {
    if (!is_contained(warnings, text)) // a module may be compiled a second time
      warnings.push_back(text);
  } else if (error.empty())
    error = text;
}

Error checkDeviceModule(const Module &module, ArrayRef<std::string> kernels) {
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (!kernel || kernel->isDeclaration())
      return createStringError("the module has no kernel " + symbol);
  }
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors"})
    if (module.getNamedGlobal(list))
      return createStringError("a device variable needs code to run before main, "
                               "which CUDA does not allow");
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError("the device module is not valid: " + broken);
  return Error::success();
}

} // namespace regrain
