//===- NamedKernels.cpp - Instances that the program itself names ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/NamedKernels.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace regrain {
namespace {

class Collector : public RecursiveASTVisitor<Collector> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  /// The constant of an offer, and the check beside it, name kernels and launch none.
  bool TraverseVarDecl(VarDecl *variable) {
    bool isOffer = variable->getIdentifier() && variable->getName().starts_with("regrain_offer_");
    return isOffer || RecursiveASTVisitor::TraverseVarDecl(variable);
  }
  bool TraverseStaticAssertDecl(StaticAssertDecl *) { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    add(dyn_cast<FunctionDecl>(reference->getDecl()));
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->getTemplateSpecializationKind() != TSK_ImplicitInstantiation)
      add(function);
    return true;
  }

  llvm::DenseSet<const FunctionDecl *> kernels;

private:
  void add(const FunctionDecl *function) {
    if (function && function->hasAttr<CUDAGlobalAttr>() && !function->isDependentContext() &&
        !function->getDescribedFunctionTemplate())
      kernels.insert(function->getCanonicalDecl());
  }
};

} // namespace

std::set<std::string>
findNamedKernels(ASTContext &context,
                 llvm::function_ref<std::string(const FunctionDecl &)> symbolOf) {
  Collector collector;
  if (context.Idents.find("REGRAIN_DETAIL_OFFER") == context.Idents.end())
    return {}; // no offers, so nobody asks
  collector.TraverseDecl(context.getTranslationUnitDecl());
  std::set<std::string> symbols;
  for (const FunctionDecl *kernel : collector.kernels)
    symbols.insert(symbolOf(*kernel));
  return symbols;
}

} // namespace regrain
