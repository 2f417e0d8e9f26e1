//===- LaunchRules.cpp - Functions that say how a kernel is launched ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each instruction becomes a step. Branches become selections: a block's stores count where the
// block is reached. A rule without result, such as a division by zero in a branch that is not
// taken, is therefore none where its value is not selected.
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/LaunchRules.h"

#include "compiler/DeviceIR/References.h"
#include "compiler/Frontend/PlainArithmetic.h"
#include "compiler/Refusal/DebugPosition.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr unsigned firstResult = launchExtents, firstArgument = 2 * launchExtents;

class RuleReader {
public:
  explicit RuleReader(const Function &function) : function(function) {}

  std::variant<LaunchRule, NoRule> read() {
    results.fill(constant(0, 64));
    ReversePostOrderTraversal<const Function *> order(&function);
    SmallPtrSet<const BasicBlock *, 8> seen;
    for (const BasicBlock *block : order) {
      seen.insert(block);
      for (const BasicBlock *next : successors(block))
        if (seen.contains(next))
          return NoRule{"it has a loop whose length is not constant",
                        positionOf(block->getTerminator()->getDebugLoc())};
    }
    refuseCalls();
    for (const BasicBlock *block : order)
      readBlock(*block);
    if (wrong)
      return *wrong;
    rule.results.assign(results.begin(), results.end());
    return rule;
  }

private:
  uint32_t add(const RuleStep &step) {
    auto [known, isNew] = numbers.try_emplace(step, uint32_t(rule.steps.size()));
    if (isNew)
      rule.steps.push_back(step);
    return known->second;
  }

  uint32_t constant(uint64_t value, unsigned bits) {
    return add({.op = RuleOp::Constant, .bits = uint8_t(bits), .value = value});
  }

  uint32_t two(RuleOp op, uint32_t first, uint32_t second) {
    bool isCondition =
        op == RuleOp::Equal || op == RuleOp::LessUnsigned || op == RuleOp::LessSigned;
    return add({.op = op,
                .bits = isCondition ? uint8_t(1) : rule.steps[first].bits,
                .first = first,
                .second = second});
  }

  uint32_t no(uint32_t condition) { return two(RuleOp::Xor, condition, constant(1, 1)); }

  uint32_t select(uint32_t condition, uint32_t yes, uint32_t otherwise) {
    return add({.op = RuleOp::Select,
                .bits = rule.steps[yes].bits,
                .first = condition,
                .second = yes,
                .third = otherwise});
  }

  uint32_t fail(const Twine &reason, const Instruction *at) {
    if (!wrong)
      wrong = NoRule{reason.str(), at ? positionOf(at->getDebugLoc()) : SourcePosition()};
    return constant(0, 64);
  }

  /// What is left of calls after inlining is not defined here, or calls itself.
  void refuseCalls() {
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || isa<IntrinsicInst>(call))
        continue;
      const Function *callee = call->getCalledFunction();
      fail(callee ? "it calls '" + demangle(callee->getName()) +
                        "', which is no constexpr function that this file defines"
                  : "it calls a function through a pointer",
           call);
    }
  }

  /// Returns the bits of a type that numbers of a rule can have; 0 for others.
  unsigned bitsOf(const Type &type) const {
    if (type.isPointerTy())
      return 64;
    return type.isIntegerTy() && type.getIntegerBitWidth() <= 64 ? type.getIntegerBitWidth() : 0;
  }

  uint32_t numberOf(const Value &value, const Instruction *user) {
    auto known = values.find(&value);
    if (known != values.end())
      return known->second;
    if (auto *number = dyn_cast<ConstantInt>(&value); number && number->getBitWidth() <= 64)
      return constant(number->getZExtValue(), number->getBitWidth());
    if (isa<ConstantPointerNull>(value))
      return constant(0, 64);
    auto *parameter = dyn_cast<Argument>(&value);
    if (parameter && parameter->getArgNo() < firstResult)
      return add({.op = RuleOp::Given, .first = parameter->getArgNo()});
    if (isa<UndefValue>(value))
      return fail("it uses a value that is not initialised", user);
    return fail("it uses more than integers, the given launch and the kernel's arguments", user);
  }

  uint32_t conditionOf(const ICmpInst &compare) {
    CmpInst::Predicate predicate = compare.getPredicate();
    const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    bool isNegated = false;
    if (predicate == CmpInst::ICMP_NE || ICmpInst::isGE(predicate) || ICmpInst::isLE(predicate)) {
      predicate = CmpInst::getInversePredicate(predicate);
      isNegated = true;
    }
    if (ICmpInst::isGT(predicate)) {
      predicate = CmpInst::getSwappedPredicate(predicate);
      std::swap(left, right);
    }
    RuleOp op = predicate == CmpInst::ICMP_EQ    ? RuleOp::Equal
                : predicate == CmpInst::ICMP_ULT ? RuleOp::LessUnsigned
                                                 : RuleOp::LessSigned;
    uint32_t result = two(op, numberOf(*left, &compare), numberOf(*right, &compare));
    return isNegated ? no(result) : result;
  }

  std::optional<RuleOp> opOf(const BinaryOperator &operation) {
    switch (operation.getOpcode()) {
    case Instruction::Add:
      return RuleOp::Add;
    case Instruction::Sub:
      return RuleOp::Subtract;
    case Instruction::Mul:
      return RuleOp::Multiply;
    case Instruction::UDiv:
      return RuleOp::DivideUnsigned;
    case Instruction::SDiv:
      return RuleOp::DivideSigned;
    case Instruction::URem:
      return RuleOp::RemainderUnsigned;
    case Instruction::SRem:
      return RuleOp::RemainderSigned;
    case Instruction::And:
      return RuleOp::And;
    case Instruction::Or:
      return RuleOp::Or;
    case Instruction::Xor:
      return RuleOp::Xor;
    case Instruction::Shl:
      return RuleOp::ShiftLeft;
    case Instruction::LShr:
      return RuleOp::ShiftRightUnsigned;
    case Instruction::AShr:
      return RuleOp::ShiftRightSigned;
    default:
      return std::nullopt;
    }
  }

  uint32_t castOf(const CastInst &cast) {
    uint32_t from = numberOf(*cast.getOperand(0), &cast);
    RuleOp op = isa<SExtInst>(cast) ? RuleOp::ExtendSigned : RuleOp::Resize;
    return add({.op = op, .bits = uint8_t(bitsOf(*cast.getType())), .first = from});
  }

  /// Returns the parameter to which `pointer` points, and how many bytes behind its start.
  std::pair<const Argument *, uint64_t> placeOf(const Value &pointer) const {
    const DataLayout &layout = function.getParent()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
    return {dyn_cast<Argument>(base), offset.getZExtValue()};
  }

  uint32_t loadOf(const LoadInst &load) {
    auto [parameter, offset] = placeOf(*load.getPointerOperand());
    unsigned bits = bitsOf(*load.getType());
    if (!load.isSimple() || !parameter || parameter->getArgNo() < firstArgument)
      return fail("it reads memory, and not only the kernel's arguments", &load);
    return add({.op = RuleOp::Argument,
                .bits = uint8_t(bits),
                .first = parameter->getArgNo() - firstArgument,
                .second = uint32_t(offset)});
  }

  void store(const StoreInst &store, uint32_t reached) {
    auto [parameter, offset] = placeOf(*store.getPointerOperand());
    bool isResult = store.isSimple() && parameter && parameter->getArgNo() >= firstResult &&
                    parameter->getArgNo() < firstArgument && offset == 0;
    if (!isResult || bitsOf(*store.getValueOperand()->getType()) != 64)
      return void(fail("it writes memory", &store));
    uint32_t &result = results[parameter->getArgNo() - firstResult];
    result = select(reached, numberOf(*store.getValueOperand(), &store), result);
  }

  std::optional<uint32_t> intrinsicOf(const IntrinsicInst &call) {
    auto operand = [&](unsigned index) { return numberOf(*call.getArgOperand(index), &call); };
    auto lesser = [&](RuleOp op, bool isLeast) {
      uint32_t left = operand(0), right = operand(1), isLess = two(op, left, right);
      return isLeast ? select(isLess, left, right) : select(isLess, right, left);
    };
    switch (call.getIntrinsicID()) {
    case Intrinsic::umin:
    case Intrinsic::umax:
      return lesser(RuleOp::LessUnsigned, call.getIntrinsicID() == Intrinsic::umin);
    case Intrinsic::smin:
    case Intrinsic::smax:
      return lesser(RuleOp::LessSigned, call.getIntrinsicID() == Intrinsic::smin);
    case Intrinsic::abs: {
      uint32_t number = operand(0), zero = constant(0, rule.steps[number].bits);
      return select(two(RuleOp::LessSigned, number, zero), two(RuleOp::Subtract, zero, number),
                    number);
    }
    default:
      return std::nullopt;
    }
  }

  uint32_t phiOf(const PHINode &phi) {
    std::optional<uint32_t> result;
    for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values())) {
      uint32_t number = numberOf(*value, &phi);
      result = result ? select(edge(*block, *phi.getParent()), number, *result) : number;
    }
    return *result;
  }

  uint32_t valueOf(const Instruction &instruction) {
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return phiOf(*phi);
    if (auto *compare = dyn_cast<ICmpInst>(&instruction))
      return conditionOf(*compare);
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return loadOf(*load);
    if (auto *cast = dyn_cast<CastInst>(&instruction); cast && bitsOf(*cast->getSrcTy()))
      return castOf(*cast);
    if (isa<FreezeInst>(instruction))
      return numberOf(*instruction.getOperand(0), &instruction);
    if (auto *choice = dyn_cast<SelectInst>(&instruction))
      return select(numberOf(*choice->getCondition(), choice),
                    numberOf(*choice->getTrueValue(), choice),
                    numberOf(*choice->getFalseValue(), choice));
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      if (std::optional<RuleOp> op = opOf(*operation))
        return two(*op, numberOf(*operation->getOperand(0), operation),
                   numberOf(*operation->getOperand(1), operation));
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (std::optional<uint32_t> result = intrinsicOf(*call))
        return *result;
    return fail("it computes what a rule cannot", &instruction);
  }

  void readBlock(const BasicBlock &block) {
    uint32_t reached = reachedAt(block);
    for (const Instruction &instruction : block) {
      if (instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
          instruction.isLifetimeStartOrEnd() ||
          isa<GetElementPtrInst, AssumeInst, NoAliasScopeDeclInst>(instruction))
        continue;
      if (auto *stored = dyn_cast<StoreInst>(&instruction))
        store(*stored, reached);
      else if (!bitsOf(*instruction.getType()))
        fail("it uses numbers that are no integers of up to 64 bits", &instruction);
      else
        values[&instruction] = valueOf(instruction);
    }
  }

  /// Returns the condition under which control passes from one block to another.
  uint32_t edge(const BasicBlock &from, const BasicBlock &to) {
    uint32_t reached = reachedFrom.at(&from);
    const Instruction &end = *from.getTerminator();
    std::optional<uint32_t> taken;
    auto alsoIf = [&](uint32_t condition) {
      taken = taken ? two(RuleOp::Or, *taken, condition) : condition;
    };
    if (auto *branch = dyn_cast<BranchInst>(&end); branch && branch->isConditional()) {
      uint32_t condition = numberOf(*branch->getCondition(), branch);
      if (branch->getSuccessor(0) == &to)
        alsoIf(condition);
      if (branch->getSuccessor(1) == &to)
        alsoIf(no(condition));
    } else if (auto *choice = dyn_cast<SwitchInst>(&end)) {
      uint32_t number = numberOf(*choice->getCondition(), choice), isOther = constant(1, 1);
      for (const auto &one : choice->cases()) {
        uint32_t isThis = two(RuleOp::Equal, number, numberOf(*one.getCaseValue(), choice));
        isOther = two(RuleOp::And, isOther, no(isThis));
        if (one.getCaseSuccessor() == &to)
          alsoIf(isThis);
      }
      if (choice->getDefaultDest() == &to)
        alsoIf(isOther);
    } else {
      taken = constant(1, 1);
    }
    return select(reached, *taken, constant(0, 1));
  }

  uint32_t reachedAt(const BasicBlock &block) {
    std::optional<uint32_t> reached;
    SmallPtrSet<const BasicBlock *, 4> before;
    for (const BasicBlock *from : predecessors(&block)) {
      if (!before.insert(from).second || !reachedFrom.contains(from))
        continue;
      uint32_t condition = edge(*from, block);
      reached = reached ? select(*reached, constant(1, 1), condition) : condition;
    }
    return reachedFrom[&block] = reached.value_or(constant(1, 1));
  }

  const Function &function;
  LaunchRule rule;
  std::map<RuleStep, uint32_t> numbers;
  DenseMap<const Value *, uint32_t> values;
  DenseMap<const BasicBlock *, uint32_t> reachedFrom;
  std::array<uint32_t, launchExtents> results = {};
  std::optional<NoRule> wrong;
};

} // namespace

std::variant<LaunchRule, NoRule> readRule(const Function &function) {
  return RuleReader(function).read();
}

std::unique_ptr<Module> simplifyRules(const Module &module, ArrayRef<const Function *> functions) {
  SmallVector<const GlobalValue *> roots(functions);
  References reached = findReferences(roots);
  ValueToValueMapTy mapped;
  std::unique_ptr<Module> copy = CloneModule(
      module, mapped, [&](const GlobalValue *value) { return reached.contains(value); });
  for (Function &function : *copy)
    if (!function.isDeclaration()) {
      function.removeFnAttr(Attribute::OptimizeNone);
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
      function.addFnAttr("no-jump-tables", "true"); // a table would be memory
      function.setLinkage(GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  for (const Function *function : functions)
    copy->getFunction(function->getName())->setLinkage(GlobalValue::ExternalLinkage);
  PipelineTuningOptions tuning;
  tuning.SLPVectorization = tuning.LoopVectorization = tuning.LoopInterleaving = false;
  PassBuilder builder(nullptr, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functionAnalyses, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(*copy, modules);
  for (const Function *function : functions)
    makeArithmeticPlain(*copy->getFunction(function->getName()));
  return copy;
}

LaunchRule joinRules(LaunchRule first, const LaunchRule &second) {
  auto moved = uint32_t(first.steps.size());
  for (RuleStep step : second.steps) {
    uint32_t *operands[] = {&step.first, &step.second, &step.third};
    for (unsigned i = 0; i < operandsOf(step.op); ++i)
      *operands[i] += moved;
    first.steps.push_back(step);
  }
  for (uint32_t result : second.results)
    first.results.push_back(result + moved);
  return first;
}

} // namespace regrain
