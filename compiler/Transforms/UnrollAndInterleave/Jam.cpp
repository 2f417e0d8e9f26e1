//===- Jam.cpp - One region for all copies --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollAndInterleave/Interleaver.h"

using namespace mlir;
using namespace regrain;

SmallVector<Value> Interleaver::spread(ValueRange values, ValueRange shape,
                                       Mappings mappings) const {
  SmallVector<Value> result;
  for (auto [value, like] : llvm::zip_equal(values, shape))
    for (IRMapping &mapping : mappings.take_front(varies(like) ? mappings.size() : 1))
      result.push_back(mapping.lookupOrDefault(value));
  return result;
}

SmallVector<Type> Interleaver::spreadTypes(ValueRange shape, unsigned count) const {
  SmallVector<Type> result;
  for (Value like : shape)
    result.append(varies(like) ? count : 1, like.getType());
  return result;
}

void Interleaver::gather(ValueRange shape, ValueRange targets, ValueRange values,
                         Mappings mappings) const {
  size_t next = 0;
  for (auto [like, target] : llvm::zip_equal(shape, targets)) {
    bool isOwn = varies(like);
    for (auto [copy, mapping] : llvm::enumerate(mappings))
      mapping.map(target, values[next + (isOwn ? copy : 0)]);
    next += isOwn ? mappings.size() : 1;
  }
}

/// Interleaves `source` into `target`. The new terminator yields one value per copy for each
/// operand of the old one whose counterpart in `shape` varies.
std::optional<Refusal> Interleaver::jamBlock(Block &source, Block &target, ValueRange shape,
                                             Mappings mappings) {
  OpBuilder::InsertionGuard guard(builder);
  if (!target.empty() && target.back().hasTrait<OpTrait::IsTerminator>())
    target.back().erase();
  builder.setInsertionPointToEnd(&target);
  if (auto refusal = interleave(source, mappings))
    return refusal;
  Operation *terminator = source.getTerminator();
  builder.create<scf::YieldOp>(terminator->getLoc(),
                               spread(terminator->getOperands(), shape, mappings));
  return std::nullopt;
}

std::optional<Refusal> Interleaver::jam(Operation *op, Mappings mappings) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return jam(branch, mappings);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return jam(loop, mappings);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return jam(loop, mappings);
  return jam(cast<scf::IndexSwitchOp>(op), mappings);
}

std::optional<Refusal> Interleaver::jam(scf::IfOp op, Mappings mappings) {
  bool hasElse = !op.getElseRegion().empty();
  auto jammed = builder.create<scf::IfOp>(
      op.getLoc(), spreadTypes(op.getResults(), mappings.size()),
      mappings[0].lookupOrDefault(op.getCondition()), /*addThenBlock=*/true, hasElse);
  jammed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (auto refusal = jamBlock(*op.thenBlock(), *jammed.thenBlock(), op.getResults(), mappings))
    return refusal;
  if (llvm::is_contained(copies.forRareCases, op))
    copyElse(op, *jammed.elseBlock(), mappings);
  else if (hasElse)
    if (auto refusal = jamBlock(*op.elseBlock(), *jammed.elseBlock(), op.getResults(), mappings))
      return refusal;
  gather(op.getResults(), op.getResults(), jammed.getResults(), mappings);
  return std::nullopt;
}

/// Copies the else whole, one copy after the other, which takes the fewest registers.
void Interleaver::copyElse(scf::IfOp op, Block &target, Mappings mappings) {
  OpBuilder::InsertionGuard guard(builder);
  if (!target.empty())
    target.back().erase();
  builder.setInsertionPointToEnd(&target);
  SmallVector<IRMapping> separate(mappings.begin(), mappings.end());
  for (IRMapping &mapping : separate)
    for (Operation &inside : op.elseBlock()->without_terminator())
      builder.clone(inside, mapping);
  builder.create<scf::YieldOp>(op.getLoc(),
                               spread(op.elseYield().getOperands(), op.getResults(), separate));
}

std::optional<Refusal> Interleaver::jam(scf::ForOp op, Mappings mappings) {
  auto first = [&](Value value) { return mappings[0].lookupOrDefault(value); };
  // The carried values serve as the shape: a result may also depend on the loop's control, but that
  // is the same for all copies here.
  ValueRange carried = op.getRegionIterArgs();
  auto jammed =
      builder.create<scf::ForOp>(op.getLoc(), first(op.getLowerBound()), first(op.getUpperBound()),
                                 first(op.getStep()), spread(op.getInitArgs(), carried, mappings));
  jammed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (IRMapping &mapping : mappings)
    mapping.map(op.getInductionVar(), jammed.getInductionVar());
  gather(carried, carried, jammed.getRegionIterArgs(), mappings);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(jammed.getBody());
    mapNear(op.getBody()->getArguments(), mappings);
  }
  if (auto refusal = jamBlock(*op.getBody(), *jammed.getBody(), carried, mappings))
    return refusal;
  gather(carried, op.getResults(), jammed.getResults(), mappings);
  return std::nullopt;
}

std::optional<Refusal> Interleaver::jam(scf::WhileOp op, Mappings mappings) {
  ValueRange carried = op.getBeforeArguments();
  ValueRange passed = op.getAfterArguments();
  SmallVector<Value> inits = spread(op.getInits(), carried, mappings);
  SmallVector<Type> passedTypes = spreadTypes(passed, mappings.size());
  auto jammed = builder.create<scf::WhileOp>(op.getLoc(), passedTypes, inits);
  jammed->setDiscardableAttrs(op->getDiscardableAttrDictionary());

  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&jammed.getBefore(), {}, ValueRange(inits).getTypes(),
                                      SmallVector<Location>(inits.size(), op.getLoc()));
  gather(carried, carried, before->getArguments(), mappings);
  mapNear(carried, mappings);
  if (auto refusal = interleave(*op.getBeforeBody(), mappings))
    return refusal;
  scf::ConditionOp condition = op.getConditionOp();
  builder.create<scf::ConditionOp>(condition.getLoc(),
                                   mappings[0].lookupOrDefault(condition.getCondition()),
                                   spread(condition.getArgs(), passed, mappings));

  Block *after = builder.createBlock(&jammed.getAfter(), {}, passedTypes,
                                     SmallVector<Location>(passedTypes.size(), op.getLoc()));
  gather(passed, passed, after->getArguments(), mappings);
  mapNear(passed, mappings);
  if (auto refusal = jamBlock(*op.getAfterBody(), *after, carried, mappings))
    return refusal;
  gather(passed, op.getResults(), jammed.getResults(), mappings);
  return std::nullopt;
}

std::optional<Refusal> Interleaver::jam(scf::IndexSwitchOp op, Mappings mappings) {
  auto jammed = builder.create<scf::IndexSwitchOp>(
      op.getLoc(), spreadTypes(op.getResults(), mappings.size()),
      mappings[0].lookupOrDefault(op.getArg()), op.getCases(), op.getNumCases());
  jammed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [source, target] : llvm::zip_equal(op->getRegions(), jammed->getRegions()))
    if (auto refusal = jamBlock(source.front(), target.emplaceBlock(), op.getResults(), mappings))
      return refusal;
  gather(op.getResults(), op.getResults(), jammed.getResults(), mappings);
  return std::nullopt;
}
