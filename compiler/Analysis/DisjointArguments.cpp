//===- DisjointArguments.cpp - Arguments in different memory --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/DisjointArguments.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace regrain;

static bool isPointer(Type type) { return isa<LLVM::LLVMPointerType>(type); }

/// Returns true if the operation hands on pointers that it is given, or names memory. All values of
/// the kernel together are then derived from arguments and from what the kernel names. What is
/// added to null is a number that becomes an address.
static bool keepsOrigin(Operation *op) {
  if (isa<LLVM::ZeroOp>(op))
    return llvm::all_of(op->getUsers(), [](Operation *user) { return isa<LLVM::ICmpOp>(user); });
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp, LLVM::SelectOp, arith::SelectOp,
             LLVM::FreezeOp, LLVM::AllocaOp, grain::SharedOp, grain::DynamicSharedOp,
             LLVM::AddressOfOp, LLVM::UndefOp, LLVM::PoisonOp>(op) ||
         isa_and_nonnull<scf::SCFDialect, grain::GrainDialect>(op->getDialect());
}

static bool takesPointer(Operation *op) { return llvm::any_of(op->getOperandTypes(), isPointer); }

/// Returns true if the operation is a call that only reads at the pointer that it is given.
/// Textures are read without one: they may be any memory.
static bool isCachedLoad(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && kindOf(call) == CalleeKind::CachedLoad && takesPointer(op);
}

/// Returns true if the operation is a call that accesses memory only at the pointers that it is
/// given: a load, a copy, a fill, or a function of the mathematical library.
static bool staysAtOperands(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call &&
         (kindOf(call) == CalleeKind::Copy || kindOf(call) == CalleeKind::Math || isCachedLoad(op));
}

/// Returns true if the operation lets the lanes of a warp meet, without an address.
static bool isMeeting(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && kindOf(call) == CalleeKind::Instruction &&
         convergenceOf(call) == Convergence::Warp && !takesPointer(op) &&
         llvm::none_of(op->getOperandTypes(), [](Type type) { return type.isInteger(64); });
}

/// Returns true if the code may access memory at an address among its operands, whatever is
/// declared: nobody has to declare what inline assembly reads.
static bool mayUseAddress(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if ((!call && !isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op)) || staysAtOperands(op))
    return false;
  CalleeKind kind = call ? kindOf(call) : CalleeKind::Unknown;
  bool isOpen =
      kind == CalleeKind::Assembly || kind == CalleeKind::Unknown || kind == CalleeKind::CachedLoad;
  bool takesNumber =
      llvm::any_of(op->getOperandTypes(), [](Type type) { return type.isInteger(64); });
  return (takesPointer(op) && kind != CalleeKind::AddressQuery) || (isOpen && takesNumber);
}

static bool isOfBlock(const Access &access) {
  return access.kind == Base::Shared || access.kind == Base::DynamicShared ||
         access.kind == Base::Stack;
}

/// Returns true if the operation writes nothing, and reads only at its operand, although its effect
/// is not known to be a load or a store.
static bool isHarmless(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return touchesNoMemory(call) || isCachedLoad(op) || isMeeting(op);
  return isa<NVVM::ShflOp, NVVM::SyncWarpOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, LLVM::Trap,
             LLVM::NoAliasScopeDeclOp, LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp>(op);
}

/// Returns true if the operation or one of its regions brings pointers into being.
static bool hasPointers(Operation *op) {
  return llvm::any_of(op->getResultTypes(), isPointer) ||
         llvm::any_of(op->getRegions(), [](Region &region) {
           return llvm::any_of(region.getBlocks(), [](Block &block) {
             return llvm::any_of(block.getArgumentTypes(), isPointer);
           });
         });
}

/// Returns what speaks against one operation, as one clause; null if nothing does.
static const char *objectionTo(Operation *op, Accesses &accesses) {
  if (hasPointers(op) && !keepsOrigin(op))
    return "a pointer that is loaded, returned by a call or made from a number may point anywhere";
  if (mayUseAddress(op))
    return "a call or assembly may access memory by itself";
  std::optional<Access> access = accesses.of(op);
  if (access && !access->base && !isHarmless(op) && !staysAtOperands(op))
    return "a call, assembly or fence may access memory by itself, or order accesses for others";
  bool staysInBlock = access && access->base && isOfBlock(*access);
  if (interactionOf(op).seesOthers && !staysInBlock)
    return "a volatile or atomic access may show what another launch or the host has written";
  return nullptr;
}

bool regrain::isPointerParameter(grain::KernelOp kernel, unsigned index) {
  return isPointer(kernel.getArgumentTypes()[index]) &&
         !kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName());
}

static unsigned pointerParametersOf(grain::KernelOp kernel) {
  return llvm::count_if(llvm::seq(0u, kernel.getNumArguments()),
                        [&](unsigned index) { return isPointerParameter(kernel, index); });
}

std::optional<DisjointObjection> regrain::objectToDisjoint(grain::KernelOp kernel) {
  if (pointerParametersOf(kernel) < 2)
    return DisjointObjection{kernel, "the kernel has fewer than two pointer parameters"};
  Accesses accesses(kernel);
  bool writes = false;
  std::optional<DisjointObjection> found;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (const char *reason = objectionTo(op, accesses)) {
      found = {op, reason};
      return WalkResult::interrupt();
    }
    std::optional<Access> access = accesses.of(op);
    bool staysInBlock = access && access->base && isOfBlock(*access);
    writes |= access && access->writes && !staysInBlock && !isHarmless(op);
    return WalkResult::advance();
  });
  if (!found && !writes)
    return DisjointObjection{kernel, "the kernel writes no memory that outlives it"};
  return found;
}

/// Returns true if threads may order their accesses there, or run the operation together.
static bool ordersAccesses(Operation *op) {
  Interaction interaction = interactionOf(op);
  return isBarrier(op) || interaction.publishes || interaction.seesOthers ||
         interaction.convergence != Convergence::None;
}

/// Returns the parameters through which the kernel may write.
static llvm::SmallDenseSet<Value> writtenParameters(grain::KernelOp kernel) {
  Accesses accesses(kernel);
  llvm::SmallDenseSet<Value> written;
  kernel.getBody().walk([&](Operation *op) {
    std::optional<Access> access = accesses.of(op);
    if (!access || !access->writes || isHarmless(op))
      return;
    if (access->kind == Base::Parameter)
      written.insert(access->base);
    else if (access->kind == Base::Unknown) // selected, or carried through a loop
      written.insert(kernel.getBody().args_begin(), kernel.getBody().args_end());
  });
  return written;
}

SmallVector<unsigned> regrain::exclusiveParameters(grain::KernelOp kernel) {
  bool isOrdered =
      kernel.getBody()
          .walk([](Operation *op) {
            return ordersAccesses(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  llvm::SmallDenseSet<Value> written = writtenParameters(kernel);
  SmallVector<unsigned> exclusive;
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (isPointerParameter(kernel, argument.getArgNumber()) &&
        (!isOrdered || !written.contains(argument)))
      exclusive.push_back(argument.getArgNumber());
  return exclusive;
}

bool regrain::mayMeetInMemory(grain::KernelOp kernel) {
  Accesses accesses(kernel);
  llvm::SmallDenseSet<Value> read, written; // parameters
  kernel.getBody().walk([&](Operation *op) {
    std::optional<Access> access = accesses.of(op);
    if (!access || access->kind != Base::Parameter || accesses.isRestricted(*access))
      return;
    if (access->reads)
      read.insert(access->base);
    if (access->writes)
      written.insert(access->base);
  });
  bool meet = llvm::any_of(written, [&](Value of) {
    return llvm::any_of(read, [&](Value other) { return other != of; });
  });
  return meet && !objectToDisjoint(kernel);
}
