//===- Oracle.h - Interpretation as an independent check --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU runs the threads of a block in one order. The interpreter runs them
// in a random order and detects races, undefined values and barriers that
// threads miss, in the same IR that every target gets.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Machine.h"
#include "llvm/IR/Module.h"

namespace regrain::fuzz {

/// The outcome of an interpreted launch.
struct Interpretation {
  enum Kind : uint8_t {
    Done,
    Faulty,  ///< it is not well defined; `reason` says where
    Unable,  ///< the interpreter lacks something
    Endless, ///< it takes too long
  };
  Kind kind = Done;
  std::string reason; ///< one line
  Contents contents;  ///< of the buffers, if it is done
};

/// The kernels of a launch.
struct InterpretedCode {
  const llvm::Module *whole;
  std::string symbol;
  const llvm::Module *variables;      ///< the module that owns them
  const llvm::Module *rest = nullptr; ///< the remainder, if there is one
  std::string restSymbol = {};
  std::vector<std::string> slots = {}; ///< variables that the modules reach by slots
};

/// Interprets a launch and then its remainder, if there is one, on fresh buffers;
/// `seed` determines the order of threads. The parameters that `grain` appends are
/// passed.
Interpretation interpret(const InterpretedCode &code, const Task &task, const ScaledLaunch &scaled,
                         const Grain &grain, uint64_t seed);

} // namespace regrain::fuzz
