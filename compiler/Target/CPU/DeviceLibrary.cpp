//===- DeviceLibrary.cpp - The CPU's device library -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/DeviceLibrary.h"

#include "compiler/DeviceIR/ProductFunctions.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

asm(".section .rodata.regrain_device_library,\"a\",@progbits\n"
    ".globl regrainDeviceLibraryBegin\n"
    ".globl regrainDeviceLibraryEnd\n"
    ".balign 16\n"
    "regrainDeviceLibraryBegin:\n"
    ".incbin \"" REGRAIN_DEVICE_LIBRARY "\"\n"
    "regrainDeviceLibraryEnd:\n"
    ".previous\n");
extern "C" const char regrainDeviceLibraryBegin[], regrainDeviceLibraryEnd[];

namespace regrain::cpu {

namespace {

/// The functions that code generation calls, besides those that the module itself names.
constexpr StringLiteral entryPoints[] = {
    "regrain_run_threads",    "regrain_frame_push",         "regrain_frame_pop",
    "regrain_thread_wait",    "regrain_thread_result",      "regrain_thread_arrive",
    "regrain_thread_special", "regrain_thread_shared_base", "regrain_exchange",
    "regrain_release",        "regrain_describe_threads",   "regrain_start_states",
    "regrain_states_present", "regrain_alloca_push",        "regrain_alloca_pop"};

constexpr StringLiteral libraryAttribute = "regrain-library";

/// Gives declarations in `module` the names and types under which the library has the functions.
void matchNames(Module &module, const Module &library) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    const Function *same = library.getFunction(function.getName());
    const Function *libdevice = library.getFunction(("__nv_" + function.getName()).str());
    if (same && !same->isDeclaration() && same->getFunctionType() != function.getFunctionType())
      function.setName("mistyped." + function.getName());
    else if (!same && libdevice && libdevice->getFunctionType() == function.getFunctionType())
      function.setName(libdevice->getName());
  }
}

void declareEntryPoints(Module &module, const Module &library) {
  for (StringRef name : entryPoints)
    module.getOrInsertFunction(name, library.getFunction(name)->getFunctionType());
}

} // namespace

void markAsLibrary(Function &function) { function.addFnAttr(libraryAttribute); }

Error linkDeviceLibrary(Module &module) {
  joinFactors(module);
  MemoryBufferRef bitcode(
      StringRef(regrainDeviceLibraryBegin, regrainDeviceLibraryEnd - regrainDeviceLibraryBegin),
      "device library");
  Expected<std::unique_ptr<Module>> library = getLazyBitcodeModule(bitcode, module.getContext());
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  matchNames(module, **library);
  declareEntryPoints(module, **library);
  StringSet<> own;
  for (Function &function : module)
    if (!function.isDeclaration())
      own.insert(function.getName());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("the device library could not be linked");
  for (Function &function : module)
    if (!function.isDeclaration() && !own.contains(function.getName())) {
      // Functions that code generation calls must remain until it has run.
      if (!is_contained(entryPoints, function.getName()))
        function.setLinkage(GlobalValue::InternalLinkage);
      function.removeFnAttr("target-cpu");
      function.removeFnAttr("target-features");
      function.removeFnAttr("tune-cpu");
      markAsLibrary(function);
    }
  return Error::success();
}

bool isLibraryFunction(const Function &function) {
  return function.hasFnAttribute(libraryAttribute);
}

} // namespace regrain::cpu
