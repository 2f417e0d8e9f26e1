//===- ExposeVariables.cpp - Make module variables reachable --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/ExposeVariables.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace regrain;

namespace {

bool isModuleVariable(const llvm::GlobalVariable &global) {
  return !global.isDeclaration() && global.getAddressSpace() != sharedSpace &&
         !global.getName().starts_with("llvm.");
}

DeviceVariable describe(const llvm::GlobalVariable &global) {
  const llvm::DataLayout &layout = global.getParent()->getDataLayout();
  DeviceVariable variable;
  variable.symbol = global.getName().str();
  variable.kind =
      global.getAddressSpace() == constantSpace ? DeviceVariable::Constant : DeviceVariable::Device;
  variable.size = layout.getTypeAllocSize(global.getValueType());
  variable.align =
      layout.getValueOrABITypeAlignment(global.getAlign(), global.getValueType()).value();
  return variable;
}

/// Makes a name legal in PTX, where names consist of letters, digits, '_' and '$'.
void makeNameLegal(llvm::GlobalVariable &global) {
  std::string name = global.getName().str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_' && c != '$')
      c = '_';
  global.setName(name);
}

void expose(llvm::GlobalVariable &global, std::vector<DeviceVariable> &variables) {
  if (global.hasLocalLinkage() || global.isConstant())
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
  bool known = llvm::any_of(variables, [&](const DeviceVariable &variable) {
    return global.getName() == variable.symbol;
  });
  if (!known)
    variables.push_back(describe(global));
}

} // namespace

std::vector<DeviceVariable> regrain::exposeVariables(DeviceCode &code) {
  std::vector<DeviceVariable> variables = code.variables;
  for (llvm::GlobalVariable &global : code.module->globals()) {
    if (!isModuleVariable(global))
      continue;
    if (global.hasLocalLinkage())
      makeNameLegal(global);
    if (!global.isConstant())
      expose(global, variables);
  }
  return variables;
}

void regrain::exposeConstants(DeviceCode &code, llvm::ArrayRef<std::string> constants,
                              std::vector<DeviceVariable> &variables) {
  for (const std::string &name : constants)
    if (llvm::GlobalVariable *global = code.module->getNamedGlobal(name))
      expose(*global, variables);
}
