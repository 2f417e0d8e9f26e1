//===- ModuleVariables.cpp - Static variables of a module -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ModuleVariables.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns whether the source says where the variable lies. clang adds attributes to constants.
template <typename Qualifier> bool isWritten(const clang::VarDecl &variable) {
  const auto *qualifier = variable.getAttr<Qualifier>();
  return qualifier && !qualifier->isImplicit();
}

class Keeper : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      keep(*declaration);
    return true;
  }

private:
  static void keep(clang::Decl &declaration) {
    if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      for (clang::Decl *member : cast<clang::DeclContext>(&declaration)->decls())
        keep(*member);
      return;
    }
    auto *variable = dyn_cast<clang::VarDecl>(&declaration);
    if (!variable || variable->isTemplated() || variable->isExternallyVisible())
      return;
    clang::ASTContext &context = variable->getASTContext();
    bool isOnDevice = isWritten<clang::CUDADeviceAttr>(*variable) ||
                      isWritten<clang::CUDAConstantAttr>(*variable);
    if (isOnDevice && !variable->getType().isConstant(context) &&
        !context.getSourceManager().isInSystemHeader(variable->getLocation()))
      variable->addAttr(clang::UsedAttr::CreateImplicit(context));
  }
};

/// Returns "name" for "_ZL4name", and any other name as it is.
StringRef plainName(StringRef mangled) {
  StringRef plain = mangled;
  size_t length = 0;
  bool isPlain =
      plain.consume_front("_ZL") && !plain.consumeInteger(10, length) && plain.size() == length;
  return isPlain ? plain : mangled;
}

bool isModuleVariable(const GlobalVariable &variable) {
  unsigned space = variable.getAddressSpace();
  return !variable.isDeclaration() && !variable.isConstant() &&
         (space == globalSpace || space == constantSpace) &&
         !variable.getName().starts_with("llvm.");
}

/// Removes the variables from llvm.used and llvm.compiler.used.
void leaveUsedLists(Module &device, ArrayRef<GlobalVariable *> variables) {
  removeFromUsedLists(
      device, [&](Constant *value) { return is_contained(variables, value->stripPointerCasts()); });
}

} // namespace

std::unique_ptr<clang::ASTConsumer> keepStaticVariables() { return std::make_unique<Keeper>(); }

void showStaticVariables(Module &device) {
  SmallVector<GlobalVariable *> shown;
  for (GlobalVariable &variable : device.globals()) {
    if (!isModuleVariable(variable))
      continue;
    // clang appends the unit to the name of a variable that the host side names.
    auto [mangled, unit] = variable.getName().split("__static__");
    if (!variable.hasInternalLinkage() && unit.empty())
      continue;
    std::string name = plainName(mangled).str();
    if (!device.getNamedValue(name))
      variable.setName(name);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setExternallyInitialized(true);
    shown.push_back(&variable);
  }
  leaveUsedLists(device, shown);
}

void dropReferences(Module &device) {
  SmallVector<GlobalVariable *> references;
  for (GlobalVariable &variable : device.globals())
    if (variable.getSection() == "regrain_reference")
      references.push_back(&variable);
  leaveUsedLists(device, references);
  for (GlobalVariable *reference : references)
    reference->eraseFromParent();
}

} // namespace regrain
