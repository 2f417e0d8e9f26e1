//===- Intrinsics.cpp - LLVM's intrinsics for AMD GPUs --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Intrinsics.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain::amdgpu {

using waiting::Partners;

namespace {

class Intrinsics final : public waiting::Machine {
public:
  Partners partnersOf(const CallBase &call) const override {
    bool isOwn = call.getCalledFunction()->isIntrinsic() || call.doesNotAccessMemory();
    return isOwn ? Partners::None : Partners::All;
  }

  bool isMeeting(const Instruction &inst) const override {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    return intrinsic && intrinsic->isConvergent();
  }

  Partners partnersAt(const Value &pointer) const override {
    if (isa<AllocaInst>(getUnderlyingObject(&pointer, 0)))
      return Partners::None;
    bool isShared = pointer.getType()->getPointerAddressSpace() == sharedSpace;
    return isShared ? Partners::Block : Partners::All;
  }

  /// Sizes are loaded from memory of the launch before any loop, so no value in a loop is a size.
  bool isSize(const Value &) const override { return false; }
};

} // namespace

const waiting::Machine &intrinsics() {
  static const Intrinsics machine;
  return machine;
}

bool isBarrier(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier;
}

} // namespace regrain::amdgpu
