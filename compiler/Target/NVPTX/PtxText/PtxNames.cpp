//===- PtxNames.cpp - Names that PTX accepts ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/PtxNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regrain::nvptx {

static bool isPtxLetter(char letter) { return isAlnum(letter) || letter == '_' || letter == '$'; }

bool isPtxName(StringRef name) {
  return !name.empty() && !isDigit(name.front()) && all_of(name, isPtxLetter);
}

void makeNamesLegal(Module &module) {
  for (GlobalValue &value : module.global_values()) {
    if (value.getName().starts_with("llvm.") || isPtxName(value.getName()))
      continue;
    bool isLocal = value.hasLocalLinkage();
    std::string name = isLocal ? "" : "_";
    for (char letter : value.getName())
      if (isPtxLetter(letter))
        name += letter;
      else
        name += isLocal ? "_$_" : "_";
    value.setName(name);
  }
}

} // namespace regrain::nvptx
