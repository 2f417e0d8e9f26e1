//===- regrain-nvcc.cpp - regrain cc under an nvcc-like name --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "apps/Compile/Compile.h"

int main(int argc, char **argv) { return regrain::runCompiler(argc, argv); }
