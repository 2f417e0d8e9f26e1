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

/// Returns the level of -O0 to -O3; higher numbers count as -O3.
llvm::CodeGenOptLevel codeGenLevel(unsigned level);

/// Returns what clang's driver sets at a level.
llvm::PipelineTuningOptions tuningFor(unsigned level);

/// Runs the passes that `build` creates with a builder.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               const llvm::PipelineTuningOptions &tuning,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> build);

/// Lets LLVM's verifier check the code behind each pass that follows in this process, which ends
/// where a pass has broken it.
void verifyPasses();
bool verifiesPasses();

/// Returns clang's pipeline at `level`, from a builder to which extensions may have been added.
llvm::ModulePassManager defaultPipeline(llvm::PassBuilder &builder, unsigned level);

/// Sets an option of LLVM, as its command line would. It applies to the whole process and may be
/// set only once.
void setLLVMOption(llvm::StringRef name, llvm::StringRef value);

} // namespace regrain
