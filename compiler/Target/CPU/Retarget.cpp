//===- Retarget.cpp - From nvptx64 to x86-64 ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Retarget.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/OnlyRead.h"
#include "compiler/Target/CPU/DebugInformation.h"
#include "compiler/Target/CPU/KernelEntry.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Maps types to types without address spaces.
class GenericTypes : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    auto [entry, inserted] = known.try_emplace(type, nullptr);
    if (!inserted)
      return entry->second;
    Type *result = compute(type);
    return known[type] = result;
  }

private:
  Type *compute(Type *type) {
    if (type->isPointerTy())
      return PointerType::getUnqual(type->getContext());
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    if (auto *function = dyn_cast<FunctionType>(type))
      return FunctionType::get(remapType(function->getReturnType()), remapAll(function->params()),
                               function->isVarArg());
    auto *structure = dyn_cast<StructType>(type);
    if (!structure || structure->isOpaque())
      return type;
    SmallVector<Type *> elements = remapAll(structure->elements());
    if (ArrayRef<Type *>(elements) == structure->elements())
      return type;
    return StructType::get(type->getContext(), elements, structure->isPacked());
  }

  SmallVector<Type *> remapAll(ArrayRef<Type *> types) {
    SmallVector<Type *> result;
    for (Type *type : types)
      result.push_back(remapType(type));
    return result;
  }

  DenseMap<Type *, Type *> known;
};

/// Rewrites globals, constants and instructions to generic pointers.
class PointerRewriter : public ValueMaterializer {
public:
  explicit PointerRewriter(Module &module) : module(module) {}

  void run() {
    dropSpaceCasts();
    SmallVector<GlobalVariable *> variables;
    SmallVector<Function *> functions;
    for (GlobalVariable &variable : module.globals())
      variables.push_back(&variable);
    for (Function &function : module)
      functions.push_back(&function);
    for (GlobalVariable *variable : variables)
      replaceVariable(*variable);
    for (Function *function : functions)
      replaceFunction(*function);
    for (GlobalVariable *variable : variables)
      if (variable->hasInitializer())
        cast<GlobalVariable>(values[variable])
            ->setInitializer(MapValue(variable->getInitializer(), values, flags, &types, this));
    for (Function *function : functions)
      RemapFunction(*cast<Function>(values[function]), values, flags, &types, this);
    SmallVector<GlobalObject *> old(functions.begin(), functions.end());
    old.append(variables.begin(), variables.end());
    for (GlobalObject *object : old)
      object->dropAllReferences();
    for (GlobalObject *object : old)
      object->removeDeadConstantUsers();
    for (GlobalObject *object : old)
      object->eraseFromParent();
    dropTrivialCasts();
    remangle();
  }

private:
  Value *materialize(Value *value) override {
    auto *expression = dyn_cast<ConstantExpr>(value);
    if (!expression || expression->getOpcode() != Instruction::AddrSpaceCast)
      return nullptr;
    return MapValue(expression->getOperand(0), values, flags, &types, this);
  }

  void replaceVariable(GlobalVariable &old) {
    auto *variable =
        new GlobalVariable(module, types.remapType(old.getValueType()), old.isConstant(),
                           old.getLinkage(), nullptr, "", &old, GlobalValue::NotThreadLocal, 0u);
    variable->copyAttributesFrom(&old);
    SmallVector<DIGlobalVariableExpression *> described;
    old.getDebugInfo(described);
    for (DIGlobalVariableExpression *each : described)
      variable->addDebugInfo(each);
    variable->takeName(&old);
    values[&old] = variable;
  }

  void replaceFunction(Function &old) {
    // The name must be set at once, because it makes the function an intrinsic.
    std::string name = old.getName().str();
    old.setName("");
    auto *function = Function::Create(cast<FunctionType>(types.remapType(old.getFunctionType())),
                                      old.getLinkage(), 0u, name, &module);
    function->copyAttributesFrom(&old);
    function->splice(function->begin(), &old);
    moveSubprogram(old, *function);
    if (!function->empty())
      function->stealArgumentListFrom(old);
    values[&old] = function;
  }

  /// Turns address space casts in constants that functions use into instructions.
  void dropSpaceCasts() {
    SmallVector<Constant *> variables;
    for (GlobalVariable &variable : module.globals())
      if (variable.getAddressSpace() != genericSpace)
        variables.push_back(&variable);
    if (!variables.empty())
      convertUsersOfConstantsToInstructions(variables);
  }

  void dropTrivialCasts() {
    for (Function &function : module)
      for (Instruction &inst : make_early_inc_range(instructions(function)))
        if (auto *cast = dyn_cast<AddrSpaceCastInst>(&inst)) {
          cast->replaceAllUsesWith(cast->getOperand(0));
          cast->eraseFromParent();
        }
  }

  void remangle() {
    for (Function &function : make_early_inc_range(module))
      if (function.isIntrinsic())
        if (auto renamed = Intrinsic::remangleIntrinsicFunction(&function)) {
          function.replaceAllUsesWith(*renamed);
          function.eraseFromParent();
        }
  }

  /// Every function is mapped once, so the nodes of metadata need no copies.
  const RemapFlags flags = RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs;
  Module &module;
  GenericTypes types;
  ValueToValueMapTy values;
};

void cleanInstruction(Instruction &inst) {
  if (isa<FPMathOperator>(inst))
    inst.copyFastMathFlags(FastMathFlags());
  // On x86-64 only a fence of its own kind orders such a store, so the mark is removed.
  inst.setMetadata(LLVMContext::MD_nontemporal, nullptr);
  // Only GPUs have another path for what nobody writes.
  inst.setMetadata(LLVMContext::MD_invariant_load, nullptr);
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    AttributeMask dropped;
    dropped.addAttribute(Attribute::Convergent);
    dropped.addAttribute(Attribute::NoBuiltin);
    call->removeFnAttrs(dropped);
    call->setCallingConv(CallingConv::C);
  }
  if (auto *load = dyn_cast<LoadInst>(&inst))
    load->setSyncScopeID(SyncScope::System);
  if (auto *store = dyn_cast<StoreInst>(&inst))
    store->setSyncScopeID(SyncScope::System);
  if (auto *binary = dyn_cast<AtomicRMWInst>(&inst))
    binary->setSyncScopeID(SyncScope::System);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    exchange->setSyncScopeID(SyncScope::System);
  if (auto *fence = dyn_cast<FenceInst>(&inst);
      fence && fence->getSyncScopeID() != SyncScope::SingleThread)
    fence->setSyncScopeID(SyncScope::System);
}

/// Lowers by-value parameters: the callee copies what it may change. What nobody writes to stays in
/// the launch's parameters, where all threads see one address.
void lowerByValue(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Argument &argument : function.args()) {
    if (!argument.hasByValAttr())
      continue;
    Type *type = argument.getParamByValType();
    Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    argument.removeAttr(Attribute::ByVal);
    argument.addAttr(Attribute::get(function.getContext(), byValueAttribute));
    if (function.isDeclaration() || isOnlyRead(argument))
      continue;
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *copy = builder.CreateAlloca(type);
    copy->setAlignment(align);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, align, &argument, align, layout.getTypeAllocSize(type));
  }
}

void lowerByValueAtCalls(CallBase &call) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    call.removeParamAttr(i, Attribute::ByVal);
}

void cleanFunction(Function &function) {
  AttrBuilder kept(function.getContext());
  for (Attribute::AttrKind kind :
       {Attribute::NoReturn, Attribute::NoUnwind, Attribute::WillReturn, Attribute::MustProgress,
        Attribute::Memory, Attribute::Speculatable, Attribute::Cold, Attribute::AlwaysInline,
        Attribute::SanitizeAddress, Attribute::SanitizeThread})
    if (Attribute attribute = function.getFnAttribute(kind); attribute.isValid())
      kept.addAttribute(attribute);
  function.removeFnAttrs(AttributeMask(function.getAttributes().getFnAttrs()));
  // No pass may drop an access through null (CPU.cpp).
  kept.addAttribute(Attribute::NullPointerIsValid);
  function.addFnAttrs(kept);
  function.setCallingConv(CallingConv::C);
  function.setComdat(nullptr);
  function.setPersonalityFn(nullptr);
  for (Instruction &inst : instructions(function)) {
    cleanInstruction(inst);
    if (auto *call = dyn_cast<CallBase>(&inst))
      lowerByValueAtCalls(*call);
  }
  lowerByValue(function);
}

void setLinkage(Module &module, ArrayRef<std::string> kernels, bool ownsVariables) {
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getName().starts_with("llvm."))
      continue;
    variable.setComdat(nullptr);
    variable.setSection("");
    if (!variable.hasName())
      variable.setLinkage(GlobalValue::PrivateLinkage);
    else if (!variable.isDeclaration())
      variable.setLinkage(ownsVariables ? GlobalValue::ExternalLinkage
                                        : GlobalValue::InternalLinkage);
    if (variable.hasExternalLinkage() || variable.hasExternalWeakLinkage()) {
      variable.setVisibility(GlobalValue::ProtectedVisibility);
      variable.setDSOLocal(true);
    }
    variable.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
    variable.setExternallyInitialized(false);
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      function.setLinkage(is_contained(kernels, function.getName()) ? GlobalValue::ExternalLinkage
                                                                    : GlobalValue::InternalLinkage);
}

void dropMetadata(Module &module) {
  dropAnnotations(module);
  for (StringRef name : {"nvvmir.version", "llvm.ident", "opencl.ocl.version", "llvm.module.flags",
                         "nvvm-reflect-ftz"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      node->eraseFromParent();
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *used = module.getNamedGlobal(name))
      used->eraseFromParent();
}

} // namespace

void retarget(Module &module, ArrayRef<std::string> kernels, bool ownsVariables,
              DebugInfo debugInfo, const TargetMachine &machine) {
  dropMetadata(module);
  reduceDebugInfo(module, debugInfo);
  PointerRewriter(module).run();
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  module.setModuleInlineAsm("");
  setLinkage(module, kernels, ownsVariables);
  for (Function &function : module)
    if (!function.isIntrinsic())
      cleanFunction(function);
}

} // namespace regrain::cpu
