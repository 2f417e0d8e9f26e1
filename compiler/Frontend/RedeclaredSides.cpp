//===- RedeclaredSides.cpp - Sides of all declarations --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/RedeclaredSides.h"

#include "compiler/Frontend/Sides.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace regrain {
namespace {

using namespace clang;

/// What nvcc makes of two declarations with different sides.
Sides joined(Sides one, Sides other) {
  auto isForHost = [](Sides sides) { return sides.host || !sides.device; };
  return {isForHost(one) || isForHost(other), one.device || other.device};
}

bool hasBoth(Sides sides) { return sides.host && sides.device; }

/// Whether a declaration can only be another one of `earlier`, if its signature is the same.
bool redeclares(const FunctionDecl &function, Sides sides, const FunctionDecl &earlier) {
  if (function.hasAttr<CUDAGlobalAttr>() || earlier.hasAttr<CUDAGlobalAttr>())
    return false;
  Sides before = sidesOf(earlier);
  bool isMember = isa<CXXMethodDecl>(function) && function.isOutOfLine();
  return !(before == sides) && (hasBoth(before) || hasBoth(sides) || isMember);
}

void joinSides(Sema &sema, FunctionDecl &function) {
  for (NamedDecl *found :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    FunctionDecl *earlier = found->getAsFunction();
    Sides sides = sidesOf(function);
    if (!earlier || earlier == &function || !redeclares(function, sides, *earlier) ||
        sema.IsOverload(&function, earlier, /*UseMemberUsingDeclRules=*/false,
                        /*ConsiderCudaAttrs=*/false))
      continue;
    Sides both = joined(sides, sidesOf(*earlier));
    setSides(function, both);
    for (FunctionDecl *declaration : earlier->redecls())
      setSides(*declaration, both);
  }
}

class RedeclaredAttribute : public ParsedAttrInfo {
public:
  RedeclaredAttribute() {
    static constexpr Spelling spelling = {AttributeCommonInfo::AS_GNU, "regrain_redeclared"};
    Spellings = spelling;
    IsSupportedByPragmaAttribute = true;
  }

  void getPragmaAttributeMatchRules(
      llvm::SmallVectorImpl<std::pair<attr::SubjectMatchRule, bool>> &rules,
      const LangOptions &) const override {
    rules.emplace_back(attr::SubjectMatchRule_function, true);
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &) const override {
    auto *function = dyn_cast<FunctionDecl>(decl);
    if (function && function->getDeclName() && !isSpecialisation(*function))
      joinSides(sema, *function);
    return AttributeApplied;
  }
};

const ParsedAttrInfoRegistry::Add<RedeclaredAttribute>
    registration("regrain_redeclared", "a function, which may have been declared for other sides");

} // namespace

void joinRedeclaredSides(DiagnosticsEngine &engine) {
  engine.setSeverity(diag::err_pragma_attribute_no_pop_eof, diag::Severity::Ignored, {});
}

} // namespace regrain
