//===- Pipeline.h - LLVM's passes over a device module ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain {

/// -O0 to -O3; more is -O3.
llvm::CodeGenOptLevel codeGenLevel(unsigned level);

/// What clang's driver sets at a level.
llvm::PipelineTuningOptions tuningFor(unsigned level);

/// Runs what `build` makes of a builder of passes.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               const llvm::PipelineTuningOptions &tuning,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> build);

/// Clang's pipeline at `level`, in a builder to which extensions may have been added.
llvm::ModulePassManager defaultPipeline(llvm::PassBuilder &builder, unsigned level);

/// Sets an option of LLVM, as its command line would. Of the whole process: to be called once.
void setLLVMOption(llvm::StringRef name, llvm::StringRef value);

} // namespace regrain
