//===- MemoryUse.cpp - What a kernel writes, and reaches ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a fixed point over the structured form, as in Uniformity.cpp: values flow through
// operands, loops and the memory of a block.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/MemoryUse.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/LoneBlocks.h"
#include "compiler/Analysis/PointerOrigins.h"
#include "compiler/Analysis/RegionFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Where the bits of a value may come from, as a set. A constant has no origin.
enum Origin : uint8_t {
  Nowhere = 0,
  Computed = 1, ///< floating-point arithmetic that rounds
  Copied = 2,   ///< memory that outlives the block, or arguments
  Bits = 4,     ///< bits that are no number of this type, or are not known
};

Type elementOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

bool isFloating(Type type) { return isa<FloatType>(elementOf(type)); }

StoredTypes typeOf(Type type) {
  Type element = elementOf(type);
  return element.isF16()    ? StoredTypes::Half
         : element.isBF16() ? StoredTypes::BFloat
         : element.isF32()  ? StoredTypes::Single
         : element.isF64()  ? StoredTypes::Double
                            : StoredTypes::Other;
}

/// Returns true if the memory ends with the block or the thread.
bool isTransient(const Access &access) {
  return access.kind == Base::Shared || access.kind == Base::DynamicShared ||
         access.kind == Base::Stack;
}

/// Returns what `op` does to memory. Operations between the lanes of a warp do nothing to it.
std::optional<Access> accessOf(Operation *op, Accesses &accesses) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && touchesNoMemory(call) ? std::nullopt : accesses.of(op);
}

class Origins {
public:
  Origins(grain::KernelOp kernel, Accesses &accesses) : accesses(accesses) {
    for (Value argument : kernel.getBody().getArguments())
      add(argument, Copied);
    do {
      changed = false;
      kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    } while (changed);
  }

  uint8_t of(Value value) const { return isFloating(value.getType()) ? known.lookup(value) : Bits; }

private:
  void add(Value value, uint8_t more) { join(known[value], more); }
  void join(uint8_t &origin, uint8_t more) {
    changed |= (origin | more) != origin;
    origin |= more;
  }
  void flow(ValueRange sources, ValueRange targets) {
    for (auto [source, target] : llvm::zip_equal(sources, targets))
      add(target, of(source));
  }
  void visit(Operation *op);
  void write(Operation *op, const Access &access);
  uint8_t read(const Access &access) const;
  uint8_t ofResult(Operation *op) const;
  uint8_t ofFloatingOperands(Operation *op) const;

  Accesses &accesses;
  llvm::DenseMap<Value, uint8_t> known;
  llvm::DenseMap<Value, uint8_t> transient; ///< contents of the block's memory, by base
  uint8_t anywhere = Nowhere;               ///< what is written through any other pointer
  bool changed = false;
};

/// Returns the origin of what a store or an atomic operation writes, and Bits for any other
/// operation.
uint8_t writtenBy(Operation *op, const Origins &origins) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return origins.of(store.getValue());
  auto update = dyn_cast<LLVM::AtomicRMWOp>(op);
  return update && update.getBinOp() == LLVM::AtomicBinOp::fadd ? Computed : Bits;
}

void Origins::write(Operation *op, const Access &access) {
  uint8_t origin = writtenBy(op, *this);
  if (isTransient(access))
    join(transient[access.base], origin);
  else if (access.kind == Base::Unknown)
    join(anywhere, origin);
}

uint8_t Origins::read(const Access &access) const {
  return isTransient(access) ? transient.lookup(access.base) | anywhere : uint8_t(Copied);
}

uint8_t Origins::ofFloatingOperands(Operation *op) const {
  uint8_t origin = Nowhere;
  for (Value operand : op->getOperands())
    if (isFloating(operand.getType()))
      origin |= of(operand);
  return origin;
}

/// Returns the origin of the result of an operation without regions.
uint8_t Origins::ofResult(Operation *op) const {
  bool takesNumbers =
      llvm::any_of(op->getOperandTypes(), [](Type type) { return isFloating(type); });
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::UndefOp, LLVM::PoisonOp>(op))
    return Nowhere;
  if (isa<LLVM::InlineAsmOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op) || !takesNumbers)
    return Bits;
  // These operations keep all bits, or all but the sign.
  if (isa<arith::SelectOp, arith::BitcastOp, arith::NegFOp, LLVM::SelectOp, LLVM::BitcastOp,
          LLVM::FreezeOp, LLVM::FNegOp, LLVM::FAbsOp, LLVM::CopySignOp, LLVM::ExtractElementOp,
          LLVM::InsertElementOp, LLVM::ShuffleVectorOp, LLVM::FPExtOp>(op))
    return ofFloatingOperands(op);
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call)
    return isMemoryEffectFree(op) ? uint8_t(Computed) : uint8_t(Bits);
  switch (kindOf(call)) {
  case CalleeKind::Exchange:
    return ofFloatingOperands(op);
  case CalleeKind::Math:
  case CalleeKind::Instruction:
  case CalleeKind::Vote:
  case CalleeKind::Match:
  case CalleeKind::Matrix:
    return Computed;
  default:
    return Bits;
  }
}

void Origins::visit(Operation *op) {
  if (op->getNumRegions() != 0)
    return visitRegionFlow(
        op, [&](ValueRange sources, ValueRange targets) { flow(sources, targets); },
        [&](Value value) { add(value, Bits); });
  std::optional<Access> access = accessOf(op, accesses);
  if (access && access->writes)
    write(op, *access);
  bool isLoad = isa<LLVM::LoadOp>(op);
  for (Value result : op->getResults())
    if (isFloating(result.getType()))
      add(result, isLoad && access ? read(*access) : ofResult(op));
}

/// The lanes of a vector are not told apart: if one is copied, the whole vector counts as Other.
StoredTypes typesOf(Type type, uint8_t origin) {
  if (origin == Nowhere)
    return StoredTypes::None;
  bool isRounded =
      (origin & Computed) && !(origin & Bits) && (!isa<VectorType>(type) || !(origin & Copied));
  return isRounded ? typeOf(type) : StoredTypes::Other;
}

StoredTypes typesOf(Operation *op, const Origins &origins) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  Type type = store                        ? store.getValue().getType()
              : isa<LLVM::AtomicRMWOp>(op) ? op->getOperand(1).getType()
                                           : Type();
  if (!type)
    return StoredTypes::Other;
  if (store && isFloating(type)) {
    unsigned bytes = elementOf(type).getIntOrFloatBitWidth() / 8;
    if (store.getAlignment() && *store.getAlignment() < bytes)
      return StoredTypes::Other;
  }
  return typesOf(type, writtenBy(op, origins));
}

} // namespace

/// Returns the address that a load, a store or an atomic operation accesses.
static Value addressOf(Operation *op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr();
  return isa<LLVM::LoadOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op) ? op->getOperand(0)
                                                                         : Value();
}

/// Returns whether a callee may access memory at an address that it is given, even if it is
/// declared to touch none: nobody has to declare what inline assembly reads.
static bool takesAddress(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  bool isAssembly =
      call && (kindOf(call) == CalleeKind::Assembly || kindOf(call) == CalleeKind::Unknown);
  return call && llvm::any_of(op->getOperandTypes(), [&](Type type) {
           return isa<LLVM::LLVMPointerType>(type) || (isAssembly && type.isInteger(64));
         });
}

MemoryUse regrain::memoryUseOf(grain::KernelOp kernel) {
  Accesses accesses(kernel);
  Origins origins(kernel, accesses);
  PointerOrigins pointers(kernel, accesses);
  MemoryUse use;
  use.blocksWorkAlone = !findLinkToBlocks(kernel);
  use.parameters.resize(kernel.getArgumentTypes().size());
  kernel.getBody().walk([&](Operation *op) {
    std::optional<Access> access = accessOf(op, accesses);
    use.staysInArguments &= !takesAddress(op);
    if (!access || isTransient(*access) || access->kind == Base::ByValue)
      return;
    Value address = addressOf(op);
    use.staysInArguments &=
        access->kind != Base::Unknown || (address && pointers.isFromArguments(address));
    if (!access->writes)
      return;
    StoredTypes types = typesOf(op, origins);
    if (access->kind == Base::Parameter)
      use.parameters[cast<BlockArgument>(access->base).getArgNumber()] |= types;
    else
      (access->kind == Base::Variable ? use.variables : use.elsewhere) |= types;
  });
  return use;
}
