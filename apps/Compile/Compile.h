//===- Compile.h - regrain cc, regrain explain ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// `regrain cc FLAGS FILES`, and regrain-nvcc: compiles and links as nvcc does. Gives the exit
/// code.
int runCompiler(int argc, char **argv);

/// `regrain explain FILE or cc-flags`: runCompiler with --explain. Says for each kernel
/// which grains it can have, and why not others.
int runExplain(int argc, char **argv);

} // namespace regrain
