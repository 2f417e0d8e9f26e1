//===- SearchLoops.cpp - Loops that look for an element -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/SearchLoops.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The loop metadata of a search that has a loop in front of it.
constexpr char searched[] = "regrain.searched";
/// The most elements of a line, and the most instructions that pass over a line.
constexpr unsigned mostElements = 16, mostInstructions = 512;

/// A branch that leaves the loop.
struct Exit {
  BasicBlock *block;
  Value *condition;
  bool ifTrue;
};

/// A search that may have a loop in front of it.
struct Search {
  SmallVector<BasicBlock *> blocks; ///< in the order in which an iteration runs them
  SmallVector<Exit> exits;
  SmallVector<Exit> ends;           ///< of them, those that depend on an element
  const SCEV *length = nullptr;     ///< iterations after which the counted exit is taken
  SmallVector<LoadInst *> elements; ///< the loads of neighbouring elements
  unsigned width = 0;               ///< elements of a line
};

/// Returns whether the way from `from` to `block` leaves the loop behind `block`: a flag that is
/// constant there decides.
bool leavesBehind(const Loop &loop, const BasicBlock &from, const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (&block == loop.getHeader() || !branch || branch->isUnconditional())
    return false;
  auto *flag = dyn_cast<PHINode>(branch->getCondition());
  if (!flag || flag->getParent() != &block)
    return false;
  auto *value = dyn_cast<ConstantInt>(flag->getIncomingValueForBlock(&from));
  return value && !loop.contains(branch->getSuccessor(value->isZero()));
}

/// Returns whether the pointer names memory that an argument of the kernel points to, which alone
/// has the grain's attribute. It lies in device memory or in the host's, both of which are
/// accessible in whole pages.
bool isOfArgument(const Value &pointer) {
  auto *argument = dyn_cast<Argument>(getUnderlyingObject(&pointer));
  return argument && !argument->hasPassPointeeByValueCopyAttr() &&
         argument->getParent()->hasFnAttribute("regrain-unroll");
}

uint64_t bytesOf(const LoadInst &load) {
  return load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
}

class Analysis {
public:
  Analysis(Loop &loop, ScalarEvolution &evolution) : loop(loop), evolution(evolution) {}

  std::optional<Search> run() {
    if (!loop.isInnermost() || !loop.isLoopSimplifyForm() ||
        hasUnrollTransformation(&loop) != TM_Unspecified ||
        getBooleanLoopAttribute(&loop, searched) || !takeBlocks() || !sortExits())
      return std::nullopt;
    for (BasicBlock *block : search.blocks)
      for (Instruction &instruction : *block)
        if (!mayRunAhead(instruction))
          return std::nullopt;
    return isWorthIt() ? std::optional(search) : std::nullopt;
  }

private:
  /// Follows an iteration that does not leave the loop, and takes the exits on the way.
  bool takeBlocks() {
    BasicBlock *block = loop.getHeader();
    do {
      search.blocks.push_back(block);
      block = follow(*block);
    } while (block && block != loop.getHeader() && search.blocks.size() < loop.getNumBlocks());
    return block == loop.getHeader() && search.blocks.size() == loop.getNumBlocks();
  }

  /// Returns the block that comes next; null if that is not decided.
  BasicBlock *follow(BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch)
      return nullptr;
    if (branch->isUnconditional())
      return branch->getSuccessor(0);
    auto leaves = [&](unsigned side) {
      BasicBlock *successor = branch->getSuccessor(side);
      return !loop.contains(successor) || leavesBehind(loop, block, *successor);
    };
    bool ifTrue = leaves(0);
    if (ifTrue == leaves(1))
      return nullptr;
    search.exits.push_back({&block, branch->getCondition(), ifTrue});
    return branch->getSuccessor(ifTrue);
  }

  /// One exit is counted, and others depend on what is loaded.
  bool sortExits() {
    for (const Exit &exit : search.exits) {
      const SCEV *count = evolution
                              .computeExitLimitFromCond(&loop, exit.condition, exit.ifTrue,
                                                        /*ControlsOnlyExit=*/false)
                              .ExactNotTaken;
      if (isa<SCEVCouldNotCompute>(count))
        search.ends.push_back(exit);
      else if (std::exchange(search.length, count))
        return false;
    }
    SCEVExpander expander(evolution, loop.getHeader()->getDataLayout(), "search");
    return !search.ends.empty() && search.length && search.length->getType()->isIntegerTy() &&
           expander.isSafeToExpandAt(search.length, loop.getLoopPreheader()->getTerminator());
  }

  /// Returns whether each iteration runs the block, unless the counted exit is taken.
  bool isSureToRun(const BasicBlock *block) const {
    return find(search.blocks, block) <= find(search.blocks, search.ends.front().block);
  }

  /// Returns whether the instruction may run for elements that the program may not come to.
  bool mayRunAhead(Instruction &instruction) {
    if (isa<PHINode, DbgInfoIntrinsic>(instruction) || instruction.isTerminator())
      return true;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return mayLoadAhead(*load);
    return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory() &&
           isSafeToSpeculativelyExecute(&instruction);
  }

  bool mayLoadAhead(LoadInst &load) {
    if (!load.isSimple() || !isSureToRun(load.getParent()))
      return false;
    if (loop.isLoopInvariant(load.getPointerOperand()))
      return true;
    auto *place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
    uint64_t bytes = bytesOf(load);
    if (!place || place->getLoop() != &loop || !place->isAffine() || !isPowerOf2_64(bytes) ||
        bytes * 2 > searchedBytes || !isOfArgument(*load.getPointerOperand()))
      return false;
    auto *step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
    SCEVExpander expander(evolution, load.getDataLayout(), "search");
    if (!step || step->getAPInt() != bytes ||
        !expander.isSafeToExpandAt(place->getStart(), loop.getLoopPreheader()->getTerminator()))
      return false;
    search.elements.push_back(&load);
    return true;
  }

  bool isWorthIt() {
    if (search.elements.empty())
      return false;
    uint64_t widest = 0, size = 0;
    for (LoadInst *load : search.elements)
      widest = std::max(widest, bytesOf(*load));
    for (BasicBlock *block : search.blocks)
      size += block->sizeWithoutDebug();
    search.width = std::min<unsigned>(mostElements, searchedBytes / widest);
    return size * search.width <= mostInstructions;
  }

  Loop &loop;
  ScalarEvolution &evolution;
  Search search;
};

/// Puts the loop over whole lines in front of a search.
class LineLoop {
public:
  LineLoop(Loop &loop, const Search &search, ScalarEvolution &evolution)
      : loop(loop), search(search), evolution(evolution), before(loop.getLoopPreheader()),
        header(loop.getHeader()) {
    for (BasicBlock **block : {&first, &line, &next, &meeting})
      *block = BasicBlock::Create(header->getContext(), "search", header->getParent(), header);
  }

  void build() {
    enter();
    copyInvariant();
    passOverLine();
    goOn();
    meet();
    addStringMetadataToLoop(&loop, searched, 1);
  }

private:
  Value *widthOf(Type *type) { return ConstantInt::get(type, search.width); }
  /// The search is long enough for a line, and its elements begin at one.
  void enter() {
    SCEVExpander expander(evolution, header->getDataLayout(), "search");
    Instruction *end = before->getTerminator();
    length = expander.expandCodeFor(search.length, search.length->getType(), end->getIterator());
    IRBuilder<> builder(end);
    Value *enters = builder.CreateICmpUGE(length, widthOf(length->getType()));
    for (LoadInst *load : search.elements) {
      const SCEV *start =
          cast<SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()))->getStart();
      Value *address = expander.expandCodeFor(start, start->getType(), end->getIterator());
      Type *integer = header->getDataLayout().getIntPtrType(address->getType());
      Value *rest = builder.CreateAnd(builder.CreatePtrToInt(address, integer),
                                      ConstantInt::get(integer, lineOf(*load) - 1));
      enters = builder.CreateAnd(enters, builder.CreateIsNull(rest));
    }
    builder.CreateCondBr(enters, first, meeting);
    end->eraseFromParent();
  }

  /// Returns the bytes of the line that the load takes a part of.
  uint64_t lineOf(const LoadInst &load) const { return bytesOf(load) * search.width; }

  bool isInvariant(const Instruction &instruction) const {
    return all_of(instruction.operands(), [&](const Use &operand) {
      auto *own = dyn_cast<Instruction>(operand.get());
      return !own || !loop.contains(own) || isCopiedOnce.contains(own);
    });
  }

  template <typename Action> static void forEachOperation(BasicBlock &block, Action action) {
    for (Instruction &instruction : block)
      if (!isa<PHINode, DbgInfoIntrinsic>(instruction) && !instruction.isTerminator())
        action(instruction);
  }

  Instruction *copy(Instruction &instruction, BasicBlock *into) {
    Instruction *made = instruction.clone();
    made->insertInto(into, into->end());
    RemapInstruction(made, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    made->dropPoisonGeneratingAnnotations();
    made->dropUBImplyingAttrsAndMetadata();
    values[&instruction] = made;
    return made;
  }

  void copyInvariant() {
    for (BasicBlock *block : search.blocks)
      forEachOperation(*block, [&](Instruction &instruction) {
        if (isInvariant(instruction)) {
          isCopiedOnce.insert(&instruction);
          copy(instruction, first);
        }
      });
    BranchInst::Create(line, first);
  }

  Value *valueOf(Value *value) {
    auto found = values.find(value);
    return found == values.end() ? value : static_cast<Value *>(found->second);
  }

  void passOverLine() {
    IRBuilder<> builder(line);
    counter = builder.CreatePHI(length->getType(), 2);
    for (PHINode &phi : header->phis()) {
      PHINode *start = builder.CreatePHI(phi.getType(), 2);
      start->addIncoming(phi.getIncomingValueForBlock(before), first);
      starts.push_back(start);
      values[&phi] = start;
    }
    SmallVector<Value *> ends;
    for (unsigned index = 0; index < search.width; ++index) {
      copyIteration(index);
      builder.SetInsertPoint(line);
      for (const Exit &end : search.ends) {
        Value *condition = valueOf(end.condition);
        ends.push_back(builder.CreateFreeze(end.ifTrue ? condition : builder.CreateNot(condition)));
      }
      advance();
    }
    builder.CreateCondBr(anyOf(ends, builder), meeting, next);
  }

  /// Joins the conditions in pairs, so that few of them wait for others.
  static Value *anyOf(SmallVector<Value *> conditions, IRBuilder<> &builder) {
    while (conditions.size() > 1) {
      SmallVector<Value *> joined;
      for (size_t index = 0; index + 1 < conditions.size(); index += 2)
        joined.push_back(builder.CreateOr(conditions[index], conditions[index + 1]));
      if (conditions.size() % 2)
        joined.push_back(conditions.back());
      conditions = std::move(joined);
    }
    return conditions.front();
  }

  void copyIteration(unsigned index) {
    BasicBlock *from = nullptr;
    for (BasicBlock *block : search.blocks) {
      if (from)
        for (PHINode &phi : block->phis())
          values[&phi] = valueOf(phi.getIncomingValueForBlock(from));
      from = block;
      forEachOperation(*block, [&](Instruction &instruction) {
        if (isCopiedOnce.contains(&instruction))
          return;
        Instruction *made = copy(instruction, line);
        auto *load = dyn_cast<LoadInst>(&instruction);
        if (load && is_contained(search.elements, load))
          cast<LoadInst>(made)->setAlignment(
              commonAlignment(Align(lineOf(*load)), index * bytesOf(*load)));
      });
    }
  }

  /// What the next iteration begins with.
  void advance() {
    SmallVector<Value *> after;
    for (PHINode &phi : header->phis())
      after.push_back(valueOf(phi.getIncomingValueForBlock(loop.getLoopLatch())));
    for (auto [phi, value] : zip(header->phis(), after))
      values[&phi] = value;
  }

  /// At least one iteration remains for the search, which it may need for its results.
  void goOn() {
    IRBuilder<> builder(next);
    Value *width = widthOf(length->getType());
    Value *passed = builder.CreateAdd(counter, width);
    Value *more = builder.CreateICmpUGE(builder.CreateSub(length, passed), width);
    BranchInst *branch = builder.CreateCondBr(more, line, meeting);
    counter->addIncoming(ConstantInt::get(length->getType(), 0), first);
    counter->addIncoming(passed, next);
    for (auto [phi, start] : zip(header->phis(), starts))
      start->addIncoming(valueOf(&phi), next);
    LLVMContext &context = header->getContext();
    auto *once = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
    MDNode *id = MDNode::getDistinct(context, {nullptr, once});
    id->replaceOperandWith(0, id);
    branch->setMetadata(LLVMContext::MD_loop, id);
  }

  /// The search begins where the lines end.
  void meet() {
    IRBuilder<> builder(meeting);
    for (auto [phi, start] : zip(header->phis(), starts)) {
      PHINode *begin = builder.CreatePHI(phi.getType(), 3);
      begin->addIncoming(phi.getIncomingValueForBlock(before), before);
      begin->addIncoming(start, line);
      begin->addIncoming(valueOf(&phi), next);
      phi.setIncomingValueForBlock(before, begin);
    }
    builder.CreateBr(header);
    header->replacePhiUsesWith(before, meeting);
  }

  Loop &loop;
  const Search &search;
  ScalarEvolution &evolution;
  BasicBlock *before, *header;
  BasicBlock *first, *line, *next, *meeting;
  Value *length = nullptr;
  PHINode *counter = nullptr;
  SmallVector<PHINode *> starts;
  SmallPtrSet<const Instruction *, 8> isCopiedOnce;
  ValueToValueMapTy values;
};

/// Returns whether a search of the function got a loop in front of it.
bool changeOne(Function &function, FunctionAnalysisManager &analyses) {
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (std::optional<Search> search = Analysis(*loop, evolution).run()) {
      LineLoop(*loop, *search, evolution).build();
      return true;
    }
  return false;
}

} // namespace

PreservedAnalyses SearchLoops::run(Function &function, FunctionAnalysisManager &analyses) {
  bool isChanged = false;
  while (changeOne(function, analyses)) {
    isChanged = true;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
