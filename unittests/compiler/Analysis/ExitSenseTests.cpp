//===- ExitSenseTests.cpp - Senses checked by truth tables ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random conditions are made of comparisons and evaluated for all results of
// these. Where a comparison has a sense, a result that keeps the loop going may
// not end it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ExitSense.h"
#include "fuzz/Random.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr unsigned comparisons = 3, outer = 2, inputs = comparisons + outer;
constexpr unsigned tables = 1 << inputs; ///< results of all inputs

/// A condition as grain IR, and its value for all values of its inputs. The first inputs are the
/// comparisons, the others parameters of the kernel.
class Drawing {
public:
  explicit Drawing(uint64_t seed) : random(seed) {
    for (unsigned i = 0; i < inputs; ++i) {
      uint32_t table = 0;
      for (unsigned row = 0; row < tables; ++row)
        table |= (row >> i & 1) << row;
      known.push_back(
          {i < comparisons ? "%t" + std::to_string(i) : "%o" + std::to_string(i - comparisons),
           table});
    }
    for (unsigned i = 0; i < comparisons; ++i) {
      std::string number = std::to_string(i);
      line("%l" + number + " = llvm.load volatile %p : !llvm.ptr -> i32");
      line("%t" + number + " = arith.cmpi slt, %l" + number + ", %n {comparison} : i32");
    }
    line("%yes = arith.constant true");
    line("%no = arith.constant false");
    line("%zero = arith.constant 0 : i32");
    for (unsigned count = random.between(2, 6); count > 0; --count)
      draw();
    line("scf.condition(" + known.back().name + ")");
  }

  std::string kernel() const {
    return kernelText("%p: !llvm.ptr, %n: i32, %o0: i1, %o1: i1",
                      "scf.while : () -> () {\n" + text + "} do {\n  scf.yield\n}\n");
  }
  uint32_t table() const { return known.back().table; }

private:
  struct Truth {
    std::string name;
    uint32_t table; ///< one bit for each row of inputs
  };

  void line(const std::string &content) { text += "  " + content + "\n"; }
  std::string fresh() { return "%v" + std::to_string(++names); }
  /// Returns a truth, more often a recent one.
  Truth any() {
    return random.percent(50) ? known.back() : known[random.below(uint32_t(known.size()))];
  }

  void draw() {
    Truth a = any(), b = any(), c = any();
    std::string name = fresh();
    switch (random.below(8)) {
    case 0:
      line(name + " = arith.andi " + a.name + ", " + b.name + " : i1");
      return known.push_back({name, a.table & b.table});
    case 1:
      line(name + " = arith.ori " + a.name + ", " + b.name + " : i1");
      return known.push_back({name, a.table | b.table});
    case 2:
      line(name + " = arith.xori " + a.name + ", %yes : i1");
      return known.push_back({name, ~a.table});
    case 3:
      line(name + " = arith.xori " + a.name + ", " + b.name + " : i1");
      return known.push_back({name, a.table ^ b.table});
    case 4:
      return test(name, a, random.percent(50));
    case 5:
      b = random.percent(50) ? Truth{"%yes", ~0u} : Truth{"%no", 0};
      break;
    case 6:
      c = random.percent(50) ? Truth{"%yes", ~0u} : Truth{"%no", 0};
      break;
    default:
      break;
    }
    choose(name, a, b, c);
  }

  /// Compares a truth that is kept as a number with zero.
  void test(const std::string &name, const Truth &a, bool isEqual) {
    std::string wide = fresh();
    line(wide + " = arith.extui " + a.name + " : i1 to i32");
    line(name + " = arith.cmpi " + (isEqual ? "eq" : "ne") + ", " + wide + ", %zero : i32");
    known.push_back({name, isEqual ? ~a.table : a.table});
  }

  void choose(const std::string &name, const Truth &a, const Truth &b, const Truth &c) {
    if (random.percent(60)) {
      line(name + " = arith.select " + a.name + ", " + b.name + ", " + c.name + " : i1");
    } else {
      line(name + " = scf.if " + a.name + " -> (i1) {");
      line("  scf.yield " + b.name + " : i1\n  } else {\n    scf.yield " + c.name + " : i1\n  }");
    }
    known.push_back({name, (a.table & b.table) | (~a.table & c.table)});
  }

  fuzz::Random random;
  std::string text;
  std::vector<Truth> known;
  unsigned names = 0;
};

/// Returns whether the condition ends the loop in some row because an input becomes `to`.
bool mayEndAt(uint32_t table, unsigned input, bool to) {
  for (unsigned row = 0; row < tables; ++row)
    if ((row >> input & 1) != to && (table >> row & 1) && !(table >> (row ^ 1u << input) & 1))
      return true;
  return false;
}

TEST(ExitSense, WhatKeepsTheLoopGoingDoesNotEndIt) {
  GrainContext own;
  unsigned senses = 0, inverse = 0;
  for (uint64_t seed = 1; seed <= 3000 && !HasFailure(); ++seed) {
    Drawing drawn(seed);
    ParsedKernel parsed(drawn.kernel(), own.context);
    Accesses accesses(parsed.kernel());
    std::vector<Operation *> found = parsed.marked("comparison");
    auto loop = cast<scf::WhileOp>(found.front()->getParentOp());
    LoopSlice end(loop, loop.getConditionOp().getCondition(), accesses);
    ExitSense sense(end);
    for (auto [input, op] : llvm::enumerate(found)) {
      auto compare = cast<arith::CmpIOp>(op);
      std::optional<arith::CmpIPredicate> stays = sense.staysWhile(compare);
      if (!stays)
        continue;
      bool isOwn = *stays == compare.getPredicate();
      EXPECT_TRUE(isOwn || *stays == arith::invertPredicate(compare.getPredicate()));
      ++(isOwn ? senses : inverse);
      EXPECT_FALSE(mayEndAt(drawn.table(), unsigned(input), isOwn))
          << "comparison " << input << " of seed " << seed << ":\n"
          << drawn.kernel();
    }
  }
  EXPECT_GT(senses, 1000u);
  EXPECT_GT(inverse, 500u);
}

} // namespace
