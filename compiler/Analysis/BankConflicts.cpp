//===- BankConflicts.cpp - Offsets that access one bank ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/BankConflicts.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/LaneOffsets.h"
#include "compiler/Analysis/TypeLayout.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <set>
#include <tuple>

using namespace mlir;
using namespace regrain;

constexpr int64_t wordBytes = 4, banks = 32, rowOfBanks = banks * wordBytes;
/// Padding is for rows that are at least so long; otherwise it would make an array much larger.
constexpr int64_t leastRow = 32;
constexpr double tripsOfLoop = 8; ///< assumed

static int64_t lanesTogether(int64_t bytes) {
  return std::clamp<int64_t>(rowOfBanks / std::max(bytes, wordBytes), 1, warpThreads);
}

unsigned regrain::bankWays(ArrayRef<int64_t> offsets, int64_t bytes) {
  size_t most = 1;
  while (!offsets.empty()) {
    ArrayRef<int64_t> together = offsets.take_front(lanesTogether(bytes));
    offsets = offsets.drop_front(together.size());
    std::array<std::set<int64_t>, banks> words;
    for (int64_t offset : together)
      for (int64_t word = offset >> 2; word <= (offset + bytes - 1) >> 2; ++word)
        words[word & (banks - 1)].insert(word);
    for (const std::set<int64_t> &ofBank : words)
      most = std::max(most, ofBank.size());
  }
  return unsigned(most);
}

int64_t RowPadding::placeOf(int64_t offset) const {
  return row ? offset + llvm::divideFloorSigned(offset, row) * pad : offset;
}

int64_t RowPadding::sizeOf(int64_t bytes) const { return bytes ? placeOf(bytes - 1) + 1 : 0; }

unsigned BankAccess::ways(const RowPadding &padding) const {
  SmallVector<int64_t> places;
  for (int64_t offset : offsets)
    places.push_back(padding.placeOf(offset));
  return bankWays(places, bytes);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

class BankCollector {
public:
  explicit BankCollector(grain::KernelOp kernel)
      : layout(DataLayout::closest(kernel)), uniformity(kernel) {}

  std::vector<BankAccess> run(grain::KernelOp kernel) {
    kernel.walk([&](grain::ThreadsOp threads) {
      LaneOffsets values(threads, uniformity);
      threads.walk([&](Operation *op) { add(op, values); });
    });
    return std::move(found);
  }

private:
  void add(Operation *op, LaneOffsets &values) {
    auto [address, type] =
        llvm::TypeSwitch<Operation *, std::pair<Value, Type>>(op)
            .Case([](LLVM::LoadOp load) { return std::pair(load.getAddr(), load.getType()); })
            .Case([](LLVM::StoreOp store) {
              return std::pair(store.getAddr(), store.getValue().getType());
            })
            .Default([](Operation *) { return std::pair(Value(), Type()); });
    std::optional<TypeLayout> size = type ? layoutOf(type, layout) : std::nullopt;
    std::optional<AddressSum> sum = size ? addressSumOf(address, layout) : std::nullopt;
    auto array = sum ? sum->base.getDefiningOp<grain::SharedOp>() : grain::SharedOp();
    if (!array)
      return;
    SmallVector<int64_t> offsets(values.count(), sum->constant);
    for (const AddressSum::Term &term : sum->terms) {
      std::optional<Offsets> lanes = values.of(term.index);
      if (!lanes)
        return;
      for (auto [lane, offset] : llvm::enumerate(offsets))
        offset += lanes->at[lane] * term.bytes;
    }
    found.push_back({op, array, size->size, std::move(offsets), timesOf(op)});
  }

  static double timesOf(Operation *op) {
    double times = 1;
    for (Operation *around = op->getParentOp(); !isa<grain::ThreadsOp>(around);
         around = around->getParentOp())
      if (isa<LoopLikeOpInterface>(around))
        times *= tripsOfLoop;
    return times;
  }

  DataLayout layout;
  Uniformity uniformity;
  std::vector<BankAccess> found;
};

} // namespace

std::vector<BankAccess> regrain::bankAccessesOf(grain::KernelOp kernel) {
  return BankCollector(kernel).run(kernel);
}

const BankAccess *regrain::worstConflict(ArrayRef<BankAccess> accesses) {
  const BankAccess *worst = nullptr;
  for (const BankAccess &access : accesses)
    if (access.ways() > (worst ? worst->ways() : 1))
      worst = &access;
  return worst;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Returns the lengths that rows of `array` may have: those of its type, the distances between
/// lanes, and one word of each bank.
static std::set<int64_t> rowsOf(grain::SharedOp array, ArrayRef<BankAccess> accesses,
                                const DataLayout &layout) {
  std::set<int64_t> rows = {rowOfBanks};
  for (Type type = array.getType(); auto level = dyn_cast<LLVM::LLVMArrayType>(type);) {
    type = level.getElementType();
    if (std::optional<TypeLayout> row = layoutOf(type, layout))
      rows.insert(row->size);
  }
  for (const BankAccess &access : accesses)
    if (access.array == array && access.offsets.size() > 1)
      rows.insert(std::abs(access.offsets[1] - access.offsets[0]));
  return rows;
}

std::optional<RowPadding> regrain::findPadding(grain::SharedOp array, ArrayRef<BankAccess> accesses,
                                               int64_t granule, int64_t mostBytes) {
  DataLayout layout = DataLayout::closest(array);
  std::optional<TypeLayout> whole = layoutOf(array.getType(), layout);
  if (!whole)
    return std::nullopt;
  auto costOf = [&](const RowPadding &padding) {
    double cost = 0;
    for (const BankAccess &access : accesses)
      if (access.array == array)
        cost += access.times * access.ways(padding);
    return std::tuple(cost, padding.sizeOf(whole->size));
  };
  RowPadding best;
  auto least = costOf(best);
  for (int64_t row : rowsOf(array, accesses, layout)) {
    if (row < leastRow || row >= whole->size || row % granule != 0)
      continue;
    for (int64_t pad = granule; pad <= row / 2 && pad < rowOfBanks; pad *= 2) {
      RowPadding padding{row, pad};
      auto cost = costOf(padding);
      if (std::get<1>(cost) <= mostBytes && cost < least) {
        least = cost;
        best = padding;
      }
    }
  }
  return best.row ? std::optional(best) : std::nullopt;
}
