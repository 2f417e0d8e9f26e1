//===- SimplifyMultiples.cpp - Neighbours of a multiple -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/SimplifyMultiples.h"

#include "compiler/Analysis/ZeroBits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

/// A number and a small one that is added to it.
struct Neighbour {
  Value multiple;
  Value distance;
};

} // namespace

/// Returns `value` as a multiple of a power of two and a smaller distance, if `other` is a multiple
/// of it as well.
static std::optional<Neighbour> neighbourOf(Value value, Value other) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  APInt distance;
  if (!sum || !matchPattern(sum.getRhs(), m_ConstantInt(&distance)) || distance.isNegative())
    return std::nullopt;
  unsigned zeros = std::min(zeroBitsOf(sum.getLhs()), zeroBitsOf(other));
  return distance.getActiveBits() <= zeros ? std::optional(Neighbour{sum.getLhs(), sum.getRhs()})
                                           : std::nullopt;
}

namespace {

struct DivideNeighbour : OpRewritePattern<arith::DivUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivUIOp op, PatternRewriter &rewriter) const override {
    std::optional<Neighbour> neighbour = neighbourOf(op.getLhs(), op.getRhs());
    if (!neighbour)
      return failure();
    rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, neighbour->multiple, op.getRhs());
    return success();
  }
};

struct RemainderOfNeighbour : OpRewritePattern<arith::RemUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::RemUIOp op, PatternRewriter &rewriter) const override {
    std::optional<Neighbour> neighbour = neighbourOf(op.getLhs(), op.getRhs());
    if (!neighbour)
      return failure();
    Value rest = rewriter.create<arith::RemUIOp>(op.getLoc(), neighbour->multiple, op.getRhs());
    // What is added is less than the distance to the next multiple, of either sign.
    constexpr auto noWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, rest, neighbour->distance, noWrap);
    return success();
  }
};

struct CompareNeighbour : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    arith::CmpIPredicate predicate = op.getPredicate();
    if (predicate != arith::CmpIPredicate::ult && predicate != arith::CmpIPredicate::uge)
      return failure();
    std::optional<Neighbour> neighbour = neighbourOf(op.getLhs(), op.getRhs());
    if (!neighbour)
      return failure();
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, predicate, neighbour->multiple, op.getRhs());
    return success();
  }
};

struct MaskMultiple : OpRewritePattern<arith::AndIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AndIOp op, PatternRewriter &rewriter) const override {
    APInt mask;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&mask)) ||
        mask.getActiveBits() > zeroBitsOf(op.getLhs()))
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(op.getType()));
    return success();
  }
};

} // namespace

void regrain::populateSimplifyMultiples(RewritePatternSet &patterns) {
  patterns.add<DivideNeighbour, RemainderOfNeighbour, CompareNeighbour, MaskMultiple>(
      patterns.getContext());
}
