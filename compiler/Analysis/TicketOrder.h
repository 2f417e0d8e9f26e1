//===- TicketOrder.h - Numbers that go one way ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tickets go up, or down. What is computed of one goes the same way, as signed or as
// unsigned numbers, where nothing wraps round and no factor turns it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace regrain {

/// A counter takes long to go round by steps that are smaller.
inline constexpr uint64_t mostTicketStep = 1 << 16;

/// As what numbers a value goes up or down in the order of tickets.
struct TicketOrder {
  bool isSigned, isUnsigned;

  static constexpr TicketOrder both() { return {true, true}; }
  static constexpr TicketOrder neither() { return {false, false}; }
  bool operator==(const TicketOrder &) const = default;
  TicketOrder operator&(TicketOrder other) const {
    return {isSigned && other.isSigned, isUnsigned && other.isUnsigned};
  }
};

/// What is left of the order where `op` computes with a ticket and with `other`: adds,
/// subtracts, multiplies, divides.
[[nodiscard]] TicketOrder orderBehind(mlir::Operation *op, mlir::Value other);

/// Whether numbers that go up come to an end of what `predicate` says of them and of
/// another number that stays.
[[nodiscard]] bool endsGoingUp(mlir::arith::CmpIPredicate predicate);
[[nodiscard]] bool endsGoingDown(mlir::arith::CmpIPredicate predicate);

} // namespace regrain
