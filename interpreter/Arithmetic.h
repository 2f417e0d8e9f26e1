//===- Arithmetic.h - Instructions on scalars -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free of memory and threads. An undefined bit of an operand makes undefined
// exactly the bits of the result that may depend on it, or more; of poison nothing
// but poison is computed, save by a select that takes the other operand.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Fault.h"
#include "interpreter/Values.h"
#include "llvm/IR/Instructions.h"

namespace regrain {

/// Whether it breaks a promise of nsw or nuw.
bool overflows(const llvm::BinaryOperator &op, const llvm::APInt &a, const llvm::APInt &b);

/// One lane of a binary instruction. The fault that it is, if any, is returned:
/// a division by zero or by something undefined.
std::optional<FaultKind> binary(const llvm::BinaryOperator &op, llvm::Type *type, Scalar a,
                                Scalar b, Scalar &result);

/// One lane of a comparison; `type` is that of the operands.
Scalar compare(llvm::CmpInst::Predicate predicate, llvm::Type *type, Scalar a, Scalar b);

/// One lane of a conversion, addrspacecast and bitcast of scalars included.
Scalar convert(const llvm::CastInst &op, llvm::Type *from, const Leaf &to, Scalar value);

/// What atomicrmw stores where it finds `old`.
Scalar update(llvm::AtomicRMWInst::BinOp op, llvm::Type *type, Scalar old, Scalar value);

/// Nearest even, as rint; the result of a float operation in its own precision.
Scalar floatResult(llvm::Type *type, double value);

} // namespace regrain
