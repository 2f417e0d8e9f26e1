//===- Callees.cpp - What the functions that kernels call do --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Callees.h"

#include "compiler/DeviceIR/InlineAssembly.h"
#include "compiler/DeviceIR/References.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using regrain::CalleeFacts;
using regrain::grain::CalleeKind;
using regrain::grain::Convergence;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {

struct Entry {
  StringLiteral prefix; ///< the beginning of the intrinsic's name
  CalleeKind kind;
  Convergence convergence;
};

/// Intrinsics of which more is known than their declarations say. The first entry that matches the
/// beginning of a name applies.
constexpr Entry intrinsics[] = {
    {"llvm.nvvm.bar.warp.sync", CalleeKind::Instruction, Convergence::Warp},
    {"llvm.nvvm.activemask", CalleeKind::Vote, Convergence::Warp},
    {"llvm.nvvm.vote.", CalleeKind::Vote, Convergence::Warp},
    {"llvm.nvvm.match.all.", CalleeKind::Vote, Convergence::Warp},
    {"llvm.nvvm.match.", CalleeKind::Match, Convergence::Warp},
    {"llvm.nvvm.redux.", CalleeKind::Match, Convergence::Warp},
    {"llvm.nvvm.shfl.", CalleeKind::Exchange, Convergence::Warp},
    {"llvm.nvvm.wmma.", CalleeKind::Matrix, Convergence::Warp},
    {"llvm.nvvm.mma.", CalleeKind::Matrix, Convergence::Warp},
    {"llvm.nvvm.ldmatrix.", CalleeKind::Instruction, Convergence::Warp},
    {"llvm.nvvm.read.ptx.sreg.laneid", CalleeKind::Register, Convergence::Warp},
    {"llvm.nvvm.read.ptx.sreg.lanemask", CalleeKind::Register, Convergence::Warp},
    {"llvm.nvvm.read.ptx.sreg.smid", CalleeKind::Register, Convergence::Warp},
    {"llvm.nvvm.read.ptx.sreg.nsmid", CalleeKind::Register, Convergence::Warp},
    {"llvm.nvvm.read.ptx.sreg.gridid", CalleeKind::Register, Convergence::Warp},
    {"llvm.nvvm.read.ptx.sreg.clock", CalleeKind::Clock, Convergence::None},
    {"llvm.nvvm.read.ptx.sreg.globaltimer", CalleeKind::Clock, Convergence::None},
    {"llvm.nvvm.read.ptx.sreg.warpsize", CalleeKind::Instruction, Convergence::None},
    {"llvm.nvvm.read.ptx.sreg.", CalleeKind::Register, Convergence::Unknown},
    {"llvm.nvvm.is_explicit_cluster", CalleeKind::Register, Convergence::Unknown},
    {"llvm.nvvm.mapa", CalleeKind::Register, Convergence::Unknown},
    {"llvm.nvvm.getctarank", CalleeKind::Register, Convergence::Unknown},
    {"llvm.readcyclecounter", CalleeKind::Clock, Convergence::None},
    {"llvm.readsteadycounter", CalleeKind::Clock, Convergence::None},
    // The declaration claims more effects than the instruction has.
    {"llvm.nvvm.nanosleep", CalleeKind::Sleep, Convergence::None},
    // This fence is effective only between the threads of one block, so it counts as unknown.
    {"llvm.nvvm.membar.cta", CalleeKind::Unknown, Convergence::None},
    {"llvm.nvvm.membar.", CalleeKind::Fence, Convergence::None},
    {"llvm.nvvm.atomic.", CalleeKind::Atomic, Convergence::None},
    {"llvm.nvvm.ldg.", CalleeKind::CachedLoad, Convergence::None},
    {"llvm.nvvm.ldu.", CalleeKind::CachedLoad, Convergence::None},
    {"llvm.nvvm.isspacep.", CalleeKind::AddressQuery, Convergence::None},
    {"llvm.nvvm.cp.async.ca.", CalleeKind::Instruction, Convergence::None},
    {"llvm.nvvm.cp.async.cg.", CalleeKind::Instruction, Convergence::None},
    {"llvm.nvvm.cp.async.commit.group", CalleeKind::Instruction, Convergence::None},
    {"llvm.nvvm.cp.async.wait.", CalleeKind::Instruction, Convergence::None},
    {"llvm.memcpy.", CalleeKind::Copy, Convergence::None},
    {"llvm.memmove.", CalleeKind::Copy, Convergence::None},
    {"llvm.memset.", CalleeKind::Copy, Convergence::None},
    {"llvm.prefetch", CalleeKind::Instruction, Convergence::None},
    {"llvm.stacksave", CalleeKind::Instruction, Convergence::None},
    {"llvm.stackrestore", CalleeKind::Instruction, Convergence::None},
};

CalleeFacts factsOfIntrinsic(const Function &intrinsic) {
  StringRef name = intrinsic.getName();
  for (const Entry &entry : intrinsics)
    if (name.starts_with(entry.prefix))
      return {entry.kind, entry.convergence};
  bool isPure = intrinsic.doesNotAccessMemory() && !intrinsic.isConvergent();
  return {CalleeKind::Instruction, isPure ? Convergence::None : Convergence::Unknown};
}

CalleeFacts factsOfAssembly(const InlineAsm &assembly) {
  if (regrain::onlyReadsTextures(assembly))
    return {CalleeKind::CachedLoad, Convergence::None};
  if (regrain::multipliesFromSharedMemory(assembly))
    return {CalleeKind::Instruction, Convergence::Unknown};
  if (regrain::copiesAsynchronously(assembly))
    return {CalleeKind::Instruction, Convergence::None};
  // Threads of another launch may run from now on.
  if (regrain::letsNextLaunchBegin(assembly))
    return {CalleeKind::Sleep, Convergence::None};
  CalleeKind kind = regrain::isOfBlockScope(assembly) ? CalleeKind::Unknown : CalleeKind::Assembly;
  if (regrain::concernsOneThread(assembly))
    return {kind, Convergence::None};
  return {kind, regrain::concernsWarp(assembly) ? Convergence::Warp : Convergence::Unknown};
}

} // namespace

CalleeFacts regrain::factsOfInstruction(const CallBase &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return factsOfAssembly(*assembly);
  // A volatile copy may read what another thread writes.
  if (auto *copy = dyn_cast<MemIntrinsic>(&call); copy && copy->isVolatile())
    return {CalleeKind::Unknown, Convergence::None};
  const Function *callee = call.getCalledFunction();
  return callee && callee->isIntrinsic() ? factsOfIntrinsic(*callee) : CalleeFacts();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// Services of the system below the program, which do not let threads interact.
bool isService(StringRef name) {
  return name == "vprintf" || name == "malloc" || name == "free" || name == "__assertfail" ||
         name == "__assert_fail";
}

bool isMath(const Function &function) {
  return function.isDeclaration() && function.getName().starts_with("__nv_");
}

/// Each target replaces its calls by constants.
bool isReflection(const Function &function) { return function.getName() == "__nvvm_reflect"; }

/// How an instruction of a function that is not inlined interacts with other threads.
struct Sight {
  Convergence convergence = Convergence::None;
  bool seesOthers = false; ///< or publishes what the thread has done
};

Sight sightOfCall(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!call.isInlineAsm() && !callee)
    return {Convergence::Unknown, true};
  // Memory may be free because another thread has freed it. Other functions are examined where they
  // are reached.
  if (callee && !callee->isIntrinsic())
    return {Convergence::None, isService(callee->getName()) && !call.use_empty()};
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
      intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return {}; // debug information, lifetimes, assumptions
  CalleeFacts facts = regrain::factsOfInstruction(call);
  if (facts.convergence != Convergence::None)
    return {Convergence::Unknown, true};
  bool isQuiet = call.doesNotAccessMemory() || facts.kind == CalleeKind::Copy ||
                 facts.kind == CalleeKind::CachedLoad;
  return {Convergence::None, !isQuiet};
}

Sight sightOf(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return sightOfCall(*call);
  // Code older than __syncwarp exchanges values between lanes by volatile accesses.
  return {instruction.isVolatile() ? Convergence::Warp : Convergence::None,
          instruction.isVolatile() || instruction.isAtomic()};
}

bool hasCycle(const Function &function) {
  for (auto component = scc_begin(&function); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      return true;
  return false;
}

bool callsItself(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Function *callee = call->getCalledFunction(); callee && !callee->isIntrinsic())
        if (regrain::functionsReachedFrom(callee).contains(&function))
          return true;
  return false;
}

CalleeFacts factsOfBody(Function &function) {
  Convergence convergence = Convergence::None;
  bool seesOthers = false, comesBack = false;
  for (const Function *reached : regrain::functionsReachedFrom(&function)) {
    if (reached->isIntrinsic())
      continue;
    if (reached->isDeclaration() && !isMath(*reached) && !isReflection(*reached) &&
        !isService(reached->getName()))
      return {};
    if (reached->isDeclaration())
      continue;
    for (const Instruction &instruction : instructions(*reached)) {
      Sight sight = sightOf(instruction);
      if (sight.convergence == Convergence::Unknown)
        return {};
      convergence = std::max(convergence, sight.convergence);
      seesOthers |= sight.seesOthers;
    }
    comesBack |= hasCycle(*reached) || callsItself(*reached);
  }
  if (!seesOthers)
    return {CalleeKind::PlainFunction, Convergence::None};
  return {CalleeKind::Function, comesBack ? Convergence::Unknown : convergence};
}

CalleeFacts factsOfFunction(Function &function) {
  if (!function.isDeclaration())
    return factsOfBody(function);
  if (isMath(function))
    return {CalleeKind::Math, Convergence::None};
  if (isReflection(function))
    return {CalleeKind::PlainFunction, Convergence::None};
  if (isService(function.getName()))
    return {CalleeKind::Service, Convergence::None};
  return {};
}

void describeMath(Function &function) {
  bool storesResult =
      any_of(function.args(), [](const Argument &arg) { return arg.getType()->isPointerTy(); });
  function.setMemoryEffects(storesResult ? MemoryEffects::argMemOnly() : MemoryEffects::none());
  function.setDoesNotThrow();
  function.setWillReturn();
  if (!storesResult)
    function.addFnAttr(Attribute::Speculatable);
}

void describeReflection(Function &function) {
  function.setMemoryEffects(MemoryEffects::none());
  function.setDoesNotThrow();
  function.setWillReturn();
  function.addFnAttr(Attribute::Speculatable);
}

} // namespace

regrain::CalleeTable regrain::describeFunctions(Module &module, ArrayRef<Function *> kernels) {
  CalleeTable table;
  for (Function &function : module) {
    if (function.isIntrinsic() || is_contained(kernels, &function))
      continue;
    if (isMath(function))
      describeMath(function);
    if (isReflection(function))
      describeReflection(function);
    CalleeFacts facts = factsOfFunction(function);
    if (facts.convergence == Convergence::None)
      function.removeFnAttr(Attribute::Convergent);
    table[function.getName()] = facts;
  }
  return table;
}

void regrain::attachFacts(mlir::ModuleOp module, const CalleeTable &table) {
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (auto found = table.find(function.getName()); found != table.end())
      function->setAttr(grain::CalleeAttr::name,
                        grain::CalleeAttr::get(module.getContext(), found->second.kind,
                                               found->second.convergence));
}
