//===- Annotations.cpp - nvvm.annotations of a kernel ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Annotations.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace regrain {

static constexpr StringLiteral annotationsName = "nvvm.annotations";

static bool isAbout(const MDNode &node, const Function &kernel) {
  auto *subject = dyn_cast_or_null<ValueAsMetadata>(node.getOperand(0).get());
  return subject && subject->getValue() == &kernel;
}

unsigned annotation(const Function &kernel, StringRef key) {
  const NamedMDNode *annotations = kernel.getParent()->getNamedMetadata(annotationsName);
  if (!annotations)
    return 0;
  for (const MDNode *node : annotations->operands()) {
    if (!isAbout(*node, kernel))
      continue;
    for (unsigned index = 1; index + 1 < node->getNumOperands(); index += 2) {
      auto *name = dyn_cast<MDString>(node->getOperand(index));
      auto *value = mdconst::dyn_extract<ConstantInt>(node->getOperand(index + 1));
      if (name && value && name->getString() == key)
        return static_cast<unsigned>(value->getZExtValue());
    }
  }
  return 0;
}

void annotate(Function &kernel, StringRef key, unsigned value) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  auto *number = ConstantInt::get(Type::getInt32Ty(context), value);
  module.getOrInsertNamedMetadata(annotationsName)
      ->addOperand(MDNode::get(context, {ValueAsMetadata::get(&kernel), MDString::get(context, key),
                                         ValueAsMetadata::get(number)}));
}

void dropAnnotations(Function &kernel) {
  NamedMDNode *annotations = kernel.getParent()->getNamedMetadata(annotationsName);
  if (!annotations)
    return;
  SmallVector<MDNode *> kept;
  for (MDNode *node : annotations->operands())
    if (!isAbout(*node, kernel))
      kept.push_back(node);
  annotations->clearOperands();
  for (MDNode *node : kept)
    annotations->addOperand(node);
}

unsigned boundThreads(const Function &kernel) {
  for (std::string key : {"reqntid", "maxntid"}) {
    unsigned threads = annotation(kernel, key + "x");
    for (const char *dimension : {"y", "z"})
      threads *= std::max(1u, annotation(kernel, key + dimension));
    if (threads)
      return threads;
  }
  return 0;
}

unsigned blockThreads(const Function &kernel) {
  constexpr unsigned usual = 256;
  unsigned threads = boundThreads(kernel);
  return threads ? threads : usual;
}

} // namespace regrain
