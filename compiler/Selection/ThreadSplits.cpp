//===- ThreadSplits.cpp - Grains at which lanes share threads -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/ThreadSplits.h"

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Alternatives/Strides.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Transforms/Specialise/Specialise.h"
#include "compiler/Transforms/SplitThreads/SplitThreads.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

/// How many lanes share a thread, in which block.
struct Size {
  uint32_t lanes;
  uint32_t block;
};

/// What lanes can share if the launch is as is known.
struct Sharing {
  unsigned loops = 0;
  bool addsInOrder = false;
  bool rereads = false;     ///< a loop reads what an earlier one has read or written
  uint32_t width = 1;       ///< neighbouring iterations whose accesses make up the widest access
  KnownLaunch aligned = {}; ///< what is known of a launch in which these are aligned
};

} // namespace

static constexpr Size warps[] = {{32, 256}, {32, 128}};
/// A block reads a row again from the caches; large blocks have few rows there at a time.
static constexpr Size blocks[] = {{256, 256}, {1024, 1024}};
/// All lanes of a group make each addition of an ordered sum. Small groups make those of several
/// threads at once, but there are fewer of them.
static constexpr Size groups[] = {{16, 256}, {8, 256}, {16, 128}};
/// Elements that a lane keeps. One of a block of 1024 has 64 registers. For a warp, rows of 768 and
/// of 1024 elements are kept as a whole; of rows of a triangle, half of the elements with 16.
static constexpr llvm::StringLiteral keptRows[] = {"rows=24", "rows=16", "rows=32"};
/// With wide accesses, small groups read whole sectors.
static constexpr Size wideGroups[] = {{8, 256}, {4, 128}, {8, 128}, {4, 256}};
/// More iterations in a lane let more loads be under way, even if they are not joined.
static constexpr Size unaligned[] = {{4, 256}};

/// The warps of a block that share one of the program's. With 32, the rows under way are as few as
/// they can be, so they stay in the second-level cache, or in registers.
static constexpr uint32_t ofWarps[] = {32, 16, 8, 4};

static Sharing sharingOf(grain::KernelOp kernel, const KnownLaunch &known, uint32_t lanes,
                         bool mayReorder) {
  SharedLoops shared = findSharedLoops(kernel, lanes, mayReorder);
  Sharing sharing = {.loops = shared.count,
                     .addsInOrder = shared.addsInOrder,
                     .rereads = shared.rereads,
                     .aligned = known};
  if (shared.leastBytes == 0 || shared.leastBytes >= widestAccess)
    return sharing;
  sharing.width = std::min(8u, widestAccess / shared.leastBytes);
  StrideChoices choices;
  for (const auto &values : {shared.addresses, shared.ends})
    for (Value value : values)
      addStrides(kernel, value, sharing.width, choices);
  sharing.aligned.pointers = widestAccess;
  for (uint32_t parameter : chooseStrides(choices))
    sharing.aligned.multiples[parameter] = sharing.width;
  return sharing;
}

/// Returns the kernel for launches that are as `known` says; null if that cannot be.
static OwningOpRef<grain::KernelOp> kernelFor(grain::KernelOp kernel, const KnownLaunch &known) {
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  return !known.empty() && specialise(*trial, known) ? nullptr : std::move(trial);
}

/// Returns what lanes can share if the launch is as `known` says.
static Sharing findFor(grain::KernelOp kernel, const KnownLaunch &known, uint32_t lanes,
                       bool mayReorder) {
  if (known.empty())
    return sharingOf(kernel, known, lanes, mayReorder);
  OwningOpRef<grain::KernelOp> trial = kernelFor(kernel, known);
  return trial ? sharingOf(*trial, known, lanes, mayReorder) : Sharing();
}

/// Returns what warps can share if the launch is as `known` says.
static Sharing findForWarps(grain::KernelOp kernel, const KnownLaunch &known, bool mayReorder) {
  OwningOpRef<grain::KernelOp> trial = kernelFor(kernel, known);
  SharedLoops shared = trial ? findLoopsOfWarps(*trial, warpThreads, mayReorder) : SharedLoops();
  return {.loops = shared.count, .rereads = shared.rereads};
}

namespace {

/// Collects the grains for one order of sums.
class Proposals {
public:
  Proposals(bool mayReorder, std::vector<Grain> &possible)
      : mayReorder(mayReorder), possible(possible) {}

  void add(const KnownLaunch &known, llvm::ArrayRef<Size> sizes, uint32_t width = 1,
           llvm::StringRef rows = "", llvm::StringRef stores = "") {
    for (const Size &size : sizes) {
      Grain grain = {.shape = Factors{size.block, 1, 1}, .known = known};
      std::string piece = "split=" + std::to_string(size.lanes);
      if (width != 1)
        piece += "x" + std::to_string(width);
      bool isValid = addPiece(grain, piece) && (rows.empty() || addPiece(grain, rows)) &&
                     (stores.empty() || addPiece(grain, stores)) &&
                     (!mayReorder || addPiece(grain, "sums=reassociated"));
      if (isValid)
        possible.push_back(grain);
    }
  }

  /// Adds those at which warps share a warp.
  void addWarps(const KnownLaunch &known, const Sharing &sharing) {
    auto addPieces = [&](uint32_t count, llvm::StringRef more = "") {
      Grain grain = {.shape = Factors{count * warpThreads, 1, 1}, .known = known};
      bool isValid = addPiece(grain, "split=" + std::to_string(count) + "warps") &&
                     (more.empty() || addPiece(grain, more)) &&
                     (!mayReorder || addPiece(grain, "sums=reassociated"));
      if (isValid)
        possible.push_back(grain);
    };
    if (sharing.rereads)
      addPieces(ofWarps[0], keptRows[0]);
    addPieces(ofWarps[0]);
    if (sharing.rereads)
      addPieces(ofWarps[0], "stores=nontemporal");
    for (uint32_t count : llvm::ArrayRef(ofWarps).drop_front())
      addPieces(count);
  }

  /// Adds those for loops that add in order.
  void addInOrder(const KnownLaunch &known, const Sharing &sharing) {
    if (sharing.width != 1) {
      add(sharing.aligned, wideGroups, sharing.width);
      add(known, unaligned, sharing.width);
    }
    add(known, groups);
  }

  /// Adds those for other loops; `hasBlocks` says that blocks are worth it.
  void addFree(const KnownLaunch &known, const Sharing &sharing, bool hasBlocks) {
    auto addAligned = [&](llvm::ArrayRef<Size> sizes, llvm::StringRef rows = "",
                          llvm::StringRef stores = "") {
      if (sharing.width != 1)
        add(sharing.aligned, sizes, sharing.width, rows, stores);
    };
    if (sharing.rereads) {
      if (hasBlocks)
        add(known, blocks[1], 1, keptRows[0]);
      for (llvm::StringRef rows : keptRows)
        addAligned(warps[0], rows);
      // Blocks of 128 leave fewer registers unused, and what is stored need not stay in the caches.
      addAligned(warps[1], keptRows[0], "stores=nontemporal");
      if (hasBlocks)
        add(known, blocks[1], 1, keptRows[2]);
    }
    addAligned(warps[0]);
    if (hasBlocks) {
      addAligned(blocks[0]);
      add(known, blocks);
    }
    addAligned(warps[1]);
  }

private:
  bool mayReorder;
  std::vector<Grain> &possible;
};

} // namespace

namespace {

/// What can be shared always, and with the guard that is worth its cost.
struct GuardedSharing {
  Sharing always, most;
  bool isWorthGuard = false;
  KnownLaunch known = {}; ///< what the guard of `most` makes known
};

} // namespace

/// `find` returns what can be shared if the launch is as it is told. What is known of pointers is
/// worth a guard if it lets more loops be shared.
static GuardedSharing weighGuard(bool meets,
                                 llvm::function_ref<Sharing(const KnownLaunch &)> find) {
  GuardedSharing made;
  made.always = made.most = find({});
  if (!meets)
    return made;
  KnownLaunch apart;
  apart.disjoint = true;
  if (Sharing ofApart = find(apart); ofApart.loops > made.always.loops)
    made = {made.always, ofApart, /*isWorthGuard=*/true, apart};
  return made;
}

static void addForThreads(grain::KernelOp kernel, bool meets, bool mayReorder,
                          std::vector<Grain> &possible) {
  Proposals proposals(mayReorder, possible);
  auto [always, most, isWorthGuard, known] = weighGuard(meets, [&](const KnownLaunch &launch) {
    return findFor(kernel, launch, warpThreads, mayReorder);
  });
  if (!most.loops)
    return;
  // Loops behind the first one read what is in the caches.
  bool hasBlocks = findFor(kernel, known, blocks[0].lanes, mayReorder).loops > 1;
  if (most.addsInOrder)
    proposals.addInOrder(known, most);
  else
    proposals.addFree(known, most, hasBlocks);
  proposals.add(known, warps);
  if (isWorthGuard && always.loops)
    proposals.add({}, warps);
}

static void addForWarps(grain::KernelOp kernel, bool meets, bool mayReorder,
                        std::vector<Grain> &possible) {
  GuardedSharing sharing = weighGuard(
      meets, [&](const KnownLaunch &launch) { return findForWarps(kernel, launch, mayReorder); });
  if (!sharing.most.loops)
    return;
  // Loops that cannot be shared would be run by each of the warps.
  unsigned other = findForWarps(kernel, sharing.known, !mayReorder).loops;
  bool needsPermission = mayReorder ? sharing.most.loops > other : other > sharing.most.loops;
  if (mayReorder == needsPermission)
    Proposals(mayReorder, possible).addWarps(sharing.known, sharing.most);
}

std::vector<Grain> regrain::threadSplitsOf(grain::KernelOp kernel, bool reordersSums) {
  std::vector<Grain> possible;
  bool meets = mayMeetInMemory(kernel);
  bool cooperates = ThreadSummary(kernel).findWarpOperation() != nullptr;
  reordersSums &= cooperates || hasSumsInLoops(kernel);
  for (bool mayReorder : {true, false})
    if (!mayReorder || reordersSums)
      (cooperates ? addForWarps : addForThreads)(kernel, meets, mayReorder, possible);
  return possible;
}
