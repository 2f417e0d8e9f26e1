//===- Access.h - Which memory an operation accesses ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access consists of a base, the byte offset from it, and a size. The offset is an affine form
// (Affine.h) over coordinates of the nest, induction variables and other values. A part that is not
// known is empty, and such an access may alias anything that the other can reach.
//
// Two accesses are proved disjoint by these rules:
// - Bases. Each grain.shared is memory of its own, and so is each `copy` of grain.dynamic_shared,
//   each stack allocation, each variable and each by-value parameter. A pointer parameter cannot
//   point to shared memory, a stack or by-value parameters, because these do not exist before the
//   launch. A thread that accesses memory through a `noalias` parameter does not access the same
//   memory in another way, if one of the two accesses writes; other threads may. Two parameters
//   that are known to be in different allocations (DisjointArguments.h) are different memory for
//   all threads, and so is a variable. A pointer that is loaded or selected may point anywhere in
//   its address space.
// - Address spaces. Two different address spaces that are named in the pointer types are different
//   memory; the generic one (0) may be any.
// - Offsets. A GEP is looked through where it is `inbounds`, so that nothing wraps, or where ranges
//   show that nothing wraps. Two accesses with the same base are disjoint if one is proved to end
//   before the other starts.
// - Other threads. Values that depend on threads (Uniformity.h), and values inside loops, may
//   differ in another thread. Distinct threads differ in a coordinate. Threads that differ only in
//   a coordinate that nothing in the kernel reads run the same code on the same values. They are
//   not told apart here, unless an operation of the kernel does so (ThreadSummary.h), or the caller
//   asks for AnyThread because it matters when each of them runs.
// - Other blocks have shared memory, stacks and by-value parameters of their own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"
#include "compiler/Analysis/SameAddress.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Analysis/Uniformity.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace regrain {

enum class Base : uint8_t {
  Parameter,     ///< a pointer parameter of the kernel
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
  mlir::Value base; ///< one value per base; null if the memory is not known
  unsigned addressSpace = genericSpace;
  std::optional<Affine> offset; ///< bytes behind `base`
  std::optional<int64_t> size;  ///< bytes
  bool reads = false;
  bool writes = false;
  bool isOrdered = false; ///< volatile or atomic: other threads may be meant to see it

  /// Returns true if the base is the same memory in all iterations of every loop.
  [[nodiscard]] bool isFixed() const { return kind != Base::Unknown && kind != Base::Stack; }
};

/// Says which thread runs the second of two accesses.
enum class Who : uint8_t {
  Same,        ///< the thread itself
  OtherThread, ///< another thread of the block, one that is told apart from the first
  AnyThread,   ///< any other thread of the block, even one that does exactly the same
  OtherBlock,  ///< a thread of another block
};

/// Finds the accesses of a kernel and compares them. The object is valid until the kernel changes.
class Accesses {
public:
  explicit Accesses(grain::KernelOp kernel);

  /// Returns what `op` itself, not its regions, does to memory, or nothing if it does not touch
  /// memory. Barriers are not accesses.
  [[nodiscard]] std::optional<Access> of(mlir::Operation *op);

  /// Returns the access of an unknown number of bytes at `address`, one of those that a call makes
  /// that copies or fills memory. `of` knows of such a call only that it accesses memory.
  [[nodiscard]] Access at(mlir::LLVM::CallOp copy, mlir::Value address, bool writes);

  /// Returns false if it is proved that the two never touch the same byte. The second is run by
  /// `who`. If that is the thread itself, both belong to the same iteration of all loops around
  /// both, except `apart` and the loops in it.
  [[nodiscard]] bool mayAlias(const Access &first, const Access &second, Who who = Who::Same,
                              mlir::Operation *apart = nullptr);

  /// Returns false if it is proved that the two, both in the body of `loop`, never touch the same
  /// byte when one thread runs them in different iterations.
  [[nodiscard]] bool mayAliasInOtherIteration(const Access &first, const Access &second,
                                              mlir::scf::ForOp loop);

  /// Returns false if it is proved that the bases of the two are different memory, whichever
  /// threads, blocks and iterations run them.
  [[nodiscard]] bool mayShareMemory(const Access &first, const Access &second) const;

  /// Returns true if the base is a `noalias` parameter.
  [[nodiscard]] bool isRestricted(const Access &access) const;

  /// Returns true if it is proved that both access the same bytes when one thread runs them in the
  /// same iteration of the loops around both.
  [[nodiscard]] bool mustAlias(const Access &first, const Access &second) const;

  /// Returns true if it is proved that both access the same bytes when one thread runs `second`
  /// after `first` in the same iteration of the loops around both. This knows more than mustAlias,
  /// because it takes the conditions around `second` into account.
  [[nodiscard]] bool mustAliasBehind(const Access &first, const Access &second);

  /// Returns the number of iterations of `loop`, at least 1 and at most `most`, after which one
  /// thread accesses by `later` the bytes that it has accessed by `earlier`, if both are executed;
  /// nothing if that is not proved.
  [[nodiscard]] std::optional<unsigned> iterationsBetween(const Access &earlier,
                                                          const Access &later,
                                                          mlir::scf::ForOp loop, unsigned most);

  /// Returns true if it is proved that both access the same bytes when one thread runs `first`, in
  /// the body of `in`, and `second`, in that of `of`, with the same number in the loops' counters.
  [[nodiscard]] bool areSameByCounter(const Access &first, mlir::scf::ForOp in,
                                      const Access &second, mlir::scf::ForOp of);

  /// Returns true if the address is the same in all iterations of `loop`.
  [[nodiscard]] bool isInvariantIn(const Access &access, mlir::Operation *loop) const;

  /// Returns true if all threads of a block that run the access in the same iteration of the loops
  /// around it access the same address.
  [[nodiscard]] bool isSameForAllThreads(const Access &access);

  /// Returns the bytes from one thread to the next in x, or nothing if they are not known.
  [[nodiscard]] std::optional<int64_t> stridePerLane(const Access &access);

  /// Returns true if the access is proved to lie within its base, whose size is known.
  [[nodiscard]] bool isInBounds(const Access &access);

private:
  std::optional<Access> find(mlir::Operation *op);
  mlir::Value representativeOf(mlir::Value base);
  Access locate(mlir::Operation *op, mlir::Value address);
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
  mlir::DataLayout typeLayout;
  AffineForms forms;
  SameAddress sameAddress;
  llvm::DenseMap<mlir::Operation *, std::optional<Access>> found;
  llvm::DenseMap<mlir::Value, mlir::Value> representatives;
  std::optional<Uniformity> dependences; ///< computed on first use
  std::optional<ThreadSummary> summary;  ///< computed on first use
};

} // namespace regrain
