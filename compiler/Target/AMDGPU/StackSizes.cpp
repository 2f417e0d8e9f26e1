//===- StackSizes.cpp - Stack allocations of dynamic size -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/StackSizes.h"

#include "compiler/Target/AMDGPU/Unavailable.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// The maximum bytes that a thread may get without having asked for all of them; each lane of a
/// wave occupies them as long as the kernel runs.
constexpr uint64_t mostBytes = 4096;

bool isInCycle(const AllocaInst &alloca) {
  const BasicBlock *block = alloca.getParent();
  return any_of(successors(block),
                [&](const BasicBlock *next) { return isPotentiallyReachable(next, block); });
}

/// The ranges of the values of one function.
class Ranges {
public:
  explicit Ranges(Function &function)
      : libraryInfo(Triple(function.getParent()->getTargetTriple())), library(libraryInfo),
        assumptions(function), dominators(function), loops(dominators),
        expressions(function, library, assumptions, dominators, loops),
        conditions(&assumptions, &function.getDataLayout()) {}

  /// Returns the maximum of `value` as a signed number when `at` is reached.
  APInt signedMax(Value &value, Instruction &at) {
    ConstantRange range =
        conditions.getConstantRange(&value, &at, /*UndefAllowed=*/false)
            .intersectWith(expressions.getSignedRange(expressions.getSCEV(&value)),
                           ConstantRange::Signed);
    return range.isEmptySet() ? APInt(range.getBitWidth(), 0) : range.getSignedMax();
  }

private:
  TargetLibraryInfoImpl libraryInfo;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution expressions;
  LazyValueInfo conditions;
};

/// Returns the maximum bytes that the program can ask for, if that is small enough. A size that is
/// negative as a signed number exceeds every stack, so it is undefined.
std::optional<uint64_t> limitOf(AllocaInst &alloca, Ranges &ranges) {
  uint64_t element = alloca.getDataLayout().getTypeAllocSize(alloca.getAllocatedType());
  APInt count = ranges.signedMax(*alloca.getArraySize(), alloca);
  if (count.isNegative() || element == 0)
    return 0;
  if (count.ugt(mostBytes / element))
    return std::nullopt;
  return count.getZExtValue() * element;
}

void makeConstant(AllocaInst &alloca, uint64_t bytes) {
  Type *type = ArrayType::get(Type::getInt8Ty(alloca.getContext()), bytes);
  auto *fixed = new AllocaInst(type, alloca.getAddressSpace(), nullptr, alloca.getAlign(), "",
                               alloca.getFunction()->getEntryBlock().begin());
  fixed->takeName(&alloca);
  fixed->setDebugLoc(alloca.getDebugLoc());
  alloca.replaceAllUsesWith(fixed);
  alloca.eraseFromParent();
}

/// Fixes the sizes; returns an alloca of the function whose size stays unknown, or null.
const AllocaInst *fix(Function &function) {
  SmallVector<AllocaInst *> dynamic;
  for (Instruction &inst : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      dynamic.push_back(alloca);
  if (dynamic.empty())
    return nullptr;
  Ranges ranges(function);
  const AllocaInst *unknown = nullptr;
  for (AllocaInst *alloca : dynamic) {
    std::optional<uint64_t> limit = isInCycle(*alloca) ? std::nullopt : limitOf(*alloca, ranges);
    if (limit)
      makeConstant(*alloca, *limit);
    else if (!unknown)
      unknown = alloca;
  }
  return unknown;
}

} // namespace

void fixStackSizes(Module &module, ArrayRef<std::string> kernels, RefusedKernels &refused) {
  DenseMap<const GlobalValue *, const Instruction *> unknown;
  for (Function &function : module)
    if (const AllocaInst *alloca = function.isDeclaration() ? nullptr : fix(function))
      unknown[&function] = alloca;
  refuseReaching(module, kernels, unknown,
                 {RefusalKind::UnknownIntrinsic,
                  "it calls alloca in a loop or with a size that has no small limit known to the "
                  "compiler, and AMD GPUs have no such allocation"},
                 refused);
  // The code generator fails on these functions, and their callers are removed with the kernels.
  for (Function &function : module)
    if (unknown.contains(&function) && !is_contained(kernels, function.getName()))
      function.deleteBody();
}

} // namespace regrain::amdgpu
