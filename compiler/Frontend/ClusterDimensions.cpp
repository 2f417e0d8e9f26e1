//===- ClusterDimensions.cpp - __cluster_dims__ ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ClusterDimensions.h"

#include "compiler/DeviceIR/Annotations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace regrain {
namespace {

/// The annotation in crt/host_defines.h.
constexpr StringLiteral annotationText = "regrain_cluster_dims";

/// The operands of an element of llvm.global.annotations.
enum AnnotationField { Subject = 0, Text = 1, Arguments = 4 };

/// Returns the initialiser of the variable to which `pointer` points; null if there is none.
const Constant *initialiserAt(const Constant &pointer) {
  auto *variable = dyn_cast<GlobalVariable>(pointer.stripPointerCasts());
  return variable && variable->hasInitializer() ? variable->getInitializer() : nullptr;
}

bool isOfClusters(const ConstantStruct &annotation) {
  auto *text = dyn_cast_or_null<ConstantDataArray>(initialiserAt(*annotation.getOperand(Text)));
  return text && text->isCString() && text->getAsCString() == annotationText;
}

/// A dimension that is not given is 1.
ClusterExtent dimensionsOf(const ConstantStruct &annotation) {
  ClusterExtent extent = {1, 1, 1};
  const Constant *arguments = initialiserAt(*annotation.getOperand(Arguments));
  for (unsigned i = 0; arguments && i < extent.size(); ++i)
    if (auto *size = dyn_cast_or_null<ConstantInt>(arguments->getAggregateElement(i)))
      extent[i] = uint32_t(size->getZExtValue());
  return extent;
}

} // namespace

void markClusterDimensions(Module &device) {
  GlobalVariable *all = device.getGlobalVariable("llvm.global.annotations");
  if (!all || !all->hasInitializer())
    return;
  bool isMarked = false;
  for (const Use &element : all->getInitializer()->operands()) {
    auto *annotation = dyn_cast<ConstantStruct>(element);
    if (!annotation || !isOfClusters(*annotation))
      continue;
    isMarked = true;
    if (auto *kernel = dyn_cast<Function>(annotation->getOperand(Subject)->stripPointerCasts()))
      annotateClusters(*kernel, dimensionsOf(*annotation));
  }
  // Other annotations have no meaning for device code. These would refer to kernels.
  if (isMarked)
    all->eraseFromParent();
}

} // namespace regrain
