//===- LinkObject.cpp - The object that a device link writes --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceLink/LinkObject.h"

#include "compiler/Frontend/ImageWrapper.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace regrain {
namespace {

/// The wrapper has the form of clang's objects (runtime/cudart/registration.cpp reads it), but for
/// the address of the image and CUDA's release. Host objects register one after the other.
constexpr StringLiteral registration = R"(
%wrapper = type { i32, i32, ptr, ptr }
@wrapper = internal constant %wrapper { i32 1180844977, i32 1, ptr null, ptr null },
           section ".nvFatBinSegment", align 8
@handle = internal global ptr null
declare ptr @regrain___cudaRegisterFatBinary(ptr)
declare void @regrain___cudaRegisterFatBinaryEnd(ptr)
declare void @regrain___cudaUnregisterFatBinary(ptr)
declare i32 @atexit(ptr)
define internal void @unregister() {
  %known = load ptr, ptr @handle
  call void @regrain___cudaUnregisterFatBinary(ptr %known)
  ret void
}
define internal void @register(ptr %registerSymbols) {
  %known = load ptr, ptr @handle
  %isFirst = icmp eq ptr %known, null
  br i1 %isFirst, label %first, label %symbols
first:
  %new = call ptr @regrain___cudaRegisterFatBinary(ptr @wrapper)
  store ptr %new, ptr @handle
  call void @regrain___cudaRegisterFatBinaryEnd(ptr %new)
  %status = call i32 @atexit(ptr @unregister)
  br label %symbols
symbols:
  %image = phi ptr [ %known, %0 ], [ %new, %first ]
  call void %registerSymbols(ptr %image)
  ret void
}
)";

void addImage(Module &module, ArrayRef<char> image, unsigned cudaVersion) {
  Constant *bytes = ConstantDataArray::getRaw(StringRef(image.data(), image.size()), image.size(),
                                              Type::getInt8Ty(module.getContext()));
  auto *variable = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                      GlobalValue::InternalLinkage, bytes, "image");
  variable->setSection(".nv_fatbin");
  variable->setAlignment(Align(8));
  GlobalVariable &wrapper = *module.getGlobalVariable("wrapper", /*AllowInternal=*/true);
  auto *fields = cast<ConstantStruct>(wrapper.getInitializer());
  wrapper.setInitializer(ConstantStruct::get(fields->getType(), fields->getOperand(0),
                                             fields->getOperand(1), variable,
                                             fields->getOperand(3)));
  setCudaVersion(wrapper, cudaVersion);
}

/// Adds void NAME(void (*registerSymbols)(void **), void *wrapper, const char *unit, void *).
void addFunction(Module &module, StringRef name) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer, pointer},
                                 /*isVarArg=*/false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  builder.CreateCall(module.getFunction("register"), function->getArg(0));
  builder.CreateRetVoid();
}

Expected<std::vector<char>> emitObject(Module &module) {
  std::string triple = sys::getDefaultTargetTriple(), problem;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return createStringError(problem);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "", "", {}, Reloc::PIC_));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return createStringError("no object files can be written for " + triple);
  passes.run(module);
  return std::vector<char>(object.begin(), object.end());
}

} // namespace

Expected<std::vector<char>>
makeLinkObject(ArrayRef<char> image, ArrayRef<std::string> registrations, unsigned cudaVersion) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(registration, problem, context);
  if (!module)
    return createStringError(problem.getMessage());
  addImage(*module, image, cudaVersion);
  for (const std::string &name : registrations)
    addFunction(*module, name);
  return emitObject(*module);
}

} // namespace regrain
