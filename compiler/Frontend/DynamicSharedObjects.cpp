//===- DynamicSharedObjects.cpp - Objects in dynamic memory ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/DynamicSharedObjects.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

namespace regrain {
namespace {

/// Arrays of unknown length stay as they are.
class DynamicSharedAttribute : public clang::ParsedAttrInfo {
public:
  DynamicSharedAttribute() {
    static constexpr Spelling spelling = {clang::AttributeCommonInfo::AS_GNU,
                                          "regrain_dynamic_shared"};
    Spellings = spelling;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                   const clang::ParsedAttr &) const override {
    static thread_local const clang::Decl *changed = nullptr;
    auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable)
      return AttributeApplied;
    if (std::exchange(changed, nullptr) == variable) {
      variable->setStorageClass(clang::SC_Extern);
    } else if (variable->hasExternalStorage() &&
               !sema.getASTContext().getAsIncompleteArrayType(variable->getType())) {
      variable->setStorageClass(clang::SC_Static);
      changed = variable;
    }
    return AttributeApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<DynamicSharedAttribute>
    registration("regrain_dynamic_shared", "an object in dynamic shared memory");

void dropSize(llvm::GlobalVariable &object) {
  llvm::Module &module = *object.getParent();
  auto *bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto *declaration = new llvm::GlobalVariable(
      module, bytes, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage, nullptr, "", &object,
      llvm::GlobalValue::NotThreadLocal, object.getAddressSpace());
  declaration->takeName(&object);
  declaration->setAlignment(object.getAlign());
  object.replaceAllUsesWith(declaration);
  object.eraseFromParent();
}

} // namespace

void dropDynamicSharedSizes(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals()))
    if (variable.isDeclaration() && variable.getAddressSpace() == sharedSpace &&
        module.getDataLayout().getTypeAllocSize(variable.getValueType()))
      dropSize(variable);
}

} // namespace regrain
