//===- Evaluator.h - One thread of a nest, value by value -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator runs the body of a kernel in grain IR for one thread of one
// block, with every value accessible at every access, so that the claims of
// analyses can be checked against it. Without a memory, stores do nothing, and
// loads return numbers that depend only on the address.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <functional>
#include <map>

namespace regrain {

/// A number, a pointer, or the result of a compare-and-exchange.
struct Number {
  /// Zero above the width. Of a pointer: bytes after `base`. Of an exchange of i32 or less: the
  /// value seen, and above 32 bits whether it succeeded.
  uint64_t bits = 0;
  mlir::Value base; ///< of a pointer: its object
  bool poison = false;
};

using Values = llvm::DenseMap<mlir::Value, Number>;

/// The current iteration of each loop around an operation, the outermost first.
using Iterations = std::vector<std::pair<mlir::Operation *, unsigned>>;

/// The bytes that have been accessed, by object and offset. The first load of a
/// byte that nothing was stored to finds a number that depends only on its address.
struct Memory {
  struct Byte {
    uint8_t bits = 0;
    bool poison = false;
  };
  std::map<std::pair<const void *, uint64_t>, Byte> bytes;

  void store(const Number &address, const Number &value, unsigned size);
  Number load(const Number &address, unsigned size);
};

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

  /// It is called for each value after it is computed, and may change it.
  using Watch = std::function<void(mlir::Value, Number &)>;

  Evaluator(const Setting &setting, Visit visit) : setting(setting), visit(std::move(visit)) {}

  /// Makes loads, stores and atomic operations access `used`.
  void useMemory(Memory &used) { memory = &used; }
  void setWatch(Watch used) { watch = std::move(used); }

  /// Returns false if the thread's behaviour is undefined (it branches on poison, accesses memory
  /// at it, or the counter of an scf.for wraps), or if it does not end.
  bool run(grain::KernelOp kernel, const Coordinates &coordinates);

  /// Limits the iterations of scf.while in a run.
  void setMaxRounds(unsigned limit) { maxRounds = limit; }
  /// Returns whether the last run was stopped because it took more iterations than that.
  bool isEndless() const { return rounds > maxRounds; }

private:
  bool runBlock(mlir::Block &block);
  bool runOp(mlir::Operation &op);
  bool runFor(mlir::Operation &op);
  bool runWhile(mlir::Operation &op);
  bool runIf(mlir::Operation &op);
  bool access(mlir::Operation &op, mlir::Value address);
  bool load(mlir::LLVM::LoadOp load);
  bool store(mlir::LLVM::StoreOp store);
  bool update(mlir::LLVM::AtomicRMWOp update);
  bool exchange(mlir::LLVM::AtomicCmpXchgOp exchange);
  bool compute(mlir::Operation &op);
  Number address(mlir::LLVM::GEPOp gep);
  const Number &get(mlir::Value value) const { return values.find(value)->second; }
  void set(mlir::Value value, Number number);
  void assign(mlir::ValueRange targets, mlir::ValueRange sources);

  const Setting &setting;
  Visit visit;
  Watch watch;
  Memory *memory = nullptr;
  Coordinates coordinates;
  Values values;
  Iterations iterations;
  unsigned rounds = 0, maxRounds = 100; ///< iterations of scf.while
};

/// Returns the bits of a value's type; a pointer and an index have 64.
unsigned widthOf(mlir::Value value);
int64_t toSigned(uint64_t bits, unsigned width);

} // namespace regrain
