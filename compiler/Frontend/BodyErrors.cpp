//===- BodyErrors.cpp - Errors in bodies that are not compiled ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/BodyErrors.h"
#include "compiler/Frontend/PassingConsumer.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace regrain {

struct BodyErrors::Held {
  std::vector<std::pair<const FunctionDecl *, StoredDiagnostic>> errors;
};

/// Keeps such errors, and passes on all else.
class BodyErrors::Holder : public PassingConsumer {
public:
  Holder(CompilerInstance &instance, std::unique_ptr<DiagnosticConsumer> consumer,
         std::shared_ptr<Held> held)
      : PassingConsumer(std::move(consumer)), instance(instance), held(std::move(held)) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) override {
    if (level == DiagnosticsEngine::Error && hold(diagnostic))
      return;
    PassingConsumer::HandleDiagnostic(level, diagnostic);
  }

private:
  /// Forgets the error, with its notes, if it is in such a body and the first one. Behind another
  /// error nothing is compiled, so that all are passed on.
  bool hold(const Diagnostic &diagnostic) {
    if (!instance.hasSema() || getNumErrors())
      return false;
    if (!instance.getLangOpts().CUDAIsDevice) {
      if (!isForDevice(instance.getSema().getCurFunctionDecl(/*AllowLambda=*/true)))
        return false;
    } else if (!isCallOnHost(diagnostic)) {
      const FunctionDecl *function = instance.getSema().getCurFunctionDecl();
      if (!function || !function->isDependentContext())
        return false;
      held->errors.emplace_back(function, StoredDiagnostic(DiagnosticsEngine::Error, diagnostic));
    }
    instance.getDiagnostics().Reset(/*soft=*/true);
    return true;
  }

  /// Whether the error is of a call in a function for the host.
  bool isCallOnHost(const Diagnostic &diagnostic) {
    unsigned id = diagnostic.getID();
    const FunctionDecl *function = instance.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
    return function &&
           (id == diag::err_ovl_no_viable_function_in_call || id == diag::err_ref_bad_target) &&
           instance.getSema().CUDA().IdentifyTarget(function) == CUDAFunctionTarget::Host;
  }

  bool isForDevice(const FunctionDecl *function) {
    if (!function)
      return false;
    CUDAFunctionTarget target = instance.getSema().CUDA().IdentifyTarget(function);
    return target == CUDAFunctionTarget::Device || target == CUDAFunctionTarget::Global;
  }

  CompilerInstance &instance;
  std::shared_ptr<Held> held;
};

namespace {

/// Collects the bodies of templates that are instantiated.
class Instantiations : public RecursiveASTVisitor<Instantiations> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->isTemplateInstantiation() && function->hasBody())
      patterns.insert(function->getTemplateInstantiationPattern());
    return true;
  }

  llvm::DenseSet<const FunctionDecl *> patterns;
};

} // namespace

BodyErrors::BodyErrors(CompilerInstance &instance) : held(std::make_shared<Held>()) {
  DiagnosticsEngine &engine = instance.getDiagnostics();
  engine.setClient(new Holder(instance, engine.takeClient(), held));
}

BodyErrors::~BodyErrors() = default;

void BodyErrors::reportInstantiated(ASTContext &context) {
  if (held->errors.empty())
    return;
  Instantiations instantiations;
  instantiations.TraverseAST(context);
  for (const auto &[function, error] : held->errors)
    if (instantiations.patterns.contains(function))
      context.getDiagnostics().Report(error);
}

} // namespace regrain
