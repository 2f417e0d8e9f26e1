//===- DeviceFacts.cpp - Kernels and variables of a device module ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/DeviceFacts.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/References.h"
#include "runtime/image/integers.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns what some kernel can reach. What an initialiser names counts as reached.
References findReached(const Module &device, ArrayRef<DeviceKernel> kernels) {
  SmallVector<const GlobalValue *> roots;
  for (const GlobalVariable &global : device.globals())
    if (global.hasInitializer() && !global.getName().starts_with("llvm."))
      roots.push_back(&global);
  for (const DeviceKernel &kernel : kernels)
    roots.push_back(device.getFunction(kernel.symbol));
  return findReferences(roots);
}

/// Returns whether the variable is dynamic shared memory, an external array without a size.
bool isDynamicShared(const GlobalVariable &variable) {
  return variable.getAddressSpace() == sharedSpace && variable.isDeclaration();
}

std::vector<DeviceKernel::Parameter> layOutParameters(const Function &kernel) {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  std::vector<DeviceKernel::Parameter> parameters;
  uint64_t end = 0;
  for (const Argument &argument : kernel.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    Align align = layout.getABITypeAlign(type);
    if (argument.hasByValAttr())
      align = argument.getParamAlign().value_or(align);
    uint64_t offset = alignTo(end, align), size = layout.getTypeAllocSize(type);
    parameters.push_back(
        {static_cast<uint32_t>(offset), static_cast<uint32_t>(size), type->isPointerTy()});
    end = offset + size;
  }
  return parameters;
}

/// Appends the integers in a value of type `type` at `place`.
void addIntegers(Type *type, const DataLayout &layout, DeviceKernel::Integer place,
                 std::vector<DeviceKernel::Integer> &integers) {
  if (auto *integer = dyn_cast<IntegerType>(type)) {
    place.size = static_cast<uint32_t>(layout.getTypeStoreSize(integer));
    if (isPowerOf2_32(place.size) && place.size <= 8 && integers.size() < mostIntegers)
      integers.push_back(place);
    return;
  }
  auto *structure = dyn_cast<StructType>(type);
  if (!structure || structure->isOpaque())
    return;
  const StructLayout &members = *layout.getStructLayout(structure);
  for (unsigned i = 0; i < structure->getNumElements(); ++i) {
    DeviceKernel::Integer member = place;
    member.offset += static_cast<uint32_t>(members.getElementOffset(i));
    addIntegers(structure->getElementType(i), layout, member, integers);
  }
}

std::vector<DeviceKernel::Integer> findIntegers(const Function &kernel) {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  std::vector<DeviceKernel::Integer> integers;
  for (const Argument &argument : kernel.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    addIntegers(type, layout, {argument.getArgNo(), 0, 0}, integers);
  }
  return integers;
}

bool reachesDynamicShared(const Module &device, const DeviceKernel &kernel) {
  return any_of(findReached(device, kernel), [](const auto &reached) {
    auto *variable = dyn_cast<GlobalVariable>(reached.first);
    return variable && isDynamicShared(*variable);
  });
}

} // namespace

std::string nameOfKernel(StringRef symbol) {
  return demangle(symbol.take_front(symbol.find("__intern__")));
}

std::vector<DeviceKernel> findKernels(const Module &device) {
  auto annotated = annotatedWith(device, "kernel");
  std::vector<DeviceKernel> kernels;
  for (const Function &function : device) {
    if (function.isDeclaration() || !annotated.contains(&function))
      continue;
    DeviceKernel kernel;
    kernel.symbol = function.getName().str();
    kernel.name = nameOfKernel(kernel.symbol);
    if (const DISubprogram *subprogram = function.getSubprogram()) {
      kernel.file = subprogram->getFilename().str();
      kernel.line = subprogram->getLine();
    }
    kernel.parameters = layOutParameters(function);
    kernel.integers = findIntegers(function);
    kernel.maxThreads = boundThreads(function);
    kernel.leastBlocks = annotation(function, "minctasm");
    kernel.mostRegisters = annotation(function, "maxnreg");
    kernel.cluster = clusterExtent(function);
    kernel.usesDynamicShared = reachesDynamicShared(device, kernel);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<DeviceVariable> findVariables(const Module &device) {
  auto managed = annotatedWith(device, "managed");
  const DataLayout &layout = device.getDataLayout();
  std::vector<DeviceVariable> variables;
  for (const GlobalVariable &global : device.globals()) {
    unsigned space = global.getAddressSpace();
    bool isOwnConstant = global.isConstant() && global.hasLocalLinkage();
    if (global.isDeclaration() || isOwnConstant ||
        (space != globalSpace && space != constantSpace) || global.getName().starts_with("llvm."))
      continue;
    DeviceVariable variable;
    variable.symbol = global.getName().str();
    if (managed.contains(&global))
      variable.kind = DeviceVariable::Managed;
    else
      variable.kind = space == constantSpace ? DeviceVariable::Constant : DeviceVariable::Device;
    variable.size = layout.getTypeAllocSize(global.getValueType());
    variable.align = layout.getPreferredAlign(&global).value();
    variable.internal = global.hasLocalLinkage();
    variables.push_back(std::move(variable));
  }
  return variables;
}

std::vector<const Function *> findReachable(const Module &device, ArrayRef<DeviceKernel> kernels) {
  std::vector<const Function *> functions;
  for (const auto &[value, by] : findReached(device, kernels))
    if (auto *function = dyn_cast<Function>(value))
      functions.push_back(function);
  return functions;
}

} // namespace regrain
