//===- KernelQualifiers.cpp - __cluster_dims__ and __maxnreg__ ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/KernelQualifiers.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Refusal/DebugPosition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace regrain {
namespace {

/// The annotations in crt/host_defines.h.
constexpr StringLiteral ofClusters = "regrain_cluster_dims", ofRegisters = "regrain_maxnreg";

/// The operands of an element of llvm.global.annotations.
enum AnnotationField { Subject = 0, Text = 1, Arguments = 4 };

/// Returns the initialiser of the variable to which `pointer` points; null if there is none.
const Constant *initialiserAt(const Constant &pointer) {
  auto *variable = dyn_cast<GlobalVariable>(pointer.stripPointerCasts());
  return variable && variable->hasInitializer() ? variable->getInitializer() : nullptr;
}

StringRef textOf(const ConstantStruct &annotation) {
  auto *text = dyn_cast_or_null<ConstantDataArray>(initialiserAt(*annotation.getOperand(Text)));
  return text && text->isCString() ? text->getAsCString() : StringRef();
}

/// Returns an argument of the qualifier; null if it is not given.
const ConstantInt *argumentOf(const ConstantStruct &annotation, unsigned index) {
  const Constant *arguments = initialiserAt(*annotation.getOperand(Arguments));
  return arguments ? dyn_cast_or_null<ConstantInt>(arguments->getAggregateElement(index)) : nullptr;
}

/// A dimension that is not given is 1.
ClusterExtent dimensionsOf(const ConstantStruct &annotation) {
  ClusterExtent extent = {1, 1, 1};
  for (unsigned i = 0; i < extent.size(); ++i)
    if (const ConstantInt *size = argumentOf(annotation, i))
      extent[i] = uint32_t(size->getZExtValue());
  return extent;
}

/// Returns why the kernel cannot have the limit of registers, or nothing.
std::optional<std::string> reasonAgainstLimit(const Function &function, int64_t limit) {
  if (!annotation(function, "kernel"))
    return "is only allowed for a __global__ function";
  if (annotation(function, "maxntidx"))
    return "and __launch_bounds__ cannot both be given to a kernel";
  if (limit <= 0 || limit > std::numeric_limits<int32_t>::max())
    return "needs a positive number of registers, not " + std::to_string(limit);
  return std::nullopt;
}

/// Returns whether the limit was wrong.
bool limitRegisters(Function &function, const ConstantStruct &qualifier) {
  const ConstantInt *argument = argumentOf(qualifier, 0);
  int64_t limit = argument ? argument->getSExtValue() : 0;
  std::optional<std::string> reason = reasonAgainstLimit(function, limit);
  if (!reason) {
    setAnnotation(function, "maxnreg", unsigned(limit));
    return false;
  }
  if (SourcePosition where = definitionOf(function); where.isKnown())
    errs() << toString(where) << ": ";
  WithColor::error(errs()) << "'" << demangle(function.getName()) << "': __maxnreg__ " << *reason
                           << '\n';
  return true;
}

} // namespace

bool applyKernelQualifiers(Module &device) {
  GlobalVariable *all = device.getGlobalVariable("llvm.global.annotations");
  if (!all || !all->hasInitializer())
    return false;
  bool isMarked = false, isWrong = false;
  for (const Use &element : all->getInitializer()->operands()) {
    auto *annotation = dyn_cast<ConstantStruct>(element);
    StringRef text = annotation ? textOf(*annotation) : StringRef();
    if (text != ofClusters && text != ofRegisters)
      continue;
    isMarked = true;
    auto *function = dyn_cast<Function>(annotation->getOperand(Subject)->stripPointerCasts());
    if (function && text == ofClusters)
      annotateClusters(*function, dimensionsOf(*annotation));
    else if (function)
      isWrong |= limitRegisters(*function, *annotation);
  }
  // Other annotations have no meaning for device code. These would refer to kernels.
  if (isMarked)
    all->eraseFromParent();
  return isWrong;
}

} // namespace regrain
