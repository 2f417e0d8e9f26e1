//===- ModuleVariables.cpp - Static variables of a module -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ModuleVariables.h"

#include "compiler/DeviceIR/AddressSpaces.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns "name" for "_ZL4name", and any other name as it is.
StringRef plainName(StringRef mangled) {
  StringRef plain = mangled;
  size_t length = 0;
  bool isPlain =
      plain.consume_front("_ZL") && !plain.consumeInteger(10, length) && plain.size() == length;
  return isPlain ? plain : mangled;
}

} // namespace

void showStaticVariables(Module &device) {
  for (GlobalVariable &variable : device.globals()) {
    unsigned space = variable.getAddressSpace();
    if (variable.isDeclaration() || variable.isConstant() ||
        (space != globalSpace && space != constantSpace))
      continue;
    // clang appends the unit to the name of a variable that the host side names.
    auto [mangled, unit] = variable.getName().split("__static__");
    if (!variable.hasInternalLinkage() && unit.empty())
      continue;
    std::string name = plainName(mangled).str();
    if (!device.getNamedValue(name))
      variable.setName(name);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setExternallyInitialized(true);
  }
}

} // namespace regrain
