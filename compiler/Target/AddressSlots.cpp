//===- AddressSlots.cpp - Variables that another module owns --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AddressSlots.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/Target.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain {

namespace {
/// Rewrites the uses of one variable.
class SlotRewriter {
public:
  SlotRewriter(GlobalVariable &variable) : variable(variable) {}

  /// Returns false if a use is kept; the module then still refers to the variable.
  bool run();

private:
  GlobalVariable &slot();
  Value &addressIn(Function &function);
  bool rewrite(Use &use, Value &address);
  bool rewriteConstantUser(Instruction &user, Value &address);
  void markInvariant(Value &pointer);
  bool isConstant() const {
    return variable.getAddressSpace() == constantSpace || variable.isConstant();
  }

  GlobalVariable &variable;
  DenseMap<Function *, Value *> addresses;
};
} // namespace

GlobalVariable &SlotRewriter::slot() {
  Module &module = *variable.getParent();
  std::string name = slotNameFor(variable.getName());
  if (GlobalVariable *existing = module.getNamedGlobal(name))
    return *existing;
  auto *type = Type::getInt64Ty(module.getContext());
  auto *created = new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalValue::ExternalLinkage, ConstantInt::get(type, 0),
      name, nullptr, GlobalValue::NotThreadLocal, constantSpace, /*isExternallyInitialized=*/true);
  created->setAlignment(Align(8));
  return *created;
}

/// Returns the variable's address, loaded once at the entry of `function`.
Value &SlotRewriter::addressIn(Function &function) {
  Value *&address = addresses[&function];
  if (address)
    return *address;
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  LoadInst *load = builder.CreateAlignedLoad(builder.getPtrTy(globalSpace), &slot(), Align(8),
                                             variable.getName() + ".address");
  auto number = [&](uint64_t value) {
    return MDNode::get(context, ConstantAsMetadata::get(builder.getInt64(value)));
  };
  MDNode *empty = MDNode::get(context, {});
  load->setMetadata(LLVMContext::MD_invariant_load, empty);
  load->setMetadata(LLVMContext::MD_nonnull, empty);
  load->setMetadata(LLVMContext::MD_noundef, empty);
  load->setMetadata(LLVMContext::MD_align, number(variable.getAlign().valueOrOne().value()));
  if (variable.getValueType()->isSized())
    if (uint64_t bytes =
            function.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType()))
      load->setMetadata(LLVMContext::MD_dereferenceable, number(bytes));
  address = load;
  return *address;
}

/// Marks loads as invariant: constant memory does not change while a kernel runs.
void SlotRewriter::markInvariant(Value &pointer) {
  for (User *user : pointer.users()) {
    if (auto *load = dyn_cast<LoadInst>(user); load && load->isSimple())
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
    else if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      markInvariant(*user);
  }
}

/// Rewrites a user of a pointer to constant memory, whose type names the address space.
bool SlotRewriter::rewriteConstantUser(Instruction &user, Value &address) {
  IRBuilder<> builder(&user);
  if (isa<AddrSpaceCastInst>(user)) {
    user.replaceAllUsesWith(builder.CreateAddrSpaceCast(&address, user.getType()));
  } else if (auto *load = dyn_cast<LoadInst>(&user)) {
    load->setOperand(LoadInst::getPointerOperandIndex(), &address);
    return true;
  } else if (auto *element = dyn_cast<GetElementPtrInst>(&user)) {
    SmallVector<Value *> indices(element->indices());
    Value *moved = builder.CreateGEP(element->getSourceElementType(), &address, indices, "",
                                     element->isInBounds());
    for (User *next : make_early_inc_range(element->users()))
      if (!rewriteConstantUser(*cast<Instruction>(next), *moved))
        return false;
  } else {
    return false;
  }
  user.eraseFromParent();
  return true;
}

bool SlotRewriter::rewrite(Use &use, Value &address) {
  auto &user = *cast<Instruction>(use.getUser());
  if (variable.getAddressSpace() == constantSpace)
    return rewriteConstantUser(user, address);
  if (variable.getAddressSpace() == globalSpace) {
    use.set(&address);
    return true;
  }
  IRBuilder<> builder(user.getContext());
  builder.SetInsertPoint(cast<Instruction>(&address)->getNextNode());
  use.set(builder.CreateAddrSpaceCast(&address, variable.getType()));
  return true;
}

bool SlotRewriter::run() {
  removeFromUsedLists(*variable.getParent(),
                      [&](Constant *used) { return used->stripPointerCasts() == &variable; });
  convertUsersOfConstantsToInstructions(&variable);
  bool complete = true;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    complete &= user && rewrite(use, addressIn(*user->getFunction()));
  }
  if (isConstant())
    for (auto [function, address] : addresses)
      markInvariant(*address);
  return complete;
}

static bool isOwnedElsewhere(const GlobalVariable &variable) {
  return variable.isDeclaration() && variable.getAddressSpace() != sharedSpace &&
         !variable.getName().starts_with("llvm.");
}

/// Refuses the kernels that reach one of the variables `stuck`, for the reason that `why` gives.
static void refuseStuck(Module &module, ArrayRef<std::string> kernels,
                        const SmallPtrSetImpl<const GlobalValue *> &stuck, RefusalKind kind,
                        function_ref<std::string(const GlobalValue &)> why,
                        RefusedKernels &refused) {
  if (stuck.empty())
    return;
  for (const std::string &symbol : kernels)
    for (const GlobalValue *value : reachableFrom(*module.getFunction(symbol)))
      if (stuck.contains(value))
        refused.try_emplace(symbol, Refusal{kind, why(*value)});
}

void reachVariablesThroughSlots(Module &module, ArrayRef<std::string> kernels,
                                RefusedKernels &refused) {
  SmallPtrSet<const GlobalValue *, 8> stuck;
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (isOwnedElsewhere(variable))
      variables.push_back(&variable);
  for (GlobalVariable *variable : variables) {
    if (!SlotRewriter(*variable).run())
      stuck.insert(variable);
    else
      variable->eraseFromParent();
  }
  auto why = [](const GlobalValue &value) {
    return "it uses the address of the variable " + value.getName().str() +
           " for something other than an access, and an alternative gets that address only when "
           "it is loaded";
  };
  refuseStuck(module, kernels, stuck, RefusalKind::VariableAddress, why, refused);
}

std::vector<std::string> reachManagedThroughSlots(Module &module, ArrayRef<std::string> kernels,
                                                  RefusedKernels &refused) {
  std::vector<std::string> reached;
  SmallPtrSet<const GlobalValue *, 8> stuck;
  SmallSetVector<const GlobalValue *, 8> managed = annotatedWith(module, "managed");
  for (GlobalVariable &variable : module.globals()) {
    if (!managed.contains(&variable) || variable.isDeclaration())
      continue;
    reached.push_back(variable.getName().str());
    if (!SlotRewriter(variable).run())
      stuck.insert(&variable);
  }
  auto why = [](const GlobalValue &value) {
    return "it uses a variable whose initial value has the address of the managed variable " +
           demangle(value.getName());
  };
  refuseStuck(module, kernels, stuck, RefusalKind::ManagedVariable, why, refused);
  return reached;
}

} // namespace regrain
