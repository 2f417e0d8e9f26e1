//===- TicketOrder.h - Order of values computed from tickets ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tickets (Tickets.h) only go up, or only go down. A value that is computed from a ticket goes the
// same way, as a signed or as an unsigned number, where nothing wraps and no factor is negative.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace regrain {

/// The largest step of a counter. With such steps it takes long to wrap.
inline constexpr uint64_t mostTicketStep = 1 << 16;

/// Says as which kind of number, signed or unsigned, a value keeps the order of tickets.
struct TicketOrder {
  bool isSigned, isUnsigned;

  static constexpr TicketOrder both() { return {true, true}; }
  static constexpr TicketOrder neither() { return {false, false}; }
  bool operator==(const TicketOrder &) const = default;
  TicketOrder operator&(TicketOrder other) const {
    return {isSigned && other.isSigned, isUnsigned && other.isUnsigned};
  }
};

/// Returns what is left of the order if `op` adds, subtracts, multiplies or divides a ticket and
/// `other`.
[[nodiscard]] TicketOrder orderBehind(mlir::Operation *op, mlir::Value other);

/// Returns whether a comparison of an increasing number with a constant one becomes false in the
/// end if `predicate` is the one that it tests.
[[nodiscard]] bool endsGoingUp(mlir::arith::CmpIPredicate predicate);
[[nodiscard]] bool endsGoingDown(mlir::arith::CmpIPredicate predicate);

} // namespace regrain
