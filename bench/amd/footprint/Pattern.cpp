//===- Pattern.cpp - The accesses of a stencil's thread -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/amd/footprint/Pattern.h"

#include "interpreter/Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;

namespace regrain::footprint {

namespace {

using Extent = std::array<uint32_t, 3>;

constexpr size_t parametersOfStep = 9;
constexpr uint32_t threads = 256;

/// There is one slice each. A block is as wide as the grid.
constexpr Extent blocks = {1, 4, 5};

/// The observed threads in x, none of them at the boundary.
constexpr uint32_t observed[] = {1, 64, 254};

class Tracer {
public:
  Tracer(const Function &kernel, uint32_t rows)
      : kernel(kernel), rows(rows), points{blocks[0] * threads, blocks[1] * rows, blocks[2]},
        to(memory.copyIn(values())), from(memory.copyIn(values())) {}

  Error run() {
    KernelLaunch launch;
    launch.grid = blocks;
    launch.block = {threads, 1, 1};
    launch.with(to).with(from);
    for (uint32_t extent : points)
      launch.with(extent);
    for (double weight : {1.0, 2.0, 3.0, -12.0})
      launch.with(weight);
    if (kernel.arg_size() > parametersOfStep)
      launch.with(blocks[0]).with(blocks[1] * rows).with(blocks[2]);
    InterpreterOptions options;
    options.observe = [this](const ObservedAccess &access) { record(access); };
    return interpretKernel(*kernel.getParent(), kernel.getName(), launch, memory, options);
  }

  /// Uses the threads that store all of their rows, which are therefore not at
  /// a boundary.
  Expected<std::vector<PointAccess>> pattern() const {
    std::vector<std::vector<PointAccess>> found;
    for (const auto &[thread, accesses] : threadAccesses)
      if (count_if(accesses, isStore) == rows)
        found.push_back(relative(accesses));
    if (found.size() < 2)
      return createStringError(kernel.getName() + ": no threads are in the interior");
    if (!all_equal(found))
      return createStringError(kernel.getName() + ": threads of the interior differ");
    return found.front();
  }

private:
  std::vector<double> values() const {
    return std::vector<double>(size_t(points[0]) * points[1] * points[2], 1);
  }

  static bool isStore(const PointAccess &access) { return access.how != Touch::Load; }

  void record(const ObservedAccess &access) {
    if (!is_contained(observed, access.thread[0]))
      return;
    bool isStore = isa<StoreInst>(access.instruction);
    uint64_t base = isStore ? to : from;
    uint64_t size = uint64_t(points[0]) * points[1] * points[2] * sizeof(double);
    if (access.address < base || access.address >= base + size)
      return;
    uint64_t at = (access.address - base) / sizeof(double);
    bool isPast = access.instruction->hasMetadata(LLVMContext::MD_nontemporal);
    threadAccesses[{access.block, access.thread[0]}].push_back(
        {!isStore ? Touch::Load
         : isPast ? Touch::StorePast
                  : Touch::Store,
         {int32_t(at % points[0]), int32_t(at / points[0] % points[1]),
          int32_t(at / points[0] / points[1])}});
  }

  /// Makes rows relative to the first one that is stored: a grain need not run
  /// blocks in their order.
  static std::vector<PointAccess> relative(std::vector<PointAccess> accesses) {
    std::array<int32_t, 3> origin = find_if(accesses, isStore)->point;
    for (const PointAccess &access : accesses)
      if (isStore(access))
        origin = std::min(origin, access.point, [](auto &a, auto &b) { return a[1] < b[1]; });
    for (PointAccess &access : accesses)
      for (unsigned d = 0; d < 3; ++d)
        access.point[d] -= origin[d];
    return accesses;
  }

  const Function &kernel;
  uint32_t rows;
  Extent points;
  DeviceMemory memory;
  uint64_t to, from;
  std::map<std::pair<Extent, uint32_t>, std::vector<PointAccess>> threadAccesses;
};

} // namespace

Expected<std::vector<PointAccess>> readPattern(const Module &module, StringRef name,
                                               uint32_t rows) {
  const Function *kernel = module.getFunction(name);
  if (!kernel || kernel->isDeclaration())
    return createStringError("there is no kernel " + name);
  Tracer tracer(*kernel, rows);
  if (Error error = tracer.run())
    return std::move(error);
  return tracer.pattern();
}

} // namespace regrain::footprint
