//===- ExtendedLambdas.cpp - nvcc's kinds of lambdas ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ExtendedLambdas.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace regrain {
namespace {

template <typename Qualifier> bool isWritten(const FunctionDecl &function) {
  const auto *qualifier = function.getAttr<Qualifier>();
  return qualifier && !qualifier->isImplicit();
}

/// Returns whether a function that is not a lambda, and runs on the host, contains the lambda.
bool isInHostFunction(const CXXRecordDecl &lambda) {
  const DeclContext *context = lambda.getDeclContext();
  for (; context; context = context->getParent()) {
    const auto *function = dyn_cast<FunctionDecl>(context);
    const auto *method = dyn_cast<CXXMethodDecl>(context);
    if (function && !(method && method->getParent()->isLambda()))
      return !function->hasAttr<CUDAGlobalAttr>() &&
             (!function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAHostAttr>());
  }
  return false;
}

bool namesReturnType(const FunctionDecl &function) {
  const TypeSourceInfo *written = function.getTypeSourceInfo();
  const auto *type = written ? written->getType()->getAs<FunctionProtoType>() : nullptr;
  return type && !type->getReturnType()->getContainedAutoType();
}

/// Returns the name of the member type, as regrain_lambda_traits.h has it; empty for other lambdas.
llvm::StringRef markOf(const CXXRecordDecl &lambda) {
  const CXXMethodDecl *call = lambda.getLambdaCallOperator();
  if (!call || !isWritten<CUDADeviceAttr>(*call) || !isInHostFunction(lambda))
    return "";
  if (isWritten<CUDAHostAttr>(*call))
    return "regrainHostDeviceLambda";
  return namesReturnType(*call) ? "regrainReturningLambda" : "regrainDeviceLambda";
}

class Marker : public ASTConsumer, ASTMutationListener {
public:
  void Initialize(ASTContext &made) override { context = &made; }
  ASTMutationListener *GetASTMutationListener() override { return this; }

private:
  void CompletedTagDefinition(const TagDecl *tag) override {
    auto *lambda = dyn_cast<CXXRecordDecl>(const_cast<TagDecl *>(tag));
    llvm::StringRef mark = lambda && lambda->isLambda() ? markOf(*lambda) : "";
    if (mark.empty())
      return;
    SourceLocation place = lambda->getLocation();
    auto *member = TypedefDecl::Create(
        *context, lambda, place, place, &context->Idents.get(mark),
        context->getTrivialTypeSourceInfo(context->getRecordType(lambda), place));
    member->setAccess(AS_public);
    member->setImplicit();
    lambda->addDecl(member);
  }

  ASTContext *context = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer> markExtendedLambdas() { return std::make_unique<Marker>(); }

} // namespace regrain
