//===- TransposeAccesses.cpp - Accesses in the order of addresses ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/TransposeAccesses/TransposeAccesses.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Reuse.h"
#include "compiler/Target/Limits.h"
#include "compiler/Transforms/StageLoads/Addresses.h"
#include "compiler/Transforms/StageLoads/TileMemory.h"
#include "compiler/Transforms/TransposeAccesses/FlatRows.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace regrain;

namespace {

/// What another thread computes takes at most so many operations.
constexpr size_t mostOperations = 96;
constexpr int64_t leastLine = 8; ///< neighbouring elements that are worth it
constexpr int64_t bankBytes = 4;

struct Transposed {
  Operation *op;
  Value address;
  Type type;
  int64_t bytes; ///< of an element
  unsigned line; ///< the dimension along which elements follow each other; x: see `length`
  LoadGuard guard;
  Value length =
      {}; ///< of rows, whose elements with one number follow each other; `line` is x then

  [[nodiscard]] bool isStore() const { return isa<LLVM::StoreOp>(op); }
};

class Transposition {
public:
  explicit Transposition(grain::KernelOp kernel)
      : kernel(kernel), threads(kernel.blocks().threads()), accesses(kernel), forms(kernel),
        uniformity(kernel), recomputation(threads),
        addresses(threads, forms, uniformity, recomputation) {}

  std::optional<Refusal> run();

private:
  Refusal none(Operation *op, const Twine &reason) {
    return refuse(op, RefusalKind::NothingTransposed, reason);
  }
  std::optional<Refusal> checkKernel();
  std::optional<Refusal> checkOperation(Operation *op);
  bool isComputable(ArrayRef<Value> values);
  std::optional<unsigned> lineOf(Operation *op, Value address, int64_t bytes);
  std::optional<StringRef> objectionTo(Operation *op);
  void collect();
  std::optional<Refusal> chooseTiles();

  /// Returns the unused elements behind a row.
  static int64_t padOf(const Transposed &access) {
    return std::max<int64_t>(1, bankBytes / access.bytes);
  }
  int64_t pitchOf(const Transposed &access) const { return block[0] + padOf(access); }
  int64_t slotsOf(const Transposed &access) const {
    return access.length ? flatSide * (flatSide + padOf(access))
                         : pitchOf(access) * block[1] * block[2];
  }
  Value constant(OpBuilder &builder, int64_t value) {
    return builder.create<arith::ConstantIntOp>(threads.getLoc(), value, 32);
  }
  std::array<Value, 3> createOther(OpBuilder &builder, unsigned line);
  Value createPlace(OpBuilder &builder, const Transposed &access, Value tile,
                    ArrayRef<Value> coordinates);
  void enterGuard(OpBuilder &builder, const LoadGuard &guard, IRMapping &other);
  void transpose(OpBuilder &builder, const Transposed &access, Value tile);
  void apply();

  grain::KernelOp kernel;
  grain::ThreadsOp threads;
  Accesses accesses;
  AffineForms forms;
  Uniformity uniformity;
  Recomputation recomputation;
  LoadAddresses addresses;
  std::array<int64_t, 3> block = {1, 1, 1};
  arith::AddIOp flatIndex;      ///< null if the launch does not have one
  SmallVector<Operation *> all; ///< accesses, in the order of the code
  SmallVector<Transposed> chosen;
  std::optional<Refusal> first; ///< what speaks against the first access
};

std::optional<Refusal> Transposition::checkOperation(Operation *op) {
  if (mayEndThread(op))
    return none(op, "the kernel may end a thread here, before the threads of its block meet");
  if (isBarrier(op))
    return none(op, "the threads of a block cooperate");
  std::optional<Access> access = accesses.of(op);
  if (!access)
    return std::nullopt;
  if (!isa<LLVM::LoadOp, LLVM::StoreOp>(op) || access->isOrdered)
    return none(op, "the order of this access and those of other threads may matter");
  all.push_back(op);
  return std::nullopt;
}

/// Determines the number of threads and the accesses, and refuses what orders threads.
std::optional<Refusal> Transposition::checkKernel() {
  std::optional<std::array<int64_t, 3>> known = knownBlockOf(threads);
  if (!known)
    return none(threads, "the number of threads of a block is not known");
  block = *known;
  if (block[1] == 1 && block[2] == 1)
    flatIndex = findFlatIndex(threads);
  ThreadSummary summary(kernel);
  for (Operation *op : {summary.findWarpOperation(), summary.findBlockOperation(),
                        summary.findUnknownSynchronisation(), summary.findWait()})
    if (op)
      return none(op, "threads cooperate here");
  std::optional<Refusal> refusal;
  threads.walk<WalkOrder::PreOrder>([&](Operation *op) {
    refusal = checkOperation(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

/// Returns whether another thread can compute the values from its coordinates.
bool Transposition::isComputable(ArrayRef<Value> values) {
  SetVector<Operation *> needed;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!threads.getBody().isAncestor(value.getParentRegion()))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      if (cast<BlockArgument>(value).getOwner()->getParentOp() != threads)
        return false;
      continue;
    }
    bool isKnown = isa<arith::ArithDialect>(op->getDialect()) ||
                   isa<LLVM::GEPOp, LLVM::AddressOfOp, LLVM::AddrSpaceCastOp, grain::BlockSizeOp,
                       grain::GridSizeOp>(op);
    if (!isKnown)
      return false;
    if (needed.insert(op))
      open.append(op->operand_begin(), op->operand_end());
    if (needed.size() > mostOperations)
      return false;
  }
  return true;
}

/// Returns the dimension other than x along which threads access neighbouring elements, if
/// neighbours in x do not.
std::optional<unsigned> Transposition::lineOf(Operation *op, Value address, int64_t bytes) {
  std::optional<LoadAddress> known = addresses.of(op, address);
  if (!known)
    return std::nullopt;
  std::array<bool, 3> isLine = {}, hasOther = {};
  for (const auto &[product, factor] : known->bytes.terms)
    for (unsigned symbol : product)
      if (std::optional<unsigned> dimension = addresses.dimensionOf(symbol)) {
        bool isNeighbour = product.size() == 1 && factor == bytes;
        (isNeighbour ? isLine : hasOther)[*dimension] = true;
      }
  if (isLine[0] || !hasOther[0])
    return std::nullopt;
  for (unsigned dimension : {1, 2})
    if (isLine[dimension] && !hasOther[dimension] && block[dimension] >= leastLine)
      return dimension;
  return std::nullopt;
}

/// Adds an access to those that are transposed, if it can be. Otherwise returns why not, as one
/// clause.
std::optional<StringRef> Transposition::objectionTo(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  Type type = store ? store.getValue().getType() : op->getResult(0).getType();
  Value address = store ? store.getAddr() : cast<LLVM::LoadOp>(op).getAddr();
  Value length;
  std::optional<Access> access = accesses.of(op);
  if (!isInGlobal(*access))
    return "it is not known to be in global memory";
  std::optional<int64_t> bytes = wholeBytes(type);
  if (!bytes)
    return "its type is not a number of 1 to 16 bytes";
  std::optional<LoadGuard> guard = guardOf(op, threads);
  if (!guard)
    return "it stands in a loop";
  SmallVector<Value> needed = {address};
  for (const GuardCondition &condition : *guard)
    needed.push_back(condition.value);
  if (!isComputable(needed))
    return "its address or its condition depends on more than coordinates and arguments";
  std::optional<unsigned> line = lineOf(op, address, *bytes);
  if (!line && flatIndex)
    length = findRowLength(address, *bytes, flatIndex, DataLayout::closest(op));
  // One order of the threads suits rows of one length.
  bool isOther = length && llvm::any_of(chosen, [&](const Transposed &other) {
                   return other.length != length;
                 });
  if (isOther)
    return "another access has rows of another length";
  if (!line && !length)
    return "neighbours in y or z are not known to access neighbouring elements, or those in x do";
  chosen.push_back({op, address, type, *bytes, line.value_or(0), *guard, length});
  return std::nullopt;
}

/// Chooses among the stores behind all other accesses, and the loads in front of all that is
/// written.
void Transposition::collect() {
  auto isChosen = [&](Operation *op) {
    std::optional<StringRef> objection = objectionTo(op);
    if (objection && !first)
      first =
          none(op, "no access can be made by another thread; not this one, because " + *objection);
    return !objection;
  };
  for (Operation *op : llvm::reverse(all))
    if (!isa<LLVM::StoreOp>(op) || !isChosen(op))
      break;
  std::reverse(chosen.begin(), chosen.end());
  for (Operation *op : all) {
    if (!isa<LLVM::LoadOp>(op))
      break;
    isChosen(op);
  }
}

/// Drops what does not fit into shared memory.
std::optional<Refusal> Transposition::chooseTiles() {
  uint64_t bytes = sharedBytesOf(kernel);
  for (const Transposed &access : chosen)
    bytes = llvm::alignTo(bytes, tileAlignment) + slotsOf(access) * access.bytes;
  if (chosen.empty())
    return first ? *first : none(kernel, "the kernel accesses no global memory");
  if (bytes > mostDeclaredShared)
    return none(chosen.front().op, "the block's shared memory does not suffice");
  return std::nullopt;
}

/// Creates the coordinates of the thread for which a thread makes an access: numbered with the line
/// varying fastest, it has the number that the other one has with x varying fastest.
std::array<Value, 3> Transposition::createOther(OpBuilder &builder, unsigned line) {
  Location location = threads.getLoc();
  std::array<Value, 3> other;
  llvm::copy(threads.getBody().getArguments(), other.begin());
  if (line == 0) {
    Value side = constant(builder, flatSide);
    Value row = builder.create<arith::DivUIOp>(location, other[0], side);
    Value lane = builder.create<arith::RemUIOp>(location, other[0], side);
    other[0] = builder.create<arith::AddIOp>(location, row,
                                             builder.create<arith::MulIOp>(location, lane, side));
    return other;
  }
  if (block[0] == block[line]) {
    std::swap(other[0], other[line]);
    return other;
  }
  Value number = builder.create<arith::AddIOp>(
      location, other[0],
      builder.create<arith::MulIOp>(location, other[line], constant(builder, block[0])));
  Value length = constant(builder, block[line]);
  other[line] = builder.create<arith::RemUIOp>(location, number, length);
  other[0] = builder.create<arith::DivUIOp>(location, number, length);
  return other;
}

/// Creates the address of a thread's element in the tile.
Value Transposition::createPlace(OpBuilder &builder, const Transposed &access, Value tile,
                                 ArrayRef<Value> coordinates) {
  Location location = access.op->getLoc();
  Value slot = coordinates[0];
  if (access.length) {
    Value row = builder.create<arith::DivUIOp>(location, slot, constant(builder, flatSide));
    Value unused = builder.create<arith::MulIOp>(location, row, constant(builder, padOf(access)));
    slot = builder.create<arith::AddIOp>(location, slot, unused);
  }
  int64_t distance = pitchOf(access);
  for (unsigned dimension : {1, 2}) {
    if (block[dimension] == 1)
      continue;
    Value rows = builder.create<arith::MulIOp>(location, coordinates[dimension],
                                               constant(builder, distance));
    slot = builder.create<arith::AddIOp>(location, slot, rows);
    distance *= block[dimension];
  }
  return builder.create<LLVM::GEPOp>(location, tile.getType(), access.type, tile,
                                     ArrayRef<LLVM::GEPArg>{slot}, /*inbounds=*/true);
}

/// Moves the builder to where the conditions hold for the thread of `other`. Each is computed only
/// behind those around it.
void Transposition::enterGuard(OpBuilder &builder, const LoadGuard &guard, IRMapping &other) {
  for (const GuardCondition &condition : guard) {
    Value holds = Recomputation::create(builder, condition.value, other);
    auto branch = builder.create<scf::IfOp>(threads.getLoc(), holds,
                                            /*withElseRegion=*/!condition.holds);
    Block *body = condition.holds ? branch.thenBlock() : branch.elseBlock();
    builder.setInsertionPoint(body->getTerminator());
  }
}

/// Creates the access by another thread at the builder. The thread's own becomes one of the tile.
void Transposition::transpose(OpBuilder &builder, const Transposed &access, Value tile) {
  OpBuilder::InsertionGuard restore(builder);
  OpBuilder at(access.op);
  SmallVector<Value> own(threads.getBody().getArguments());
  Value ownPlace = createPlace(at, access, tile, own);
  std::array<Value, 3> coordinates = createOther(builder, access.line);
  IRMapping other;
  for (auto [argument, value] : llvm::zip(own, coordinates))
    other.map(argument, value);
  Value place = createPlace(builder, access, tile, coordinates);
  enterGuard(builder, access.guard, other);
  Recomputation::create(builder, access.address, other);
  Location location = access.op->getLoc();
  if (auto store = dyn_cast<LLVM::StoreOp>(access.op)) {
    at.create<LLVM::StoreOp>(location, store.getValue(), ownPlace, access.bytes);
    Value handed = builder.create<LLVM::LoadOp>(location, access.type, place, access.bytes);
    other.map(store.getValue(), handed);
    builder.clone(*store, other);
  } else {
    Value loaded = builder.clone(*access.op, other)->getResult(0);
    builder.create<LLVM::StoreOp>(location, loaded, place, access.bytes);
    Value handed = at.create<LLVM::LoadOp>(location, access.type, ownPlace, access.bytes);
    access.op->getResult(0).replaceAllUsesWith(handed);
  }
  access.op->erase();
}

void Transposition::apply() {
  if (Value length = chosen.front().length)
    foldIntoTiles(flatIndex, length);
  Block &body = threads.getBody().front();
  Operation *start = frontBehindAllocations(body);
  OpBuilder outside(threads), builder(kernel.getContext());
  auto createTile = [&](const Transposed &access) -> Value {
    return outside.create<grain::SharedOp>(
        threads.getLoc(), LLVM::LLVMPointerType::get(kernel.getContext(), sharedSpace),
        "transposed", LLVM::LLVMArrayType::get(access.type, slotsOf(access)), tileAlignment);
  };
  auto apply = [&](ArrayRef<Transposed> accesses, Operation *front) {
    if (accesses.empty())
      return;
    builder.setInsertionPoint(front ? front : body.getTerminator());
    auto barrier = builder.create<grain::BarrierOp>(threads.getLoc(), body.getArguments());
    builder.setInsertionPoint(front ? barrier.getOperation() : body.getTerminator());
    for (const Transposed &access : accesses)
      transpose(builder, access, createTile(access));
  };
  // An access that is transposed is erased, so none may be asked for its kind afterwards.
  SmallVector<Transposed> stores, loads;
  for (const Transposed &access : chosen)
    (access.isStore() ? stores : loads).push_back(access);
  apply(stores, /*front=*/nullptr);
  apply(loads, start);
}

std::optional<Refusal> Transposition::run() {
  if (auto refusal = checkKernel())
    return refusal;
  collect();
  if (auto refusal = chooseTiles())
    return refusal;
  apply();
  return std::nullopt;
}

} // namespace

std::optional<Refusal> regrain::transposeAccesses(grain::KernelOp kernel) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several grains");
  return Transposition(kernel).run();
}
