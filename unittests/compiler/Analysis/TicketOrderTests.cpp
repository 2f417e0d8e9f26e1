//===- TicketOrderTests.cpp - Orders checked by numbers -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/TicketOrder.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Numbers that the other operand may be if nothing is known of it.
constexpr int32_t anyNumbers[] = {INT32_MIN, -65536, -7, -2, -1, 0, 1, 2, 3, 31, INT32_MAX, 65536};
/// Numbers that a coordinate may be.
constexpr int32_t coordinates[] = {0, 1, 2, 31, 1023};
/// Tickets, in order.
constexpr int32_t tickets[] = {0, 1, 2, 3, 7, 8, 100, 1000, 30000, 40000, 65535, 1 << 20};

struct Case {
  std::string operation, flags, other;
};

std::string textOf(const Case &tried) {
  return kernelText("%ticket: i32, %any: i32, %p: !llvm.ptr",
                    "%ten = arith.constant 10 : i32\n%minus = arith.constant -3 : i32\n"
                    "%masked = arith.andi %any, %ten : i32\n"
                    "%v = arith." +
                        tried.operation + " %ticket, " + tried.other + tried.flags +
                        " {changed} : i32\n"
                        "llvm.store %v, %p : i32, !llvm.ptr\n");
}

/// Returns the result for a ticket, or nothing if it is undefined.
std::optional<uint32_t> resultFor(grain::KernelOp kernel, int32_t ticket, int32_t any,
                                  uint32_t coordinate) {
  Setting setting;
  setting.arguments[kernel.getBody().getArgument(0)] = {uint32_t(ticket), {}, false};
  setting.arguments[kernel.getBody().getArgument(1)] = {uint32_t(any), {}, false};
  Value p = kernel.getBody().getArgument(2);
  setting.arguments[p] = {0, p, false};
  std::optional<uint32_t> result;
  Evaluator evaluator(setting, [&](Operation *site, const Values &values, const Iterations &) {
    const Number &stored = values.find(cast<LLVM::StoreOp>(site).getValue())->second;
    if (!stored.poison)
      result = uint32_t(stored.bits);
  });
  EXPECT_TRUE(evaluator.run(kernel, {{0, 0, 0}, {coordinate, 0, 0}}));
  return result;
}

/// Checks that greater tickets do not give smaller results.
void checkOrder(grain::KernelOp kernel, TicketOrder order, int32_t any, uint32_t coordinate) {
  std::optional<uint32_t> before;
  for (int32_t ticket : tickets) {
    std::optional<uint32_t> result = resultFor(kernel, ticket, any, coordinate);
    if (!result)
      continue;
    if (before && order.isSigned)
      ASSERT_LE(int32_t(*before), int32_t(*result)) << "signed, from ticket " << ticket;
    if (before && order.isUnsigned)
      ASSERT_LE(*before, *result) << "unsigned, from ticket " << ticket;
    before = result;
  }
}

TEST(TicketOrder, GreaterTicketsGiveNoSmallerNumbers) {
  GrainContext own;
  unsigned ordered = 0;
  for (const char *operation : {"addi", "subi", "muli", "shli", "divui", "divsi"})
    for (const char *flags : {"", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"})
      for (const char *other : {"%any", "%ten", "%minus", "%masked", "%tx"}) {
        bool divides = std::string(operation).starts_with("div");
        if (divides && *flags)
          continue;
        Case tried = {operation, flags, other};
        ParsedKernel parsed(textOf(tried), own.context);
        Operation *changed = parsed.only("changed");
        TicketOrder order = orderBehind(changed, changed->getOperand(1));
        ordered += order.isSigned + order.isUnsigned;
        SCOPED_TRACE(textOf(tried));
        for (int32_t any : anyNumbers)
          for (int32_t coordinate : coordinates)
            checkOrder(parsed.kernel(), order, any, uint32_t(coordinate));
      }
  EXPECT_GT(ordered, 60u);
}

TEST(TicketOrder, AComparisonEndsOnOneSideOfItsLimit) {
  using Predicate = arith::CmpIPredicate;
  for (Predicate predicate :
       {Predicate::eq, Predicate::ne, Predicate::slt, Predicate::sle, Predicate::sgt,
        Predicate::sge, Predicate::ult, Predicate::ule, Predicate::ugt, Predicate::uge}) {
    // The numbers beyond the limit of 5, which a counter reaches and does not come back from.
    auto holds = [&](int64_t number) {
      return arith::applyCmpPredicate(predicate, APInt(32, uint64_t(number)), APInt(32, 5));
    };
    EXPECT_EQ(endsGoingUp(predicate), !holds(6) && !holds(100)) << int(predicate);
    EXPECT_EQ(endsGoingDown(predicate), !holds(4) && !holds(0)) << int(predicate);
  }
}

} // namespace
