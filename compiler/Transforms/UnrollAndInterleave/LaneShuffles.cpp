//===- LaneShuffles.cpp - Shuffles of joined lanes ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollAndInterleave/LaneShuffles.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/DeviceIR/LaneAssemblyNames.h"
#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/WarpShuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace regrain;

using NVVM::ShflKind;

static constexpr uint32_t laneMask = warpThreads - 1;

/// Returns the clamp of a shuffle within `lanes` launched lanes.
static uint32_t clampOf(ShflKind kind, uint32_t lanes) {
  return (warpThreads - lanes) << 8 | (kind == ShflKind::up ? 0 : laneMask);
}

static std::optional<ShflKind> kindOfName(StringRef name) {
  return llvm::StringSwitch<std::optional<ShflKind>>(name)
      .StartsWith("nvvm.shfl.sync.idx.", ShflKind::idx)
      .StartsWith("nvvm.shfl.sync.up.", ShflKind::up)
      .StartsWith("nvvm.shfl.sync.down.", ShflKind::down)
      .StartsWith("nvvm.shfl.sync.bfly.", ShflKind::bfly)
      .StartsWith(sumUpAssembly, ShflKind::up)
      .StartsWith(sumDownAssembly, ShflKind::down)
      .Default(std::nullopt);
}

std::optional<LaneShuffle> LaneShuffle::of(Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrFloat())
    return std::nullopt;
  if (auto shuffle = dyn_cast<NVVM::ShflOp>(op))
    return LaneShuffle{shuffle.getKind(), shuffle.getThreadMask(), shuffle.getVal(),
                       shuffle.getOffset(), shuffle.getMaskAndClamp()};
  auto call = dyn_cast<LLVM::CallOp>(op);
  std::optional<ShflKind> kind = call ? kindOfName(call.getCallee().value_or("")) : std::nullopt;
  if (!kind)
    return std::nullopt;
  OperandRange operands = call.getArgOperands();
  if (kindOf(call) == CalleeKind::Exchange && operands.size() == 4)
    return LaneShuffle{*kind, operands[0], operands[1], operands[2], operands[3]};
  bool addsItself = operands.size() == 4 || (operands.size() == 5 && operands[3] == operands[0]);
  if (kindOf(call) == CalleeKind::Assembly && addsItself)
    return LaneShuffle{*kind, operands.back(), operands[0], operands[1], operands[2], true};
  return std::nullopt;
}

uint32_t LaunchedLanes::perWarp() const { return warpThreads / factor; }

/// Returns whether `lane` gets the value of a lane that the shuffle names.
static bool hasSource(ShflKind kind, uint32_t lane, uint32_t where, uint32_t clamp) {
  uint32_t segment = clamp >> 8 & laneMask, rest = ~segment & laneMask;
  uint32_t bound = (lane & segment) | (clamp & rest);
  where &= laneMask;
  switch (kind) {
  case ShflKind::up:
    return int32_t(lane - where) >= int32_t(bound);
  case ShflKind::down:
    return lane + where <= bound;
  case ShflKind::bfly:
    return (lane ^ where) <= bound;
  case ShflKind::idx:
    return ((lane & segment) | (where & rest)) <= bound;
  }
  return false;
}

namespace {

class Shuffling {
public:
  Shuffling(OpBuilder &builder, Location location, const LaunchedLanes &lanes,
            const LaneShuffle &shuffle, ValueRange values)
      : builder(builder), location(location), lanes(lanes), shuffle(shuffle), values(values),
        copyBits(llvm::Log2_32(lanes.factor)) {}

  /// Creates the result of a copy, if distances are the same for all lanes.
  Value createUniform(uint32_t copy) {
    Value moved = createMoved(copy);
    Value other = shuffle.adds ? add(moved, values[copy]) : moved;
    Value inside =
        isCertain(copy) ? Value() : createTarget(copy, shuffle.where, shuffle.clamp).inside;
    return inside ? builder.createOrFold<arith::SelectOp>(location, inside, other, values[copy])
                  : other;
  }

  /// Creates the result of a copy whose lanes choose for themselves.
  Value createFree(uint32_t copy, Value where, Value clamp) {
    Target target = createTarget(copy, where, clamp);
    Value from = builder.createOrFold<arith::SelectOp>(location, target.inside, target.lane,
                                                       createLane(copy));
    Value place = shiftRight(from, copyBits);
    SmallVector<Value> moved;
    for (Value value : values)
      moved.push_back(move(ShflKind::idx, value, place));
    Value other = choose(moved, bitsOf(from, lanes.factor - 1));
    if (!shuffle.adds)
      return other;
    return builder.createOrFold<arith::SelectOp>(location, target.inside, add(other, values[copy]),
                                                 values[copy]);
  }

private:
  /// The lane of the program that a lane names, and whether there is one.
  struct Target {
    Value lane, inside;
  };

  /// The copy whose value moves, and how far it moves among launched lanes, or to which one.
  struct Step {
    Value copy, where;
  };

  Value number(uint32_t value) { return constant(builder, location, value); }
  template <typename Op> Value create(Value left, Value right) {
    return builder.createOrFold<Op>(location, left, right);
  }
  Value bitsOf(Value value, uint32_t bits) { return create<arith::AndIOp>(value, number(bits)); }
  Value shiftRight(Value value, uint32_t bits) {
    return create<arith::ShRUIOp>(value, number(bits));
  }
  Value add(Value left, Value right) {
    return isa<FloatType>(left.getType()) ? create<arith::AddFOp>(left, right)
                                          : create<arith::AddIOp>(left, right);
  }

  static std::optional<uint32_t> numberOf(Value value) {
    APInt number;
    return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getZExtValue())
                                                       : std::nullopt;
  }

  /// Creates the number of the copy's lane in its warp.
  Value createLane(uint32_t copy) {
    Value first = create<arith::ShLIOp>(lanes.place, number(copyBits));
    return create<arith::OrIOp>(first, number(copy));
  }

  Target createTarget(uint32_t copy, Value where, Value clamp) {
    Value lane = createLane(copy), distance = bitsOf(where, laneMask);
    Value segment = bitsOf(shiftRight(clamp, 8), laneMask);
    Value rest = create<arith::XOrIOp>(segment, number(laneMask));
    Value start = create<arith::AndIOp>(lane, segment);
    Value bound = create<arith::OrIOp>(start, create<arith::AndIOp>(clamp, rest));
    Value target;
    switch (shuffle.kind) {
    case ShflKind::up:
      target = create<arith::SubIOp>(lane, distance);
      break;
    case ShflKind::down:
      target = create<arith::AddIOp>(lane, distance);
      break;
    case ShflKind::bfly:
      target = create<arith::XOrIOp>(lane, distance);
      break;
    case ShflKind::idx:
      target = create<arith::OrIOp>(start, create<arith::AndIOp>(distance, rest));
      break;
    }
    auto predicate =
        shuffle.kind == ShflKind::up ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
    return {target, builder.createOrFold<arith::CmpIOp>(location, predicate, target, bound)};
  }

  Step createStep(uint32_t copy) {
    Value distance = bitsOf(shuffle.where, laneMask);
    auto split = [&](Value lane) -> Step {
      return {bitsOf(lane, lanes.factor - 1), shiftRight(lane, copyBits)};
    };
    switch (shuffle.kind) {
    case ShflKind::down:
      return split(create<arith::AddIOp>(distance, number(copy)));
    case ShflKind::bfly:
      return split(create<arith::XOrIOp>(distance, number(copy)));
    case ShflKind::up: {
      // Counted from the last copy.
      Step step = split(create<arith::AddIOp>(distance, number(lanes.factor - 1 - copy)));
      return {create<arith::SubIOp>(number(lanes.factor - 1), step.copy), step.where};
    }
    case ShflKind::idx:
      break;
    }
    Value segment = bitsOf(shiftRight(shuffle.clamp, 8), laneMask);
    Value rest = create<arith::XOrIOp>(segment, number(laneMask));
    distance = create<arith::AndIOp>(distance, rest);
    auto in = [&](Value lane) {
      return create<arith::OrIOp>(create<arith::AndIOp>(lane, segment), distance);
    };
    return {split(in(number(copy))).copy, split(in(createLane(copy))).where};
  }

  Value createMoved(uint32_t copy) {
    if (broadcast)
      return broadcast;
    Step step = createStep(copy);
    Value value = choose(values, step.copy);
    if (shuffle.kind != ShflKind::idx && numberOf(step.where) == 0u)
      return value;
    Value moved = move(shuffle.kind, value, step.where);
    if (isBroadcast())
      broadcast = moved;
    return moved;
  }

  /// Returns whether all copies get the same value.
  bool isBroadcast() const {
    std::optional<uint32_t> clamp = numberOf(shuffle.clamp);
    return shuffle.kind == ShflKind::idx && clamp && (*clamp >> 8 & (lanes.factor - 1)) == 0;
  }

  Value move(ShflKind kind, Value value, Value where) {
    return createShuffle(builder, location, value,
                         {.kind = kind,
                          .mask = lanes.mask,
                          .where = where,
                          .clamp = number(clampOf(kind, lanes.perWarp()))});
  }

  /// Creates the value of the copy with that number.
  Value choose(ValueRange of, Value copy) {
    if (std::optional<uint32_t> known = numberOf(copy))
      return of[*known];
    Value chosen = of[0];
    for (uint32_t index = 1; index < of.size(); ++index) {
      Value isThis = builder.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::eq, copy,
                                                         number(index));
      chosen = builder.createOrFold<arith::SelectOp>(location, isThis, of[index], chosen);
    }
    return chosen;
  }

  /// Returns whether each lane of the copy gets another's value, or the shuffle of launched lanes
  /// leaves its own to those that do not.
  bool isCertain(uint32_t copy) {
    std::optional<uint32_t> where = numberOf(shuffle.where), clamp = numberOf(shuffle.clamp);
    if (!where || !clamp)
      return false;
    Step step = createStep(copy);
    bool isOwn = !shuffle.adds && numberOf(step.copy) == copy && shuffle.kind != ShflKind::idx;
    for (uint32_t place = 0; place < lanes.perWarp(); ++place) {
      bool gets = hasSource(shuffle.kind, place * lanes.factor + copy, *where, *clamp);
      bool keeps = isOwn && !hasSource(shuffle.kind, place, *numberOf(step.where),
                                       clampOf(shuffle.kind, lanes.perWarp()));
      if (!gets && !keeps)
        return false;
    }
    return true;
  }

  OpBuilder &builder;
  Location location;
  const LaunchedLanes &lanes;
  const LaneShuffle &shuffle;
  ValueRange values;
  uint32_t copyBits;
  Value broadcast; ///< what all copies get, once it has moved
};

} // namespace

SmallVector<Value> regrain::createUniformShuffles(OpBuilder &builder, Location location,
                                                  const LaunchedLanes &lanes,
                                                  const LaneShuffle &shuffle, ValueRange values) {
  Shuffling shuffling(builder, location, lanes, shuffle, values);
  SmallVector<Value> results;
  for (uint32_t copy = 0; copy < lanes.factor; ++copy)
    results.push_back(shuffling.createUniform(copy));
  return results;
}

SmallVector<Value> regrain::createFreeShuffles(OpBuilder &builder, Location location,
                                               const LaunchedLanes &lanes,
                                               const LaneShuffle &shuffle, ValueRange values,
                                               ValueRange wheres, ValueRange clamps) {
  Shuffling shuffling(builder, location, lanes, shuffle, values);
  SmallVector<Value> results;
  for (uint32_t copy = 0; copy < lanes.factor; ++copy)
    results.push_back(shuffling.createFree(copy, wheres[copy], clamps[copy]));
  return results;
}
