//===- PointerOrigins.cpp - Whether addresses come from arguments ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/PointerOrigins.h"

#include "compiler/Analysis/RegionFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr int64_t wordBytes = 8;

bool isPointer(Type type) { return isa<LLVM::LLVMPointerType>(type); }

/// Returns true if the memory contains what the launch puts there, besides what the program passes
/// in a parameter.
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

/// Returns the address that a load, a store or an atomic operation accesses, or null for any other
/// operation.
Value addressOf(Operation *op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr();
  return isa<LLVM::LoadOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op) ? op->getOperand(0)
                                                                         : Value();
}

} // namespace

PointerOrigins::PointerOrigins(grain::KernelOp kernel, Accesses &accesses) : accesses(accesses) {
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName()))
      add(argument, Own);
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

/// A value that is no pointer may hold the bits of any pointer.
uint8_t PointerOrigins::of(Value value) const {
  return isPointer(value.getType()) ? known.lookup(value) : uint8_t(Own | Unknown);
}

void PointerOrigins::add(Value value, uint8_t more) {
  if (!isPointer(value.getType()))
    return;
  uint8_t &origin = known[value];
  changed |= (origin | more) != origin;
  origin |= more;
}

void PointerOrigins::flow(ValueRange sources, ValueRange targets) {
  for (auto [source, target] : llvm::zip_equal(sources, targets))
    add(target, of(source));
}

/// The loaded pointer is a word of the arguments, or what the launch has put into its own memory.
uint8_t PointerOrigins::loadedBy(LLVM::LoadOp load) const {
  std::optional<Access> access = accesses.of(load);
  if (!access || !isOfLaunch(*access))
    return Own | Unknown;
  if (access->kind == Base::ByValue && (!access->offset || !isWordAligned(*access->offset)))
    return Own | Unknown;
  return filled.lookup(access->base) | filledAnywhere;
}

/// Returns the origin of a pointer that an operation without regions produces.
uint8_t PointerOrigins::madeBy(Operation *op) const {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return loadedBy(load);
  if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
    return of(op->getOperand(0));
  if (isa<LLVM::SelectOp, arith::SelectOp, LLVM::FreezeOp>(op)) {
    uint8_t origin = Given;
    for (Value operand : op->getOperands())
      if (isPointer(operand.getType()))
        origin |= of(operand);
    return origin;
  }
  if (isa<LLVM::AllocaOp, grain::SharedOp, grain::DynamicSharedOp>(op))
    return Own;
  bool isConstant = isa<LLVM::AddressOfOp, LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp>(op);
  return isConstant ? uint8_t(Given) : uint8_t(Own | Unknown);
}

/// A number that is stored where a pointer is loaded may be any address. What the launch was given
/// does not point to the launch's own memory.
void PointerOrigins::write(Operation *op, const Access &access) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  uint8_t more = store ? of(store.getValue()) : uint8_t(Own | Unknown);
  Value address = addressOf(op);
  uint8_t *held = nullptr;
  if (isOfLaunch(access))
    held = &filled[access.base];
  else if (access.kind == Base::Unknown && (!address || of(address) != Given))
    held = &filledAnywhere;
  if (!held)
    return;
  changed |= (*held | more) != *held;
  *held |= more;
}

void PointerOrigins::visit(Operation *op) {
  if (op->getNumRegions() != 0)
    return visitRegionFlow(
        op, [&](ValueRange sources, ValueRange targets) { flow(sources, targets); },
        [&](Value value) { add(value, Own | Unknown); });
  if (std::optional<Access> access = accesses.of(op); access && access->writes)
    write(op, *access);
  for (Value result : op->getResults())
    if (isPointer(result.getType()))
      add(result, madeBy(op));
}
