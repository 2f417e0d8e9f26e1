//===- Registers.cpp - Shared arrays as registers of lanes ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/Registers.h"

#include "compiler/Analysis/Interaction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// The bytes of all registers of a lane: 64 registers of the GPU.
constexpr int64_t mostBytes = 256;
/// The shuffles in place of one load. More take longer than shared memory.
constexpr size_t mostShuffles = 8;

Registers::Registers(grain::ThreadsOp threads, Exchanges exchanges)
    : threads(threads), exchanges(exchanges), warps(LaneValues::ofBlock(threads)),
      uniformity(threads->getParentOfType<grain::KernelOp>()), barriers(threads) {}

static Refusal refusePattern(Operation *op, const Twine &reason) {
  return refuse(op, RefusalKind::ExchangePattern, reason);
}

//===----------------------------------------------------------------------===//
// Where elements live
//===----------------------------------------------------------------------===//

/// Returns the bits of a number or a vector of numbers; 0 for any other type.
static unsigned bitsOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.isScalable() ? 0 : vector.getNumElements() * bitsOf(vector.getElementType());
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

/// Returns whether shuffles of 32 bits can move so many.
static bool isMovable(unsigned bits) {
  return bits != 0 && bits % 8 == 0 && (bits <= 32 || bits % 32 == 0);
}

namespace {

struct Written {
  const SharedAccess *access;
  WarpElements elements;
  int64_t size;

  [[nodiscard]] unsigned lanes() const {
    unsigned count = 0;
    for (const LaneElements &own : elements)
      count += llvm::count_if(own, [](const auto &element) { return element.has_value(); });
    return count;
  }
};

} // namespace

std::optional<Refusal> Registers::placeStores() {
  std::vector<Written> written;
  for (const SharedAccess &access : accesses) {
    unsigned bits = bitsOf(access.type());
    if (!isMovable(bits))
      return refusePattern(access.op, "an element of a shared array is no number");
    if (access.isStore())
      written.push_back({&access, elementsOf(access, warps).value(), bits / 8});
  }
  llvm::sort(written, [](const Written &a, const Written &b) {
    return std::pair(b.lanes(), a.access) < std::pair(a.lanes(), b.access);
  });
  std::optional<Refusal> refusal;
  auto leave = [&](const SharedAccess &access, const Twine &reason) {
    if (!refusal)
      refusal = refusePattern(access.op, reason);
    remaining.insert(access.array);
  };
  for (const auto &[access, elements, size] : written)
    if (!homes[access->array].add(elements, size))
      leave(*access, "several lanes write one element of a shared array, or elements overlap");
  for (const auto &[access, elements, size] : written) {
    std::optional<LaneHomes> found = homes[access->array].find(elements, size);
    if (!found)
      leave(*access, "the warps of a block write a shared array differently");
    else
      stores.emplace_back(*access, std::move(*found));
  }
  if (refusal && exchanges == Exchanges::All)
    return refusal;
  for (Value array : remaining)
    homes.erase(array);
  llvm::erase_if(stores, [&](const auto &store) { return remaining.contains(store.first.array); });
  return checkSize();
}

std::optional<Refusal> Registers::checkSize() {
  int64_t bytes = 0;
  for (const auto &[array, own] : homes)
    for (int64_t size : own.sizes())
      bytes += std::max<int64_t>(size, sizeof(uint32_t));
  if (bytes > mostBytes)
    return refuse(threads, RefusalKind::TooLarge,
                  "the shared arrays would take " + Twine(bytes) + " bytes of registers per lane");
  return std::nullopt;
}

/// Adds the shuffle that serves `takers`. Returns false if there is none: a lane would have to give
/// two registers, or no formula is found.
bool Registers::addMove(Load &load, LaneSet takers) const {
  SourceLanes sources(load.homes.size());
  llvm::MapVector<unsigned, LaneSet> given;
  for (auto [lane, home] : llvm::enumerate(load.homes)) {
    if (!home || !(takers & laneBit(lane)))
      continue;
    sources[lane] = home->lane;
    given[home->number] |= laneBit(home->lane);
  }
  LaneSet givers = 0;
  for (const auto &[number, lanes] : given) {
    if (givers & lanes)
      return false;
    givers |= lanes;
  }
  std::optional<LaneSource> source = findLaneSource(sources);
  if (!source)
    return false;
  load.moves.push_back({given.takeVector(), *source, takers});
  load.moved |= takers;
  return true;
}

/// Decides how lanes get what other lanes have: by one shuffle, in which lanes that read their own
/// register may take part, or by one for each register.
std::optional<Refusal> Registers::chooseMoves(Load &load) {
  llvm::MapVector<unsigned, LaneSet> takers;
  for (auto [lane, home] : llvm::enumerate(load.homes)) {
    if (!home)
      continue;
    bool isOwn = home->lane == lane;
    (isOwn ? load.own : load.others) |= laneBit(lane);
    if (!isOwn)
      takers[home->number] |= laneBit(lane);
  }
  if (!load.others || addMove(load, load.own | load.others) || addMove(load, load.others))
    return std::nullopt;
  for (const auto &[number, lanes] : takers)
    if (!addMove(load, lanes))
      return refusePattern(load.access.op, "no formula says from which lane each lane reads");
  if (load.moves.size() > mostShuffles)
    return refusePattern(load.access.op,
                         "a load would take " + Twine(load.moves.size()) + " shuffles");
  return std::nullopt;
}

/// Returns whether all lanes that run the operation around `region` run it together. CUDA requires
/// it for memory alone where a barrier follows (Uniformity.h).
bool Registers::isTogether(Region &region) const {
  Dependence control = uniformity.ofControl(region.getParentOp());
  if (overlap(control, Dependence::Threads))
    return false;
  return !overlap(control, Dependence::ThreadMemory) ||
         llvm::any_of(region.getOps(), [](Operation &op) { return isBarrier(&op); });
}

/// Finds the place in front of which all lanes are together.
std::optional<Refusal> Registers::findPosition(Load &load) {
  load.position = load.access.op;
  for (Region *region = load.access.op->getParentRegion(); region->getParentOp() != threads;
       region = region->getParentRegion())
    if (!isTogether(*region))
      load.position = region->getParentOp();
  if (load.position != load.access.op &&
      (barriers.isIn(load.position) || findConvergent(load.position, Convergence::Warp)))
    return refusePattern(load.position,
                         "threads synchronise where the lanes of a warp may have diverged");
  return std::nullopt;
}

/// Decides from which registers the lanes read, and where.
std::optional<Refusal> Registers::findRegisters(Load &load) {
  const SharedAccess &access = load.access;
  std::optional<LaneHomes> found =
      homes[access.array].find(elementsOf(access, warps).value(), bitsOf(access.type()) / 8);
  if (!found)
    return refusePattern(access.op, "elements of a shared array overlap, or are exchanged between "
                                    "the warps of a block");
  load.homes = std::move(*found);
  if (auto refusal = chooseMoves(load))
    return refusal;
  return load.others ? findPosition(load) : std::nullopt;
}

std::optional<Refusal> Registers::placeLoad(const SharedAccess &access) {
  if (remaining.contains(access.array))
    return std::nullopt;
  Load load;
  load.access = access;
  if (auto refusal = findRegisters(load)) {
    if (exchanges == Exchanges::All)
      return refusal;
    addRemaining(access);
  } else {
    loads.push_back(std::move(load));
  }
  return std::nullopt;
}

/// Notes what the load reads in memory.
void Registers::addRemaining(const SharedAccess &load) {
  std::set<int64_t> &bytes = readInMemory[load.array];
  WarpElements elements = elementsOf(load, warps).value();
  for (const LaneElements &own : elements)
    for (const std::optional<int64_t> &element : own)
      for (unsigned byte = 0; element && byte < bitsOf(load.type()) / 8; ++byte)
        bytes.insert(*element + byte);
}

/// Returns whether a load in memory reads what the store writes.
bool Registers::remains(const SharedAccess &store) {
  auto read = readInMemory.find(store.array);
  if (read == readInMemory.end())
    return false;
  int64_t size = bitsOf(store.type()) / 8;
  WarpElements elements = elementsOf(store, warps).value();
  return llvm::any_of(elements, [&](const LaneElements &own) {
    return llvm::any_of(own, [&](const std::optional<int64_t> &element) {
      auto next = element ? read->second.lower_bound(*element) : read->second.end();
      return next != read->second.end() && *next < *element + size;
    });
  });
}

std::optional<Refusal> Registers::place() {
  if (auto refusal = findSharedAccesses(threads, accesses))
    return refusal;
  if (auto refusal = placeStores())
    return refusal;
  for (const SharedAccess &access : accesses)
    if (!access.isStore())
      if (auto refusal = placeLoad(access))
        return refusal;
  bool moves = llvm::any_of(loads, [](const Load &load) { return !load.moves.empty(); });
  if (exchanges == Exchanges::Levels && !moves)
    return refuse(threads, RefusalKind::NothingExchanged,
                  "no lane reads an element that another lane of its warp has written");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Accesses to registers
//===----------------------------------------------------------------------===//

/// Creates the variable of a register. LLVM makes registers of it.
Value Registers::variableOf(Value array, unsigned number) {
  Value &variable = variables[{array, number}];
  if (variable)
    return variable;
  OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
  Location location = array.getLoc();
  Type type = builder.getIntegerType(homes[array].sizes()[number] * 8);
  Value one = builder.create<LLVM::ConstantOp>(location, builder.getI32IntegerAttr(1));
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  variable = builder.create<LLVM::AllocaOp>(location, pointer, type, one);
  Value zero = builder.create<LLVM::ConstantOp>(location, builder.getIntegerAttr(type, 0));
  builder.create<LLVM::StoreOp>(location, zero, variable);
  return variable;
}

/// Creates, in each lane, the value whose choice names the lane.
Value Registers::select(OpBuilder &builder, Location location, ArrayRef<Choice> choices,
                        ArrayRef<Value> values) {
  Value result = values.front();
  LaneSet chosen = choices.front().second;
  for (auto [choice, value] : llvm::drop_begin(llvm::zip_equal(choices, values))) {
    Value test = code->createTest(builder, location, choice.second, chosen);
    result = builder.create<arith::SelectOp>(location, test, value, result);
    chosen |= choice.second;
  }
  return result;
}

/// Creates what the lanes of each choice have in its register.
Value Registers::read(OpBuilder &builder, const Load &load, ArrayRef<Choice> choices) {
  Location location = load.access.op->getLoc();
  SmallVector<Value> parts;
  for (const auto &[number, lanes] : choices) {
    Value variable = variableOf(load.access.array, number);
    Type type = variable.getDefiningOp<LLVM::AllocaOp>().getElemType();
    parts.push_back(builder.create<LLVM::LoadOp>(location, type, variable));
  }
  return select(builder, location, choices, parts);
}

Value Registers::readOwn(const Load &load) {
  llvm::MapVector<unsigned, LaneSet> own;
  for (auto [lane, home] : llvm::enumerate(load.homes))
    if (home && home->lane == lane)
      own[home->number] |= laneBit(lane);
  OpBuilder builder(load.access.op);
  return read(builder, load, own.takeVector());
}

/// Creates what shuffles give the lanes.
Value Registers::readMoved(const Load &load) {
  OpBuilder builder(load.position);
  SmallVector<Choice> takers;
  SmallVector<Value> parts;
  for (const Move &move : load.moves) {
    parts.push_back(read(builder, load, move.given));
    exchanged.emplace_back(parts.back(), move.source);
    takers.emplace_back(0, move.takers);
  }
  return select(builder, load.access.op->getLoc(), takers, parts);
}

bool Registers::isWrittenIn(Operation *op, Value array) const {
  return llvm::any_of(stores, [&](const auto &store) {
    return store.first.array == array && op->isAncestor(store.first.op);
  });
}

void Registers::replace(const Load &load) {
  Operation *op = load.access.op;
  OpBuilder builder(op);
  Value result;
  if (!load.moves.empty())
    result = readMoved(load);
  // Since the shuffles, a lane may have written the element itself.
  bool isNewer = result && isWrittenIn(load.position, load.access.array);
  LaneSet own = isNewer ? load.own : load.own & ~load.moved;
  if (own) {
    Value value = readOwn(load);
    if (result) {
      Value test = code->createTest(builder, op->getLoc(), own, load.moved & ~own);
      value = builder.create<arith::SelectOp>(op->getLoc(), test, value, result);
    }
    result = value;
  }
  Type type = load.access.type();
  if (!result)
    result = builder.create<LLVM::ZeroOp>(op->getLoc(), type);
  else if (result.getType() != type)
    result = builder.create<LLVM::BitcastOp>(op->getLoc(), type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

void Registers::replace(const SharedAccess &store, const LaneHomes &places) {
  Location location = store.op->getLoc();
  OpBuilder builder(store.op);
  llvm::MapVector<unsigned, LaneSet> written;
  LaneSet all = 0;
  for (auto [lane, home] : llvm::enumerate(places))
    if (home) {
      written[home->number] |= laneBit(lane);
      all |= laneBit(lane);
    }
  Value value = cast<LLVM::StoreOp>(store.op).getValue();
  for (auto [number, lanes] : written) {
    Value variable = variableOf(store.array, number);
    Type type = variable.getDefiningOp<LLVM::AllocaOp>().getElemType();
    Value bits = value;
    if (bits.getType() != type)
      bits = builder.create<LLVM::BitcastOp>(location, type, bits);
    if (lanes != all) {
      Value before = builder.create<LLVM::LoadOp>(location, type, variable);
      Value test = code->createTest(builder, location, lanes, all & ~lanes);
      bits = builder.create<arith::SelectOp>(location, test, bits, before);
    }
    builder.create<LLVM::StoreOp>(location, bits, variable);
  }
}

void Registers::replaceAccesses() {
  SmallVector<Operation *> gone;
  for (const auto &[store, places] : stores)
    if (!remains(store))
      gone.push_back(store.op);
  code.emplace(threads);
  for (const Load &load : loads)
    replace(load);
  for (const auto &[store, places] : stores)
    replace(store, places);
  for (Operation *store : gone)
    store->erase();
  eraseUnusedArrays(threads);
}

void Registers::createShuffles() {
  for (const auto &[given, source] : exchanged) {
    SmallVector<OpOperand *> uses(llvm::make_pointer_range(given.getUses()));
    OpBuilder builder(given.getContext());
    builder.setInsertionPointAfterValue(given);
    Value taken = code->createShuffle(builder, given.getLoc(), given, source);
    for (OpOperand *use : uses)
      use->set(taken);
  }
}
