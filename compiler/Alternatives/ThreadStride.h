//===- ThreadStride.h - From one thread's address to the next ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace regrain {

/// Computes the bytes from one thread's address to the next in a dimension; nothing if that is not
/// a constant. Wrapping is ignored, because this is only a guess.
class ThreadStride {
public:
  /// `thread` is the coordinate of the threads in that dimension.
  ThreadStride(const Uniformity &uniformity, mlir::Value thread, unsigned dimension)
      : uniformity(uniformity), thread(thread),
        dependence(Dependence(uint8_t(Dependence::ThreadX) << dimension)) {}

  [[nodiscard]] std::optional<int64_t> of(mlir::Value value) const;

  /// Returns whether the operation divides numbers of neighbouring threads, which are one apart, by
  /// one number.
  [[nodiscard]] bool dividesNeighbours(mlir::Operation *op) const;

private:
  std::optional<int64_t> ofArithmetic(mlir::Operation *op) const;
  std::optional<int64_t> ofCounter(mlir::BlockArgument counter) const;
  std::optional<int64_t> ofCarried(mlir::scf::WhileOp loop, mlir::BlockArgument carried) const;
  std::optional<int64_t> ofAddress(mlir::LLVM::GEPOp gep) const;

  const Uniformity &uniformity;
  mlir::Value thread;
  Dependence dependence;
};

} // namespace regrain
