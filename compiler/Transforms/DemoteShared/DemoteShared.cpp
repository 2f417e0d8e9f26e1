//===- DemoteShared.cpp - Static shared memory in global memory -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DemoteShared/DemoteShared.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Dialect/Grain/Scratch.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

namespace {

bool isPointerTo(Type type, unsigned space) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == space;
}

bool takesPointer(Operation *op) {
  return llvm::any_of(op->getOperandTypes(),
                      [](Type type) { return isa<LLVM::LLVMPointerType>(type); });
}

bool takesNumberOfAddress(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) { return type.isInteger(64); });
}

/// Returns how a call may find out where memory lies, as one clause; empty if it cannot. The
/// device's library knows nothing of shared memory. Other instructions that take pointers to memory
/// of any kind either convert pointers or work on shared memory alone.
StringRef obstacleOf(LLVM::CallOp call) {
  switch (kindOf(call)) {
  case CalleeKind::Math:
  case CalleeKind::Service:
  case CalleeKind::Atomic:
  case CalleeKind::Copy:
  case CalleeKind::CachedLoad:
  case CalleeKind::Matrix:
  case CalleeKind::Register:
  case CalleeKind::Clock:
  case CalleeKind::Sleep:
  case CalleeKind::Fence:
  case CalleeKind::Exchange:
  case CalleeKind::Vote:
  case CalleeKind::Match:
    return "";
  case CalleeKind::AddressQuery:
    return "the kernel asks in which memory a pointer lies";
  case CalleeKind::Instruction:
    return takesPointer(call) ? "an instruction of the kernel asks for shared memory" : "";
  case CalleeKind::Assembly:
    return takesPointer(call) || takesNumberOfAddress(call)
               ? "inline assembly may be given an address of shared memory"
               : "";
  case CalleeKind::Function:
  case CalleeKind::PlainFunction:
  case CalleeKind::Unknown:
    break;
  }
  return takesPointer(call) || takesNumberOfAddress(call)
             ? "a function that is not inlined may be given an address of shared memory"
             : "";
}

/// Refuses a kernel that contains an operation that tells shared memory from other memory.
LogicalResult checkQuestions(grain::KernelOp kernel, Refusal &refusal) {
  WalkResult result = kernel.walk([&](Operation *op) {
    StringRef obstacle;
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      obstacle = obstacleOf(call);
    else if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op);
             cast && isPointerTo(cast.getType(), sharedSpace))
      obstacle = "the kernel converts a pointer to one of shared memory";
    if (obstacle.empty())
      return WalkResult::advance();
    static_cast<void>(refuse(refusal, op, RefusalKind::SharedAddress, obstacle));
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Adds `address` and the addresses in shared memory that are computed from it.
LogicalResult follow(Value address, SmallVectorImpl<Value> &addresses, Refusal &refusal) {
  addresses.push_back(address);
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    bool isAddressed =
        isa<LLVM::LoadOp>(user) || (isa<LLVM::StoreOp>(user) && use.getOperandNumber() == 1) ||
        (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(user) && use.getOperandNumber() == 0);
    auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(user);
    if (isAddressed || (cast && isPointerTo(cast.getType(), 0)))
      continue;
    if (!isa<LLVM::GEPOp>(user) || use.getOperandNumber() != 0)
      return refuse(refusal, user, RefusalKind::SharedAddress,
                    "the kernel computes with an address of shared memory");
    if (failed(follow(user->getResult(0), addresses, refusal)))
      return failure();
  }
  return success();
}

/// Adds the addresses that are computed from the arrays.
LogicalResult checkArrays(ArrayRef<grain::SharedOp> arrays, SmallVectorImpl<Value> &addresses,
                          Refusal &refusal) {
  uint64_t bytes = 0;
  for (grain::SharedOp array : arrays) {
    uint64_t size = DataLayout::closest(array).getTypeSize(array.getType()).getFixedValue();
    bytes += llvm::alignTo(size, grain::scratchAlignment);
    if (bytes > grain::mostScratch)
      return refuse(refusal, array, RefusalKind::SharedMemory,
                    "a block has more than 1 GiB of shared memory at this grain");
    if (array.getAlignment() > int64_t(grain::scratchAlignment))
      return refuse(refusal, array, RefusalKind::SharedAlignment,
                    "its shared memory is aligned to more than 256 bytes");
    if (failed(follow(array, addresses, refusal)))
      return failure();
  }
  return success();
}

} // namespace

LogicalResult regrain::demoteShared(grain::KernelOp kernel, Refusal &refusal) {
  refusal.stage = "demote-shared";
  SmallVector<grain::SharedOp> arrays;
  kernel.walk([&](grain::SharedOp array) { arrays.push_back(array); });
  if (arrays.empty())
    return refuse(refusal, kernel, RefusalKind::NothingShared,
                  "the kernel has no static shared memory at this grain");
  SmallVector<Value> addresses;
  if (failed(checkQuestions(kernel, refusal)) || failed(checkArrays(arrays, addresses, refusal)))
    return failure();
  auto global = LLVM::LLVMPointerType::get(kernel.getContext(), globalSpace);
  for (Value address : addresses)
    address.setType(global);
  for (grain::SharedOp array : arrays) {
    OpBuilder builder(array);
    auto scratch = builder.create<grain::ScratchOp>(array.getLoc(), global, array.getName(),
                                                    array.getType(), array.getAlignment());
    array.replaceAllUsesWith(scratch.getResult());
    array.erase();
  }
  return success();
}
