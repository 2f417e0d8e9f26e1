//===- TestedParameters.cpp - Parameters whose alignment is asked ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/TestedParameters.h"

#include "compiler/DeviceIR/ComparedAddresses.h"
#include "compiler/DeviceIR/LaunchWaits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Follows the address of a parameter.
class PlainReads {
public:
  /// A pointer that was seen before counts as read only: its other uses decide.
  bool all(const Value &pointer) {
    return !seen.insert(&pointer).second ||
           all_of(pointer.users(), [this](const User *user) { return isRead(*user); });
  }

private:
  bool isRead(const User &user) {
    if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst, FreezeInst>(user))
      return all(user);
    if (auto *number = dyn_cast<PtrToIntInst>(&user))
      return isOnlyCompared(*number);
    if (auto *load = dyn_cast<LoadInst>(&user))
      return load->isSimple();
    auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
    return isa<ICmpInst>(user) || (intrinsic && intrinsic->isAssumeLikeIntrinsic());
  }

  SmallPtrSet<const Value *, 16> seen;
};

} // namespace

void markTestedParameters(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && !hasLaunchWait(function))
      for (Argument &parameter : function.args())
        if (parameter.hasNoAliasAttr() && !parameter.onlyReadsMemory() &&
            PlainReads().all(parameter))
          parameter.addAttr(Attribute::ReadOnly);
}

} // namespace regrain::nvptx
