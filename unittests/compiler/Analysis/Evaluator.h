//===- Evaluator.h - One thread of a nest, value by value -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator runs the body of a kernel in grain IR for one thread of one
// block, with every value accessible at every access, so that the claims of
// analyses can be checked against it. Stores do nothing, and loads return
// numbers that depend only on the address.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <functional>

namespace regrain {

/// A number or a pointer.
struct Number {
  uint64_t bits = 0; ///< zero above the width; of a pointer: bytes after `base`
  mlir::Value base;  ///< of a pointer: its object
  bool poison = false;
};

using Values = llvm::DenseMap<mlir::Value, Number>;

/// The current iteration of each loop around an operation, the outermost first.
using Iterations = std::vector<std::pair<mlir::Operation *, unsigned>>;

struct Coordinates {
  std::array<uint32_t, 3> block = {}, thread = {};
};

/// The program's launch, and the kernel's arguments.
struct Setting {
  std::array<uint32_t, 3> grid = {1, 1, 1}, blockSize = {1, 1, 1};
  Values arguments;
};

class Evaluator {
public:
  /// It is called for each load and store, before it is executed.
  using Visit = std::function<void(mlir::Operation *, const Values &, const Iterations &)>;

  Evaluator(const Setting &setting, Visit visit) : setting(setting), visit(std::move(visit)) {}

  /// Returns false if the thread's behaviour is undefined: it branches on
  /// poison, or accesses memory at it.
  bool run(grain::KernelOp kernel, const Coordinates &coordinates);

private:
  bool runBlock(mlir::Block &block);
  bool runOp(mlir::Operation &op);
  bool runFor(mlir::Operation &op);
  bool runIf(mlir::Operation &op);
  bool access(mlir::Operation &op, mlir::Value address);
  bool compute(mlir::Operation &op);
  Number address(mlir::LLVM::GEPOp gep);
  const Number &get(mlir::Value value) const { return values.find(value)->second; }

  const Setting &setting;
  Visit visit;
  Coordinates coordinates;
  Values values;
  Iterations iterations;
};

/// Returns the bits of a value's type; a pointer and an index have 64.
unsigned widthOf(mlir::Value value);
int64_t toSigned(uint64_t bits, unsigned width);

} // namespace regrain
