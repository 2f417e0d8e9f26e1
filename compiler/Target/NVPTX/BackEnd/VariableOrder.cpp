//===- VariableOrder.cpp - The order of variables in PTX ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/VariableOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <tuple>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Collects variables, each behind those that its initial value names.
class Collection {
public:
  SetVector<GlobalVariable *> variables;

  void add(Constant &constant) {
    if (!seen.insert(&constant).second)
      return;
    for (Use &operand : constant.operands()) // of a variable, the initial value
      if (auto *part = dyn_cast<Constant>(operand); part && !isa<Function>(part))
        add(*part);
    if (auto *variable = dyn_cast<GlobalVariable>(&constant))
      variables.insert(variable);
  }

private:
  SmallPtrSet<const Constant *, 32> seen;
};

} // namespace

void orderVariables(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  // Lists come last, then alignments fall, and what is equal stays in order.
  auto placeOf = [&](const GlobalVariable &variable, size_t number) {
    return std::tuple(variable.hasAppendingLinkage(),
                      -int64_t(layout.getPreferredAlign(&variable).value()), number);
  };
  SmallVector<std::pair<std::tuple<bool, int64_t, size_t>, GlobalVariable *>> places;
  for (auto [number, variable] : enumerate(module.globals()))
    places.emplace_back(placeOf(variable, number), &variable);
  sort(places, less_first());
  Collection ordered;
  for (auto &[place, variable] : places)
    ordered.add(*variable);
  for (GlobalVariable *variable : ordered.variables) {
    module.removeGlobalVariable(variable);
    module.insertGlobalVariable(variable);
  }
}

} // namespace regrain::nvptx
