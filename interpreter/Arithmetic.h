//===- Arithmetic.h - Instructions on scalars -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions use neither memory nor threads. An undefined bit of an operand
// makes exactly those bits of the result undefined that may depend on it, or more;
// a result of poison is poison, except for a select that takes the other operand.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Fault.h"
#include "interpreter/Values.h"
#include "llvm/IR/Instructions.h"

namespace regrain {

/// Returns whether the instruction violates a promise of nsw or nuw.
bool overflows(const llvm::BinaryOperator &op, const llvm::APInt &a, const llvm::APInt &b);

/// Computes one lane of a binary instruction. Returns its fault, if any: a
/// division by zero or by an undefined value.
std::optional<FaultKind> binary(const llvm::BinaryOperator &op, llvm::Type *type, Scalar a,
                                Scalar b, Scalar &result);

/// Computes one lane of a sum, difference, product, quotient or remainder of numbers.
Scalar floating(unsigned opcode, llvm::Type *type, Scalar a, Scalar b);

/// Computes one lane of a comparison; `type` is that of the operands.
Scalar compare(llvm::CmpInst::Predicate predicate, llvm::Type *type, Scalar a, Scalar b);

/// Computes one lane of a conversion, including addrspacecast and bitcast of
/// scalars.
Scalar convert(const llvm::CastInst &op, llvm::Type *from, const Leaf &to, Scalar value);

/// Returns what atomicrmw stores if the memory contains `old`.
Scalar update(llvm::AtomicRMWInst::BinOp op, llvm::Type *type, Scalar old, Scalar value);

/// Rounds to the nearest even integer, as rint does; the result of a float
/// operation has its own precision.
Scalar floatResult(llvm::Type *type, double value);

} // namespace regrain
