//===- AmdgpuLanes.cpp - Instructions of amdgcn that cross lanes ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane that does not take part adds 0 to a ballot. A value that another lane
// reads from it is undefined here unless the instruction specifies otherwise:
// hardware gives zeros or old contents of a register, and no program may rely on
// either.
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

using Lanes = ArrayRef<Thread *>;

Thread &first(Lanes lanes) {
  return **find_if(lanes, [](Thread *lane) { return lane; });
}

/// Gives all lanes one value.
bool broadcast(Machine &machine, Lanes lanes, const Step &step, Scalar value, unsigned index = 0) {
  for (Thread *lane : lanes)
    if (lane)
      machine.write(*lane, step, value, index);
  return true;
}

/// Reads an operand that must be the same in all lanes; the result is undefined
/// if it is not.
Scalar uniform(Machine &machine, Lanes lanes, const Step &step, unsigned operand,
               unsigned index = 0) {
  Scalar value = machine.read(first(lanes), step, operand, index);
  for (Thread *lane : lanes)
    if (lane) {
      Scalar other = machine.read(*lane, step, operand, index);
      if (other.undefined || other.bits != value.bits)
        return poison(64);
    }
  return value;
}

/// Gives one bit for each lane that takes part, as `ask` determines it.
template <typename Ask> Builtin ballot(Ask ask) {
  return together([ask](Machine &machine, Lanes lanes, const Step &step) {
    const Leaf &leaf = step.leaves[0];
    if (leaf.width < machine.lanes())
      return machine.fail(FaultKind::Unsupported, "a ballot narrower than the wave");
    Scalar mask;
    for (auto [number, lane] : enumerate(lanes))
      if (lane) {
        Scalar bit = ask(machine, *lane, step);
        mask.bits |= (bit.bits & 1) << number;
        mask.undefined |= (bit.undefined & 1) << number;
        mask.isPoison |= bit.isPoison;
      }
    return broadcast(machine, lanes, step, mask.isPoison ? poison(leaf.width) : mask);
  });
}

Builtin compareBallot() {
  return ballot([](Machine &machine, Thread &lane, const Step &step) {
    auto predicate = static_cast<CmpInst::Predicate>(machine.read(lane, step, 2).bits);
    Type *type = step.instruction->getOperand(0)->getType();
    bool fits = type->isFloatingPointTy() ? CmpInst::isFPPredicate(predicate)
                                          : CmpInst::isIntPredicate(predicate);
    return fits ? compare(predicate, type, machine.read(lane, step, 0), machine.read(lane, step, 1))
                : poison(1);
  });
}

/// The source of a lane's value: a lane, or something else.
struct Source {
  enum Kind { Lane, Zero, Old, Nothing } kind;
  int lane = 0;
};

/// `select(machine, thread, step)` returns the source of operand `value` for a
/// lane; `invalid` is the result if the source lane does not exist.
template <typename Select>
Builtin gather(unsigned value, Select select, Source::Kind invalid = Source::Nothing,
               unsigned old = 0) {
  return together([=](Machine &machine, Lanes lanes, const Step &step) {
    for (Thread *thread : lanes) {
      if (!thread)
        continue;
      Source source = select(machine, *thread, step);
      if (source.kind == Source::Lane &&
          (source.lane < 0 || source.lane >= int(lanes.size()) || !lanes[source.lane]))
        source.kind = invalid;
      for (auto [i, leaf] : enumerate(step.leaves)) {
        Scalar result = unknown(leaf.width);
        if (source.kind == Source::Lane)
          result = machine.read(*lanes[source.lane], step, value, i);
        else if (source.kind == Source::Old)
          result = machine.read(*thread, step, old, i);
        else if (source.kind == Source::Zero)
          result = {};
        machine.write(*thread, step, result, i);
      }
    }
    return true;
  });
}

/// Returns the lane whose number times 4 is in an operand, modulo the wave.
Source byteIndexed(Machine &machine, Thread &thread, const Step &step) {
  Scalar index = machine.read(thread, step, 0);
  if (index.undefined & (uint64_t(machine.lanes() - 1) << 2))
    return {Source::Nothing};
  return {Source::Lane, int(index.bits >> 2 & (machine.lanes() - 1))};
}

/// Each lane sends; if two send to one, the higher one wins; a lane that receives
/// nothing gets 0.
bool scatter(Machine &machine, Lanes lanes, const Step &step) {
  std::vector<Scalar> received(lanes.size());
  for (Thread *thread : lanes)
    if (thread) {
      Source target = byteIndexed(machine, *thread, step);
      if (target.kind != Source::Lane)
        return machine.fail(FaultKind::UndefinedValue, "the lane that a value is sent to");
      received[target.lane] = machine.read(*thread, step, 1);
    }
  for (auto [thread, value] : zip_equal(lanes, received))
    if (thread)
      machine.write(*thread, step, value);
  return true;
}

/// This is ds_swizzle: four lanes in any order, or masks on the number within
/// 32 lanes.
Builtin swizzle(const CallBase &call) {
  uint64_t pattern = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
  if (pattern >> 8 == 0x80)
    return gather(0, [pattern](Machine &, Thread &thread, const Step &) -> Source {
      unsigned lane = thread.clock.lane();
      return {Source::Lane, int((lane & ~3u) | (pattern >> 2 * (lane & 3) & 3))};
    });
  if (pattern >> 15)
    return {};
  return gather(0, [pattern](Machine &, Thread &thread, const Step &) -> Source {
    unsigned lane = thread.clock.lane(), low = lane & 31;
    low = ((low & pattern) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    return {Source::Lane, int((lane & 32) | (low & 31))};
  });
}

/// Returns the source lane of a data-parallel-primitive control; -1 if there is
/// none.
int dppSource(unsigned control, unsigned lane, unsigned lanes) {
  unsigned row = lane & ~15u, in = lane & 15, n = control & 15;
  auto inRow = [&](int to) { return to < 0 || to > 15 ? -1 : int(row) + to; };
  if (control < 0x100)
    return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
  switch (control & ~15u) {
  case 0x100:
    return inRow(int(in + n));
  case 0x110:
    return inRow(int(in) - int(n));
  case 0x120:
    return row | ((in - n) & 15);
  case 0x150:
    return row | n;
  case 0x160:
    return row | (in ^ n);
  default:
    break;
  }
  switch (control) {
  case 0x130:
    return lane + 1 < lanes ? int(lane + 1) : -1;
  case 0x134:
    return (lane + 1) % lanes;
  case 0x138:
    return int(lane) - 1;
  case 0x13c:
    return (lane + lanes - 1) % lanes;
  case 0x140:
    return row | (15 - in);
  case 0x141:
    return (lane & ~7u) | (7 - (lane & 7));
  case 0x142:
    return int(row) - 1;
  default: // 0x143
    return lane < 32 ? -1 : 31;
  }
}

bool isDppControl(uint64_t control) {
  if (control < 0x100)
    return true;
  uint64_t kind = control & ~uint64_t(15);
  if (kind == 0x100 || kind == 0x110 || kind == 0x120)
    return control & 15;
  constexpr unsigned single[] = {0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
  return kind == 0x150 || kind == 0x160 || is_contained(single, control);
}

uint64_t immediate(const CallBase &call, unsigned operand) {
  return cast<ConstantInt>(call.getArgOperand(operand))->getZExtValue();
}

/// These are mov.dpp and update.dpp, whose controls start at operand `at`.
/// Lanes that the masks exclude keep the old value; lanes without a source get
/// the old value or 0.
Builtin dpp(const CallBase &call, unsigned at, bool hasOld) {
  uint64_t control = immediate(call, at), rows = immediate(call, at + 1);
  uint64_t banks = immediate(call, at + 2);
  bool bound = immediate(call, at + 3);
  if (!isDppControl(control))
    return {};
  Source::Kind old = hasOld ? Source::Old : Source::Nothing;
  auto select = [=](Machine &machine, Thread &thread, const Step &) -> Source {
    unsigned lane = thread.clock.lane();
    if (!(rows >> lane / 16 & 1) || !(banks >> lane % 16 / 4 & 1))
      return {old};
    return {Source::Lane, dppSource(control, lane, machine.lanes())};
  };
  return gather(at - 1, select, bound ? Source::Zero : old, 0);
}

Builtin dpp8(const CallBase &call) {
  uint64_t selectors = immediate(call, 1);
  return gather(0, [selectors](Machine &, Thread &thread, const Step &) -> Source {
    unsigned lane = thread.clock.lane();
    return {Source::Lane, int((lane & ~7u) | (selectors >> 3 * (lane & 7) & 7))};
  });
}

/// These are permlane16 and permlanex16: within 16 lanes, or from the other 16
/// of 32.
Builtin permuteRows(const CallBase &call, bool crossing) {
  bool fetchInactive = immediate(call, 4), bound = immediate(call, 5);
  auto select = [=](Machine &machine, Thread &thread, const Step &step) -> Source {
    unsigned lane = thread.clock.lane();
    Scalar low = machine.read(thread, step, 2), high = machine.read(thread, step, 3);
    if (low.undefined || high.undefined)
      return {Source::Nothing};
    uint64_t selectors = high.bits << 32 | low.bits;
    unsigned row = (lane & ~15u) ^ (crossing ? 16 : 0);
    return {Source::Lane, int(row | (selectors >> 4 * (lane & 15) & 15))};
  };
  return gather(1, select, fetchInactive ? Source::Nothing : bound ? Source::Zero : Source::Old);
}

bool readLane(Machine &machine, Lanes lanes, const Step &step) {
  Scalar number = uniform(machine, lanes, step, 1);
  const Thread *from = number.undefined ? nullptr : lanes[number.bits & (machine.lanes() - 1)];
  for (auto [i, leaf] : enumerate(step.leaves))
    broadcast(machine, lanes, step, from ? machine.read(*from, step, 0, i) : unknown(leaf.width),
              i);
  return true;
}

bool readFirstLane(Machine &machine, Lanes lanes, const Step &step) {
  for (unsigned i = 0; i < step.leaves.size(); ++i)
    broadcast(machine, lanes, step, machine.read(first(lanes), step, 0, i), i);
  return true;
}

bool writeLane(Machine &machine, Lanes lanes, const Step &step) {
  Scalar number = uniform(machine, lanes, step, 1);
  for (auto [i, leaf] : enumerate(step.leaves)) {
    Scalar value = uniform(machine, lanes, step, 0, i);
    for (Thread *lane : lanes) {
      if (!lane)
        continue;
      bool chosen = lane->clock.lane() == (number.bits & (machine.lanes() - 1));
      Scalar result = chosen ? value : machine.read(*lane, step, 2, i);
      machine.write(*lane, step, number.undefined || result.isPoison ? poison(leaf.width) : result,
                    i);
    }
  }
  return true;
}

Builtin reduce(bool greatest) {
  return together([greatest](Machine &machine, Lanes lanes, const Step &step) {
    const Leaf &leaf = step.leaves[0];
    Scalar result = machine.read(first(lanes), step, 0);
    for (Thread *lane : lanes)
      if (lane) {
        Scalar value = machine.read(*lane, step, 0);
        result.bits =
            greatest ? std::max(result.bits, value.bits) : std::min(result.bits, value.bits);
        result.undefined |= value.undefined;
        result.isPoison |= value.isPoison;
      }
    return broadcast(machine, lanes, step,
                     result.undefined ? unknown(leaf.width, result.isPoison) : result);
  });
}

bool inverseBallot(Machine &machine, Lanes lanes, const Step &step) {
  Scalar mask = uniform(machine, lanes, step, 0);
  for (auto [number, lane] : enumerate(lanes))
    if (lane)
      machine.write(*lane, step, mask.isPoison ? poison(1) : Scalar{mask.bits >> number & 1, 0});
  return true;
}

/// Finds those in which each lane takes a value from a lane of its own choice.
Builtin findPermutation(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_ds_bpermute:
    return gather(1, byteIndexed);
  case Intrinsic::amdgcn_ds_permute:
    return together(scatter);
  case Intrinsic::amdgcn_ds_swizzle:
    return swizzle(call);
  case Intrinsic::amdgcn_mov_dpp:
    return dpp(call, 1, /*hasOld=*/false);
  case Intrinsic::amdgcn_update_dpp:
    return dpp(call, 2, /*hasOld=*/true);
  case Intrinsic::amdgcn_mov_dpp8:
    return dpp8(call);
  case Intrinsic::amdgcn_permlane16:
    return permuteRows(call, /*crossing=*/false);
  case Intrinsic::amdgcn_permlanex16:
    return permuteRows(call, /*crossing=*/true);
  case Intrinsic::amdgcn_permlane64:
    return gather(0, [](Machine &machine, Thread &thread, const Step &) -> Source {
      return {Source::Lane, int(thread.clock.lane() ^ (machine.lanes() == 64 ? 32 : 0))};
    });
  default:
    return {};
  }
}

} // namespace

Builtin regrain::together(LaneOperation operation, uint32_t mask) {
  return
      [operation = std::move(operation), mask](Machine &machine, Thread &thread, const Step &step) {
        Wait wait;
        wait.kind = Collective::Lanes;
        wait.mask = mask;
        wait.step = &step;
        wait.operation = &operation;
        machine.suspend(thread, wait);
        return true;
      };
}

Builtin regrain::findAmdgcnLanes(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_wave_barrier:
    return together([](Machine &, Lanes, const Step &) { return true; });
  case Intrinsic::amdgcn_ballot:
    return ballot([](Machine &machine, Thread &lane, const Step &step) {
      return machine.read(lane, step, 0);
    });
  case Intrinsic::amdgcn_icmp:
  case Intrinsic::amdgcn_fcmp:
    return compareBallot();
  case Intrinsic::amdgcn_inverse_ballot:
    return together(inverseBallot);
  case Intrinsic::amdgcn_readfirstlane:
    return together(readFirstLane);
  case Intrinsic::amdgcn_readlane:
    return together(readLane);
  case Intrinsic::amdgcn_writelane:
    return together(writeLane);
  case Intrinsic::amdgcn_wave_reduce_umin:
    return reduce(/*greatest=*/false);
  case Intrinsic::amdgcn_wave_reduce_umax:
    return reduce(/*greatest=*/true);
  default:
    return findPermutation(call);
  }
}
