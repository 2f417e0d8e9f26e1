//===- GridWorkspace.cpp - The workspace of a cooperative launch ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameter ends at a multiple of 8 bytes, where the implicit arguments begin (LLVM's "User
// Guide for AMDGPU Backend"). So any function of a kernel finds it in front of these.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/GridWorkspace.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "runtime/image/grid_workspace.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain::amdgpu {
namespace {

void appendAddress(Function &old) {
  SmallVector<Type *> types(old.getFunctionType()->params());
  types.push_back(Type::getInt64Ty(old.getContext()));
  auto *kernel = Function::Create(FunctionType::get(old.getReturnType(), types, false),
                                  old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  kernel->takeName(&old);
  kernel->copyAttributesFrom(&old);
  kernel->setSubprogram(old.getSubprogram());
  kernel->splice(kernel->begin(), &old);
  for (Argument &before : old.args()) {
    Argument &after = *kernel->getArg(before.getArgNo());
    after.takeName(&before);
    before.replaceAllUsesWith(&after);
  }
  old.replaceAllUsesWith(kernel);
  old.eraseFromParent();
}

/// Defines a register as the 32 bits of the address from bit `shift` on.
void define(Function &reader, unsigned shift) {
  IRBuilder<> builder(BasicBlock::Create(reader.getContext(), "", &reader));
  Value *implicit = builder.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, {}, {});
  constexpr int64_t size = 8;
  Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), implicit, uint64_t(-size));
  LoadInst *address = builder.CreateAlignedLoad(builder.getInt64Ty(), place, Align(size));
  address->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(reader.getContext(), {}));
  builder.CreateRet(builder.CreateTrunc(builder.CreateLShr(address, shift), builder.getInt32Ty()));
  reader.setLinkage(GlobalValue::InternalLinkage);
  reader.setVisibility(GlobalValue::DefaultVisibility);
  reader.addFnAttr(Attribute::AlwaysInline);
  reader.setDoesNotThrow();
}

} // namespace

void defineGridWorkspace(Module &module, ArrayRef<std::string> kernels) {
  bool isRead = false;
  for (auto [name, shift] : {std::pair("envreg1", 32u), std::pair("envreg2", 0u)}) {
    Function *reader = module.getFunction(("nvvm_read_ptx_sreg_" + Twine(name)).str());
    if (!reader || !reader->isDeclaration() || reader->use_empty() || reader->arg_size() != 0 ||
        !reader->getReturnType()->isIntegerTy(32))
      continue;
    define(*reader, shift);
    isRead = true;
  }
  if (!isRead)
    return;
  for (const std::string &symbol : kernels)
    appendAddress(*module.getFunction(symbol));
  auto *marker = new GlobalVariable(
      module, Type::getInt8Ty(module.getContext()), /*isConstant=*/true,
      GlobalValue::ExternalLinkage, ConstantInt::get(Type::getInt8Ty(module.getContext()), 1),
      gridWorkspaceMarker,
      /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal, constantSpace);
  marker->setVisibility(GlobalValue::ProtectedVisibility);
}

} // namespace regrain::amdgpu
