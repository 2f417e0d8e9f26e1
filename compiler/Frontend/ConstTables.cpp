//===- ConstTables.cpp - Where const variables lie ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ConstTables.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

namespace regrain {
namespace {

class Consumer : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      visit(*declaration);
    return true;
  }

private:
  static void visit(clang::Decl &declaration) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      for (clang::Decl *member : llvm::cast<clang::DeclContext>(&declaration)->decls())
        visit(*member);
    auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
    const auto *device = variable ? variable->getAttr<clang::CUDADeviceAttr>() : nullptr;
    const auto *constant = variable ? variable->getAttr<clang::CUDAConstantAttr>() : nullptr;
    // The program writes the first attribute, and clang adds the second.
    if (device && !device->isImplicit() && constant && constant->isImplicit())
      variable->dropAttr<clang::CUDAConstantAttr>();
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> leaveConstTablesInGlobalMemory() {
  return std::make_unique<Consumer>();
}

} // namespace regrain
