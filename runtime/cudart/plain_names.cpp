//===- plain_names.cpp - NVIDIA's names of the entries ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object that was compiled against NVIDIA's headers calls the entries by NVIDIA's names. These
// functions pass its calls on to Regrain's symbols. They are hidden, so no other object of the
// process can call them, and NVIDIA's runtime may be there as well. The archive of this file is
// linked into each program and library; the linker takes the file only for such an object.
//
//===----------------------------------------------------------------------===//

// CUDA 13 gave these entries other parameters and kept the symbols, so a call does not say which
// form it has. They are left out, and the linker reports them.
#define REGRAIN_CHANGED(NAME) asm(".set regrain_changed_" #NAME ", 1");
REGRAIN_CHANGED(cudaGraphAddDependencies)
REGRAIN_CHANGED(cudaGraphAddNode)
REGRAIN_CHANGED(cudaGraphGetEdges)
REGRAIN_CHANGED(cudaGraphNodeGetDependencies)
REGRAIN_CHANGED(cudaGraphNodeGetDependentNodes)
REGRAIN_CHANGED(cudaGraphRemoveDependencies)
REGRAIN_CHANGED(cudaMemAdvise)
REGRAIN_CHANGED(cudaMemPrefetchAsync)
REGRAIN_CHANGED(cudaMemPrefetchAsync_ptsz)
REGRAIN_CHANGED(cudaStreamUpdateCaptureDependencies)
REGRAIN_CHANGED(cudaStreamUpdateCaptureDependencies_ptsz)

#define REGRAIN_PASS_ON(THEIRS, OURS)                                                              \
  asm(".ifndef regrain_changed_" THEIRS "\n"                                                       \
      ".text\n"                                                                                    \
      ".globl " THEIRS "\n"                                                                        \
      ".hidden " THEIRS "\n"                                                                       \
      ".type " THEIRS ", @function\n" THEIRS ": jmp regrain_" OURS "@PLT\n"                        \
      ".size " THEIRS ", . - " THEIRS "\n"                                                         \
      ".endif\n");

#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP) REGRAIN_PASS_ON(#NAME, #NAME)
#include "include/cuda/regrain_api.def"

#define REGRAIN_REGISTRATION_CALL(RESULT, NAME, PARAMETERS) REGRAIN_PASS_ON(#NAME, #NAME)
#include "runtime/cudart/registration_calls.def"

#define REGRAIN_DRIVER_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS) REGRAIN_PASS_ON(SYMBOL, #NAME)
#define REGRAIN_DRIVER_CODE_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS, ARGUMENT)                     \
  REGRAIN_PASS_ON(SYMBOL, #NAME)
#define REGRAIN_DRIVER_SHARED_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS)                             \
  REGRAIN_PASS_ON(SYMBOL, #NAME)
#define REGRAIN_DRIVER_ONLY_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS) REGRAIN_PASS_ON(SYMBOL, #NAME)
#define REGRAIN_DRIVER_OWN_API(NAME, PARAMETERS) REGRAIN_PASS_ON(#NAME, #NAME)
#include "include/cuda/regrain_driver_api.def"
