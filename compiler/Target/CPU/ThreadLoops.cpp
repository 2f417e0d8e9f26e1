//===- ThreadLoops.cpp - Kernels as loops over threads --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/ThreadLoops.h"
#include "compiler/Target/CPU/DebugInformation.h"
#include "compiler/Target/CPU/DeviceLibrary.h"
#include "compiler/Target/CPU/KernelRegions.h"
#include "compiler/Target/CPU/LoopInterchange.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/CPU/WaitGroups.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

constexpr uint64_t paddingBytes = 64;

/// Instructions in all regions of a kernel, up to which the regions are inlined in the run
/// function. The time of several of LLVM's passes grows faster than the size of a function, while a
/// call for a whole block costs nothing beside that much work.
constexpr unsigned mostInlined = 4000;

/// Regions of a kernel up to which they are inlined: each brings loops over threads, which LLVM
/// examines for each of the others.
constexpr size_t mostInlinedRegions = 32;

/// The common part of both kinds of run function.
class RunFunction {
public:
  explicit RunFunction(const KernelRegions &kernel)
      : kernel(kernel), module(*kernel.kernel.getParent()),
        run(createRunBlock(module, (kernel.kernel.getName() + ".run").str())),
        builder(BasicBlock::Create(module.getContext(), "entry", run)) {
    for (unsigned i = 0; i < kernel.regions.size(); ++i)
      functions.push_back(emitRegion(kernel, i));
    separateLarge();
    moveSubprogram(kernel.kernel, *run);
  }

protected:
  /// Creates a RegrainThreads for the kernel's arrays in the arena.
  Value *describeThreads() {
    static_assert(sizeof(RegrainThreads) % 8 == 0);
    Value *threads =
        builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), sizeof(RegrainThreads) / 8));
    SmallVector<Value *> arguments = {threads, run->getArg(1)};
    for (unsigned array : {kernel.a, kernel.result, kernel.mask, kernel.b, kernel.c})
      arguments.push_back(offset(array));
    arguments.push_back(kernel.states ? offset(kernel.wait) : builder.getInt64(0));
    builder.CreateCall(module.getFunction("regrain_describe_threads"), arguments);
    return threads;
  }

  Value *offset(unsigned array) { return builder.getInt64(kernel.arena.offset(array)); }

  void callRegion(unsigned index, Value *uniforms) {
    Function *function = functions[index];
    CallInst *call = builder.CreateCall(function, {run->getArg(0), run->getArg(1), uniforms});
    // A function with places in the source is called from one. The others are inlined, and their
    // instructions keep the places that they have.
    if (function->getSubprogram())
      call->setDebugLoc(DILocation::get(module.getContext(), run->getSubprogram()->getLine(), 0,
                                        run->getSubprogram()));
  }

  /// Keeps the regions of a large kernel functions of their own.
  void separateLarge() {
    unsigned instructions = 0;
    for (const Function *function : functions)
      instructions += function->getInstructionCount();
    if (instructions <= mostInlined && functions.size() <= mostInlinedRegions)
      return;
    for (Function *&function : functions) {
      function = copySubprogram(kernel.kernel, *function);
      function->addFnAttr(Attribute::NoInline);
    }
  }

  KernelEntry entry() const { return {0, paddingBytes, kernel.arena.bytesPerThread(), run}; }

  const KernelRegions &kernel;
  Module &module;
  Function *run;
  IRBuilder<> builder;
  SmallVector<Function *> functions;
};

/// Emits the control flow between the regions' loops.
class CommonRun : RunFunction {
public:
  using RunFunction::RunFunction;

  KernelEntry emit() {
    uniforms = builder.CreateAlloca(kernel.uniformType);
    if (kernel.exchanges)
      threads = describeThreads();
    for (unsigned i = 0; i < kernel.regions.size(); ++i)
      blocks.push_back(BasicBlock::Create(module.getContext(), "region", run));
    builder.CreateBr(blocks[0]);
    for (unsigned i = 0; i < kernel.regions.size(); ++i) {
      builder.SetInsertPoint(blocks[i]);
      callRegion(i, uniforms);
      leave(kernel.regions[i]);
    }
    return entry();
  }

private:
  void leave(const Region &region) {
    if (region.stops.empty() || region.stops[0].kind == Stop::Return) {
      builder.CreateRetVoid();
      return;
    }
    const Stop &stop = region.stops[0];
    SmallVector<unsigned> next = kernel.after(stop);
    if (stop.kind == Stop::Wait) {
      CallInst *wait = waitIn(*stop.block);
      if (handsOverValues(*wait))
        builder.CreateCall(exchangeFunction(waitKind(*wait)),
                           {threads, builder.getInt32(groupAt(*wait).size())});
      builder.CreateBr(blocks[next[0]]);
      return;
    }
    Instruction *branch = stop.block->getTerminator()->clone();
    branch->setOperand(0, condition(branch->getOperand(0)));
    for (unsigned i = 0; i < next.size(); ++i)
      branch->setSuccessor(i, blocks[next[i]]);
    branch->dropUnknownNonDebugMetadata();
    builder.Insert(branch);
  }

  /// Returns the function void(threads, values) that carries out groups of one kind, for all
  /// kernels of the module: with a copy at each of a thousand shuffles, LLVM takes minutes.
  Function *exchangeFunction(unsigned kind) {
    std::string name = "regrain_exchange." + std::to_string(kind);
    if (Function *known = module.getFunction(name))
      return known;
    Type *parameters[] = {builder.getPtrTy(), builder.getInt32Ty()};
    auto *function = Function::Create(FunctionType::get(builder.getVoidTy(), parameters, false),
                                      GlobalValue::InternalLinkage, name, &module);
    function->addFnAttr(Attribute::NoInline);
    markAsLibrary(*function);
    IRBuilder<> body(BasicBlock::Create(module.getContext(), "entry", function));
    body.CreateCall(module.getFunction("regrain_exchange"),
                    {function->getArg(0), body.getInt32(kind), function->getArg(1)});
    body.CreateRetVoid();
    return function;
  }

  Value *condition(Value *value) {
    if (isa<Constant>(value))
      return value;
    if (auto *argument = dyn_cast<Argument>(value))
      return loadArguments(builder, kernel.kernel, run->getArg(0))[argument->getArgNo()];
    unsigned field = kernel.uniforms.lookup(cast<Instruction>(value));
    return builder.CreateLoad(value->getType(),
                              builder.CreateStructGEP(kernel.uniformType, uniforms, field));
  }

  Value *uniforms = nullptr, *threads = nullptr;
  SmallVector<BasicBlock *> blocks;
};

/// Emits a loop that runs each region for the threads in its state and then releases threads.
class StateRun : RunFunction {
public:
  using RunFunction::RunFunction;

  KernelEntry emit() {
    LLVMContext &context = module.getContext();
    Value *threads = describeThreads();
    Value *null = ConstantPointerNull::get(builder.getPtrTy());
    Value *states = offset(kernel.state);
    builder.CreateCall(module.getFunction("regrain_start_states"),
                       {threads, run->getArg(1), states,
                        kernel.hasSteps() ? offset(kernel.steps) : builder.getInt64(0)});
    BasicBlock *turn = BasicBlock::Create(context, "turn", run);
    builder.CreateBr(turn);
    builder.SetInsertPoint(turn);
    Value *present = builder.CreateCall(module.getFunction("regrain_states_present"),
                                        {threads, run->getArg(1), states});
    for (unsigned i = 0; i < kernel.regions.size(); ++i) {
      BasicBlock *call = BasicBlock::Create(context, "region", run);
      BasicBlock *next = BasicBlock::Create(context, "next", run);
      Value *bit = builder.CreateAnd(present, builder.getInt64(1ull << std::min(i, 63u)));
      builder.CreateCondBr(builder.CreateICmpNE(bit, builder.getInt64(0)), call, next);
      builder.SetInsertPoint(call);
      callRegion(i, null);
      builder.CreateBr(next);
      builder.SetInsertPoint(next);
    }
    Value *more = builder.CreateCall(module.getFunction("regrain_release"), {threads});
    BasicBlock *done = BasicBlock::Create(context, "done", run);
    builder.CreateCondBr(builder.CreateICmpNE(more, builder.getInt32(0)), turn, done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    return entry();
  }
};

/// Returns whether the kernel has only allocas of fixed size in its entry block, and nothing that
/// requires the general path.
bool allowsLoops(const Function &kernel) {
  for (const Instruction &inst : instructions(kernel)) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      return false;
    if (callOf(const_cast<Instruction &>(inst), arriveName))
      return false;
  }
  return true;
}

/// Returns whether a barrier names a number of threads, so that it is not one of the whole block.
bool countsThreads(const Function &kernel) {
  for (const Instruction &inst : instructions(kernel)) {
    CallInst *wait = callOf(const_cast<Instruction &>(inst), waitName);
    auto *count = wait ? dyn_cast<ConstantInt>(wait->getArgOperand(4)) : nullptr;
    if (wait && waitKind(*wait) < REGRAIN_WARP_SYNC && (!count || !count->isZero()))
      return true;
  }
  return false;
}

} // namespace

std::optional<KernelEntry> runAsLoops(Function &kernel, CPUPath path) {
  if (!allowsLoops(kernel))
    return std::nullopt;
  groupWaits(kernel);
  if (!prepareForRegions(kernel))
    return std::nullopt;
  bool mayBeCommon = path != CPUPath::StateLoops && !countsThreads(kernel);
  auto uniformity = std::make_unique<Uniformity>(kernel);
  std::optional<std::vector<Region>> common;
  if (mayBeCommon)
    common = commonRegions(kernel, *uniformity);
  if (common && interchangeLoops(kernel, *uniformity)) {
    if (!prepareForRegions(kernel))
      return std::nullopt;
    uniformity = std::make_unique<Uniformity>(kernel);
    common = commonRegions(kernel, *uniformity);
  }
  KernelEntry entry;
  if (common) {
    KernelRegions regions(kernel, std::move(*common), uniformity.get());
    entry = CommonRun(regions).emit();
  } else {
    KernelRegions regions(kernel, threadRegions(kernel), nullptr);
    entry = StateRun(regions).emit();
  }
  kernel.eraseFromParent();
  return entry;
}

} // namespace regrain::cpu
