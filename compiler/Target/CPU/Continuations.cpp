//===- Continuations.cpp - One continuation per thread --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Continuations.h"
#include "compiler/Target/CPU/Analyses.h"
#include "compiler/Target/CPU/Coroutine.h"
#include "compiler/Target/CPU/DebugInformation.h"
#include "compiler/Target/CPU/DeviceLibrary.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"

using namespace llvm;

namespace regrain::cpu {

//===----------------------------------------------------------------------===//
// ContextFunctions
//===----------------------------------------------------------------------===//

ContextFunctions::ContextFunctions(Module &module, ArrayRef<Function *> kernels, bool all) {
  SmallVector<Function *> candidates;
  for (Function &function : module) {
    if (function.isDeclaration() || isLibraryFunction(function) || is_contained(kernels, &function))
      continue;
    candidates.push_back(&function);
    if (all)
      contexts.insert(&function);
    if (function.hasAddressTaken()) {
      contexts.insert(&function);
      suspending.insert(&function);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Function *function : candidates)
      changed |= grow(*function);
  }
  for (Function *function : candidates)
    if (contexts.contains(function))
      ordered.push_back(function);
}

bool ContextFunctions::mayWaitAt(const CallInst &call) const {
  const Function *callee = call.getCalledFunction();
  return !call.isInlineAsm() &&
         (!callee || callee->getName() == waitName || suspending.contains(callee));
}

bool ContextFunctions::grow(Function &function) {
  bool context = contexts.contains(&function), suspends = suspending.contains(&function);
  bool hadContext = context, hadSuspends = suspends;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || call->isInlineAsm())
      continue;
    Function *callee = call->getCalledFunction();
    bool waits = mayWaitAt(*call);
    suspends |= waits;
    context |= waits || isPlaceholder(callee->getName()) || contexts.contains(callee);
  }
  if (context)
    contexts.insert(&function);
  if (suspends)
    suspending.insert(&function);
  return context != hadContext || suspends != hadSuspends;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// The bytes that a thread gets for frames if recursion or calls through pointers make the depth
/// unknown.
constexpr uint64_t recursionBytes = 32 << 10;

class Continuations {
public:
  Continuations(Module &module, ArrayRef<Function *> kernels, const ContextFunctions &functions,
                const ContinuationOptions &options, TargetMachine &machine)
      : module(module), functions(functions), options(options), machine(machine) {
    for (Function *kernel : kernels)
      this->kernels.push_back(kernel);
  }

  std::vector<KernelEntry> run() {
    for (Function *function : functions.all())
      rewriteSignature(*function);
    SmallVector<Function *> bodies;
    for (Function *kernel : kernels)
      bodies.push_back(rewriteKernel(*kernel));
    for (auto &[function, rewritten] : all)
      rewriteBody(*rewritten);
    splitCoroutines(bodies);
    std::vector<KernelEntry> entries;
    for (auto [kernel, body] : zip(names, bodies))
      entries.push_back(emitRun(kernel, *body));
    return entries;
  }

private:
  /// Moves the body of `function` to a new function that takes the thread's context as first
  /// parameter, and for a coroutine also the place for the result.
  void rewriteSignature(Function &function) {
    LLVMContext &context = module.getContext();
    Type *pointer = PointerType::getUnqual(context);
    bool suspends = functions.maySuspend(function);
    SmallVector<Type *> types(suspends ? 2 : 1, pointer);
    append_range(types, function.getFunctionType()->params());
    Type *result = suspends ? pointer : function.getReturnType();
    Function *rewritten = create(function, FunctionType::get(result, types, false));
    for (Argument &argument : function.args()) {
      Argument *moved = rewritten->getArg(argument.getArgNo() + types.size() - function.arg_size());
      argument.replaceAllUsesWith(moved);
      moved->takeName(&argument);
    }
    add(function, *rewritten, suspends, function.getReturnType());
    // Addresses of the function now refer to the new form; direct calls are rewritten with the
    // bodies.
    function.replaceUsesWithIf(rewritten, [&](Use &use) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      return !call || !call->isCallee(&use);
    });
  }

  /// Turns a kernel's body into the coroutine (context, args).
  Function *rewriteKernel(Function &kernel) {
    Type *pointer = PointerType::getUnqual(module.getContext());
    names.push_back(kernel.getName().str());
    Function *body = create(kernel, FunctionType::get(pointer, {pointer, pointer}, false));
    body->setName(names.back() + ".thread");
    kernel.replaceAllUsesWith(body); // AddressSanitizer notes the function in its frame
    // The run function has no lines, and neither has what is inlined there.
    if (options.debugInfo != DebugInfo::None)
      body->addFnAttr(Attribute::NoInline);
    BasicBlock *first = &body->getEntryBlock();
    BasicBlock *entry = BasicBlock::Create(module.getContext(), "entry", body, first);
    IRBuilder<> builder(entry);
    SmallVector<Value *> values = loadArguments(builder, kernel, body->getArg(1));
    for (auto [argument, value] : zip(kernel.args(), values))
      argument.replaceAllUsesWith(value);
    builder.CreateBr(first);
    moveAllocas(*first, *entry);
    add(kernel, *body, true, Type::getVoidTy(module.getContext()));
    return body;
  }

  Function *create(Function &function, FunctionType *type) {
    auto *rewritten = Function::Create(type, GlobalValue::InternalLinkage, "", &module);
    rewritten->takeName(&function);
    rewritten->splice(rewritten->begin(), &function);
    moveSubprogram(function, *rewritten);
    return rewritten;
  }

  void add(Function &old, Function &rewritten, bool suspends, Type *result) {
    all.insert({&old, &rewritten});
    for (Function *function : {&old, &rewritten})
      forms[function] = {suspends, result};
  }

  void rewriteBody(Function &function) {
    Form form = forms[&function];
    Value *context = function.getArg(0);
    SmallVector<CallInst *> calls;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst))
        calls.push_back(call);
    if (options.debugInfo == DebugInfo::Full && function.getSubprogram())
      describeVariables(function, *context);
    std::optional<Coroutine> coroutine;
    if (form.suspends)
      coroutine.emplace(function, context, form.result->isVoidTy() ? nullptr : function.getArg(1));
    for (CallInst *call : calls)
      rewriteCall(*call, context, coroutine ? &*coroutine : nullptr, function);
    if (coroutine)
      coroutine->finish();
  }

  void rewriteCall(CallInst &call, Value *context, Coroutine *coroutine, Function &caller) {
    if (call.isInlineAsm())
      return;
    Function *callee = call.getCalledFunction();
    if (callee && isPlaceholder(callee->getName()))
      return rewritePlaceholder(call, context, coroutine);
    if (!callee) {
      callsThroughPointer.insert(&caller);
      coroutine->awaitCall(call, call.getCalledOperand());
      return;
    }
    auto rewritten = all.find(callee);
    if (rewritten == all.end())
      return;
    if (forms[callee].suspends) {
      callees[&caller].push_back(rewritten->second);
      coroutine->awaitCall(call, rewritten->second);
      return;
    }
    IRBuilder<> builder(&call);
    SmallVector<Value *> arguments = {context};
    append_range(arguments, call.args());
    Value *value = builder.CreateCall(rewritten->second, arguments);
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  void rewritePlaceholder(CallInst &call, Value *context, Coroutine *coroutine) {
    StringRef name = call.getCalledFunction()->getName();
    if (name == waitName)
      return coroutine->awaitRelease(call);
    IRBuilder<> builder(&call);
    SmallVector<Value *> arguments = {context};
    append_range(arguments, call.args());
    StringRef library = name == specialName      ? "regrain_thread_special"
                        : name == sharedBaseName ? "regrain_thread_shared_base"
                                                 : "regrain_thread_arrive";
    Value *value = builder.CreateCall(module.getFunction(library), arguments);
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  void splitCoroutines(ArrayRef<Function *> bodies) {
    SmallVector<Function *> olds;
    for (auto &[old, rewritten] : all) {
      olds.push_back(old);
      if (forms[rewritten].suspends)
        rewritten->setLinkage(GlobalValue::ExternalLinkage);
    }
    for (Function *old : olds)
      old->eraseFromParent();
    Analyses analyses(machine);
    ModulePassManager passes;
    passes.addPass(CoroEarlyPass());
    bool optimizesFrames = options.debugInfo != DebugInfo::Full;
    passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(optimizesFrames)));
    passes.addPass(CoroCleanupPass());
    passes.run(module, analyses.modules);
    for (auto &[old, rewritten] : all)
      rewritten->setLinkage(GlobalValue::InternalLinkage);
    for (Function *body : bodies)
      dropDestruction(*body);
    for (Function &function : module)
      if (options.debugInfo == DebugInfo::Full && function.getSubprogram())
        describeCoroutine(function);
  }

  /// Removes the parts that would destroy a kernel's continuation before its end, which nobody
  /// does. Each is as large as the kernel until it is optimised.
  void dropDestruction(Function &body) {
    for (StringRef part : {".destroy", ".cleanup"})
      if (Function *function = module.getFunction((body.getName() + part).str())) {
        function->replaceAllUsesWith(ConstantPointerNull::get(function->getType()));
        function->eraseFromParent();
      }
  }

  KernelEntry emitRun(StringRef kernel, Function &body) {
    constexpr uint64_t recordBytes = 64, operandBytes = 40;
    SmallPtrSet<Function *, 8> path;
    uint64_t bytes = recordBytes + stackBytes(body, path);
    // A debugger would take the usual name for another place of the kernel.
    bool isForDebugger = options.debugInfo == DebugInfo::Full;
    Function *run = createRunBlock(module, isForDebugger ? ("regrain_run." + kernel).str()
                                                         : (kernel + ".run").str());
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", run));
    builder.CreateCall(module.getFunction("regrain_run_threads"),
                       {run->getArg(0), run->getArg(1), builder.getInt64(bytes), &body,
                        builder.getInt32(options.observed)});
    builder.CreateRetVoid();
    return {0, 64, bytes + operandBytes, run};
  }

  /// Returns the bytes of the frames of `function` and of everything that it may call.
  uint64_t stackBytes(Function &function, SmallPtrSetImpl<Function *> &path) {
    if (!path.insert(&function).second)
      return recursionBytes;
    uint64_t deepest = callsThroughPointer.contains(&function) ? recursionBytes : 0;
    for (Function *callee : callees[&function])
      deepest = std::max(deepest, stackBytes(*callee, path));
    path.erase(&function);
    return deepest + frameBytes(function);
  }

  /// Returns what the coroutine passes to regrain_frame_push, which is constant after the split.
  static uint64_t frameBytes(Function &function) {
    for (Instruction &inst : instructions(function))
      if (CallInst *push = callOf(inst, "regrain_frame_push"))
        return alignTo(cast<ConstantInt>(push->getArgOperand(1))->getZExtValue(), 64);
    return 0;
  }

  struct Form {
    bool suspends;
    Type *result;
  };

  Module &module;
  const ContextFunctions &functions;
  const ContinuationOptions &options;
  TargetMachine &machine;
  SmallVector<Function *> kernels;
  SmallVector<std::string> names;
  MapVector<Function *, Function *> all; ///< old to new
  DenseMap<Function *, Form> forms;
  DenseMap<Function *, SmallVector<Function *>> callees; ///< coroutines, new forms
  SmallPtrSet<Function *, 8> callsThroughPointer;
};

} // namespace

std::vector<KernelEntry> runAsContinuations(Module &module, ArrayRef<Function *> kernels,
                                            const ContextFunctions &functions,
                                            const ContinuationOptions &options,
                                            TargetMachine &machine) {
  return Continuations(module, kernels, functions, options, machine).run();
}

} // namespace regrain::cpu
