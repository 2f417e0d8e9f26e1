//===- Retarget.cpp - From nvptx64 to amdgcn ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Retarget.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/OnlyRead.h"
#include "compiler/Target/Reach.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// Moves local variables to the private address space, with the markers of their lifetimes.
void moveAllocas(Function &function) {
  SmallVector<AllocaInst *> allocas;
  for (Instruction &inst : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst);
        alloca && alloca->getAddressSpace() == genericSpace)
      allocas.push_back(alloca);
  for (AllocaInst *old : allocas) {
    IRBuilder<> builder(old);
    AllocaInst *moved =
        builder.CreateAlloca(old->getAllocatedType(), localSpace, old->getArraySize());
    moved->setAlignment(old->getAlign());
    moved->takeName(old);
    for (User *user : make_early_inc_range(old->users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user)) {
        IRBuilder<> at(marker);
        auto *bytes = cast<ConstantInt>(marker->getArgOperand(0));
        if (marker->getIntrinsicID() == Intrinsic::lifetime_start)
          at.CreateLifetimeStart(moved, bytes);
        else
          at.CreateLifetimeEnd(moved, bytes);
        marker->eraseFromParent();
      }
    old->replaceAllUsesWith(builder.CreateAddrSpaceCast(moved, old->getType()));
    old->eraseFromParent();
  }
}

/// Copies a structure that is passed by value between device functions: the caller makes the copy
/// that `byval` promises.
void copyByValue(CallBase &call) {
  const DataLayout &layout = call.getModule()->getDataLayout();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (!call.isByValArgument(i))
      continue;
    Type *type = call.getParamByValType(i);
    Align align = call.getParamAlign(i).value_or(layout.getABITypeAlign(type));
    IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst *copy = entry.CreateAlloca(type, genericSpace);
    copy->setAlignment(align);
    IRBuilder<> builder(&call);
    builder.CreateMemCpy(copy, align, call.getArgOperand(i), align, layout.getTypeAllocSize(type));
    call.setArgOperand(i, copy);
    call.removeParamAttr(i, Attribute::ByVal);
  }
}

/// Removes attributes of the parameters' memory, which the copies have made explicit.
void dropPlaces(Function &function) {
  for (Argument &argument : function.args()) {
    argument.removeAttr(Attribute::ByVal);
    argument.removeAttr(Attribute::StructRet);
  }
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      for (unsigned i = 0; i < call->arg_size(); ++i)
        call->removeParamAttr(i, Attribute::StructRet);
}

/// Rewrites a kernel so that its parameters are in the kernarg segment.
class KernelSignature {
public:
  explicit KernelSignature(Function &old) : old(old), layout(old.getParent()->getDataLayout()) {}

  Function &rewrite() {
    SmallVector<Type *> types;
    for (Argument &argument : old.args())
      types.push_back(typeFor(argument));
    auto *kernel =
        Function::Create(FunctionType::get(Type::getVoidTy(old.getContext()), types, false),
                         GlobalValue::ExternalLinkage, old.getAddressSpace(), "", old.getParent());
    kernel->takeName(&old);
    kernel->copyAttributesFrom(&old);
    kernel->setSubprogram(old.getSubprogram());
    kernel->splice(kernel->begin(), &old);
    IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().begin());
    for (auto [before, after] : zip_equal(old.args(), kernel->args()))
      replace(before, after, builder);
    old.replaceAllUsesWith(kernel);
    old.eraseFromParent();
    return *kernel;
  }

private:
  Type *typeFor(const Argument &argument) const {
    if (!argument.getType()->isPointerTy())
      return argument.getType();
    return PointerType::get(old.getContext(),
                            argument.hasByValAttr() ? constantSpace : globalSpace);
  }

  void replace(Argument &before, Argument &after, IRBuilder<> &builder) {
    after.takeName(&before);
    if (before.hasByValAttr()) {
      Type *type = before.getParamByValType();
      Align align = before.getParamAlign().value_or(layout.getABITypeAlign(type));
      AttrBuilder attributes(old.getContext());
      attributes.addByRefAttr(type).addAlignmentAttr(align);
      after.getParent()->setAttributes(after.getParent()->getAttributes().removeParamAttributes(
          old.getContext(), after.getArgNo()));
      after.addAttrs(attributes);
      if (isOnlyRead(before)) {
        before.replaceAllUsesWith(builder.CreateAddrSpaceCast(&after, before.getType()));
        return;
      }
      AllocaInst *copy = builder.CreateAlloca(type, genericSpace);
      copy->setAlignment(align);
      builder.CreateMemCpy(copy, align, &after, align, layout.getTypeAllocSize(type));
      before.replaceAllUsesWith(copy);
    } else if (before.getType()->isPointerTy()) {
      before.replaceAllUsesWith(builder.CreateAddrSpaceCast(&after, before.getType()));
    } else {
      before.replaceAllUsesWith(&after);
    }
  }

  Function &old;
  const DataLayout &layout;
};

/// Sets the launch bounds in the form of this target. For `minctasm`, as many waves per SIMD unit
/// are required as these blocks have.
void setLaunchBounds(Function &kernel, unsigned threads, unsigned blocks, const Chip &chip) {
  kernel.addFnAttr("amdgpu-flat-work-group-size", "1," + std::to_string(threads));
  kernel.addFnAttr("uniform-work-group-size", "true");
  if (unsigned waves = divideCeil(blocks * divideCeil(threads, chip.waveSize), simdsPerUnit))
    kernel.addFnAttr("amdgpu-waves-per-eu", std::to_string(std::min(waves, chip.mostWaves)));
}

void makeKernel(Function &old, const Chip &chip) {
  unsigned bound = boundThreads(old), blocks = annotation(old, "minctasm");
  Function &kernel = KernelSignature(old).rewrite();
  kernel.setCallingConv(CallingConv::AMDGPU_KERNEL);
  kernel.setVisibility(GlobalValue::ProtectedVisibility);
  setLaunchBounds(kernel, bound ? std::min(bound, maxBlockThreads) : maxBlockThreads, blocks, chip);
}

void cleanFunction(Function &function, const TargetMachine &machine, bool flushToZero) {
  AttributeMask dropped;
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                         "uniform-work-group-size", "nvvm-kernel"})
    dropped.addAttribute(name);
  function.removeFnAttrs(dropped);
  if (function.isIntrinsic())
    return;
  function.setComdat(nullptr);
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  if (flushToZero)
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

/// Moves a variable of the generic address space, to which no memory belongs here.
void moveVariable(GlobalVariable &old) {
  auto *moved = new GlobalVariable(*old.getParent(), old.getValueType(), old.isConstant(),
                                   old.getLinkage(), nullptr, "", &old, old.getThreadLocalMode(),
                                   old.isConstant() ? constantSpace : globalSpace);
  moved->copyAttributesFrom(&old);
  moved->takeName(&old);
  if (old.hasInitializer())
    moved->setInitializer(old.getInitializer());
  old.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(moved, old.getType()));
  old.eraseFromParent();
}

/// Variables of the program stay visible to the runtime in the module that owns them; variables
/// without a name in the program do not.
void setLinkage(GlobalVariable &variable, bool ownsVariables) {
  if (variable.getName().starts_with("llvm.") || variable.getAddressSpace() == sharedSpace)
    return;
  variable.setComdat(nullptr);
  variable.setSection("");
  if (variable.isDeclaration() || variable.hasPrivateLinkage())
    return;
  bool isSlot = variable.isExternallyInitialized();
  variable.setLinkage(ownsVariables || isSlot ? GlobalValue::ExternalLinkage
                                              : GlobalValue::InternalLinkage);
  if (!variable.hasLocalLinkage())
    variable.setVisibility(GlobalValue::ProtectedVisibility);
}

/// Keeps only the flags that the code generator needs: alias analysis reads all of them for each
/// pair of addresses in shared memory (GlobalValue::isInterposable).
void setModuleFlags(Module &module, unsigned codeObjectVersion) {
  dropAnnotations(module);
  for (StringRef name : {"nvvmir.version", "opencl.ocl.version", "llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      node->eraseFromParent();
  module.addModuleFlag(Module::Error, "amdhsa_code_object_version", codeObjectVersion * 100);
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

/// Returns the machine's data layout without the pointers to buffer resources (address spaces 7 to
/// 9), which CUDA does not have. Alias analysis computes offsets that are as wide as the widest
/// pointer in the layout, and offsets of more than 64 bits are allocated one by one.
std::string layoutFor(const TargetMachine &machine) {
  std::string layout = machine.createDataLayout().getStringRepresentation();
  SmallVector<StringRef> parts;
  StringRef(layout).split(parts, '-');
  erase_if(parts, [](StringRef part) {
    return part.starts_with("p7:") || part.starts_with("p8:") || part.starts_with("p9:");
  });
  return join(parts, "-");
}

} // namespace

void retarget(Module &module, ArrayRef<std::string> kernels, const TargetMachine &machine,
              const RetargetSettings &settings) {
  for (Function &function : module) {
    cleanFunction(function, machine, settings.flushToZero);
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallBase>(&inst))
        copyByValue(*call);
  }
  for (const std::string &symbol : kernels)
    makeKernel(*module.getFunction(symbol), *findChip(machine.getTargetCPU()));
  setModuleFlags(module, settings.codeObjectVersion);
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(layoutFor(machine));
  module.setModuleInlineAsm("");
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (function.getCallingConv() != CallingConv::AMDGPU_KERNEL) {
      dropPlaces(function);
      if (!function.isDeclaration())
        function.setLinkage(GlobalValue::InternalLinkage);
    }
    moveAllocas(function);
  }
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    setLinkage(variable, settings.ownsVariables);
    if (variable.getAddressSpace() == genericSpace && !variable.getName().starts_with("llvm."))
      moveVariable(variable);
  }
}

} // namespace regrain::amdgpu
