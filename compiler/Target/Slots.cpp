//===- Slots.cpp - Names of address slots ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Target.h"

std::string regrain::slotNameFor(llvm::StringRef variable) {
  return ("__regrain_address_of_" + variable).str();
}
