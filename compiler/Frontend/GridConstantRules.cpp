//===- GridConstantRules.cpp - Where __grid_constant__ may be -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/GridConstantRules.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace regrain {
namespace {

/// No program can contain this identifier. It is in the table if there is an annotation.
constexpr llvm::StringLiteral seen = "regrain.grid_constant seen";

class GridConstantAttribute : public ParsedAttrInfo {
public:
  GridConstantAttribute() {
    static constexpr Spelling spelling = {AttributeCommonInfo::AS_GNU, "regrain_grid_constant"};
    Spellings = spelling;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &given) const override {
    ASTContext &context = sema.getASTContext();
    if (isa<ParmVarDecl>(decl)) {
      decl->addAttr(AnnotateAttr::CreateImplicit(context, gridConstantAnnotation, nullptr, 0));
      context.Idents.get(seen);
    } else {
      DiagnosticsEngine &engine = sema.getDiagnostics();
      engine.Report(given.getLoc(),
                    engine.getCustomDiagID(DiagnosticsEngine::Warning,
                                           "__grid_constant__ has no effect here; it is for "
                                           "parameters of __global__ functions"));
    }
    return AttributeApplied;
  }
};

const ParsedAttrInfoRegistry::Add<GridConstantAttribute>
    registration("regrain_grid_constant", "a parameter that is the same object for all threads");

/// Returns whether this very declaration has the annotation. clang copies it from earlier ones.
bool isMarked(const ParmVarDecl &parameter) {
  return llvm::any_of(parameter.specific_attrs<AnnotateAttr>(), [](const AnnotateAttr *attribute) {
    return attribute->getAnnotation() == gridConstantAnnotation && !attribute->isInherited();
  });
}

class Checker : public RecursiveASTVisitor<Checker> {
public:
  explicit Checker(ASTContext &context) : context(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    for (const ParmVarDecl *parameter : function->parameters())
      if (isMarked(*parameter))
        checkPlace(*function, *parameter);
    const FunctionTemplateDecl *primary =
        function->getTemplateSpecializationKind() == TSK_ExplicitSpecialization
            ? function->getPrimaryTemplate()
            : nullptr;
    if (primary)
      compare(*function, *primary->getTemplatedDecl(), "specialization");
    else if (const FunctionDecl *previous = function->getPreviousDecl())
      compare(*function, *previous, "redeclaration");
    return true;
  }

private:
  template <unsigned Size>
  DiagnosticBuilder report(DiagnosticsEngine::Level level, SourceLocation where,
                           const char (&text)[Size]) {
    DiagnosticsEngine &engine = context.getDiagnostics();
    return engine.Report(where, engine.getCustomDiagID(level, text));
  }

  void checkPlace(const FunctionDecl &function, const ParmVarDecl &parameter) {
    SourceLocation where = parameter.getLocation();
    QualType type = parameter.getOriginalType();
    if (!function.hasAttr<CUDAGlobalAttr>())
      report(DiagnosticsEngine::Error, where,
             "__grid_constant__ annotation is only allowed on a parameter of a __global__ "
             "function");
    else if (type->isReferenceType())
      report(DiagnosticsEngine::Error, where,
             "a parameter annotated with __grid_constant__ must not have reference type %0")
          << type;
    else if (!type->isDependentType() && !type.isConstant(context))
      report(DiagnosticsEngine::Error, where,
             "a parameter annotated with __grid_constant__ must have const-qualified type, "
             "not %0")
          << type;
  }

  /// Packs may give the functions different numbers of parameters; then they cannot be compared.
  void compare(const FunctionDecl &function, const FunctionDecl &previous, const char *kind) {
    if (function.getNumParams() != previous.getNumParams())
      return;
    for (auto [later, earlier] : llvm::zip_equal(function.parameters(), previous.parameters())) {
      if (isMarked(*later) == isMarked(*earlier))
        continue;
      report(DiagnosticsEngine::Error, later->getLocation(),
             "incompatible __grid_constant__ annotation for parameter %0 in function %1")
          << later << kind;
      report(DiagnosticsEngine::Note, earlier->getLocation(), "the previous declaration is here");
    }
  }

  ASTContext &context;
};

} // namespace

void checkGridConstants(ASTContext &context) {
  if (context.Idents.find(seen) != context.Idents.end())
    Checker(context).TraverseDecl(context.getTranslationUnitDecl());
}

} // namespace regrain
