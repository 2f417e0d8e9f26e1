//===- Park.cpp - Instructions that MLIR 19 cannot carry ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Park.h"

#include "compiler/DeviceIR/InlineAssembly.h"
#include "compiler/DeviceIR/LaneAssembly.h"
#include "compiler/Import/Prepare.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/LLVMImportInterface.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;
using namespace regrain;

namespace {

/// The properties by which two parked instructions share a stand-in.
struct Instance {
  const Value *callee;
  const void *attributes;
  unsigned flags;
  std::vector<const Value *> fixed; ///< one per argument; null if the argument is passed

  auto operator<=>(const Instance &) const = default;
};

/// Returns whether an argument must be a constant or metadata, so that it stays in the stand-in.
bool isFixed(const CallInst &call, unsigned index) {
  return call.paramHasAttr(index, Attribute::ImmArg) ||
         call.getArgOperand(index)->getType()->isMetadataTy();
}

class Parking {
public:
  Parking(Module &module, ArrayRef<Function *> kernels, const DenseSet<unsigned> &importable)
      : module(module), importable(importable), keepsSubnormals(all_of(kernels, [](Function *one) {
          return one->getDenormalMode(APFloat::IEEEsingle()) == DenormalMode::getIEEE();
        })) {}

  void run(Function &kernel) {
    SmallVector<CallInst *> calls;
    for (Instruction &instruction : instructions(kernel))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && mustPark(*call))
        calls.push_back(call);
    for (CallInst *call : calls)
      replace(*call);
  }

  regrain::ParkedInstructions parked;

private:
  bool mustPark(const CallInst &call) const {
    if (call.isInlineAsm() || (isa<AssumeInst>(call) && call.hasOperandBundles()))
      return true;
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isIntrinsic())
      return false;
    // MLIR treats every special register as pure, but clocks are not.
    bool changes =
        Function::isTargetIntrinsic(callee->getIntrinsicID()) && !callee->doesNotAccessMemory();
    return isa<MemIntrinsic>(call) || changes || !importable.contains(callee->getIntrinsicID());
  }

  void replace(CallInst &call);
  std::string nameOf(const CallInst &call) const;
  Function *standInFor(CallInst &call);
  Function *createStandIn(CallInst &call, const Instance &instance);

  Module &module;
  const DenseSet<unsigned> &importable;
  bool keepsSubnormals; ///< all kernels do, as sums in assembly do
  std::map<Instance, Function *> standIns;
};

void Parking::replace(CallInst &call) {
  // An assumption is worth less than knowing what memory its stand-in would touch, so it is
  // dropped.
  if (isa<AssumeInst>(call)) {
    call.eraseFromParent();
    return;
  }
  Function *standIn = standInFor(call);
  SmallVector<Value *> arguments;
  for (auto [index, argument] : enumerate(call.args()))
    if (!isFixed(call, index))
      arguments.push_back(argument);
  CallInst *replacement = CallInst::Create(standIn, arguments, "", call.getIterator());
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->setAAMetadata(call.getAAMetadata());
  call.replaceAllUsesWith(replacement);
  replacement->takeName(&call);
  call.eraseFromParent();
}

Function *Parking::standInFor(CallInst &call) {
  Instance instance{call.getCalledOperand(),
                    call.getAttributes().getRawPointer(),
                    call.getRawSubclassOptionalData(),
                    {}};
  for (auto [index, argument] : enumerate(call.args()))
    instance.fixed.push_back(isFixed(call, index) ? argument.get() : nullptr);
  Function *&standIn = standIns[instance];
  if (!standIn)
    standIn = createStandIn(call, instance);
  return standIn;
}

Intrinsic::ID intrinsicOf(const CallInst &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return regrain::isBarrierAssembly(*assembly) && call.arg_empty()
               ? Intrinsic::ID(Intrinsic::nvvm_barrier0)
               : Intrinsic::ID(Intrinsic::not_intrinsic);
  const Function *callee = call.getCalledFunction();
  Intrinsic::ID id = callee->getIntrinsicID();
  auto *number = call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
  bool numbered = id == Intrinsic::nvvm_bar_sync || id == Intrinsic::nvvm_barrier_n;
  return numbered && number && number->isZero() ? Intrinsic::ID(Intrinsic::nvvm_barrier0) : id;
}

/// Sets the attributes that passes rely on while the instruction is parked.
void describe(Function &standIn, const CallInst &call, const CalleeFacts &facts) {
  standIn.setMemoryEffects(call.getMemoryEffects());
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (assembly && (regrain::staysInRegisters(*assembly) || regrain::letsNextLaunchBegin(*assembly)))
    standIn.setMemoryEffects(call.getMemoryEffects() & MemoryEffects::inaccessibleMemOnly());
  if (facts.convergence != grain::Convergence::None)
    standIn.setConvergent();
  for (Attribute::AttrKind kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::Speculatable, Attribute::NoReturn})
    if (call.hasFnAttr(kind))
      standIn.addFnAttr(kind);
  if (auto *copy = dyn_cast<MemIntrinsic>(&call))
    if (MaybeAlign alignment = copy->getDestAlign())
      standIn.addParamAttr(0, Attribute::getWithAlignment(standIn.getContext(), *alignment));
}

/// Returns the name of a stand-in, by which analyses know what some assembly does.
std::string Parking::nameOf(const CallInst &call) const {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!assembly) {
    StringRef name = call.getCalledFunction()->getName();
    name.consume_front("llvm.");
    return name.str();
  }
  if (regrain::copiesAsynchronously(*assembly))
    return "asm.cp.async";
  if (regrain::mapsToCluster(*assembly))
    return "asm.shared.mapa";
  if (regrain::staysInSharedMemory(*assembly))
    return "asm.shared";
  std::string known = regrain::nameOfLaneAssembly(*assembly, keepsSubnormals);
  return known.empty() ? "asm" : known;
}

Function *Parking::createStandIn(CallInst &call, const Instance &instance) {
  SmallVector<Type *> types;
  for (auto [index, argument] : enumerate(call.args()))
    if (!instance.fixed[index])
      types.push_back(argument->getType());
  Intrinsic::ID id = intrinsicOf(call);
  std::string name = nameOf(call);
  auto *standIn = Function::Create(FunctionType::get(call.getType(), types, false),
                                   GlobalValue::ExternalLinkage, name, module);
  standIn->addFnAttr(regrain::parkedAttribute);
  CalleeFacts facts = regrain::factsOfInstruction(call);
  describe(*standIn, call, facts);
  auto *copy = cast<CallInst>(call.clone());
  copy->setDebugLoc(DebugLoc());
  copy->setAAMetadata(AAMDNodes());
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", standIn));
  builder.Insert(copy);
  unsigned next = 0;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    if (!instance.fixed[index])
      copy->setArgOperand(index, standIn->getArg(next++));
  if (call.getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(copy);
  if (id != Intrinsic::not_intrinsic)
    parked.intrinsics[standIn->getName()] = id;
  parked.callees[standIn->getName()] = facts;
  return standIn;
}

} // namespace

DenseSet<unsigned> regrain::importableIntrinsics(mlir::MLIRContext &context) {
  DenseSet<unsigned> known;
  for (mlir::Dialect *dialect : context.getLoadedDialects())
    if (auto *import = dialect->getRegisteredInterface<mlir::LLVMImportDialectInterface>())
      known.insert(import->getSupportedIntrinsics().begin(),
                   import->getSupportedIntrinsics().end());
  return known;
}

regrain::ParkedInstructions regrain::park(Module &module, ArrayRef<Function *> kernels,
                                          const DenseSet<unsigned> &importable) {
  Parking parking(module, kernels, importable);
  for (Function *kernel : kernels)
    parking.run(*kernel);
  return std::move(parking.parked);
}

void regrain::unpark(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.hasFnAttribute(parkedAttribute))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      InlineFunctionInfo info;
      InlineFunction(*cast<CallBase>(user), info);
    }
    function.eraseFromParent();
  }
}
