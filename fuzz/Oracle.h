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
    Faulty,  ///< it is not well defined; `reason` says where
    Unable,  ///< the interpreter lacks something
    Endless, ///< it takes too long
  };
  Kind kind = Done;
  std::string reason; ///< one line
  Contents contents;  ///< of the buffers, where it is done
};

/// Where the kernels of a launch are.
struct InterpretedCode {
  const llvm::Module *whole;
  std::string symbol;
  const llvm::Module *variables;      ///< the module that owns them
  const llvm::Module *rest = nullptr; ///< the remainder, where there is one
  std::string restSymbol = {};
  std::vector<std::string> slots = {}; ///< variables that the modules reach by a slot
};

/// Interprets a launch and then what remains of it, where something does, on fresh
/// buffers; `seed` decides the order of threads. What `grain` is told of the
/// program's launch is appended to the parameters.
Interpretation interpret(const InterpretedCode &code, const Task &task, const ScaledLaunch &scaled,
                         const Grain &grain, uint64_t seed);

} // namespace regrain::fuzz
