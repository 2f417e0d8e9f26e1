//===- MemoryUse.cpp - What a kernel writes, and reaches ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/MemoryUse.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/ConstantMemory.h"
#include "compiler/Analysis/LoneBlocks.h"
#include "compiler/Analysis/MemoryCopies.h"
#include "compiler/Analysis/NumberOrigins.h"
#include "compiler/Analysis/PointerOrigins.h"

using namespace mlir;
using namespace regrain;

/// Returns the address that a load, a store, an atomic operation or a copy accesses, of a copy the
/// destination.
static Value addressOf(Operation *op) {
  if (LLVM::CallOp copy = asCopy(op))
    return copy.getArgOperands()[0];
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr();
  return isa<LLVM::LoadOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op) ? op->getOperand(0)
                                                                         : Value();
}

/// Returns whether a callee may access memory at an address that it is given, even if it is
/// declared to touch none: nobody has to declare what inline assembly reads.
static bool takesAddress(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (call && kindOf(call) == CalleeKind::Register)
    return false;
  bool isAssembly =
      call && (kindOf(call) == CalleeKind::Assembly || kindOf(call) == CalleeKind::Unknown);
  return call && !asCopy(op) && llvm::any_of(op->getOperandTypes(), [&](Type type) {
           return isa<LLVM::LLVMPointerType>(type) || (isAssembly && type.isInteger(64));
         });
}

/// The import names what it parks (Park.cpp).
bool regrain::isSharedAssembly(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  LLVM::LLVMFuncOp callee = call ? calleeOf(call) : LLVM::LLVMFuncOp();
  return callee && callee->hasAttr(grain::CalleeAttr::name) &&
         callee.getName().starts_with("asm.shared");
}

/// Returns whether the operation lets lanes meet or orders accesses, and has none itself.
static bool onlyOrders(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  bool isFence = isa<LLVM::FenceOp>(op) || (call && kindOf(call) == CalleeKind::Fence);
  return isFence || (call && kindOf(call) == CalleeKind::Instruction && !takesAddress(op) &&
                     !asAsynchronousCopy(op));
}

/// Returns whether the address lies in the shared memory of a block of the cluster.
static bool isOfCluster(Value address) {
  auto call = baseOf(address).getDefiningOp<LLVM::CallOp>();
  LLVM::LLVMFuncOp callee = call ? calleeOf(call) : LLVM::LLVMFuncOp();
  return callee && callee->hasAttr(grain::CalleeAttr::name) &&
         (callee.getName().starts_with("nvvm.mapa") ||
          callee.getName().starts_with("asm.shared.mapa"));
}

namespace {

/// Collects what a kernel does with memory, one operation after the other.
class Collector {
public:
  explicit Collector(grain::KernelOp kernel)
      : accesses(kernel), origins(kernel, accesses), pointers(kernel, accesses) {
    use.blocksWorkAlone = !findLinkToBlocks(kernel);
    use.parameters.resize(kernel.getArgumentTypes().size());
  }

  void add(Operation *op);

  MemoryUse use;

private:
  bool readsKnown(LLVM::CallOp copy);
  void addStored(Operation *op, const Access &access);

  Accesses accesses;
  NumberOrigins origins;
  PointerOrigins pointers;
};

/// Returns whether a copy reads memory of the arguments. A fill has no source; a copy from a number
/// may have any.
bool Collector::readsKnown(LLVM::CallOp copy) {
  std::optional<Access> source = sourceOf(copy, accesses);
  if (!source)
    return !asAsynchronousCopy(copy);
  return source->kind != Base::Unknown || pointers.isFromArguments(copy.getArgOperands()[1]);
}

/// Adds what kinds of numbers a write leaves where.
void Collector::addStored(Operation *op, const Access &access) {
  StoredTypes types = origins.typesOf(op);
  if (access.kind == Base::Parameter)
    use.parameters[cast<BlockArgument>(access.base).getArgNumber()] |= types;
  else
    (access.kind == Base::Variable ? use.variables : use.elsewhere) |= types;
}

void Collector::add(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op); (call && isFailedAssertion(call)) || onlyOrders(op))
    return;
  if (isSharedAssembly(op))
    return;
  std::optional<Access> access = effectOf(op, accesses);
  LLVM::CallOp asynchronous = asAsynchronousCopy(op);
  use.staysInArguments &= asynchronous || !takesAddress(op);
  if (LLVM::CallOp copy = asynchronous ? asynchronous : asCopy(op))
    use.staysInArguments &= readsKnown(copy);
  if (asynchronous || !access || isLifetime(op) || isTransient(*access) ||
      access->kind == Base::ByValue)
    return;
  Value address = addressOf(op);
  if (address && isOfCluster(address))
    return;
  use.staysInArguments &=
      access->kind != Base::Unknown || (address && pointers.isFromArguments(address));
  if (access->writes)
    addStored(op, *access);
}

} // namespace

MemoryUse regrain::memoryUseOf(grain::KernelOp kernel) {
  Collector collector(kernel);
  kernel.getBody().walk([&](Operation *op) { collector.add(op); });
  return collector.use;
}
