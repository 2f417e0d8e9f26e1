//===- ImageWrapper.cpp - What registers an image -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ImageWrapper.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

void regrain::setCudaVersion(GlobalVariable &wrapper, unsigned cudaVersion) {
  auto *fields = cast<ConstantStruct>(wrapper.getInitializer());
  auto *version = ConstantInt::get(Type::getInt64Ty(wrapper.getContext()), cudaVersion);
  Type *type = fields->getOperand(3)->getType();
  wrapper.setInitializer(ConstantStruct::get(fields->getType(), fields->getOperand(0),
                                             fields->getOperand(1), fields->getOperand(2),
                                             ConstantExpr::getIntToPtr(version, type)));
}
