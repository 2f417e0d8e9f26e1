//===- Driver.h - regrain cc ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler driver that takes nvcc's and clang's flags. For each .cu file:
// the device side for each __CUDA_ARCH__, the image from it, the host side
// with the image embedded. Other sources go to the host compiler, which also
// links.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// Runs the compiler driver; argv[0] is not read. NVCC_PREPEND_FLAGS and
/// NVCC_APPEND_FLAGS are put around the arguments. Returns the exit code: 0, or
/// 1 after any error.
int runCompiler(int argc, char **argv);

/// `explain FILE or cc-flags`: runCompiler with --explain. Says for each kernel
/// of sources and built files which grains it can have, and what is in the way
/// of others.
int runExplain(int argc, char **argv);

} // namespace regrain
