//===- Evaluator.cpp - One thread of a nest, value by value ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/compiler/Analysis/Evaluator.h"

#include "compiler/Analysis/TypeLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;
using llvm::APInt;

unsigned regrain::widthOf(Value value) {
  return value.getType().isIntOrFloat() ? value.getType().getIntOrFloatBitWidth() : 64;
}

int64_t regrain::toSigned(uint64_t bits, unsigned width) { return llvm::SignExtend64(bits, width); }

/// Returns a number below eight that depends only on the address.
static uint64_t numberAt(uint64_t address) {
  return (address + 11) * 0x9e3779b97f4a7c15 >> 40 & llvm::maskTrailingOnes<uint64_t>(3);
}

void Memory::store(const Number &address, const Number &value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes[{address.base.getAsOpaquePointer(), address.bits + i}] = {uint8_t(value.bits >> 8 * i),
                                                                    value.poison};
}

Number Memory::load(const Number &address, unsigned size) {
  Number number;
  for (unsigned i = 0; i < size; ++i) {
    uint64_t at = address.bits + i;
    Byte initial = {uint8_t(at % 4 == 0 ? numberAt(at) : 0), false};
    Byte byte = bytes.try_emplace({address.base.getAsOpaquePointer(), at}, initial).first->second;
    number.bits |= uint64_t(byte.bits) << 8 * i;
    number.poison |= byte.poison;
  }
  return number;
}

bool Evaluator::run(grain::KernelOp kernel, const Coordinates &where) {
  coordinates = where;
  values = setting.arguments;
  iterations.clear();
  rounds = 0;
  return runBlock(kernel.getBody().front());
}

void Evaluator::set(Value value, Number number) {
  if (watch)
    watch(value, number);
  values[value] = number;
}

/// Moves all values at once, as control flow does.
void Evaluator::assign(ValueRange targets, ValueRange sources) {
  SmallVector<Number> moved;
  for (Value source : sources)
    moved.push_back(get(source));
  for (auto [target, number] : llvm::zip_equal(targets, moved))
    set(target, number);
}

bool Evaluator::runBlock(Block &block) {
  for (Operation &op : block)
    if (!runOp(op))
      return false;
  return true;
}

bool Evaluator::runOp(Operation &op) {
  auto enter = [&](Block &body, const std::array<uint32_t, 3> &at) {
    for (unsigned d = 0; d < 3; ++d)
      values[body.getArgument(d)] = {at[d], {}, false};
    return runBlock(body);
  };
  auto extent = [&](const std::array<uint32_t, 3> &extents, unsigned dimension) {
    values[op.getResult(0)] = {extents[dimension], {}, false};
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](grain::BlocksOp blocks) {
        return enter(blocks.getBody().front(), coordinates.block);
      })
      .Case([&](grain::ThreadsOp threads) {
        return enter(threads.getBody().front(), coordinates.thread);
      })
      .Case([&](grain::GridSizeOp size) {
        return extent(setting.grid, unsigned(size.getDimension()));
      })
      .Case([&](grain::BlockSizeOp size) {
        return extent(setting.blockSize, unsigned(size.getDimension()));
      })
      .Case([&](grain::SharedOp shared) {
        values[shared.getResult()] = {0, shared.getResult(), false};
        return true;
      })
      .Case<scf::ForOp>([&](Operation *loop) { return runFor(*loop); })
      .Case<scf::WhileOp>([&](Operation *loop) { return runWhile(*loop); })
      .Case<scf::IfOp>([&](Operation *branch) { return runIf(*branch); })
      .Case([&](LLVM::StoreOp site) { return store(site); })
      .Case([&](LLVM::LoadOp site) { return load(site); })
      .Case([&](LLVM::AtomicRMWOp site) { return update(site); })
      .Case([&](LLVM::AtomicCmpXchgOp site) { return exchange(site); })
      .Default([&](Operation *) { return op.getNumResults() == 0 || compute(op); });
}

bool Evaluator::access(Operation &op, Value pointer) {
  if (get(pointer).poison)
    return false;
  visit(&op, values, iterations);
  return true;
}

static unsigned bytesOf(Value value) { return (widthOf(value) + 7) / 8; }

bool Evaluator::load(LLVM::LoadOp load) {
  if (!access(*load, load.getAddr()))
    return false;
  const Number &address = get(load.getAddr());
  set(load.getResult(), memory ? memory->load(address, bytesOf(load.getResult()))
                               : Number{numberAt(address.bits), {}, false});
  return true;
}

bool Evaluator::store(LLVM::StoreOp store) {
  if (!access(*store, store.getAddr()))
    return false;
  if (memory)
    memory->store(get(store.getAddr()), get(store.getValue()), bytesOf(store.getValue()));
  return true;
}

/// Executes additions, subtractions and exchanges.
bool Evaluator::update(LLVM::AtomicRMWOp update) {
  if (!memory || !access(*update, update.getPtr()))
    return false;
  unsigned width = widthOf(update.getVal());
  Number old = memory->load(get(update.getPtr()), width / 8), added = get(update.getVal());
  Number result = added;
  if (update.getBinOp() != LLVM::AtomicBinOp::xchg) {
    bool adds = update.getBinOp() == LLVM::AtomicBinOp::add;
    result.bits = adds ? old.bits + added.bits : old.bits - added.bits;
    result.bits &= llvm::maskTrailingOnes<uint64_t>(width);
    result.poison |= old.poison;
  }
  memory->store(get(update.getPtr()), result, width / 8);
  set(update.getRes(), old);
  return true;
}

bool Evaluator::exchange(LLVM::AtomicCmpXchgOp exchange) {
  if (!memory || !access(*exchange, exchange.getPtr()))
    return false;
  unsigned size = bytesOf(exchange.getVal());
  const Number &compared = get(exchange.getCmp());
  Number seen = memory->load(get(exchange.getPtr()), size);
  if (compared.poison || seen.poison)
    return false;
  bool succeeds = seen.bits == compared.bits;
  if (succeeds)
    memory->store(get(exchange.getPtr()), get(exchange.getVal()), size);
  set(exchange.getRes(), {seen.bits | uint64_t(succeeds) << 32, {}, false});
  return true;
}

bool Evaluator::runFor(Operation &op) {
  auto loop = cast<scf::ForOp>(op);
  unsigned width = widthOf(loop.getInductionVar());
  const Number low = get(loop.getLowerBound()), high = get(loop.getUpperBound());
  if (low.poison || high.poison || get(loop.getStep()).poison)
    return false;
  int64_t step = toSigned(get(loop.getStep()).bits, width);
  iterations.emplace_back(&op, 0);
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  for (int64_t i = toSigned(low.bits, width); i < toSigned(high.bits, width); i += step) {
    set(loop.getInductionVar(), {uint64_t(i) & llvm::maskTrailingOnes<uint64_t>(width), {}, false});
    if (!runBlock(*loop.getBody()))
      return false;
    assign(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands());
    ++iterations.back().second;
    // Export lowers the increment with nsw.
    if (width < 64 && !llvm::isIntN(width, i + step))
      return false;
  }
  assign(loop.getResults(), loop.getRegionIterArgs());
  iterations.pop_back();
  return true;
}

bool Evaluator::runWhile(Operation &op) {
  auto loop = cast<scf::WhileOp>(op);
  scf::ConditionOp condition = loop.getConditionOp();
  iterations.emplace_back(&op, 0);
  assign(loop.getBeforeArguments(), loop.getInits());
  while (true) {
    if (++rounds > maxRounds || !runBlock(*loop.getBeforeBody()))
      return false;
    const Number goesOn = get(condition.getCondition());
    if (goesOn.poison)
      return false;
    if (!goesOn.bits)
      break;
    assign(loop.getAfterArguments(), condition.getArgs());
    if (!runBlock(*loop.getAfterBody()))
      return false;
    assign(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    ++iterations.back().second;
  }
  assign(loop.getResults(), condition.getArgs());
  iterations.pop_back();
  return true;
}

bool Evaluator::runIf(Operation &op) {
  auto branch = cast<scf::IfOp>(op);
  const Number condition = get(branch.getCondition());
  if (condition.poison)
    return false;
  Region &region = condition.bits ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return true;
  if (!runBlock(region.front()))
    return false;
  assign(branch.getResults(), region.front().getTerminator()->getOperands());
  return true;
}

Number Evaluator::address(LLVM::GEPOp gep) {
  Number pointer = get(gep.getBase());
  Type type = gep.getElemType();
  for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
    if (position != 0)
      type = cast<LLVM::LLVMArrayType>(type).getElementType();
    int64_t number = 0;
    if (auto constant = dyn_cast<IntegerAttr>(index)) {
      number = constant.getInt();
    } else {
      const Number &found = get(cast<Value>(index));
      number = toSigned(found.bits, widthOf(cast<Value>(index)));
      pointer.poison |= found.poison;
    }
    pointer.bits += uint64_t(number) * uint64_t(layoutOf(type, DataLayout::closest(gep))->size);
  }
  return pointer;
}

/// Returns whether the signed or unsigned result wraps although `op` promises
/// that it does not.
static bool breaksPromise(Operation &op, const APInt &a, const APInt &b) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flags)
    return false;
  bool isSigned = false, isUnsigned = false;
  if (isa<arith::AddIOp>(op))
    (void)a.sadd_ov(b, isSigned), (void)a.uadd_ov(b, isUnsigned);
  else if (isa<arith::SubIOp>(op))
    (void)a.ssub_ov(b, isSigned), (void)a.usub_ov(b, isUnsigned);
  else if (isa<arith::MulIOp>(op))
    (void)a.smul_ov(b, isSigned), (void)a.umul_ov(b, isUnsigned);
  else if (isa<arith::ShLIOp>(op))
    (void)a.sshl_ov(b, isSigned), (void)a.ushl_ov(b, isUnsigned);
  return (flags.hasNoSignedWrap() && isSigned) || (flags.hasNoUnsignedWrap() && isUnsigned);
}

static bool compare(arith::CmpIPredicate predicate, const APInt &a, const APInt &b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a.slt(b);
  case P::sle:
    return a.sle(b);
  case P::sgt:
    return a.sgt(b);
  case P::sge:
    return a.sge(b);
  case P::ult:
    return a.ult(b);
  case P::ule:
    return a.ule(b);
  case P::ugt:
    return a.ugt(b);
  case P::uge:
    return a.uge(b);
  }
  llvm_unreachable("all predicates are there");
}

/// Evaluates a binary operation of numbers; returns nothing if it has no value.
static std::optional<APInt> applyBinary(Operation &op, const APInt &a, const APInt &b) {
  if (isa<arith::DivUIOp, arith::RemUIOp>(op) && b.isZero())
    return std::nullopt;
  if (isa<arith::DivSIOp>(op) && (b.isZero() || (a.isMinSignedValue() && b.isAllOnes())))
    return std::nullopt;
  if (isa<arith::ShLIOp, arith::ShRUIOp>(op) && b.uge(b.getBitWidth()))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<APInt>>(&op)
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case([&](arith::ShLIOp) { return a.shl(b); })
      .Case([&](arith::ShRUIOp) { return a.lshr(b); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::DivUIOp) { return a.udiv(b); })
      .Case([&](arith::DivSIOp) { return a.sdiv(b); })
      .Case([&](arith::RemUIOp) { return a.urem(b); })
      .Case([&](arith::MinUIOp) { return llvm::APIntOps::umin(a, b); })
      .Case([&](arith::MaxUIOp) { return llvm::APIntOps::umax(a, b); })
      .Case([&](arith::MinSIOp) { return llvm::APIntOps::smin(a, b); })
      .Case([&](arith::MaxSIOp) { return llvm::APIntOps::smax(a, b); })
      .Case(
          [&](arith::CmpIOp compared) { return APInt(1, compare(compared.getPredicate(), a, b)); })
      .Default([](Operation *) { return std::nullopt; });
}

bool Evaluator::compute(Operation &op) {
  Value result = op.getResult(0);
  unsigned width = widthOf(result);
  Number number;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    number.bits = cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue();
  } else if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    number = address(gep);
  } else if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    const Number &condition = get(choice.getCondition());
    number = get(condition.bits ? choice.getTrueValue() : choice.getFalseValue());
    number.poison |= condition.poison;
  } else if (isa<LLVM::AddrSpaceCastOp, arith::ExtUIOp, arith::TruncIOp>(op)) {
    number = get(op.getOperand(0));
    if (!number.base)
      number.bits &= llvm::maskTrailingOnes<uint64_t>(width);
  } else if (isa<arith::ExtSIOp>(op)) {
    number = get(op.getOperand(0));
    number.bits = uint64_t(toSigned(number.bits, widthOf(op.getOperand(0)))) &
                  llvm::maskTrailingOnes<uint64_t>(width);
  } else if (isa<LLVM::PoisonOp>(op)) {
    number.poison = true;
  } else if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    number = get(extract.getContainer());
    number.bits = extract.getPosition().front() ? number.bits >> 32 : uint32_t(number.bits);
  } else if (op.getNumOperands() == 2) {
    const Number &left = get(op.getOperand(0)), &right = get(op.getOperand(1));
    unsigned from = widthOf(op.getOperand(0));
    APInt a(from, left.bits), b(from, right.bits);
    std::optional<APInt> value = applyBinary(op, a, b);
    number.poison = left.poison || right.poison || !value || breaksPromise(op, a, b);
    number.bits = value ? value->getZExtValue() : 0;
  } else {
    op.emitError("the evaluator does not know this operation");
    return false;
  }
  set(result, number);
  return true;
}
