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

/// The sides that either declaration has been given. One without a side adds none: where the other
/// one is for the device alone, so is the function.
Sides joined(Sides one, Sides other) {
  return {one.host || other.host, one.device || other.device};
}

bool hasBoth(Sides sides) { return sides.host && sides.device; }

/// Whether the program has declared the function for the device, and then without a side. Headers
/// of the system declare functions of the host alone.
bool staysOnDevice(const Sema &sema, const FunctionDecl &function, const FunctionDecl &earlier) {
  auto isOfSystem = [&](const FunctionDecl &one) {
    return sema.getSourceManager().isInSystemHeader(one.getLocation());
  };
  return sidesOf(function) == Sides() && sidesOf(earlier) == Sides{.host = false, .device = true} &&
         !earlier.isDefined() && !isOfSystem(function) && !isOfSystem(earlier);
}

/// Whether a declaration can only be another one of `earlier`, if its signature is the same.
bool redeclares(const Sema &sema, const FunctionDecl &function, const FunctionDecl &earlier) {
  if (function.hasAttr<CUDAGlobalAttr>() || earlier.hasAttr<CUDAGlobalAttr>())
    return false;
  Sides sides = sidesOf(function), before = sidesOf(earlier);
  bool isMember = isa<CXXMethodDecl>(function) && function.isOutOfLine();
  return !(before == sides) &&
         (hasBoth(before) || hasBoth(sides) || isMember || staysOnDevice(sema, function, earlier));
}

bool isOverload(Sema &sema, FunctionDecl &function, FunctionDecl &other) {
  return sema.IsOverload(&function, &other, /*UseMemberUsingDeclRules=*/false,
                         /*ConsiderCudaAttrs=*/false);
}

/// Gives a specialisation without a side those of what it specialises, as nvcc does: a function
/// template, or a member of a class template.
void inheritSides(Sema &sema, FunctionDecl &function) {
  if (std::optional<Sides> sides = sidesOfTemplates(function))
    return setSides(function, *sides);
  for (NamedDecl *found : function.getDeclContext()->lookup(function.getDeclName()))
    if (auto *member = dyn_cast<CXXMethodDecl>(found);
        member && member != &function && !isOverload(sema, function, *member))
      return setSides(function, sidesOf(*member));
}

void joinSides(Sema &sema, FunctionDecl &function) {
  for (NamedDecl *found :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    FunctionDecl *earlier = found->getAsFunction();
    if (!earlier || earlier == &function || !redeclares(sema, function, *earlier) ||
        isOverload(sema, function, *earlier))
      continue;
    Sides both = joined(sidesOf(function), sidesOf(*earlier));
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
    if (!function || !function->getDeclName())
      return AttributeApplied;
    if (!isSpecialisation(*function))
      joinSides(sema, *function);
    else if (sidesOf(*function) == Sides() && !function->hasAttr<CUDAGlobalAttr>())
      inheritSides(sema, *function);
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
