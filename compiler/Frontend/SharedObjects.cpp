//===- SharedObjects.cpp - Objects in shared memory -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/SharedObjects.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

namespace regrain {
namespace {

using namespace clang;

/// The annotation of a variable that is to be moved. clang copies it to instances of templates.
constexpr llvm::StringLiteral annotation = "regrain.shared";

const CXXRecordDecl *classOf(const VarDecl &variable) {
  return variable.getASTContext().getBaseElementType(variable.getType())->getAsCXXRecordDecl();
}

/// Returns false only if the variable's type is known, and needs no constructor and no destructor.
bool mayRunCode(const VarDecl &variable) {
  if (variable.getType()->isDependentType())
    return true;
  const CXXRecordDecl *record = classOf(variable);
  return record && !(record->hasDefinition() && record->hasTrivialDefaultConstructor() &&
                     record->hasTrivialDestructor());
}

/// Replaces the attribute `shared` of local objects by `device` until clang has checked them.
class SharedObjectAttribute : public ParsedAttrInfo {
public:
  SharedObjectAttribute() {
    static constexpr Spelling spelling = {AttributeCommonInfo::AS_GNU, "regrain_shared"};
    Spellings = spelling;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &) const override {
    auto *variable = dyn_cast<VarDecl>(decl);
    if (!variable || !variable->hasAttr<CUDASharedAttr>() || !variable->isLocalVarDecl() ||
        variable->hasExternalStorage() || !mayRunCode(*variable))
      return AttributeApplied;
    variable->dropAttr<CUDASharedAttr>();
    variable->addAttr(CUDADeviceAttr::Create(sema.getASTContext()));
    variable->setStorageClass(SC_Static);
    variable->addAttr(AnnotateAttr::CreateImplicit(sema.getASTContext(), annotation, nullptr, 0));
    return AttributeApplied;
  }
};

const ParsedAttrInfoRegistry::Add<SharedObjectAttribute>
    registration("regrain_shared", "an object in shared memory, whose constructor does not run");

/// Removes the annotation. Returns whether there was one.
bool takeAnnotation(VarDecl &variable) {
  if (!variable.hasAttrs())
    return false;
  AttrVec &attributes = variable.getAttrs();
  auto *found = llvm::find_if(attributes, [](const Attr *attribute) {
    auto *annotate = dyn_cast<AnnotateAttr>(attribute);
    return annotate && annotate->getAnnotation() == annotation;
  });
  if (found == attributes.end())
    return false;
  attributes.erase(found);
  return true;
}

/// Returns the constructor that runs for `T x;`, or null if the program wrote an initialiser.
CXXConstructorDecl *defaultConstructor(const VarDecl &variable) {
  if (variable.getInitStyle() != VarDecl::CallInit)
    return nullptr;
  const Expr *initialiser = variable.getInit();
  if (auto *cleanups = dyn_cast<ExprWithCleanups>(initialiser))
    initialiser = cleanups->getSubExpr();
  auto *construction = dyn_cast<CXXConstructExpr>(initialiser);
  bool isWritten = !construction || construction->getParenOrBraceRange().isValid() ||
                   llvm::any_of(construction->arguments(), [](const Expr *argument) {
                     return !isa<CXXDefaultArgExpr>(argument);
                   });
  return isWritten ? nullptr : construction->getConstructor();
}

class Placer : public RecursiveASTVisitor<Placer> {
public:
  explicit Placer(CompilerInstance &instance) : instance(instance) {}

  // The variables of a template keep the annotation for its instances, which are visited alone.
  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl *) { return true; }
  bool TraverseClassTemplateDecl(ClassTemplateDecl *) { return true; }

  bool VisitVarDecl(VarDecl *variable) {
    if (variable->getDeclContext()->isDependentContext())
      return true;
    if (takeAnnotation(*variable))
      place(*variable);
    if (auto *constant = variable->getAttr<CUDAConstantAttr>();
        constant && constant->isImplicit()) {
      decideAgain(*variable);
      return true;
    }
    if (variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDAConstantAttr>() ||
        variable->hasAttr<CUDASharedAttr>())
      instance.getSema().CUDA().checkAllowedInitializer(variable);
    return true;
  }

private:
  /// While initialisers are not checked, clang takes each constant of the host for one of the
  /// device as well. That holds only for those whose initialiser is allowed.
  void decideAgain(VarDecl &variable) {
    variable.dropAttr<CUDAConstantAttr>();
    instance.getSema().CUDA().MaybeAddConstantAttr(&variable);
  }

  void place(VarDecl &variable) {
    variable.dropAttr<CUDADeviceAttr>();
    variable.addAttr(CUDASharedAttr::CreateImplicit(variable.getASTContext()));
    if (!variable.hasInit())
      return;
    if (CXXConstructorDecl *constructor = defaultConstructor(variable)) {
      warn(variable, *constructor);
      variable.setInit(nullptr);
    }
  }

  void warn(const VarDecl &variable, CXXConstructorDecl &constructor) {
    SourceManager &sources = instance.getSourceManager();
    if (!instance.getLangOpts().CUDAIsDevice || instance.getDiagnostics().getIgnoreAllWarnings() ||
        sources.isInSystemHeader(constructor.getLocation()) ||
        instance.getSema().CUDA().isEmptyConstructor(variable.getLocation(), &constructor))
      return;
    DiagnosticsEngine &engine = instance.getDiagnostics();
    engine.Report(variable.getLocation(),
                  engine.getCustomDiagID(DiagnosticsEngine::Warning,
                                         "the constructor of %0 does not run, because the "
                                         "variable is in shared memory"))
        << &variable;
  }

  CompilerInstance &instance;
};

/// Allows any initialiser while clang reads the program, and none but clang's own when a
/// declaration is complete.
class SharedObjectsConsumer : public MultiplexConsumer {
public:
  SharedObjectsConsumer(CompilerInstance &instance,
                        std::vector<std::unique_ptr<ASTConsumer>> consumers)
      : MultiplexConsumer(std::move(consumers)), instance(instance) {
    allowInitialisers(true);
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    allowInitialisers(false);
    for (Decl *decl : group)
      if (!decl->getDeclContext()->isDependentContext())
        Placer(instance).TraverseDecl(decl);
    bool goesOn = MultiplexConsumer::HandleTopLevelDecl(group);
    allowInitialisers(true);
    return goesOn;
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    allowInitialisers(false);
    Placer(instance).VisitVarDecl(variable);
    MultiplexConsumer::HandleCXXStaticMemberVarInstantiation(variable);
    allowInitialisers(true);
  }

  void HandleTranslationUnit(ASTContext &context) override {
    allowInitialisers(false);
    MultiplexConsumer::HandleTranslationUnit(context);
  }

private:
  void allowInitialisers(bool allow) { instance.getLangOpts().GPUAllowDeviceInit = allow; }

  CompilerInstance &instance;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
placeSharedObjects(clang::CompilerInstance &instance,
                   std::vector<std::unique_ptr<clang::ASTConsumer>> consumers) {
  return std::make_unique<SharedObjectsConsumer>(instance, std::move(consumers));
}

} // namespace regrain
