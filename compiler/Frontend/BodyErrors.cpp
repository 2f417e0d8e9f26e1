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

/// Finds the innermost branch of an `if constexpr` around a place, if it has braces.
class BranchAround : public RecursiveASTVisitor<BranchAround> {
public:
  BranchAround(const SourceManager &sources, SourceLocation place)
      : sources(sources), place(sources.getExpansionLoc(place)) {}

  bool VisitIfStmt(IfStmt *statement) {
    for (Stmt *branch : {statement->getThen(), statement->getElse()})
      if (isa_and_nonnull<CompoundStmt>(branch) && statement->isConstexpr() && isInside(*branch))
        begin = branch->getBeginLoc(); // inner ones are visited later
    return true;
  }

  SourceLocation begin;

private:
  bool isInside(const Stmt &branch) const {
    return sources.isBeforeInTranslationUnit(branch.getBeginLoc(), place) &&
           sources.isBeforeInTranslationUnit(place, branch.getEndLoc());
  }

  const SourceManager &sources;
  SourceLocation place;
};

/// Collects where the statements in braces of a body begin.
struct Braces : RecursiveASTVisitor<Braces> {
  bool VisitCompoundStmt(CompoundStmt *statement) {
    begins.insert(statement->getBeginLoc());
    return true;
  }

  llvm::DenseSet<SourceLocation> begins;
};

/// Collects the bodies of templates that are instantiated, and the braces in the instances. What
/// `if constexpr` excludes is in none of them.
class Instantiations : public RecursiveASTVisitor<Instantiations> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (!function->isTemplateInstantiation() || !function->hasBody())
      return true;
    patterns.insert(function->getTemplateInstantiationPattern());
    braces.TraverseStmt(function->getBody());
    return true;
  }

  /// Whether an instance has what a template has at a place.
  bool reach(const FunctionDecl &pattern, SourceLocation place, const SourceManager &sources) {
    if (!patterns.contains(&pattern))
      return false;
    BranchAround branch(sources, place);
    branch.TraverseStmt(pattern.getBody());
    return branch.begin.isInvalid() || braces.begins.contains(branch.begin);
  }

private:
  llvm::DenseSet<const FunctionDecl *> patterns;
  Braces braces;
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
    if (instantiations.reach(*function, error.getLocation(), context.getSourceManager()))
      context.getDiagnostics().Report(error);
}

} // namespace regrain
