//===- PointerOrigins.cpp - Whether addresses come from arguments ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/PointerOrigins.h"

#include "compiler/Analysis/LoopFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr int64_t wordBytes = 8;

bool isPointer(Type type) { return isa<LLVM::LLVMPointerType>(type); }

/// Holds what the launch puts there, beside what a parameter has from the program.
bool isOfLaunch(const Access &access) {
  return access.kind == Base::Shared || access.kind == Base::DynamicShared ||
         access.kind == Base::Stack || access.kind == Base::ByValue;
}

bool isWordAligned(const Affine &offset) {
  return offset.constant % wordBytes == 0 &&
         llvm::all_of(offset.summands, [](const Affine::Summand &summand) {
           return summand.factor % wordBytes == 0;
         });
}

} // namespace

PointerOrigins::PointerOrigins(grain::KernelOp kernel, Accesses &accesses) : accesses(accesses) {
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

/// What is no pointer may hold the bits of any.
bool PointerOrigins::isUnknown(Value value) const {
  return !isPointer(value.getType()) || unknown.contains(value);
}

void PointerOrigins::mark(Value value, bool isNow) {
  if (isNow && isPointer(value.getType()))
    changed |= unknown.insert(value).second;
}

void PointerOrigins::flow(ValueRange sources, ValueRange targets) {
  for (auto [source, target] : llvm::zip_equal(sources, targets))
    mark(target, isUnknown(source));
}

/// Words of arguments, and what the launch has put into memory of the block.
bool PointerOrigins::readsUnknown(LLVM::LoadOp load) const {
  std::optional<Access> access = accesses.of(load);
  if (!access || !isOfLaunch(*access) || isAnyFilled || filled.contains(access->base))
    return true;
  return access->kind == Base::ByValue && (!access->offset || !isWordAligned(*access->offset));
}

/// Of an operation without regions that gives a pointer.
bool PointerOrigins::makesUnknown(Operation *op) const {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return readsUnknown(load);
  if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
    return isUnknown(op->getOperand(0));
  if (isa<LLVM::SelectOp, arith::SelectOp, LLVM::FreezeOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isPointer(operand.getType()) && isUnknown(operand);
    });
  return !isa<LLVM::AddressOfOp, LLVM::AllocaOp, LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp,
              grain::SharedOp, grain::DynamicSharedOp>(op);
}

/// A number that is stored where a pointer is loaded may be any address.
void PointerOrigins::write(Operation *op, const Access &access) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  if (store && !isUnknown(store.getValue()))
    return;
  if (isOfLaunch(access))
    changed |= filled.insert(access.base).second;
  else if (access.kind == Base::Unknown && !std::exchange(isAnyFilled, true))
    changed = true;
}

void PointerOrigins::visit(Operation *op) {
  if (op->getNumRegions() != 0)
    return visitRegions(op);
  if (std::optional<Access> access = accesses.of(op); access && access->writes)
    write(op, *access);
  for (Value result : op->getResults())
    if (isPointer(result.getType()))
      mark(result, makesUnknown(op));
}

void PointerOrigins::visitRegions(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    flow(branch.thenYield().getOperands(), branch.getResults());
    flow(branch.elseYield().getOperands(), branch.getResults());
  } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    for (Region &region : choice->getRegions())
      flow(region.front().getTerminator()->getOperands(), choice.getResults());
  } else if (!visitLoopFlow(
                 op, [&](ValueRange sources, ValueRange targets) { flow(sources, targets); })) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          mark(argument, true);
    for (Value result : op->getResults())
      mark(result, true);
  }
}
