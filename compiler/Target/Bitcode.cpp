//===- Bitcode.cpp - Libraries of device functions ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Bitcode.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace regrain {

Expected<std::unique_ptr<Module>> openBitcode(StringRef path, LLVMContext &context) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read " + path + ": " + buffer.getError().message());
  Expected<std::unique_ptr<Module>> library =
      getOwningLazyBitcodeModule(std::move(*buffer), context);
  if (!library)
    return createStringError("cannot read " + path + ": " + toString(library.takeError()));
  return library;
}

/// Returns the attributes for code generation and floating point that clang gives every function of
/// a module, taken from one of them.
static AttrBuilder commonAttributes(const Module &module) {
  AttrBuilder common(module.getContext());
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute() && attribute.getKindAsString() != "uniform-work-group-size")
        common.addAttribute(attribute);
    common.addAttribute(Attribute::Convergent);
    common.addAttribute(Attribute::NoUnwind);
    break;
  }
  return common;
}

Error linkNeeded(Module &module, std::unique_ptr<Module> library) {
  AttrBuilder common = commonAttributes(module);
  for (Function &function : *library)
    if (!function.isIntrinsic())
      function.addFnAttrs(common);
  bool failed =
      Linker(module).linkInModule(std::move(library), Linker::LinkOnlyNeeded,
                                  [](Module &destination, const StringSet<> &names) {
                                    internalizeModule(destination, [&](const GlobalValue &value) {
                                      return !value.hasName() || !names.contains(value.getName());
                                    });
                                  });
  if (failed)
    return createStringError("the device math library does not link");
  return Error::success();
}

} // namespace regrain
