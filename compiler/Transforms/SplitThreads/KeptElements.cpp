//===- KeptElements.cpp - Elements that later loops read again ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/KeptElements.h"

#include "compiler/Transforms/SplitThreads/GuardedRanges.h"
#include "compiler/Transforms/SplitThreads/Iterations.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace regrain;

/// More operations in the copies of a loop's iterations would be much code.
constexpr size_t mostOperations = 4096;
/// The operations that an address may be made of.
constexpr unsigned mostNested = 16;

/// Into how many parts the elements of a lane are divided that short rows may have, and how many
/// elements are worth that.
constexpr unsigned partsOfElements = 4, leastToDivide = 8;

/// Returns whether iterations of the loop can stand side by side.
static bool canKeep(const DealtLoop &dealt, unsigned elements) {
  scf::ForOp loop = dealt.loop;
  size_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  return operations * elements <= mostOperations && elements % dealt.width == 0 &&
         !dealt.carried.areOrdered() && !findDividingGuard(loop) && Iterations::canInterleave(loop);
}

static bool isSameNumber(Value one, Value other) {
  std::optional<int64_t> number = getConstantIntValue(one);
  return one == other ||
         (one.getType() == other.getType() && number && number == getConstantIntValue(other));
}

/// Returns whether a lane's rounds of the loops are the same iterations, as far as it has them.
static bool areDealtAlike(const DealtLoop &one, const DealtLoop &other) {
  scf::ForOp first = one.loop, second = other.loop;
  return first->getBlock() == second->getBlock() && one.width == other.width &&
         isSameNumber(first.getLowerBound(), second.getLowerBound()) &&
         isSameNumber(first.getStep(), second.getStep());
}

static bool doEndAlike(const DealtLoop &one, const DealtLoop &other) {
  return isSameNumber(scf::ForOp(one.loop).getUpperBound(), scf::ForOp(other.loop).getUpperBound());
}

/// Returns whether a value of one loop is that of the other in iterations with the same counter.
static bool isSameValue(Value one, Value other, scf::ForOp first, scf::ForOp second,
                        unsigned depth = 0) {
  if (one == other)
    return true;
  if (one == first.getInductionVar() || other == second.getInductionVar())
    return one == first.getInductionVar() && other == second.getInductionVar();
  Operation *left = one.getDefiningOp(), *right = other.getDefiningOp();
  bool isAlike = left && right && depth < mostNested && left->getName() == right->getName() &&
                 left->getNumRegions() == 0 && isMemoryEffectFree(left) &&
                 left->getNumOperands() == right->getNumOperands() &&
                 left->getResultTypes() == right->getResultTypes() &&
                 left->getPropertiesAsAttribute() == right->getPropertiesAsAttribute() &&
                 left->getDiscardableAttrDictionary() == right->getDiscardableAttrDictionary() &&
                 cast<OpResult>(one).getResultNumber() == cast<OpResult>(other).getResultNumber();
  return isAlike &&
         llvm::all_of(llvm::zip_equal(left->getOperands(), right->getOperands()),
                      [&](const auto &pair) {
                        auto [operand, counterpart] = pair;
                        return isSameValue(operand, counterpart, first, second, depth + 1);
                      });
}

static Value addressOf(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  return cast<LLVM::StoreOp>(op).getAddr();
}

static Type typeOf(Operation *op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getValue().getType();
  return op->getResult(0).getType();
}

namespace {

/// A search among loops that follow each other.
class KeptElements {
public:
  KeptElements(std::vector<DealtLoop> &loops, unsigned elements, Accesses &accesses)
      : loops(loops), elements(elements), accesses(accesses),
        groups(llvm::to_vector(llvm::seq(loops.size()))) {}

  unsigned run();

private:
  bool join(size_t one, size_t other);
  void noteEnds();
  Operation *findSame(const DealtLoop &in, Operation *op, const DealtLoop &of);
  bool isWrittenBetween(Operation *source, scf::ForOp from, LLVM::LoadOp load, scf::ForOp to);
  bool isReadBetween(Operation *store, size_t from, size_t to);
  bool touches(Operation *root, const Access &access, bool byWriting, ArrayRef<Operation *> except);
  void findSource(LLVM::LoadOp load, size_t later);
  void dropStores(size_t earlier);
  unsigned numberOf(DealtLoop &dealt, Operation *source);

  std::vector<DealtLoop> &loops;
  unsigned elements;
  Accesses &accesses;
  DominanceInfo dominance;
  SmallVector<size_t> groups; ///< of each loop: the first loop that keeps elements with it
  unsigned rows = 0;
};

} // namespace

/// Lets two loops keep elements together: a lane then has either all of its rounds in both of them,
/// or keeps nothing. For that, all ends must be known before the first of the loops. Returns false
/// if they are not.
bool KeptElements::join(size_t one, size_t other) {
  size_t first = std::min(groups[one], groups[other]);
  size_t second = std::max(groups[one], groups[other]);
  if (first == second)
    return true;
  scf::ForOp start = loops[first].loop;
  bool areAlike = true, areKnown = true;
  for (auto [number, dealt] : llvm::enumerate(loops)) {
    if (groups[number] != first && groups[number] != second)
      continue;
    Value end = scf::ForOp(dealt.loop).getUpperBound();
    areAlike &= doEndAlike(loops[first], dealt);
    // The result of a loop is another value when that is dealt.
    areKnown &= !isa_and_nonnull<scf::ForOp>(end.getDefiningOp()) &&
                dominance.properlyDominates(end, start);
  }
  if (!areAlike && !areKnown)
    return false;
  std::replace(groups.begin(), groups.end(), second, first);
  return true;
}

/// Notes the ends of loops that keep elements together, where they differ.
void KeptElements::noteEnds() {
  for (auto [number, dealt] : llvm::enumerate(loops)) {
    SmallVector<Value> ends;
    for (auto [other, beside] : llvm::enumerate(loops)) {
      Value end = scf::ForOp(beside.loop).getUpperBound();
      if (groups[number] == groups[other] &&
          llvm::none_of(ends, [&](Value known) { return isSameNumber(known, end); }))
        ends.push_back(end);
    }
    if (dealt.rows.elements != 0 && ends.size() > 1)
      dealt.rows.ends = ends;
  }
}

/// Returns the last access of the body of `in` that is always to the element of `op` in `of`.
Operation *KeptElements::findSame(const DealtLoop &in, Operation *op, const DealtLoop &of) {
  scf::ForOp loop = in.loop;
  std::optional<Access> own = accesses.of(op);
  for (Operation &other : llvm::reverse(*loop.getBody())) {
    if (!isa<LLVM::LoadOp, LLVM::StoreOp>(other) || typeOf(&other) != typeOf(op))
      continue;
    std::optional<Access> access = accesses.of(&other);
    if (access && !access->isOrdered &&
        (isSameValue(addressOf(&other), addressOf(op), loop, of.loop) ||
         accesses.areSameByCounter(*access, loop, *own, of.loop)))
      return &other;
  }
  return nullptr;
}

/// Returns whether an operation in `root`, other than `except`, may write (or read) what the
/// access touches. Exchanges touch no memory; where lanes meet, each may have written anything.
bool KeptElements::touches(Operation *root, const Access &access, bool byWriting,
                           ArrayRef<Operation *> except) {
  auto meets = [&](Operation *op) {
    std::optional<Access> other = isExchange(op) ? std::nullopt : accesses.of(op);
    bool matters = other && !llvm::is_contained(except, op) &&
                   (byWriting ? other->writes : other->reads) && accesses.mayAlias(*other, access);
    return matters ? WalkResult::interrupt() : WalkResult::advance();
  };
  return root->walk(meets).wasInterrupted();
}

bool KeptElements::isWrittenBetween(Operation *source, scf::ForOp from, LLVM::LoadOp load,
                                    scf::ForOp to) {
  Access access = accesses.of(load).value();
  for (Operation &op : llvm::make_range(from->getIterator(), to->getIterator()))
    if (touches(&op, access, /*byWriting=*/true, source))
      return true;
  return llvm::any_of(llvm::make_range(to.getBody()->begin(), load->getIterator()),
                      [&](Operation &op) { return touches(&op, access, /*byWriting=*/true, {}); });
}

/// Returns the number of the row that `source` belongs to.
unsigned KeptElements::numberOf(DealtLoop &dealt, Operation *source) {
  for (const RowAccess &access : llvm::concat<RowAccess>(dealt.rows.sources, dealt.rows.loads))
    if (access.op == source)
      return access.row;
  dealt.rows.sources.push_back({source, rows});
  return rows++;
}

/// Finds the latest loop that has accessed what `load` reads.
void KeptElements::findSource(LLVM::LoadOp load, size_t later) {
  DealtLoop &to = loops[later];
  // Loops that end alike keep most together.
  for (bool endAlike : {true, false})
    for (size_t earlier = later; earlier-- > 0;) {
      DealtLoop &from = loops[earlier];
      if (from.rows.elements == 0 || !areDealtAlike(from, to) ||
          (endAlike && !doEndAlike(from, to)))
        continue;
      Operation *source = findSame(from, load, to);
      if (!source)
        continue;
      if (isWrittenBetween(source, from.loop, load, to.loop))
        break;
      if (!join(earlier, later))
        continue;
      to.rows.loads.push_back({load, numberOf(from, source)});
      return;
    }
}

/// Returns whether the element may be read between a store and one in a later loop, other than by
/// what is kept.
bool KeptElements::isReadBetween(Operation *store, size_t from, size_t to) {
  Access access = accesses.of(store).value();
  SmallVector<Operation *> kept;
  for (auto [number, dealt] : llvm::enumerate(loops))
    if (groups[number] == groups[from] || groups[number] == groups[to])
      for (const RowAccess &load : dealt.rows.loads)
        kept.push_back(load.op);
  scf::ForOp first = loops[from].loop, last = loops[to].loop;
  return llvm::any_of(
      llvm::make_range(first->getIterator(), std::next(last->getIterator())),
      [&](Operation &op) { return touches(&op, access, /*byWriting=*/false, kept); });
}

/// Drops the stores of a loop that a later one stores again, where what is read between is kept.
void KeptElements::dropStores(size_t earlier) {
  DealtLoop &from = loops[earlier];
  for (auto store : scf::ForOp(from.loop).getBody()->getOps<LLVM::StoreOp>()) {
    std::optional<Access> access = accesses.of(store);
    if (!access || access->isOrdered)
      continue;
    for (size_t later = earlier + 1; later < loops.size(); ++later) {
      DealtLoop &to = loops[later];
      bool keepTogether = groups[earlier] == groups[later] || doEndAlike(from, to);
      if (to.rows.elements == 0 || !areDealtAlike(from, to) || !keepTogether)
        continue;
      Operation *next = findSame(to, store, from);
      if (!isa_and_nonnull<LLVM::StoreOp>(next))
        continue;
      if (!isReadBetween(store, earlier, later) && join(earlier, later))
        from.rows.dropped.push_back(store);
      break;
    }
  }
}

unsigned KeptElements::run() {
  for (DealtLoop &dealt : loops)
    dealt.rows.elements = canKeep(dealt, elements) ? elements : 0;
  for (size_t later = 0; later < loops.size(); ++later)
    if (loops[later].rows.elements != 0)
      for (auto load : scf::ForOp(loops[later].loop).getBody()->getOps<LLVM::LoadOp>())
        if (std::optional<Access> access = accesses.of(load); access && !access->isOrdered)
          findSource(load, later);
  for (DealtLoop &dealt : loops)
    if (dealt.rows.sources.empty() && dealt.rows.loads.empty())
      dealt.rows.elements = 0;
  for (size_t earlier = 0; earlier < loops.size(); ++earlier)
    if (loops[earlier].rows.elements != 0)
      dropStores(earlier);
  noteEnds();
  return rows;
}

unsigned regrain::findKeptElements(std::vector<DealtLoop> &loops, unsigned elements,
                                   Accesses &accesses) {
  return KeptElements(loops, elements, accesses).run();
}

SmallVector<unsigned> regrain::numbersToKeep(const DealtLoop &dealt, bool areShort) {
  unsigned elements = dealt.rows.elements;
  if (!areShort || elements < leastToDivide)
    return {elements};
  unsigned each = llvm::alignTo(llvm::divideCeil(elements, partsOfElements), dealt.width);
  SmallVector<unsigned> numbers;
  for (unsigned left = elements; left > each; left -= each)
    numbers.push_back(left);
  numbers.push_back(each);
  return numbers;
}
