//===- Skeleton.cpp - What stays LLVM IR ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Skeleton.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/LaunchWaits.h"
#include "compiler/DeviceIR/References.h"
#include "compiler/Import/Park.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Returns whether `global` is read-only data that no other module can change, so that each module
/// has its own copy.
bool isOwnData(const GlobalVariable &global) {
  return global.isConstant() && global.hasInitializer() && !global.isExternallyInitialized() &&
         global.getAddressSpace() != sharedSpace;
}

void eraseUnusedDeclarations(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (GlobalVariable &global : make_early_inc_range(module.globals()))
    if (global.use_empty())
      global.eraseFromParent();
}

/// Scales the launch bounds in one annotation of a kernel.
Annotation scaled(const Annotation &annotation, Function &kernel, const LaunchScale &scale) {
  bool perDimension = annotation.has("maxntidy") || annotation.has("reqntidy");
  auto product = [](const LaunchScale::Sizes &values) {
    return int64_t(values[0]) * values[1] * values[2];
  };
  Annotation result{&kernel, {}};
  for (const Annotation::Property &property : annotation.properties) {
    StringRef dimension = property.key;
    bool isBound = dimension.consume_front("maxntid") || dimension.consume_front("reqntid");
    std::optional<uint64_t> number = property.number();
    if (!isBound || !number || dimension.size() != 1) {
      result.properties.push_back(property);
      continue;
    }
    auto pick = [&](const LaunchScale::Sizes &values) {
      return perDimension ? int64_t(values[dimension[0] - 'x']) : product(values);
    };
    int64_t threads = scale.block ? pick(*scale.block)
                                  : int64_t(*number) * pick(scale.multiplier) / pick(scale.divisor);
    // The bound holds for the total number of threads, and so for each dimension.
    if (scale.bound)
      threads = std::min<int64_t>(threads, *scale.bound);
    append_range(
        result.properties,
        makeAnnotation(kernel, {{property.key, std::max<int64_t>(1, threads)}}).properties);
  }
  return result;
}

/// Keeps the annotations of `original` for `kernel`, and adds what the grain says of the launched
/// block. PTX does not accept a required block beside launch bounds; then the launch bounds are set
/// to that block.
void transferAnnotations(Module &module, const Function &original, Function &kernel,
                         const LaunchScale &scale) {
  SmallVector<Annotation> kept;
  bool isBounded = false;
  for (const Annotation &annotation : readAnnotations(module))
    if (annotation.subject == &original) {
      kept.push_back(scaled(annotation, kernel, scale));
      isBounded |= annotation.has("maxntidx") || annotation.has("reqntidx");
    }
  if (scale.block && !isBounded) {
    auto [x, y, z] = *scale.block;
    kept.push_back(makeAnnotation(kernel, {{"reqntidx", x}, {"reqntidy", y}, {"reqntidz", z}}));
  } else if (scale.bound && !isBounded) {
    kept.push_back(makeAnnotation(kernel, {{"maxntidx", *scale.bound}}));
  }
  writeAnnotations(module, kept);
}

/// Returns the range of values that `intrinsic` can return if these are the sizes of the launch.
ConstantRange rangeOf(Intrinsic::ID intrinsic, const LaunchScale &scale) {
  auto below = [](const std::optional<LaunchScale::Sizes> &sizes, unsigned dimension) {
    return sizes ? ConstantRange(APInt(32, 0), APInt(32, (*sizes)[dimension]))
                 : ConstantRange::getFull(32);
  };
  auto thread = [&](unsigned dimension) {
    if (scale.block || !scale.bound)
      return below(scale.block, dimension);
    return ConstantRange(APInt(32, 0), APInt(32, *scale.bound));
  };
  auto exactly = [](const std::optional<LaunchScale::Sizes> &sizes, unsigned dimension) {
    return sizes ? ConstantRange(APInt(32, (*sizes)[dimension])) : ConstantRange::getFull(32);
  };
  switch (intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return thread(0);
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return thread(1);
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return thread(2);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return below(scale.grid, 0);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return below(scale.grid, 1);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return below(scale.grid, 2);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return exactly(scale.grid, 0);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return exactly(scale.grid, 1);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return exactly(scale.grid, 2);
  default:
    return ConstantRange::getFull(32);
  }
}

/// Annotates reads of coordinates and sizes with their ranges, so that guards fold.
void boundCoordinates(Function &kernel, const LaunchScale &scale) {
  for (Instruction &instruction : instructions(kernel)) {
    auto *read = dyn_cast<IntrinsicInst>(&instruction);
    if (!read)
      continue;
    ConstantRange range = rangeOf(read->getIntrinsicID(), scale);
    if (!range.isFullSet())
      read->addRangeRetAttr(range);
  }
}

/// Restores attributes of call sites, which MLIR drops; those of the callee also hold at the call.
void restoreCallAttributes(Function &kernel) {
  for (Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Function *callee = call->getCalledFunction(); callee && !callee->isIntrinsic())
        if (call->getAttributes().isEmpty())
          call->setAttributes(callee->getAttributes().removeFnAttributes(callee->getContext()));
}

/// Removes what `kernel` does not reach and gives the rest internal linkage.
void closeAround(Module &module, Function &kernel) {
  auto keep = functionsReachedFrom(&kernel);
  for (Function &function : module) {
    if (&function == &kernel || function.isDeclaration())
      continue;
    if (keep.contains(&function))
      function.setLinkage(GlobalValue::InternalLinkage);
    else
      function.deleteBody();
  }
  for (GlobalVariable &global : module.globals()) {
    global.removeDeadConstantUsers();
    if (global.hasInitializer())
      global.setLinkage(GlobalValue::InternalLinkage);
  }
  eraseUnusedDeclarations(module);
}

} // namespace

std::unique_ptr<Module> regrain::extractKernels(const Module &module,
                                                ArrayRef<Function *> kernels) {
  SmallPtrSet<const GlobalValue *, 16> wanted(kernels.begin(), kernels.end());
  ValueToValueMapTy map;
  std::unique_ptr<Module> copy =
      CloneModule(module, map, [&](const GlobalValue *value) { return wanted.contains(value); });
  SmallVector<NamedMDNode *> unneeded;
  for (NamedMDNode &metadata : copy->named_metadata())
    if (!is_contained({"llvm.dbg.cu", "llvm.module.flags"}, metadata.getName()))
      unneeded.push_back(&metadata);
  for (NamedMDNode *metadata : unneeded)
    copy->eraseNamedMetadata(metadata);
  eraseUnusedDeclarations(*copy);
  return copy;
}

/// Makes everything linkable by name, and drops the initial values of what the base module owns.
static void leaveVariables(Module &module, function_ref<bool(const GlobalVariable &)> isShown) {
  for (GlobalVariable &global : module.globals()) {
    bool isOwn = isOwnData(global) && !isShown(global);
    if (!isOwn && global.getAddressSpace() != sharedSpace)
      global.setInitializer(nullptr);
    global.setLinkage(GlobalValue::ExternalLinkage);
  }
}

SmallVector<char, 0> regrain::makeSkeleton(Module &module, ArrayRef<Function *> kernels,
                                           const SetVector<const GlobalVariable *> &shown) {
  for (Function *kernel : kernels) {
    kernel->deleteBody();
    kernel->setLinkage(GlobalValue::ExternalLinkage);
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      function.setLinkage(GlobalValue::ExternalLinkage);
  leaveVariables(module, [&](const GlobalVariable &global) { return shown.contains(&global); });
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(module, stream);
  return bytes;
}

Expected<std::unique_ptr<Module>> regrain::extractKernel(const ImportedModule &imported,
                                                         StringRef kernel, StringRef symbol,
                                                         LLVMContext &context) {
  StringRef bytes(imported.base().data(), imported.base().size());
  Expected<std::unique_ptr<Module>> parsed =
      parseBitcodeFile(MemoryBufferRef(bytes, "variant"), context);
  if (!parsed)
    return parsed.takeError();
  Module &module = **parsed;
  Function *function = module.getFunction(kernel);
  if (!function || function->isDeclaration())
    return createStringError("'" + kernel + "' is not a kernel of the imported module");
  for (const GlobalValue *other : annotatedWith(module, "kernel"))
    if (other != function)
      removeKernel(*module.getFunction(other->getName()));
  leaveVariables(module, [&](const GlobalVariable &global) {
    return is_contained(imported.shownConstants(), global.getName());
  });
  function->setComdat(nullptr);
  function->setLinkage(GlobalValue::ExternalLinkage);
  function->setName(symbol);
  closeAround(module, *function);
  return parsed;
}

/// Gives the kernel its original attributes, except `noalias` on parameters from which the grain
/// has removed it. The grain may know more: what it has added counts, and the larger alignment.
static void takeAttributes(Function &kernel, const Function &declaration) {
  AttributeList ofGrain = kernel.getAttributes();
  kernel.setAttributes(declaration.getAttributes());
  for (unsigned index = 0; index < declaration.arg_size(); ++index) {
    if (ofGrain.hasParamAttr(index, Attribute::NoAlias))
      kernel.addParamAttr(index, Attribute::NoAlias);
    else
      kernel.removeParamAttr(index, Attribute::NoAlias);
    MaybeAlign known = ofGrain.getParamAlignment(index);
    if (!known || *known <= kernel.getParamAlign(index).valueOrOne())
      continue;
    kernel.removeParamAttr(index, Attribute::Alignment);
    kernel.addParamAttr(index, Attribute::getWithAlignment(kernel.getContext(), *known));
  }
}

Expected<std::unique_ptr<Module>> regrain::linkIntoSkeleton(ArrayRef<char> skeleton,
                                                            std::unique_ptr<Module> body,
                                                            StringRef symbol, StringRef original,
                                                            const LaunchScale &scale) {
  MemoryBufferRef buffer(StringRef(skeleton.data(), skeleton.size()), "skeleton");
  Expected<std::unique_ptr<Module>> parsed = parseBitcodeFile(buffer, body->getContext());
  if (!parsed)
    return parsed.takeError();
  std::unique_ptr<Module> module = std::move(*parsed);
  body->setTargetTriple(module->getTargetTriple());
  body->setDataLayout(module->getDataLayout());
  if (NamedMDNode *flags = body->getModuleFlagsMetadata())
    body->eraseNamedMetadata(flags);
  Function *declaration = module->getFunction(original);
  if (!declaration)
    return createStringError("'" + original + "' is not a kernel of the imported module");
  declaration->setName(original + ".original");
  if (Linker::linkModules(*module, std::move(body)))
    return createStringError("the exported kernel '" + symbol + "' could not be linked");

  Function *kernel = module->getFunction(symbol);
  if (!kernel)
    return createStringError("the exported kernel '" + symbol + "' was lost while linking");
  takeAttributes(*kernel, *declaration);
  kernel->setCallingConv(declaration->getCallingConv());
  kernel->setVisibility(declaration->getVisibility());
  kernel->setLinkage(GlobalValue::ExternalLinkage);
  restoreCallAttributes(*kernel);
  transferAnnotations(*module, *declaration, *kernel, scale);
  boundCoordinates(*kernel, scale);
  unpark(*module);
  putLaunchWait(*kernel);
  closeAround(*module, *kernel);
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(*module, &stream))
    return createStringError("the exported kernel '" + symbol + "' is malformed: " + problem);
  return module;
}
