//===- DemoteShared.cpp - Static shared memory in global memory -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DemoteShared/DemoteShared.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Dialect/Grain/LentMemory.h"
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

/// Returns how a call may find out where memory lies, as one clause, or nothing if it cannot. The
/// device's library knows nothing of shared memory. Other instructions that take pointers to memory
/// of any kind either convert pointers or work on shared memory alone.
std::optional<StringRef> questionOf(LLVM::CallOp call) {
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
    return std::nullopt;
  case CalleeKind::AddressQuery:
    return "the kernel tests to which kind of memory a pointer points";
  case CalleeKind::Instruction:
    if (takesPointer(call))
      return "an instruction of the kernel can access only shared memory";
    return std::nullopt;
  case CalleeKind::Assembly:
    if (takesPointer(call) || takesNumberOfAddress(call))
      return "inline assembly may be given an address of shared memory";
    return std::nullopt;
  case CalleeKind::Function:
  case CalleeKind::PlainFunction:
  case CalleeKind::Unknown:
    break;
  }
  if (takesPointer(call) || takesNumberOfAddress(call))
    return "a function that is not inlined may be given an address of shared memory";
  return std::nullopt;
}

/// Returns how an operation tells shared memory from other memory, or nothing if it does not.
std::optional<StringRef> questionOf(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return questionOf(call);
  if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op);
      cast && isPointerTo(cast.getType(), sharedSpace))
    return "the kernel converts a generic pointer to a pointer to shared memory";
  return std::nullopt;
}

/// Refuses a kernel that contains an operation that tells shared memory from other memory.
std::optional<Refusal> checkQuestions(grain::KernelOp kernel) {
  std::optional<Refusal> refusal;
  kernel.walk([&](Operation *op) {
    if (std::optional<StringRef> question = questionOf(op))
      refusal = refuse(op, RefusalKind::SharedAddress, *question);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

/// Adds `address` and the addresses in shared memory that are computed from it.
std::optional<Refusal> follow(Value address, SmallVectorImpl<Value> &addresses) {
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
      return refuse(
          user, RefusalKind::SharedAddress,
          "the kernel uses an address of shared memory for something other than an access");
    if (auto refusal = follow(user->getResult(0), addresses))
      return refusal;
  }
  return std::nullopt;
}

/// Adds the addresses that are computed from the arrays.
std::optional<Refusal> checkArrays(ArrayRef<grain::SharedOp> arrays,
                                   SmallVectorImpl<Value> &addresses) {
  uint64_t bytes = 0;
  for (grain::SharedOp array : arrays) {
    uint64_t size = DataLayout::closest(array).getTypeSize(array.getType()).getFixedValue();
    bytes += llvm::alignTo(size, grain::lentAlignment);
    if (bytes > grain::mostLent)
      return refuse(array, RefusalKind::SharedMemory,
                    "a block has more than 1 GiB of shared memory at this grain");
    if (array.getAlignment() > int64_t(grain::lentAlignment))
      return refuse(array, RefusalKind::SharedAlignment,
                    "its shared memory is aligned to more than 256 bytes");
    if (auto refusal = follow(array, addresses))
      return refusal;
  }
  return std::nullopt;
}

} // namespace

std::optional<Refusal> regrain::demoteShared(grain::KernelOp kernel) {
  SmallVector<grain::SharedOp> arrays;
  kernel.walk([&](grain::SharedOp array) { arrays.push_back(array); });
  if (arrays.empty())
    return refuse(kernel, RefusalKind::NothingShared,
                  "the kernel has no static shared memory at this grain");
  SmallVector<Value> addresses;
  if (auto refusal = checkQuestions(kernel))
    return refusal;
  if (auto refusal = checkArrays(arrays, addresses))
    return refusal;
  auto global = LLVM::LLVMPointerType::get(kernel.getContext(), globalSpace);
  for (Value address : addresses)
    address.setType(global);
  for (grain::SharedOp array : arrays) {
    OpBuilder builder(array);
    auto lent = builder.create<grain::LentOp>(array.getLoc(), global, array.getName(),
                                              array.getType(), array.getAlignment());
    array.replaceAllUsesWith(lent.getResult());
    array.erase();
  }
  return std::nullopt;
}
