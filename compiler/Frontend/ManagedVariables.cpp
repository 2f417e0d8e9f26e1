//===- ManagedVariables.cpp - Variables of device and host ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ManagedVariables.h"

#include "compiler/DeviceIR/Annotations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain {
namespace {

/// The section in crt/host_defines.h.
constexpr StringLiteral managedSection = "regrain_managed";
/// The runtime's function; it takes the address of the pointer.
constexpr StringLiteral addressFunction = "regrain_managedAddress";

/// Constructors of the program may access managed variables, so registration precedes them, and
/// then come initialisers with addresses. Smaller priorities belong to the implementation of C++.
constexpr int registrationPriority = 101, initialisationPriority = 102;

SmallVector<GlobalVariable *> managedVariables(Module &module) {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &global : module.globals())
    if (global.getSection() == managedSection)
      variables.push_back(&global);
  return variables;
}

/// Rewrites the host side of one translation unit.
class HostSide {
public:
  explicit HostSide(Module &module) : module(module) {}

  void reach(GlobalVariable &variable);
  /// Must be called once, after all variables.
  void initialiseAddresses();
  void registerEarly();

private:
  GlobalVariable &makePointer(GlobalVariable &variable);
  Value *addressAt(IRBuilder<> &builder, GlobalVariable &pointer);
  void rewriteUses(GlobalVariable &variable, GlobalVariable &pointer);
  void noteInitialisers(Constant &constant);
  void initialise(IRBuilder<> &builder, GlobalVariable &global, Constant &part, uint64_t offset);

  Module &module;
  SmallPtrSet<const GlobalVariable *, 8> pointers;
  SmallSetVector<GlobalVariable *, 4> initialised; ///< with addresses of managed variables
};

/// Makes the pointer, which takes the variable's name. Debuggers follow it.
GlobalVariable &HostSide::makePointer(GlobalVariable &variable) {
  LLVMContext &context = module.getContext();
  auto *type = PointerType::getUnqual(context);
  Constant *null = variable.isDeclaration() ? nullptr : ConstantPointerNull::get(type);
  auto *pointer = new GlobalVariable(module, type, /*isConstant=*/false, variable.getLinkage(),
                                     null, "", &variable);
  pointer->setVisibility(variable.getVisibility());
  pointer->setDSOLocal(variable.isDSOLocal());
  pointer->setComdat(variable.getComdat());
  pointer->setAlignment(module.getDataLayout().getPointerABIAlignment(0));
  pointer->takeName(&variable);
  SmallVector<DIGlobalVariableExpression *> descriptions;
  variable.getDebugInfo(descriptions);
  for (DIGlobalVariableExpression *description : descriptions)
    pointer->addDebugInfo(DIGlobalVariableExpression::get(
        context, description->getVariable(), DIExpression::get(context, {dwarf::DW_OP_deref})));
  pointers.insert(pointer);
  return *pointer;
}

/// The address stays the same unless the program resets the device, so the optimiser may keep it.
Value *HostSide::addressAt(IRBuilder<> &builder, GlobalVariable &pointer) {
  FunctionCallee callee =
      module.getOrInsertFunction(addressFunction, builder.getPtrTy(), builder.getPtrTy());
  auto &function = *cast<Function>(callee.getCallee());
  function.setDoesNotThrow();
  function.setDoesNotAccessMemory();
  function.addFnAttr(Attribute::WillReturn);
  function.addRetAttr(Attribute::NonNull);
  return builder.CreateCall(callee, &pointer, pointer.getName());
}

bool isRegistration(const User &user) {
  auto *call = dyn_cast<CallBase>(&user);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == "__cudaRegisterVar";
}

/// Returns where the value of a use must be computed.
Instruction &placeOf(Use &use) {
  auto &user = *cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(&user);
  return phi ? *phi->getIncomingBlock(use)->getTerminator() : user;
}

void HostSide::rewriteUses(GlobalVariable &variable, GlobalVariable &pointer) {
  convertUsersOfConstantsToInstructions(&variable);
  DenseMap<std::pair<User *, BasicBlock *>, Value *> inPhi; // one value for each block
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    if (isRegistration(*user)) {
      use.set(&pointer);
      continue;
    }
    Instruction &place = placeOf(use);
    IRBuilder<> builder(&place);
    if (auto *phi = dyn_cast<PHINode>(user)) {
      Value *&known = inPhi[{user, phi->getIncomingBlock(use)}];
      known = known ? known : addressAt(builder, pointer);
      use.set(known);
    } else {
      use.set(addressAt(builder, pointer));
    }
  }
}

/// Finds the variables in whose initialisers the constant is.
void HostSide::noteInitialisers(Constant &constant) {
  for (User *user : constant.users()) {
    if (auto *global = dyn_cast<GlobalVariable>(user)) {
      if (!global->getName().starts_with("llvm."))
        initialised.insert(global);
    } else if (auto *containing = dyn_cast<Constant>(user)) {
      noteInitialisers(*containing);
    }
  }
}

void HostSide::reach(GlobalVariable &variable) {
  GlobalVariable &pointer = makePointer(variable);
  rewriteUses(variable, pointer);
  variable.removeDeadConstantUsers();
  noteInitialisers(variable);
  variable.replaceAllUsesWith(&pointer);
  variable.eraseFromParent();
}

/// Stores the addresses of managed variables that are in `part`, which is at `offset` in the
/// initialiser of `global`.
void HostSide::initialise(IRBuilder<> &builder, GlobalVariable &global, Constant &part,
                          uint64_t offset) {
  const DataLayout &layout = module.getDataLayout();
  if (part.getType()->isPointerTy()) {
    APInt distance(layout.getIndexTypeSizeInBits(part.getType()), 0);
    auto *target = dyn_cast<GlobalVariable>(
        part.stripAndAccumulateConstantOffsets(layout, distance, /*AllowNonInbounds=*/true));
    if (!target || !pointers.contains(target))
      return;
    Value *address = builder.CreatePtrAdd(addressAt(builder, *target), builder.getInt(distance));
    builder.CreateStore(address, builder.CreatePtrAdd(&global, builder.getInt64(offset)));
    return;
  }
  if (isa<ConstantExpr>(part) && any_of(part.operands(), [&](const Use &operand) {
        return pointers.contains(dyn_cast<GlobalVariable>(operand->stripPointerCasts()));
      }))
    return module.getContext().emitError("the initialiser of '" + global.getName() +
                                         "' computes with the address of a managed variable");
  auto *structure = dyn_cast<StructType>(part.getType());
  for (auto [index, element] : enumerate(part.operands())) {
    if (!isa<ConstantAggregate>(part))
      return;
    uint64_t place = structure
                         ? layout.getStructLayout(structure)->getElementOffset(unsigned(index))
                         : index * layout.getTypeAllocSize(element->getType()).getFixedValue();
    initialise(builder, global, *cast<Constant>(element), offset + place);
  }
}

void HostSide::initialiseAddresses() {
  if (initialised.empty())
    return;
  LLVMContext &context = module.getContext();
  Function *constructor =
      Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                       GlobalValue::InternalLinkage, "regrain_initialise_addresses", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", constructor));
  for (GlobalVariable *global : initialised) {
    global->setConstant(false);
    initialise(builder, *global, *global->getInitializer(), 0);
  }
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, initialisationPriority);
}

/// Moves clang's registration in front of the program's constructors.
void HostSide::registerEarly() {
  Function *registration = module.getFunction("__cuda_module_ctor");
  GlobalVariable *list = module.getGlobalVariable("llvm.global_ctors");
  if (!registration || !list || !list->hasInitializer())
    return;
  SmallVector<Constant *> entries;
  for (Use &operand : list->getInitializer()->operands()) {
    auto *entry = cast<ConstantStruct>(operand);
    if (entry->getOperand(1) == registration) {
      auto *priority = ConstantInt::get(entry->getOperand(0)->getType(), registrationPriority);
      entry = cast<ConstantStruct>(
          ConstantStruct::get(entry->getType(), priority, registration, entry->getOperand(2)));
    }
    entries.push_back(entry);
  }
  list->setInitializer(ConstantArray::get(cast<ArrayType>(list->getValueType()), entries));
}

} // namespace

void markManagedVariables(Module &device) {
  for (GlobalVariable *variable : managedVariables(device)) {
    variable->setSection("");
    if (!variable->isDeclaration())
      annotate(*variable, "managed", 1);
  }
}

void reachManagedVariables(Module &host) {
  SmallVector<GlobalVariable *> variables = managedVariables(host);
  if (variables.empty())
    return;
  HostSide side(host);
  for (GlobalVariable *variable : variables)
    side.reach(*variable);
  side.initialiseAddresses();
  side.registerEarly();
}

} // namespace regrain
