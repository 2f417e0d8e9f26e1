//===- StagedLoopGrains.cpp - Grains with tiles of loops ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/StagedLoopGrains.h"

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Refusal/FirstError.h"
#include "compiler/Transforms/GrainPipeline.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

/// A block, and how many blocks side by side it runs. So each thread computes elements that are as
/// far apart as the block is large: neighbouring threads read neighbouring elements of a tile.
struct Size {
  Factors shape, block;
  bool inBulk = false; ///< copies of whole rows gained for a product of matrices
};

/// In a product of two matrices, a thread reads x + y elements for x * y sums. 64 sums leave room
/// for three blocks of 128 threads, or for one of 256, on a multiprocessor of NVIDIA's.
constexpr Size planes[] = {{{16, 8, 1}, {8, 8, 1}, true},
                           {{32, 4, 1}, {4, 16, 1}},
                           {{16, 16, 1}, {4, 8, 1}},
                           {{16, 16, 1}, {4, 4, 1}},
                           {{32, 8, 1}, {4, 16, 1}}};
constexpr Size lines[] = {
    {{256, 1, 1}, {4, 1, 1}}, {{128, 1, 1}, {2, 1, 1}}, {{256, 1, 1}, {1, 1, 1}}};
constexpr size_t unalignedSizes = 2;

/// What integers are multiples of, so that rows of 4 bytes and more are aligned.
constexpr uint32_t elementsPerAccess = widestAccess / 4;

Grain grainOf(const Size &size, const KnownLaunch &known) {
  Grain grain = {.block = size.block, .words = {{"staging", "loops"}}, .known = known};
  grain.shape = size.shape;
  return grain;
}

Grain inBulk(Grain grain) {
  grain.words["copies"] = "bulk";
  return grain;
}

/// Returns the number of wide copies into tiles; nothing if the grain is refused.
std::optional<unsigned> wideCopies(grain::KernelOp kernel, const Grain &grain) {
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  buildGrainPipeline(passes, grain, GrainPart::Whole);
  FirstError refused(*kernel.getContext());
  if (failed(passes.run(*trial)))
    return std::nullopt;
  unsigned count = 0;
  trial->walk([&](LLVM::StoreOp store) {
    count += store.getAddr().getType().getAddressSpace() == sharedSpace &&
             isa<VectorType>(store.getValue().getType());
  });
  return count;
}

/// Returns what must be known of a launch so that copies are wide, or nothing if they are not.
std::optional<KnownLaunch> alignmentFor(grain::KernelOp kernel, const Size &size,
                                        KnownLaunch known) {
  known.pointers = widestAccess;
  for (auto [index, argument] : llvm::enumerate(kernel.getBody().getArguments()))
    if (argument.getType().isInteger(32) || argument.getType().isInteger(64))
      known.multiples[index] = elementsPerAccess;
  std::optional<unsigned> most = wideCopies(kernel, grainOf(size, known));
  if (!most.value_or(0))
    return std::nullopt;
  for (auto [index, multiple] : std::map(known.multiples)) {
    KnownLaunch less = known;
    less.multiples.erase(index);
    if (wideCopies(kernel, grainOf(size, less)) == most)
      known = less;
  }
  return known;
}

} // namespace

std::vector<Grain> regrain::stagedLoopGrainsOf(grain::KernelOp kernel, bool copiesRows) {
  bool hasLoop = kernel.walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!hasLoop)
    return {};
  CoordinateUse use = coordinateUse(kernel);
  llvm::ArrayRef<Size> sizes = use.block[1] || use.thread[1] ? llvm::ArrayRef<Size>(planes) : lines;
  Size alone = {sizes.front().shape, {1, 1, 1}};
  KnownLaunch known;
  if (!wideCopies(kernel, grainOf(alone, known))) {
    known.disjoint = true;
    if (!mayMeetInMemory(kernel) || !wideCopies(kernel, grainOf(alone, known)))
      return {};
  }
  std::vector<Grain> possible;
  if (std::optional<KnownLaunch> aligned = alignmentFor(kernel, alone, known)) {
    for (const Size &size : sizes) {
      possible.push_back(grainOf(size, *aligned));
      Grain rows = inBulk(possible.back());
      if (copiesRows && size.inBulk && wideCopies(kernel, rows))
        possible.push_back(rows);
    }
  }
  for (const Size &size : sizes.take_front(possible.empty() ? sizes.size() : unalignedSizes))
    possible.push_back(grainOf(size, known));
  return possible;
}
