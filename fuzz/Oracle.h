//===- Oracle.h - Kernels interpreted, as a second opinion ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU runs threads of a block in one order. The interpreter runs them in a
// random one and knows of races, undefined values and barriers that threads
// miss, on the same IR that every target gets.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Machine.h"
#include "llvm/IR/Module.h"

namespace regrain::fuzz {

/// What an interpreted launch came to.
struct Interpretation {
  enum Kind : uint8_t {
    Done,
    Faulty, ///< it is not well defined; `reason` says where
    Unable, ///< the interpreter lacks something, or it takes too long
  };
  Kind kind = Done;
  std::string reason; ///< one line
  Contents contents;  ///< of the buffers, where it is done
};

/// Interprets `symbol` of `whole` and then, where something remains, of `rest` on
/// fresh buffers; `seed` decides the order of threads. Variables are those of
/// `originals`. What `grain` is told of the program's launch is appended to the
/// parameters.
Interpretation interpret(const llvm::Module &whole, const llvm::Module *rest,
                         const std::string &symbol, const llvm::Module &originals,
                         const Kernel &kernel, const ScaledLaunch &scaled, const Grain &grain,
                         uint64_t seed);

} // namespace regrain::fuzz
