//===- UniformityTests.cpp - Dependences checked against runs -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same random kernels are run for threads that differ in one coordinate
// only. A value that does not depend on the coordinate, nor on memory, must be
// the same wherever both threads compute it in the same iterations.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Uniformity.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"
#include "unittests/compiler/Analysis/RandomNest.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr uint64_t kernels = 300;

/// The numbers that a thread has computed by the time of an access.
using Numbers = std::map<std::pair<Operation *, Iterations>, std::vector<std::pair<Value, Number>>>;

std::optional<Numbers> numbersOf(grain::KernelOp kernel, const Coordinates &at) {
  Setting setting;
  setting.grid = {4, 4, 1};
  setting.blockSize = {4, 4, 1};
  for (unsigned i = 0; i < 2; ++i) {
    Value pointer = kernel.getBody().getArgument(i);
    setting.arguments[pointer] = {0, pointer, false};
  }
  setting.arguments[kernel.getBody().getArgument(2)] = {2, {}, false};
  setting.arguments[kernel.getBody().getArgument(3)] = {5, {}, false};
  Numbers numbers;
  Evaluator evaluator(
      setting, [&](Operation *site, const Values &values, const Iterations &iterations) {
        auto &here = numbers[{site, iterations}];
        for (Operation *op = site; op != kernel; op = op->getParentOp())
          for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
            for (Value result : before->getResults())
              if (auto found = values.find(result); found != values.end())
                here.push_back(*found);
      });
  if (!evaluator.run(kernel, at))
    return std::nullopt;
  return numbers;
}

/// Compares the runs of two threads that differ in `coordinate`; returns how many values agree.
unsigned compare(grain::KernelOp kernel, const Numbers &first, const Numbers &second,
                 Dependence coordinate) {
  Uniformity uniformity(kernel);
  unsigned compared = 0;
  for (const auto &[where, numbers] : first) {
    auto other = second.find(where);
    if (other == second.end())
      continue;
    for (auto [one, two] : llvm::zip_equal(numbers, other->second)) {
      if (overlap(uniformity.of(one.first), coordinate | Dependence::Memory) || one.second.poison ||
          two.second.poison)
        continue;
      ++compared;
      EXPECT_EQ(one.second.bits, two.second.bits)
          << text(one.first) << " at " << text(*where.first);
    }
  }
  return compared;
}

TEST(Uniformity, ValuesThatDoNotDependOnACoordinateAreTheSame) {
  struct Change {
    Dependence coordinate;
    Coordinates at;
  };
  const Coordinates base = {{1, 1, 0}, {1, 1, 0}};
  const std::vector<Change> changes = {{Dependence::BlockX, {{2, 1, 0}, {1, 1, 0}}},
                                       {Dependence::BlockY, {{1, 3, 0}, {1, 1, 0}}},
                                       {Dependence::ThreadX, {{1, 1, 0}, {2, 1, 0}}},
                                       {Dependence::ThreadY, {{1, 1, 0}, {1, 0, 0}}}};
  GrainContext own;
  unsigned compared = 0;
  for (uint64_t seed = 1; seed <= kernels && !HasFailure(); ++seed) {
    RandomNest nest = drawNest(seed);
    ParsedKernel parsed(nest.text, own.context);
    std::optional<Numbers> first = numbersOf(parsed.kernel(), base);
    for (const Change &change : changes)
      if (std::optional<Numbers> second = numbersOf(parsed.kernel(), change.at); first && second)
        compared += compare(parsed.kernel(), *first, *second, change.coordinate);
    EXPECT_FALSE(HasFailure()) << "seed " << seed << ":\n" << nest.text;
  }
  EXPECT_GT(compared, 100 * kernels);
}

} // namespace
