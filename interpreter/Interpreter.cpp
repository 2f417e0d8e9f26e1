//===- Interpreter.cpp - Interpreter of device LLVM IR --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Interpreter.h"

#include "interpreter/Machine.h"

using namespace llvm;

Error regrain::interpretKernel(const Module &module, StringRef kernel, const KernelLaunch &launch,
                               DeviceMemory &memory, const InterpreterOptions &options) {
  const llvm::Function *function = module.getFunction(kernel);
  if (!function || function->isDeclaration())
    return makeFault(FaultKind::BadLaunch, "the module has no kernel '" + kernel + "'");
  if (Error error = memory.defineVariables(module))
    return error;
  Program program(module, memory, launch.dynamicSharedBytes);
  return Machine(program, launch, memory, options).run(*function);
}
