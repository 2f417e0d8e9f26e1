//===- CachedLoads.cpp - Loads of what no thread writes -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/CachedLoads.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/LaunchWaits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regrain::nvptx {

static bool isCachedLoad(Intrinsic::ID intrinsic) {
  return is_contained(
      {Intrinsic::nvvm_ldg_global_f, Intrinsic::nvvm_ldg_global_i, Intrinsic::nvvm_ldg_global_p},
      intrinsic);
}

/// In a kernel that waits for the launch in front of it, the memory may change until then.
static void show(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Value *address =
      builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy(globalSpace));
  const DataLayout &layout = call.getModule()->getDataLayout();
  // The cast hides what is known of the address.
  Align known = getKnownAlignment(call.getArgOperand(0), layout, &call);
  Align told = cast<ConstantInt>(call.getArgOperand(1))->getMaybeAlignValue().valueOrOne();
  LoadInst *load = builder.CreateAlignedLoad(call.getType(), address, std::max(known, told));
  if (!hasLaunchWait(*call.getFunction()))
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(call.getContext(), {}));
  load->takeName(&call);
  call.replaceAllUsesWith(load);
  call.eraseFromParent();
}

void showCachedLoads(Module &module) {
  for (Function &function : module)
    if (isCachedLoad(function.getIntrinsicID()))
      for (User *user : make_early_inc_range(function.users()))
        if (auto *call = dyn_cast<IntrinsicInst>(user))
          show(*call);
}

} // namespace regrain::nvptx
