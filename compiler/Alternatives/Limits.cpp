//===- Limits.cpp - Limits of a target ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Limits.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "runtime/image/thread_split.h"
#include "llvm/Support/MathExtras.h"

using namespace regrain;

static uint64_t staticSharedBytes(grain::KernelOp kernel) {
  mlir::DataLayout layout = mlir::DataLayout::closest(kernel);
  uint64_t bytes = 0;
  kernel.walk([&](grain::SharedOp shared) {
    bytes = llvm::alignTo(bytes, std::max<uint64_t>(1, shared.getAlignment())) +
            layout.getTypeSize(shared.getType()).getFixedValue();
  });
  return bytes;
}

/// Returns the launched block if the grain determines it: the program's block is known, or the
/// grain has a shape.
static std::optional<Factors> launchedBlock(const Grain &grain) {
  std::optional<Factors> block = grain.shape ? grain.shape : grain.known.block;
  if (!block)
    return std::nullopt;
  for (unsigned d = 0; d < 3; ++d)
    (*block)[d] = (*block)[d] * grain.fuse[d] / grain.thread[d];
  return block;
}

static std::optional<std::array<uint64_t, 3>> launchedGrid(const Grain &grain) {
  const KnownLaunch &known = grain.known;
  if (!known.grid || (grain.shape && !known.block))
    return std::nullopt;
  std::array<uint64_t, 3> grid;
  for (unsigned d = 0; d < 3; ++d) {
    uint64_t blocks = (*known.grid)[d];
    if (grain.shape)
      blocks = llvm::divideCeil(blocks * (*known.block)[d] * (d == 0 ? lanesPerThread(grain) : 1),
                                (*grain.shape)[d]);
    grid[d] = llvm::divideCeil(blocks, uint64_t(grain.block[d]) * grain.fuse[d]);
  }
  return grid;
}

NestSize regrain::sizeOf(grain::KernelOp kernel, unsigned launchBounds, const Grain &grain) {
  NestSize size;
  size.staticSharedBytes = staticSharedBytes(kernel);
  size.block = launchedBlock(grain);
  size.grid = launchedGrid(grain);
  if (!size.block)
    size.mostThreads = launchBounds * grain.fuse[0] * grain.fuse[1] * grain.fuse[2] /
                       (grain.thread[0] * grain.thread[1] * grain.thread[2]);
  if (grain.bound)
    size.mostThreads = std::min(size.mostThreads, grain.bound);
  return size;
}

/// Refuses `value` if it exceeds the limit. The reason is "LEAD value UNIT, and ...".
static std::optional<Refusal> over(const char *lead, uint64_t value, const llvm::Twine &unit,
                                   uint64_t limit, RefusalKind kind = RefusalKind::TargetLimit) {
  if (!limit || value <= limit)
    return std::nullopt;
  return Refusal{kind, (lead + llvm::Twine(" ") + llvm::Twine(value) + " " + unit +
                        ", and the target allows " + llvm::Twine(limit))
                           .str()};
}

std::optional<Refusal> regrain::checkLimits(const NestSize &size, const TargetLimits &limits) {
  constexpr const char *dimensions[] = {"x", "y", "z"};
  if (auto excess = over("a block declares", size.staticSharedBytes, "bytes of shared memory",
                         limits.staticSharedBytes, RefusalKind::SharedMemory))
    return excess;
  if (auto excess = over("a block may have", size.mostThreads, "threads by the launch bounds",
                         limits.blockThreads))
    return excess;
  if (size.block)
    if (auto excess =
            over("a block has", uint64_t((*size.block)[0]) * (*size.block)[1] * (*size.block)[2],
                 "threads", limits.blockThreads))
      return excess;
  for (unsigned d = 0; d < 3; ++d) {
    llvm::StringRef dimension = dimensions[d];
    if (size.block)
      if (auto excess =
              over("a block has", (*size.block)[d], "threads in " + dimension, limits.block[d]))
        return excess;
    if (size.grid)
      if (auto excess =
              over("the grid has", (*size.grid)[d], "blocks in " + dimension, limits.grid[d]))
        return excess;
  }
  return std::nullopt;
}
