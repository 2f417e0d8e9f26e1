//===- InlineCalls.cpp - Kernels that call no functions -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Calls/InlineCalls.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/RepeatedFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using regrain::FunctionsOfModule;

namespace {

/// The maximum number of instructions that all copies add together, before optimisation. ptxas
/// takes about a second for this many.
constexpr uint64_t mostCopied = 20'000;

/// Marks a function that stays, also where LLVM replaces it by another one.
constexpr StringLiteral stayedKey = "regrain-stayed";

class Inlining {
public:
  explicit Inlining(FunctionsOfModule stays) : stays(std::move(stays)) {}

  /// Visits a function; functions come in the order of a call graph from its leaves.
  void visit(Function &function, bool isRecursive) {
    if (stays.contains(&function)) {
      function.addFnAttr(stayedKey);
      return;
    }
    uint64_t size = sizeOf(function);
    uint64_t calls = callsOf(function);
    // A function that nothing else uses is moved to its last call.
    bool moves = function.isDiscardableIfUnused() && function.hasNUses(calls);
    uint64_t copies = size * (calls - moves);
    if (isRecursive || function.hasFnAttribute(Attribute::OptimizeNone) ||
        copies > mostCopied - copied)
      return;
    copied += copies;
    inlined[&function] = size;
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }

private:
  /// Returns the number of instructions, including those that are inlined there.
  uint64_t sizeOf(const Function &function) const {
    uint64_t size = 0;
    for (const Instruction &instruction : instructions(function)) {
      ++size;
      if (auto *call = dyn_cast<CallBase>(&instruction))
        size += inlined.lookup(call->getCalledFunction());
    }
    return size;
  }

  static uint64_t callsOf(const Function &function) {
    return count_if(function.users(), [&](const User *user) {
      auto *call = dyn_cast<CallBase>(user);
      return call && call->getCalledOperand() == &function;
    });
  }

  FunctionsOfModule stays;
  DenseMap<const Function *, uint64_t> inlined;
  uint64_t copied = 0;
};

} // namespace

/// Only kernels are found by name in what is generated, so functions are local to it.
static void makeLocal(Module &module) {
  auto kernels = regrain::annotatedWith(module, "kernel");
  SmallVector<GlobalValue *, 4> used;
  collectUsedGlobalVariables(module, used, /*CompilerUsed=*/false);
  for (Function &function : module)
    if (!function.isDeclaration() && !kernels.contains(&function) && !is_contained(used, &function))
      function.setLinkage(GlobalValue::InternalLinkage);
}

void regrain::nvptx::inlineCalls(Module &module, Repeated repeated) {
  makeLocal(module);
  CallGraph graph(module);
  Inlining inlining(repeated == Repeated::Stay ? findRepeatedFunctions(module)
                                               : FunctionsOfModule());
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (CallGraphNode *node : *component) {
      Function *function = node->getFunction();
      if (function && !function->isDeclaration() && !function->use_empty())
        inlining.visit(*function, component.hasCycle());
    }
}

bool regrain::nvptx::callsBesideLocalMemory(const Module &module, StringRef ptx) {
  SmallVector<StringRef> stayed;
  for (const Function &function : module)
    if (function.hasFnAttribute(stayedKey))
      stayed.push_back(function.getName());
  while (!stayed.empty() && !ptx.empty()) {
    auto [body, rest] = ptx.split("\n}");
    if (body.contains("__local_depot") &&
        any_of(stayed, [&](StringRef name) { return body.contains(name); }))
      return true;
    ptx = rest;
  }
  return false;
}

static bool isNarrowDivision(const Instruction &instruction) {
  auto *division = dyn_cast<BinaryOperator>(&instruction);
  return division && division->isIntDivRem() && division->getType()->getScalarSizeInBits() < 32 &&
         !isa<Constant>(division->getOperand(1));
}

static void widen(BinaryOperator &division) {
  bool isSigned =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  IRBuilder<> builder(&division);
  Type *wide = division.getType()->getWithNewBitWidth(32);
  auto extend = [&](Value *value) {
    return isSigned ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  };
  Value *left = extend(division.getOperand(0)), *right = extend(division.getOperand(1));
  Value *result = builder.CreateBinOp(division.getOpcode(), left, right);
  division.replaceAllUsesWith(builder.CreateTrunc(result, division.getType()));
  division.eraseFromParent();
}

void regrain::nvptx::widenDivisions(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (isNarrowDivision(instruction))
        widen(cast<BinaryOperator>(instruction));
}
