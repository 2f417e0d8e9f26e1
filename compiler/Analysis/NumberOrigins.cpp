//===- NumberOrigins.cpp - Where numbers in memory come from --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/NumberOrigins.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/MemoryCopies.h"
#include "compiler/Analysis/RegionFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace regrain;

namespace {

bool isFloating(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

StoredTypes typeOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16()    ? StoredTypes::Half
         : element.isBF16() ? StoredTypes::BFloat
         : element.isF32()  ? StoredTypes::Single
         : element.isF64()  ? StoredTypes::Double
                            : StoredTypes::Other;
}

/// Returns the type of the numbers of which a type consists, Other if there are none or several.
/// LLVM gives a union the type of one of its members, so only its name tells it.
StoredTypes numbersOf(Type type) {
  StoredTypes types = StoredTypes::None;
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (structure && (!structure.isIdentified() || structure.getName().starts_with("union.")))
    return StoredTypes::Other;
  if (structure)
    for (Type member : structure.getBody())
      types |= numbersOf(member);
  else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    types = numbersOf(array.getElementType());
  else
    types = typeOf(type);
  return bytesOfNumber(types) ? types : StoredTypes::Other;
}

/// Returns the type of the numbers that the program has declared to be at an address, Other if that
/// is not known.
StoredTypes declaredAt(Value address) {
  auto gep = address.getDefiningOp<LLVM::GEPOp>();
  return gep ? numbersOf(gep.getElemType()) : StoredTypes::Other;
}

/// Returns the type that a store or an atomic operation writes, or null for other operations.
Type writtenTypeOf(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store                        ? store.getValue().getType()
         : isa<LLVM::AtomicRMWOp>(op) ? op->getOperand(1).getType()
                                      : Type();
}

/// Returns true if `op` writes several numbers. They are not told apart: if one is copied, so may
/// all be.
bool writesSeveral(Operation *op) {
  return asCopy(op) || isa_and_nonnull<VectorType>(writtenTypeOf(op));
}

/// Returns whether a function of CUDA's mathematical library returns the bits of an operand.
bool choosesOperand(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  StringRef name = callee ? callee.getName() : StringRef();
  return name.starts_with("__nv_fmax") || name.starts_with("__nv_fmin");
}

/// Returns whether the call is assembly that multiplies nothing, such as a fence, which hands
/// registers on. A product of a warpgroup has a descriptor, which is a number of 64 bits.
bool handsOn(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  return callee && callee.getName().starts_with("asm") &&
         llvm::none_of(call.getOperandTypes(), [](Type type) { return type.isInteger(64); });
}

} // namespace

bool regrain::isTransient(const Access &access) {
  return access.kind == Base::Shared || access.kind == Base::DynamicShared ||
         access.kind == Base::Stack;
}

bool regrain::isLifetime(Operation *op) {
  return isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op);
}

std::optional<Access> regrain::effectOf(Operation *op, Accesses &accesses) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (call && touchesNoMemory(call))
    return std::nullopt;
  if (LLVM::CallOp copy = asCopy(op))
    return accesses.at(copy, copy.getArgOperands()[0], /*writes=*/true);
  return accesses.of(op);
}

NumberOrigins::NumberOrigins(grain::KernelOp kernel, Accesses &accesses) : accesses(accesses) {
  for (Value argument : kernel.getBody().getArguments())
    add(argument, Copied);
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

uint8_t NumberOrigins::of(Value value) const {
  return isFloating(value.getType()) ? known.lookup(value) : Bits;
}

/// Returns the origin of what a store or an atomic operation writes, and Bits for any other
/// operation.
uint8_t NumberOrigins::originOfWritten(Operation *op) const {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return of(store.getValue());
  auto update = dyn_cast<LLVM::AtomicRMWOp>(op);
  return update && update.getBinOp() == LLVM::AtomicBinOp::fadd ? Computed : Bits;
}

NumberOrigins::Contents NumberOrigins::writtenBy(Operation *op) const {
  if (LLVM::CallOp copy = asCopy(op))
    return contentsOf(copy);
  Contents written{originOfWritten(op)};
  Type type = writtenTypeOf(op);
  if (written.origin != Nowhere)
    written.types = type ? typeOf(type) : StoredTypes::Other;
  return written;
}

void NumberOrigins::write(Operation *op, const Access &access) {
  if (isLifetime(op) || (!isTransient(access) && access.kind != Base::Unknown))
    return;
  Contents written = writtenBy(op);
  Contents &memory = isTransient(access) ? transient[access.base] : anywhere;
  join(memory.origin, written.origin);
  changed |= (memory.types | written.types) != memory.types;
  memory.types |= written.types;
}

/// What has another type in memory is bits.
uint8_t NumberOrigins::read(const Access &access, Type type) const {
  if (!isTransient(access))
    return Copied;
  Contents memory = transient.lookup(access.base);
  StoredTypes others = (memory.types | anywhere.types) - typeOf(type);
  return memory.origin | anywhere.origin | (others == StoredTypes::None ? Nowhere : Bits);
}

/// Memory that outlives the block holds numbers if the program has declared them. A copy of parts
/// of numbers, or to a place between them, is one of bits. A byte with which memory is filled is as
/// good as a constant only if it is zero.
NumberOrigins::Contents NumberOrigins::contentsOf(LLVM::CallOp copy) const {
  constexpr Contents bits = {Bits, StoredTypes::Other};
  Value source = copy.getArgOperands()[1];
  std::optional<Access> from = sourceOf(copy, accesses);
  if (!from)
    return matchPattern(source, m_Zero()) ? Contents() : bits;
  Contents memory = {Copied, declaredAt(source)};
  if (isTransient(*from)) {
    memory = transient.lookup(from->base);
    memory = {uint8_t(memory.origin | anywhere.origin), memory.types | anywhere.types};
  }
  APInt length;
  size_t bytes = bytesOfNumber(memory.types);
  bool isWhole = bytes != 0 && statedAlignmentOf(copy).value_or(1) >= bytes &&
                 matchPattern(copy.getArgOperands()[2], m_ConstantInt(&length)) &&
                 length.urem(bytes) == 0;
  return isWhole || memory.origin == Nowhere ? memory : bits;
}

uint8_t NumberOrigins::ofFloatingOperands(Operation *op) const {
  uint8_t origin = Nowhere;
  for (Value operand : op->getOperands())
    if (isFloating(operand.getType()))
      origin |= of(operand);
  return origin;
}

/// Returns the origin of the result of a call that is not simply arithmetic.
uint8_t NumberOrigins::ofResult(LLVM::CallOp call) const {
  switch (kindOf(call)) {
  case CalleeKind::Exchange:
    return ofFloatingOperands(call);
  case CalleeKind::Math:
    return choosesOperand(call) ? ofFloatingOperands(call) : uint8_t(Computed);
  case CalleeKind::Instruction:
    return handsOn(call) ? Bits : Computed;
  case CalleeKind::Vote:
  case CalleeKind::Match:
  case CalleeKind::Matrix:
    return Computed;
  default:
    return Bits;
  }
}

/// Returns the origin of the result of an operation without regions.
uint8_t NumberOrigins::ofResult(Operation *op) const {
  auto call = dyn_cast<LLVM::CallOp>(op);
  CalleeKind kind = call ? kindOf(call) : CalleeKind::Unknown;
  if (call && kind == CalleeKind::CachedLoad)
    return Copied;
  if (call && (kind == CalleeKind::Unknown || kind == CalleeKind::Function ||
               kind == CalleeKind::PlainFunction))
    return Returned;
  bool takesNumbers =
      llvm::any_of(op->getOperandTypes(), [](Type type) { return isFloating(type); });
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::UndefOp, LLVM::PoisonOp>(op))
    return Nowhere;
  if (isa<LLVM::InlineAsmOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op) || !takesNumbers)
    return Bits;
  // These operations keep all bits of an operand, or all but the sign.
  if (isa<arith::SelectOp, arith::BitcastOp, arith::NegFOp, LLVM::SelectOp, LLVM::BitcastOp,
          LLVM::FreezeOp, LLVM::FNegOp, LLVM::FAbsOp, LLVM::CopySignOp, LLVM::ExtractElementOp,
          LLVM::InsertElementOp, LLVM::ShuffleVectorOp, LLVM::FPExtOp, LLVM::MaxNumOp,
          LLVM::MinNumOp, LLVM::MaximumOp, LLVM::MinimumOp, arith::MaxNumFOp, arith::MinNumFOp,
          arith::MaximumFOp, arith::MinimumFOp>(op))
    return ofFloatingOperands(op);
  if (call)
    return ofResult(call);
  return isMemoryEffectFree(op) ? uint8_t(Computed) : uint8_t(Bits);
}

void NumberOrigins::visit(Operation *op) {
  if (op->getNumRegions() != 0)
    return visitRegionFlow(
        op,
        [&](ValueRange sources, ValueRange targets) {
          for (auto [source, target] : llvm::zip_equal(sources, targets))
            add(target, of(source));
        },
        [&](Value value) { add(value, Bits); });
  std::optional<Access> access = effectOf(op, accesses);
  if (access && access->writes)
    write(op, *access);
  bool isLoad = isa<LLVM::LoadOp>(op);
  for (Value result : op->getResults())
    if (isFloating(result.getType()))
      add(result, isLoad && access ? read(*access, result.getType()) : ofResult(op));
}

StoredTypes NumberOrigins::typesOf(Operation *op) const {
  Contents written = writtenBy(op);
  if (written.origin == Nowhere)
    return StoredTypes::None;
  size_t bytes = bytesOfNumber(written.types);
  if ((written.origin & Bits) || bytes == 0 || statedAlignmentOf(op).value_or(bytes) < bytes)
    return StoredTypes::Other;
  bool isRounded = (written.origin & Computed) && !(written.origin & Returned) &&
                   !(writesSeveral(op) && (written.origin & Copied));
  return isRounded ? written.types : written.types | StoredTypes::Copied;
}
