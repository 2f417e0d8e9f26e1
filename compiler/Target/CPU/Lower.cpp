//===- Lower.cpp - Device IR to x86-64 IR ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Lower.h"
#include "compiler/Target/CPU/Builtins.h"
#include "compiler/Target/CPU/Continuations.h"
#include "compiler/Target/CPU/DeviceLibrary.h"
#include "compiler/Target/CPU/Flatten.h"
#include "compiler/Target/CPU/KernelEntry.h"
#include "compiler/Target/CPU/LockstepAccesses.h"
#include "compiler/Target/CPU/MathCalls.h"
#include "compiler/Target/CPU/Retarget.h"
#include "compiler/Target/CPU/Sanitize.h"
#include "compiler/Target/CPU/SharedMemory.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/CPU/ThreadLoops.h"
#include "compiler/Target/CPU/Unresolved.h"
#include "compiler/Target/CPU/VariableAllocas.h"
#include "compiler/Target/CPU/WaitingCycles.h"
#include "compiler/Target/Limits.h"
#include "compiler/Target/Reach.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Numbers the votes without a mask: their lanes are those at one place of the program, so each
/// call gets a number of its own.
void numberOpenVotes(Module &module) {
  uint32_t place = 0;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      CallInst *wait = callOf(inst, waitName);
      if (!wait || waitKind(*wait) < REGRAIN_VOTE_ALL || waitKind(*wait) > REGRAIN_VOTE_BALLOT)
        continue;
      if (PatternMatch::match(wait->getArgOperand(1), PatternMatch::m_Zero()))
        wait->setArgOperand(3, ConstantInt::get(Type::getInt32Ty(module.getContext()), ++place));
    }
}

/// The bytes behind each __shared__ variable in which an access is an error, if that is checked.
constexpr uint64_t guardBytes = 32;

class Lowering {
public:
  Lowering(Module &module, ArrayRef<std::string> kernels, const LowerOptions &options,
           TargetMachine &machine)
      : module(module), symbols(kernels), options(options), machine(machine) {}

  Expected<std::vector<KernelCode>> run() {
    // The library that is linked below has pointers of its own.
    if (options.variablesElsewhere)
      findFunctionPointers(module, symbols, refused);
    lowerBuiltins(module);
    SharedVariables shared = liftSharedVariables(module);
    retarget(module, symbols, !options.variablesElsewhere, options.debugInfo, machine);
    if (Error error = linkDeviceLibrary(module))
      return error;
    if (options.debugInfo == DebugInfo::Full)
      keepStructure(module, machine);
    else
      flatten(module, symbols, machine);
    bindMathCalls(module, options.level);
    refuseUnresolved();
    placeShared(shared);
    if (options.sanitizers.areAny())
      instrument(module, options.sanitizers, machine);
    lowerKernels();
    inlineLibrary(module, machine);
    return std::move(codes);
  }

private:
  void refuseUnresolved() {
    for (const std::string &symbol : symbols) {
      KernelCode code;
      code.symbol = symbol;
      Function *kernel = module.getFunction(symbol);
      code.refusal = !kernel || kernel->isDeclaration()
                         ? Refusal{RefusalKind::Undefined, "the module does not define it"}
                         : checkResolved(*kernel, options.variablesElsewhere);
      if (auto pointers = refused.find(symbol); pointers != refused.end())
        code.refusal = pointers->second;
      if (!code.refusal)
        kernels.push_back(kernel);
      else if (kernel)
        kernel->deleteBody();
      codes.push_back(std::move(code));
    }
    trapUnresolved(module);
  }

  void placeShared(const SharedVariables &shared) {
    SharedLayout layout(module, kernels, shared, options.sanitizers.address ? guardBytes : 0);
    for (Function *kernel : kernels) {
      // A grain's block may declare more: it runs in place of several blocks of the program.
      if (!options.variablesElsewhere)
        codeOf(*kernel).refusal =
            checkDeclaredShared(layout.declaredBytes(*kernel), mostDeclaredShared);
      uint64_t bytes = layout.place(*kernel);
      codeOf(*kernel).resources.staticSharedBytes = bytes;
      if (options.sanitizers.address)
        sharedGaps[kernel->getName()] = layout.gapsOf(*kernel);
    }
    for (Function &function : module)
      if (!is_contained(kernels, &function))
        layout.placeCommon(function);
    erase_if(kernels, [&](Function *kernel) {
      bool isRefused = codeOf(*kernel).refusal.has_value();
      if (isRefused)
        kernel->deleteBody();
      return isRefused;
    });
  }

  KernelCode &codeOf(const Function &kernel) {
    return *find_if(codes, [&](const KernelCode &code) { return code.symbol == kernel.getName(); });
  }

  void lowerKernels() {
    stepThroughVolatiles(module);
    numberOpenVotes(module);
    Yields yields(module);
    for (Function *kernel : kernels)
      if (yields.mayWaitForOthers(*kernel))
        waiting.insert(kernel->getName());
    ContextFunctions functions(module, kernels, options.debugInfo == DebugInfo::Full);
    for (Function &function : module)
      if (any_of(instructions(function), [&](const Instruction &inst) {
            auto *call = dyn_cast<CallInst>(&inst);
            return call && functions.mayWaitAt(*call);
          }))
        moveVariableAllocas(function);
    SmallVector<Function *> general;
    for (Function *kernel : kernels) {
      KernelCode &code = codeOf(*kernel);
      std::optional<KernelEntry> entry;
      if (mayRunAsLoops(*kernel, functions) && !yields.areIn(*kernel))
        entry = runAsLoops(*kernel, options.path);
      if (entry)
        emit(code, *entry);
      else
        general.push_back(kernel);
    }
    runGeneral(general, functions);
  }

  bool mayRunAsLoops(Function &kernel, const ContextFunctions &functions) const {
    if (options.path == CPUPath::Continuations)
      return false;
    return none_of(instructions(kernel), [&](Instruction &inst) {
      auto *call = dyn_cast<CallInst>(&inst);
      if (!call || call->isInlineAsm())
        return false;
      Function *callee = call->getCalledFunction();
      return !callee || functions.needContext(*callee);
    });
  }

  void runGeneral(ArrayRef<Function *> general, const ContextFunctions &functions) {
    SmallVector<KernelCode *> generalCodes;
    for (Function *kernel : general)
      generalCodes.push_back(&codeOf(*kernel));
    std::vector<KernelEntry> entries = runAsContinuations(
        module, general, functions, {options.debugInfo, options.sanitizers.thread}, machine);
    for (auto [code, entry] : zip(generalCodes, entries))
      emit(*code, entry);
  }

  void emit(KernelCode &code, KernelEntry entry) {
    entry.staticSharedBytes = code.resources.staticSharedBytes;
    entry.mayWait = waiting.contains(code.symbol);
    if (options.sanitizers.address)
      guardShared(*entry.runBlock, sharedGaps[code.symbol]);
    emitKernelEntry(module, code.symbol, entry);
  }

  Module &module;
  ArrayRef<std::string> symbols;
  const LowerOptions &options;
  TargetMachine &machine;
  RefusedKernels refused; ///< at a grain, for their pointers to functions
  std::vector<KernelCode> codes;
  SmallVector<Function *> kernels; ///< kernels that have code
  StringSet<> waiting;             ///< kernels that may wait for other blocks or the host
  StringMap<std::vector<SharedGap>> sharedGaps; ///< of kernels whose addresses are checked
};

} // namespace

Expected<std::vector<KernelCode>> lower(Module &module, ArrayRef<std::string> kernels,
                                        const LowerOptions &options, TargetMachine &machine) {
  return Lowering(module, kernels, options, machine).run();
}

} // namespace regrain::cpu
