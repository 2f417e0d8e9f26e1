//===- DeviceMath.cpp - Definitions for __nv_ functions -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/DeviceMath.h"

#include "compiler/Target/Bitcode.h"

using namespace llvm;

namespace regrain::nvptx {

static bool needsMath(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
}

Expected<MathSource> linkDeviceMath(Module &module, const Toolkit &toolkit) {
  if (!needsMath(module))
    return MathSource::None;
  bool free = toolkit.libdevice.empty();
  if (free) {
    Expected<bool> needsLibclc = mapMathToLibclc(module, !toolkit.libclc.empty());
    if (!needsLibclc)
      return needsLibclc.takeError();
    if (!*needsLibclc)
      return MathSource::None;
  }
  Expected<std::unique_ptr<Module>> library =
      openBitcode(free ? toolkit.libclc : toolkit.libdevice, module.getContext());
  if (!library)
    return library.takeError();
  if (free) {
    (*library)->setTargetTriple(module.getTargetTriple());
    (*library)->setDataLayout(module.getDataLayout());
  }
  if (Error error = linkNeeded(module, std::move(*library)))
    return error;
  return free ? MathSource::Libclc : MathSource::Libdevice;
}

} // namespace regrain::nvptx
