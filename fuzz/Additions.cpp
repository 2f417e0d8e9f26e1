//===- Additions.cpp - Rare constructs in a random kernel -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Additions.h"

#include "fuzz/Exchanges.h"
#include "fuzz/ExpressionGenerator.h"
#include "fuzz/Records.h"
#include "fuzz/Walk.h"

namespace regrain::fuzz {

namespace {

using Block = std::vector<Stmt>;

class Additions {
public:
  explicit Additions(Kernel &kernel)
      : kernel(kernel), random(kernel.seed ^ 0x6164646974696f6e), expressions(kernel, random) {
    state.phases.assign(kernel.shared.size(), Phase::Fresh);
    state.filled.assign(kernel.shared.size(), false); // what is added reads no shared array
  }

  void run() {
    if (random.percent(30))
      addRecords();
    if (random.percent(60) && kernel.guard == Guard::None && hasWholeWarps(kernel))
      for (uint32_t i = random.between(1, 3); i > 0; --i)
        addExchange();
    if (random.percent(12))
      addVectors();
    if (random.percent(25))
      narrowNumbers();
    if (random.percent(50))
      readManaged();
    if (random.percent(25))
      spreadProducts();
    // With other shared arrays, none of the elements would move into registers.
    if (random.percent(60) && kernel.shared.empty() && !kernel.record &&
        kernel.guard == Guard::None)
      for (uint32_t i = random.between(1, 2); i > 0; --i)
        exchangeElements();
    if (random.percent(20))
      divideNumbers();
    if (random.percent(40))
      kernel.passing = random.percent(50) ? Passing::Written : Passing::GridConstant;
    if (random.percent(8) && kernel.guard == Guard::None && hasWholeWarps(kernel))
      multiplyMatrices();
  }

private:
  /// The place of an added statement, and the variables that have a value there.
  struct Spot {
    size_t block; ///< in the order of walkBlocks
    size_t at;
    Scope scope;
  };

  Spot chooseSpot();
  Scope scopeBefore(size_t statement) const;
  bool insert(Stmt stmt, std::optional<Type> result);
  void addRecords();
  void addExchange();
  void multiplyMatrices();
  void addVectors();
  void narrowNumbers();
  void readManaged();
  void spreadProducts();
  void exchangeElements();
  void divideNumbers();
  Expr valueFor(Type type, const Scope &scope, unsigned depth = 2) {
    return expressions.value(type, Level::Thread, scope, state, depth);
  }

  Kernel &kernel;
  Random random;
  ExpressionGenerator expressions;
  State state;
};

/// Returns the variables that the body's first statements declare and give a value.
Scope Additions::scopeBefore(size_t statement) const {
  Scope scope;
  for (size_t i = 0; i < statement; ++i) {
    const Stmt &stmt = kernel.body[i];
    if (stmt.kind == StmtKind::Declare
            ? !stmt.exprs.empty()
            : stmt.kind == StmtKind::BarrierVote || stmt.kind == StmtKind::WarpExchange ||
                  stmt.kind == StmtKind::WarpVote || stmt.kind == StmtKind::RecordExchange ||
                  stmt.kind == StmtKind::ElementExchange)
      scope.readable.push_back(stmt.id);
  }
  return scope;
}

/// Chooses any place, or one of the body itself, before the last statement.
Additions::Spot Additions::chooseSpot() {
  size_t top = random.below(uint32_t(kernel.body.size()));
  Spot spot = {0, top, scopeBefore(top)};
  std::vector<std::pair<size_t, size_t>> inner; // numbers and sizes of the blocks in a statement
  size_t number = 0;
  walkBlocks(kernel.body, [&](const Block &block) {
    const Block *begin = &block;
    for (const Block &of : kernel.body[top].blocks)
      walkBlocks(of, [&](const Block &each) {
        if (&each == begin)
          inner.push_back({number, each.size()});
      });
    ++number;
  });
  if (!inner.empty() && random.percent(70)) {
    auto [block, size] = random.of(inner);
    spot.block = block;
    spot.at = random.below(uint32_t(size) + 1);
  }
  return spot;
}

/// Inserts the statement, with operands, where it leaves no fault. A result goes to memory.
bool Additions::insert(Stmt stmt, std::optional<Type> result) {
  for (unsigned attempt = 0; attempt < 6; ++attempt) {
    Spot spot = chooseSpot();
    Kernel form = kernel;
    Block added = {stmt};
    added[0].exprs = {valueFor(result.value_or(Type::U32), spot.scope),
                      valueFor(Type::U32, spot.scope, 1)};
    if (result) {
      added[0].id = uint32_t(form.variables.size());
      form.variables.push_back({*result, Level::Thread});
      Stmt store;
      store.kind = StmtKind::StoreOwn;
      store.id = *result == Type::F32 ? 0 : random.below(resultSlots);
      store.exprs = {apply(Op::Add, *result,
                           {make(ExprKind::Own, *result, store.id),
                            make(ExprKind::Variable, *result, added[0].id)})};
      added.push_back(std::move(store));
    }
    size_t number = 0;
    walkBlocks(form.body, [&](Block &block) {
      if (number++ == spot.block)
        block.insert(block.begin() + spot.at, added.begin(), added.end());
    });
    if (!findFault(form).empty())
      continue;
    kernel = std::move(form);
    return true;
  }
  return false;
}

void Additions::addRecords() {
  std::vector<uint32_t> fitting;
  for (uint32_t i = 0; i < recordForms().size(); ++i)
    if (kernel.shape.threads() <= recordForms()[i].mostThreads)
      fitting.push_back(i);
  kernel.record = random.of(fitting);
  bool isUsed = false;
  for (uint32_t i = random.between(1, 2); i > 0; --i) {
    Stmt stmt;
    stmt.kind = StmtKind::RecordExchange;
    stmt.aux = random.below(recordCopies * 3);
    isUsed |= insert(std::move(stmt), Type::U32);
  }
  if (!isUsed)
    kernel.record.reset();
}

void Additions::addExchange() {
  Stmt stmt;
  stmt.kind = StmtKind::WarpExchange;
  stmt.aux = firstGroupExchange + random.below(exchangeCount - firstGroupExchange);
  insert(std::move(stmt), random.percent(75) ? Type::U32 : Type::F32);
}

void Additions::multiplyMatrices() {
  Stmt stmt;
  stmt.kind = StmtKind::WarpExchange;
  stmt.aux = matrixExchange;
  insert(std::move(stmt), Type::U32);
}

void Additions::addVectors() {
  kernel.hasVectors = true;
  for (uint32_t i = random.between(1, 2); i > 0; --i) {
    Stmt stmt;
    stmt.kind = StmtKind::AtomicVector;
    stmt.id = random.below(resultSlots);
    stmt.aux = random.below(vectorAtomics);
    insert(std::move(stmt), std::nullopt);
  }
}

/// Lets some sums and products of words be those of numbers of 16 bits.
void Additions::narrowNumbers() {
  walkExprs(kernel.body, [&](Expr &expr) {
    bool isWord = expr.kind == ExprKind::Binary && expr.type == Type::U32 &&
                  (expr.op == Op::Add || expr.op == Op::Sub || expr.op == Op::Mul);
    if (isWord && random.percent(40))
      expr.op = Op(unsigned(Op::HalfSum) + random.below(4));
  });
}

/// Lets some sums and products of words be those of numbers in several blocks.
void Additions::spreadProducts() {
  walkExprs(kernel.body, [&](Expr &expr) {
    bool isWord = expr.kind == ExprKind::Binary && expr.type == Type::U32 &&
                  (expr.op == Op::Add || expr.op == Op::Sub || expr.op == Op::Mul);
    if (isWord && random.percent(25))
      expr.op = Op(unsigned(Op::RealSpread) + random.below(3));
  });
}

void Additions::exchangeElements() {
  Stmt stmt;
  stmt.kind = StmtKind::ElementExchange;
  stmt.aux = random.below(elementExchanges * elementTypes * 50);
  insert(std::move(stmt), Type::U32);
}

/// Lets some sums and products of words be quotients of numbers.
void Additions::divideNumbers() {
  walkExprs(kernel.body, [&](Expr &expr) {
    bool isWord = expr.kind == ExprKind::Binary && expr.type == Type::U32 &&
                  (expr.op == Op::Add || expr.op == Op::Sub || expr.op == Op::Mul);
    if (isWord && random.percent(30))
      expr.op = Op::Quotients;
  });
}

/// Lets values come from managed memory in place of constant memory.
void Additions::readManaged() {
  walkExprs(kernel.body, [&](Expr &expr) {
    if (expr.kind == ExprKind::Constant)
      expr.id = random.below(2);
  });
}

} // namespace

Kernel withAdditions(Kernel kernel) {
  Additions(kernel).run();
  return kernel;
}

} // namespace regrain::fuzz
