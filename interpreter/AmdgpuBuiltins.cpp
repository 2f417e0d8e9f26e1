//===- AmdgpuBuiltins.cpp - Registers and state of amdgcn -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The semantics are those of LLVM's AMDGPUUsage and IntrinsicsAMDGPU.td.
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace regrain;

namespace {

template <typename Read> Builtin supply(Read read) {
  return [read](Machine &machine, Thread &thread, const Step &step) {
    machine.write(thread, step, {read(machine, thread) & maskOf(step.leaves[0].width), 0});
    return true;
  };
}

Builtin nothing() {
  return [](Machine &, Thread &, const Step &) { return true; };
}

Builtin offerSwitch() {
  return [](Machine &machine, Thread &, const Step &) {
    machine.offerSwitch();
    return true;
  };
}

Builtin workitem(unsigned dimension) {
  return supply([=](Machine &, Thread &thread) { return uint64_t(thread.index[dimension]); });
}

Builtin workgroup(unsigned dimension) {
  return supply(
      [=](Machine &, Thread &thread) { return uint64_t(thread.block->index[dimension]); });
}

/// Adds to the last operand the number of bits of the mask that stand for lanes
/// below this one, among the lower or the upper 32 lanes.
Builtin maskedCount(bool upper) {
  return [upper](Machine &machine, Thread &thread, const Step &step) {
    unsigned lane = thread.clock.lane();
    unsigned below = upper ? (lane > 32 ? lane - 32 : 0) : std::min(lane, 32u);
    Scalar mask = machine.read(thread, step, 0), base = machine.read(thread, step, 1);
    uint64_t asked = maskOf(below);
    bool isPoison = mask.isPoison || base.isPoison;
    machine.write(thread, step,
                  isPoison || (mask.undefined & asked) || base.undefined
                      ? unknown(32, isPoison)
                      : Scalar{(popcount(mask.bits & asked) + base.bits) & maskOf(32), 0});
    return true;
  };
}

Builtin barrier() {
  return [](Machine &machine, Thread &thread, const Step &step) {
    Wait wait;
    wait.step = &step;
    machine.suspend(thread, wait);
    return true;
  };
}

Builtin atomic(AtomicRMWInst::BinOp op) {
  return [op](Machine &machine, Thread &thread, const Step &step) {
    const Leaf &leaf = step.leaves[0];
    Scalar address = machine.readAddress(thread, step, 0), old;
    Machine::Access access = {leaf.width / 8, /*atomic=*/true};
    if (step.leaves.size() != 1)
      return machine.fail(FaultKind::Unsupported, "an atomic operation on vectors");
    if (!machine.load(thread, address, leaf, access, old))
      return false;
    Scalar operand = machine.read(thread, step, 1);
    machine.write(thread, step, old);
    return machine.store(thread, address, leaf, access, update(op, leaf.type, old, operand));
  };
}

/// Returns whether the intrinsic only informs the compiler, the scheduler or
/// the caches.
bool isHint(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_sched_barrier:
  case Intrinsic::amdgcn_sched_group_barrier:
  case Intrinsic::amdgcn_iglp_opt:
  case Intrinsic::amdgcn_s_waitcnt:
  case Intrinsic::amdgcn_s_setprio:
  case Intrinsic::amdgcn_s_nop:
  case Intrinsic::amdgcn_s_dcache_inv:
  case Intrinsic::amdgcn_s_dcache_wb:
  case Intrinsic::amdgcn_buffer_wbinvl1:
  case Intrinsic::amdgcn_buffer_wbinvl1_vol:
    return true;
  default:
    return false;
  }
}

/// If a function promises not to need what the intrinsic reads, the registers
/// have other contents. A kernel has the numbers along x in any case.
bool isForsworn(const CallBase &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  bool isAlongX = id == Intrinsic::amdgcn_workitem_id_x || id == Intrinsic::amdgcn_workgroup_id_x;
  if (isAlongX && call.getFunction()->getCallingConv() == CallingConv::AMDGPU_KERNEL)
    return false;
  std::string name = call.getCalledFunction()->getName().substr(strlen("llvm.amdgcn.")).str();
  std::replace(name.begin(), name.end(), '.', '-');
  return call.getFunction()->hasFnAttribute("amdgpu-no-" + name);
}

Builtin forsworn(const CallBase &call) {
  return
      [name = call.getCalledFunction()->getName().str()](Machine &machine, Thread &, const Step &) {
        return machine.fail(FaultKind::UndefinedValue,
                            name + ", which its function's attributes promise not to call");
      };
}

Builtin findCoordinate(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_workitem_id_x:
    return workitem(0);
  case Intrinsic::amdgcn_workitem_id_y:
    return workitem(1);
  case Intrinsic::amdgcn_workitem_id_z:
    return workitem(2);
  case Intrinsic::amdgcn_workgroup_id_x:
    return workgroup(0);
  case Intrinsic::amdgcn_workgroup_id_y:
    return workgroup(1);
  case Intrinsic::amdgcn_workgroup_id_z:
    return workgroup(2);
  default:
    return {};
  }
}

Builtin findDispatch(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_kernarg_segment_ptr:
    return supply([](Machine &machine, Thread &) { return machine.dispatch->arguments(); });
  case Intrinsic::amdgcn_implicitarg_ptr:
    return supply([](Machine &machine, Thread &) { return machine.dispatch->implicitArguments(); });
  case Intrinsic::amdgcn_dispatch_ptr:
    return supply([](Machine &machine, Thread &) { return machine.dispatch->packet(); });
  case Intrinsic::amdgcn_queue_ptr:
    return supply([](Machine &machine, Thread &) { return machine.dispatch->queue(); });
  case Intrinsic::amdgcn_dispatch_id:
    return supply([](Machine &, Thread &) -> uint64_t { return 1; });
  case Intrinsic::amdgcn_groupstaticsize:
    return supply([](Machine &machine, Thread &) { return machine.program.staticShared(); });
  case Intrinsic::amdgcn_wavefrontsize:
    return supply([](Machine &machine, Thread &) -> uint64_t { return machine.lanes(); });
  default:
    return {};
  }
}

Builtin findAtomicIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_global_atomic_fadd:
  case Intrinsic::amdgcn_flat_atomic_fadd:
    return atomic(AtomicRMWInst::FAdd);
  case Intrinsic::amdgcn_global_atomic_fmin:
  case Intrinsic::amdgcn_flat_atomic_fmin:
    return atomic(AtomicRMWInst::FMin);
  case Intrinsic::amdgcn_global_atomic_fmax:
  case Intrinsic::amdgcn_flat_atomic_fmax:
    return atomic(AtomicRMWInst::FMax);
  default:
    return {};
  }
}

Builtin findRest(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_mbcnt_lo:
    return maskedCount(/*upper=*/false);
  case Intrinsic::amdgcn_mbcnt_hi:
    return maskedCount(/*upper=*/true);
  case Intrinsic::amdgcn_is_shared:
    return isInSpace(AddressSpaces::isShared);
  case Intrinsic::amdgcn_is_private:
    return isInSpace(AddressSpaces::isLocal);
  case Intrinsic::amdgcn_s_barrier:
    return barrier();
  case Intrinsic::amdgcn_s_sleep:
    return offerSwitch();
  case Intrinsic::amdgcn_s_memtime:
  case Intrinsic::amdgcn_s_memrealtime:
    return supply([](Machine &machine, Thread &) { return machine.clock(); });
  case Intrinsic::amdgcn_endpgm:
    return [](Machine &machine, Thread &thread, const Step &) {
      machine.exit(thread);
      return true;
    };
  default:
    return {};
  }
}

} // namespace

Builtin regrain::findAmdgcn(const CallBase &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (isForsworn(call))
    return forsworn(call);
  if (isHint(id))
    return nothing();
  for (Builtin (*find)(Intrinsic::ID) :
       {findCoordinate, findDispatch, findAtomicIntrinsic, findRest})
    if (Builtin found = find(id))
      return found;
  if (Builtin found = findAmdgcnLanes(call))
    return found;
  if (Builtin found = findAmdgcnMatrix(call))
    return found;
  return findAmdgcnMath(call);
}
