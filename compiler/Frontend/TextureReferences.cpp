//===- TextureReferences.cpp - References as variables --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/TextureReferences.h"

#include "compiler/DeviceIR/Annotations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr Align objectAlignment = Align::Constant<8>();

bool isReference(const Annotation &annotation) {
  return annotation.has("texture") || annotation.has("surface");
}

/// The host object registers the variable by its name, so the name must be visible.
void makeVariable(GlobalVariable &reference) {
  reference.setAlignment(objectAlignment);
  if (reference.isDeclaration())
    return;
  reference.setInitializer(Constant::getNullValue(reference.getValueType()));
  if (reference.hasLocalLinkage())
    reference.setLinkage(GlobalValue::ExternalLinkage);
}

void readHandles(Function &intrinsic) {
  for (User *user : make_early_inc_range(intrinsic.users())) {
    auto *call = cast<CallInst>(user);
    IRBuilder<> builder(call);
    Value *object =
        builder.CreateAlignedLoad(call->getType(), call->getArgOperand(0), objectAlignment);
    call->replaceAllUsesWith(object);
    call->eraseFromParent();
  }
}

} // namespace

void storeTextureReferences(Module &device) {
  SmallVector<Annotation> annotations = readAnnotations(device), others;
  for (const Annotation &annotation : annotations)
    if (isReference(annotation))
      makeVariable(*cast<GlobalVariable>(annotation.subject));
    else
      others.push_back(annotation);
  if (others.size() == annotations.size())
    return;
  writeAnnotations(device, others);
  for (Function &function : make_early_inc_range(device))
    if (function.getIntrinsicID() == Intrinsic::nvvm_texsurf_handle_internal) {
      readHandles(function);
      function.eraseFromParent();
    }
}

} // namespace regrain
