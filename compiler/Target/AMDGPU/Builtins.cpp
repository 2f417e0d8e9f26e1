//===- Builtins.cpp - CUDA's built-ins on AMD -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Builtins.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain::amdgpu {

static Value *lowerCall(CallInst &call) {
  IRBuilder<> b(&call);
  StringRef name = call.getCalledFunction()->getName();
  auto dim = [&](StringRef letter) { return letter == "x" ? 0u : letter == "y" ? 1u : 2u; };
  static const Intrinsic::ID items[] = {Intrinsic::amdgcn_workitem_id_x,
                                        Intrinsic::amdgcn_workitem_id_y,
                                        Intrinsic::amdgcn_workitem_id_z};
  static const Intrinsic::ID groups[] = {Intrinsic::amdgcn_workgroup_id_x,
                                         Intrinsic::amdgcn_workgroup_id_y,
                                         Intrinsic::amdgcn_workgroup_id_z};
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.tid."))
    return b.CreateIntrinsic(items[dim(name)], {}, {});
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.ctaid."))
    return b.CreateIntrinsic(groups[dim(name)], {}, {});
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.ntid.")) {
    Value *arg = b.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, {}, {});
    return b.CreateZExt(
        b.CreateLoad(b.getInt16Ty(), b.CreateConstGEP1_32(b.getInt8Ty(), arg, 12 + 2 * dim(name))),
        b.getInt32Ty());
  }
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.nctaid.")) {
    Value *arg = b.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, {}, {});
    return b.CreateLoad(b.getInt32Ty(), b.CreateConstGEP1_32(b.getInt8Ty(), arg, 4 * dim(name)));
  }
  if (name == "llvm.nvvm.barrier0") {
    b.CreateFence(AtomicOrdering::Release, call.getContext().getOrInsertSyncScopeID("workgroup"));
    Value *v = b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {}, {});
    b.CreateFence(AtomicOrdering::Acquire, call.getContext().getOrInsertSyncScopeID("workgroup"));
    return v;
  }
  return nullptr;
}

Error lowerBuiltins(Module &module, ArrayRef<std::string>, const Chip &, unsigned,
                    MissingReasons &) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&inst); call && call->getCalledFunction())
        if (Value *value = lowerCall(*call)) {
          if (!call->getType()->isVoidTy())
            call->replaceAllUsesWith(value);
          call->eraseFromParent();
        }
  return Error::success();
}

} // namespace regrain::amdgpu
