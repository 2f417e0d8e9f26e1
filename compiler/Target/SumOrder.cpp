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

/// Returns the only user of a partial sum in the loop; null if there are others.
Instruction *onlyUserIn(const Loop &loop, Value &sum) {
  Instruction *only = nullptr;
  for (User *user : sum.users()) {
    auto *instruction = cast<Instruction>(user);
    if (!loop.contains(instruction))
      continue;
    if (only)
      return nullptr;
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
  Value *next = carried.getIncomingValueForBlock(latch);
  for (Value *partial = &carried; partial != next || sum.additions.empty();) {
    Instruction *user = onlyUserIn(loop, *partial);
    if (!user || !operandFor(*user, partial) || loops.getLoopFor(user->getParent()) != &loop)
      return std::nullopt;
    sum.additions.push_back(user);
    partial = user;
  }
  return onlyUserIn(loop, *next) == &carried ? std::optional(sum) : std::nullopt;
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

/// Returns the parts, which begin with `parts`, after the first additions.
SmallVector<Value *> partsAfter(ArrayRef<Instruction *> additions, SmallVector<Value *> parts) {
  for (auto [index, addition] : enumerate(additions))
    parts[index % parts.size()] = addition;
  return parts;
}

/// Lets the additions of a sum that begins with `begin` take turns with the parts.
void deal(ArrayRef<Instruction *> additions, Value *begin, SmallVector<Value *> parts) {
  Value *before = begin;
  for (auto [index, addition] : enumerate(additions)) {
    Value *&part = parts[index % parts.size()];
    addition->setOperand(*operandFor(*addition, before), part);
    before = part = addition;
  }
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

/// A phi behind the loop that takes the sum, and after how many additions on each of its edges.
struct SumExit {
  PHINode *phi;
  SmallVector<size_t> additions;
};

/// Returns where the sum leaves the loop; nothing if something else takes the same way.
std::optional<SmallVector<SumExit>> exitsOf(const Loop &loop, const LoopSum &sum) {
  SmallVector<Value *> values = {sum.carried};
  values.append(sum.additions.begin(), sum.additions.end());
  DenseMap<Value *, size_t> positions;
  SmallSetVector<PHINode *, 4> phis;
  for (auto [position, value] : enumerate(values)) {
    positions[value] = position;
    for (User *user : value->users()) {
      auto *phi = dyn_cast<PHINode>(user);
      if (phi && !loop.contains(phi))
        phis.insert(phi);
      else if (!loop.contains(cast<Instruction>(user)))
        return std::nullopt;
    }
  }
  SmallVector<SumExit> exits;
  for (PHINode *phi : phis) {
    SumExit &exit = exits.emplace_back(SumExit{phi, {}});
    for (Value *value : phi->incoming_values()) {
      auto position = positions.find(value);
      if (position == positions.end())
        return std::nullopt;
      exit.additions.push_back(position->second);
    }
  }
  return exits;
}

/// Adds up the parts where the sum leaves the loop.
void addUpAt(const SumExit &exit, const LoopSum &sum, const SmallVector<Value *> &begin) {
  PHINode *phi = exit.phi;
  IRBuilder<> builder(phi);
  SmallVector<Value *> parts;
  for (size_t part = 0; part < begin.size(); ++part) {
    PHINode *own = builder.CreatePHI(phi->getType(), phi->getNumIncomingValues());
    for (auto [block, additions] : zip_equal(phi->blocks(), exit.additions))
      own->addIncoming(partsAfter(ArrayRef(sum.additions).take_front(additions), begin)[part],
                       block);
    parts.push_back(own);
  }
  builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
  phi->replaceAllUsesWith(addUp(builder, parts));
  phi->eraseFromParent();
}

bool split(Loop &loop, const LoopSum &sum) {
  size_t count = partsFor(sum.additions.size());
  std::optional<SmallVector<SumExit>> exits = exitsOf(loop, sum);
  if (count == 1 || !exits)
    return false;
  Type *type = sum.carried->getType();
  SmallVector<Value *> begin = {sum.carried};
  IRBuilder<> builder(sum.carried);
  while (begin.size() < count) {
    PHINode *part = builder.CreatePHI(type, 2);
    part->addIncoming(ConstantFP::getNegativeZero(type), loop.getLoopPreheader());
    begin.push_back(part);
  }
  deal(sum.additions, sum.carried, begin);
  SmallVector<Value *> ends = partsAfter(sum.additions, begin);
  sum.carried->setIncomingValueForBlock(loop.getLoopLatch(), ends[0]);
  for (size_t i = 1; i < count; ++i)
    cast<PHINode>(begin[i])->addIncoming(ends[i], loop.getLoopLatch());
  for (const SumExit &exit : *exits)
    addUpAt(exit, sum, begin);
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
  deal(additions, begin, parts);
  Value *sum = addUp(builder, partsAfter(additions, parts));
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
