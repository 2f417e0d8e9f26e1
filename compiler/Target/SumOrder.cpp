//===- SumOrder.cpp - Sums in another order -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/SumOrder.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regrain {
namespace {

/// The sums that one sum becomes.
constexpr size_t mostParts = 4;
/// The additions from which on a sum within a block is split. Short ones are often an argument that
/// is reduced in steps, whose order matters.
constexpr size_t leastInBlock = 8;

/// A sum that a loop carries.
struct LoopSum {
  PHINode *carried = nullptr;           ///< at the begin of an iteration
  SmallVector<Instruction *> additions; ///< of one iteration, in order
};

/// The operands that an addition may have as the sum before it.
SmallVector<unsigned, 2> sumOperands(const Instruction &instruction) {
  if (instruction.getOpcode() == Instruction::FAdd)
    return {0, 1};
  if (instruction.getOpcode() == Instruction::FSub)
    return {0};
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  bool isFused = call && (call->getIntrinsicID() == Intrinsic::fma ||
                          call->getIntrinsicID() == Intrinsic::fmuladd);
  return isFused ? SmallVector<unsigned, 2>{2} : SmallVector<unsigned, 2>{};
}

/// Returns the operand of the instruction that is `sum`, if it adds something else to it.
std::optional<unsigned> operandFor(const Instruction &instruction, const Value *sum) {
  std::optional<unsigned> found;
  for (unsigned number : sumOperands(instruction))
    if (instruction.getOperand(number) == sum)
      found = number;
  return found && count(instruction.operands(), sum) == 1 ? found : std::nullopt;
}

/// Finds the only user of a partial sum in the loop; null if there are others. Only a sum at the
/// end of an iteration may be used outside.
Instruction *onlyUserIn(const Loop &loop, const Value &sum, bool mayLeave) {
  Instruction *only = nullptr;
  for (const User *user : sum.users()) {
    auto *instruction = cast<Instruction>(const_cast<User *>(user));
    if (!loop.contains(instruction) ? !mayLeave : only != nullptr)
      return nullptr;
    if (loop.contains(instruction))
      only = instruction;
  }
  return only;
}

/// Returns the sum that the loop carries in `carried`.
std::optional<LoopSum> findSum(const Loop &loop, PHINode &carried, const LoopInfo &loops) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader() || !carried.getType()->isFloatingPointTy())
    return std::nullopt;
  LoopSum sum = {&carried, {}};
  const Value *next = carried.getIncomingValueForBlock(latch);
  for (Value *partial = &carried; partial != next || sum.additions.empty();) {
    Instruction *user = onlyUserIn(loop, *partial, /*mayLeave=*/partial == &carried);
    if (!user || !operandFor(*user, partial) || loops.getLoopFor(user->getParent()) != &loop)
      return std::nullopt;
    sum.additions.push_back(user);
    partial = user;
  }
  return onlyUserIn(loop, *next, /*mayLeave=*/true) == &carried ? std::optional(sum) : std::nullopt;
}

SmallVector<LoopSum> findSums(const Loop &loop, const LoopInfo &loops) {
  SmallVector<LoopSum> sums;
  for (PHINode &phi : loop.getHeader()->phis())
    if (std::optional<LoopSum> sum = findSum(loop, phi, loops))
      sums.push_back(std::move(*sum));
  return sums;
}

/// Marks loops whose sums are worth splitting before LLVM decides how they are unrolled.
class UnrollSums : public PassInfoMixin<UnrollSums> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    bool isFree = hasUnrollTransformation(&loop) == TM_Unspecified;
    bool hasShortSum = any_of(findSums(loop, results.LI),
                              [](const LoopSum &sum) { return sum.additions.size() < mostParts; });
    if (loop.isInnermost() && isFree && hasShortSum)
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", mostParts);
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }
};

/// Returns the number of sums that one of so many additions becomes.
size_t partsFor(size_t additions) {
  return additions >= mostParts ? mostParts : additions >= 2 ? 2 : 1;
}

/// Lets the additions take turns with the parts, which begin with `parts`, and returns their ends.
SmallVector<Value *> deal(ArrayRef<Instruction *> additions, Value *begin,
                          SmallVector<Value *> parts) {
  Value *before = begin;
  for (auto [index, addition] : enumerate(additions)) {
    Value *&part = parts[index % parts.size()];
    addition->setOperand(*operandFor(*addition, before), part);
    before = part = addition;
  }
  return parts;
}

/// Adds up the parts, neighbours first.
Value *addUp(IRBuilder<> &builder, SmallVector<Value *> parts) {
  while (parts.size() > 1) {
    for (size_t i = 0; i < parts.size() / 2; ++i)
      parts[i] = builder.CreateFAdd(parts[2 * i], parts[2 * i + 1]);
    parts.resize(parts.size() / 2);
  }
  return parts.front();
}

/// Returns the phis behind the loop that take the sum; nothing if one takes anything else, or the
/// sum leaves in another way.
std::optional<SmallVector<PHINode *>> exitsOf(const Loop &loop, const LoopSum &sum) {
  SmallSetVector<PHINode *, 4> exits;
  for (Value *value :
       {static_cast<Value *>(sum.carried), static_cast<Value *>(sum.additions.back())})
    for (User *user : value->users()) {
      auto *phi = dyn_cast<PHINode>(user);
      if (phi && !loop.contains(phi))
        exits.insert(phi);
      else if (!loop.contains(cast<Instruction>(user)))
        return std::nullopt;
    }
  bool areOfSum = all_of(exits, [&](PHINode *phi) {
    return all_of(phi->incoming_values(), [&](const Use &value) {
      return value == sum.carried || value == sum.additions.back();
    });
  });
  return areOfSum ? std::optional(exits.takeVector()) : std::nullopt;
}

bool split(Loop &loop, const LoopSum &sum) {
  size_t count = partsFor(sum.additions.size());
  std::optional<SmallVector<PHINode *>> exits = exitsOf(loop, sum);
  if (count == 1 || !exits)
    return false;
  Type *type = sum.carried->getType();
  SmallVector<PHINode *> carried = {sum.carried};
  IRBuilder<> builder(sum.carried);
  while (carried.size() < count) {
    carried.push_back(builder.CreatePHI(type, 2));
    carried.back()->addIncoming(ConstantFP::getNegativeZero(type), loop.getLoopPreheader());
  }
  const Value *next = sum.additions.back();
  // What each exit takes, before the additions change.
  SmallVector<SmallVector<bool>> takesNext;
  for (PHINode *exit : *exits)
    takesNext.push_back(to_vector(
        map_range(exit->incoming_values(), [&](const Use &value) { return value == next; })));
  SmallVector<Value *> ends =
      deal(sum.additions, sum.carried, SmallVector<Value *>(carried.begin(), carried.end()));
  sum.carried->setIncomingValueForBlock(loop.getLoopLatch(), ends[0]);
  for (size_t i = 1; i < count; ++i)
    carried[i]->addIncoming(ends[i], loop.getLoopLatch());
  for (auto [exit, isNext] : zip_equal(*exits, takesNext)) {
    builder.SetInsertPoint(exit);
    SmallVector<Value *> parts;
    for (size_t i = 0; i < count; ++i) {
      PHINode *part = builder.CreatePHI(type, exit->getNumIncomingValues());
      for (auto [block, takesEnd] : zip_equal(exit->blocks(), isNext))
        part->addIncoming(takesEnd ? ends[i] : carried[i], block);
      parts.push_back(part);
    }
    builder.SetInsertPoint(exit->getParent(), exit->getParent()->getFirstInsertionPt());
    exit->replaceAllUsesWith(addUp(builder, parts));
    exit->eraseFromParent();
  }
  return true;
}

/// Finds the sums in a block: the longest chains of additions without another use.
class BlockSums {
public:
  explicit BlockSums(BasicBlock &block) {
    for (Instruction &instruction : block)
      if (!sumOperands(instruction).empty())
        add(instruction);
  }

  /// Returns the additions of each sum that is long enough, in order.
  std::vector<SmallVector<Instruction *>> find() const {
    std::vector<SmallVector<Instruction *>> sums;
    for (const auto &[last, link] : links)
      if (link.length >= leastInBlock && !isContinued.contains(last)) {
        SmallVector<Instruction *> additions;
        for (Instruction *at = last; at; at = links.find(at)->second.before)
          additions.push_back(at);
        sums.emplace_back(additions.rbegin(), additions.rend());
      }
    return sums;
  }

private:
  struct Link {
    Instruction *before = nullptr; ///< the addition whose sum this one continues
    size_t length = 1;
  };

  /// The longer of two chains goes on.
  void add(Instruction &instruction) {
    Link link;
    for (unsigned number : sumOperands(instruction)) {
      auto *operand = dyn_cast<Instruction>(instruction.getOperand(number));
      auto known = operand && operand->hasOneUse() ? links.find(operand) : links.end();
      if (known != links.end() && known->second.length >= link.length)
        link = {operand, known->second.length + 1};
    }
    if (link.before)
      isContinued.insert(link.before);
    links.insert({&instruction, link});
  }

  MapVector<Instruction *, Link> links;
  SmallPtrSet<Instruction *, 16> isContinued;
};

bool split(ArrayRef<Instruction *> additions) {
  Instruction &first = *additions.front(), *last = additions.back();
  Value *begin = first.getOperand(sumOperands(first).front());
  // A sum that a loop carries is split there.
  bool isCarried = any_of(sumOperands(first),
                          [&](unsigned number) { return isa<PHINode>(first.getOperand(number)); });
  if (isCarried || !operandFor(first, begin))
    return false;
  SmallVector<Value *> parts(partsFor(additions.size()),
                             ConstantFP::getNegativeZero(begin->getType()));
  parts.front() = begin;
  SmallVector<Use *> uses;
  for (Use &use : last->uses())
    uses.push_back(&use);
  IRBuilder<> builder(last->getParent(), std::next(last->getIterator()));
  builder.SetCurrentDebugLocation(last->getDebugLoc());
  Value *sum = addUp(builder, deal(additions, begin, std::move(parts)));
  for (Use *use : uses)
    use->set(sum);
  return true;
}

} // namespace

bool mayReorderSums(const Module &module, ArrayRef<std::string> kernels) {
  return any_of(kernels, [&](const std::string &symbol) {
    const Function *kernel = module.getFunction(symbol);
    return kernel && kernel->getFnAttribute("regrain-sums").getValueAsString() == "reassociated";
  });
}

void splitSums(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(createFunctionToLoopPassAdaptor(UnrollSums()));
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel at) {
    if (at == OptimizationLevel::O0)
      return;
    FunctionPassManager functions;
    functions.addPass(createFunctionToLoopPassAdaptor(SplitLoopSums()));
    functions.addPass(SplitBlockSums());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  });
}

PreservedAnalyses PermitSumOrder::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    for (const LoopSum &sum : findSums(*loop, loops))
      for (Instruction *addition : sum.additions)
        addition->setHasAllowReassoc(true);
  return PreservedAnalyses::all(); // no analysis keeps these flags
}

PreservedAnalyses SplitLoopSums::run(Loop &loop, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &results, LPMUpdater &) {
  bool isChanged = false;
  for (const LoopSum &sum : findSums(loop, results.LI))
    isChanged |= split(loop, sum);
  if (!isChanged)
    return PreservedAnalyses::all();
  results.SE.forgetLoop(&loop);
  return getLoopPassPreservedAnalyses();
}

PreservedAnalyses SplitBlockSums::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (BasicBlock &block : function)
    for (const SmallVector<Instruction *> &additions : BlockSums(block).find())
      isChanged |= split(additions);
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain
