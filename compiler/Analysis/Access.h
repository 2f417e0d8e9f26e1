//===- Access.h - Which memory an operation accesses ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access is a base, a number of bytes behind it as an affine form (Affine.h)
// over coordinates of the nest, induction variables and other values, and a
// size. What is not known is said to be so, and may alias anything that another
// can reach.
//
// Legality, deduction by deduction.
// - Bases. Each grain.shared is memory of its own, as is each `copy` of
//   grain.dynamic_shared, each stack allocation, each variable and each by-value
//   parameter. A pointer that a kernel is given cannot point to shared memory,
//   to a stack or to by-value parameters: these do not exist before the launch.
//   What a thread accesses through a `noalias` parameter it does not access
//   otherwise where one of the two writes; other threads may. A pointer that is loaded or chosen
//   may point anywhere in its address space.
// - Address spaces. Different ones that are named in the pointer types are
//   different memory; generic (0) may be any.
// - Offsets. A GEP is looked through where it is `inbounds`, so that nothing
//   wraps, or where ranges show that it does not. Two accesses of one base are
//   apart where one is proved to end before the other starts.
// - Other threads. Values that depend on threads (Uniformity.h), and values
//   inside loops, may be others there. Distinct threads differ in a coordinate.
//   Threads that differ only in a coordinate that nothing in the kernel reads
//   run the same code on the same values: they are not told apart here, unless
//   an operation of the kernel does (ThreadSummary.h), or AnyThread is asked for,
//   where it matters when each of them does it.
// - Other blocks have shared memory, stacks and by-value parameters of their own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Analysis/Uniformity.h"

namespace regrain {

enum class Base : uint8_t {
  Parameter,     ///< a pointer that the kernel is given
  ByValue,       ///< a by-value parameter
  Shared,        ///< grain.shared
  DynamicShared, ///< one copy of grain.dynamic_shared
  Stack,         ///< an alloca
  Variable,      ///< a module variable
  Unknown,       ///< any other pointer
};

struct Access {
  mlir::Operation *op = nullptr;
  Base kind = Base::Unknown;
  mlir::Value base;             ///< one value for each base; null where the memory is not known
  unsigned addressSpace = 0;    ///< 0: generic
  std::optional<Affine> offset; ///< bytes behind `base`
  std::optional<int64_t> size;  ///< bytes
  bool reads = false;
  bool writes = false;
  bool isOrdered = false; ///< volatile or atomic: other threads may be meant to see it

  /// The base is the same memory in all iterations of every loop.
  [[nodiscard]] bool isFixed() const { return kind != Base::Unknown && kind != Base::Stack; }
};

/// Who runs the second of two accesses.
enum class Who : uint8_t {
  Same,        ///< the thread itself
  OtherThread, ///< another thread of the block, at work on something else
  AnyThread,   ///< another thread of the block, though it do the very same
  OtherBlock,  ///< a thread of another block
};

/// Valid until the kernel changes.
class Accesses {
public:
  explicit Accesses(grain::KernelOp kernel);

  /// What `op` itself, not its regions, does to memory; nothing where it does
  /// not touch memory. Barriers are not accesses.
  [[nodiscard]] std::optional<Access> of(mlir::Operation *op);

  /// False: proved that the two never touch the same byte. The second is run by
  /// `who`. Where that is the thread itself, both are of the same iteration of
  /// all loops around both, but for `apart` and the loops in it.
  [[nodiscard]] bool mayAlias(const Access &first, const Access &second, Who who = Who::Same,
                              mlir::Operation *apart = nullptr);

  /// False: proved that the bases of the two are different memory, whichever thread
  /// or block runs which, and in whatever iteration.
  [[nodiscard]] bool mayShareMemory(const Access &first, const Access &second) const;

  /// True: proved that both access the same bytes when run by one thread in the
  /// same iteration of the loops around both.
  [[nodiscard]] bool mustAlias(const Access &first, const Access &second) const;

  /// True: the address is the same in all iterations of `loop`.
  [[nodiscard]] bool isInvariantIn(const Access &access, mlir::Operation *loop) const;

  /// True: all threads of a block that run the access in the same iteration of
  /// the loops around it access the same address.
  [[nodiscard]] bool isSameForAllThreads(const Access &access);

  /// Bytes from one thread to the next in x; nothing where not known.
  [[nodiscard]] std::optional<int64_t> stridePerLane(const Access &access);

  /// True: proved to lie within its base, whose size is known.
  [[nodiscard]] bool isInBounds(const Access &access);

private:
  std::optional<Access> find(mlir::Operation *op);
  mlir::Value representativeOf(mlir::Value base);
  Access locate(mlir::Operation *op, mlir::Value address, mlir::Type type);
  std::optional<Affine> offsetOf(mlir::LLVM::GEPOp gep);
  bool areDistinct(const Access &first, const Access &second, Who who) const;
  bool areApart(const Access &first, const Access &second, llvm::ArrayRef<Affine> facts,
                Differs differs);
  bool areApartInOtherThread(const Access &first, const Access &second,
                             llvm::ArrayRef<Affine> facts, Differs differs, mlir::Region &nest,
                             llvm::ArrayRef<int32_t> steps, bool tellApart,
                             llvm::ArrayRef<unsigned> order);
  bool isRead(mlir::Value coordinate) const;
  bool dependsOn(mlir::Value value, Dependence dependence);
  bool areToldApart();

  grain::KernelOp kernel;
  AffineForms forms;
  llvm::DenseMap<mlir::Operation *, std::optional<Access>> found;
  llvm::DenseMap<mlir::Value, mlir::Value> representatives;
  std::optional<Uniformity> dependences; ///< made when first asked for
  std::optional<ThreadSummary> summary;  ///< likewise
};

} // namespace regrain
