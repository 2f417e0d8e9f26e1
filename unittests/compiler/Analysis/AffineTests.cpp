//===- AffineTests.cpp - Claims checked against every small case ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small kernels are run, value by value, for all threads of small launches
// and for threads at the ends of the largest. The claims of AffineForms and
// Accesses must hold in every run: forms, proved bounds, and distances of
// accesses.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Access.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"
#include "unittests/compiler/Analysis/RandomNest.h"

#include <map>

using namespace mlir;
using namespace regrain;

namespace {

constexpr uint64_t kernels = 1200;

/// One run of an access.
struct Run {
  Coordinates at;
  Iterations iterations;
  Value memory;
  int64_t first = 0, size = 0; ///< bytes
};

/// The least and the greatest value of a form.
struct Span {
  std::optional<int64_t> least, greatest;
  void add(int64_t number) {
    least = std::min(least.value_or(number), number);
    greatest = std::max(greatest.value_or(number), number);
  }
};

std::optional<int64_t> evaluate(const Affine &form, const Values &values) {
  __int128 sum = form.constant;
  for (const Affine::Summand &summand : form.summands) {
    auto found = values.find(summand.variable.value);
    if (found == values.end() || found->second.poison)
      return std::nullopt;
    sum += __int128(summand.factor) * toSigned(found->second.bits, widthOf(summand.variable.value));
  }
  return sum == int64_t(sum) ? std::optional(int64_t(sum)) : std::nullopt;
}

/// A kernel, the claims about it, and the results of its runs.
class Case {
public:
  Case(uint64_t seed, MLIRContext &context) : seed(seed), nest(drawNest(seed)) {
    module = parseSourceString<ModuleOp>(nest.text, &context);
    if (!module)
      return;
    kernel = *module->getOps<grain::KernelOp>().begin();
    forms.emplace(kernel);
    accesses.emplace(kernel);
    kernel.walk([&](Operation *op) {
      if (isa<LLVM::LoadOp, LLVM::StoreOp>(op))
        sites.push_back(op);
    });
    for (Operation *site : sites)
      findCandidates(site);
  }

  bool isThere() const { return bool(module); }
  const RandomNest &drawn() const { return nest; }
  grain::KernelOp op() const { return kernel; }

  /// Runs all of `threads`; returns false if their behaviour is undefined.
  bool run(const Setting &setting, const std::vector<Coordinates> &threads);
  void checkBounds();
  void checkAliases();

  uint64_t bounds = 0, apart = 0; ///< claims that something was proved

private:
  struct Candidate {
    Affine form;
    Value value; ///< that has the form; null: the form is of a difference
    Span span = {};
    Span running = {};    ///< in the present launch
    bool isOther = false; ///< in that launch, the form differed from the value
  };

  void findCandidates(Operation *site);
  void note(Operation *site, const Coordinates &at, const Values &values,
            const Iterations &iterations);
  void commit(Operation *site, Candidate &candidate);
  bool touchSame(Operation *first, Operation *second,
                 llvm::function_ref<bool(const Run &, const Run &)> concerned) const;
  void checkPair(Operation *first, Operation *second);
  /// Describes the access in its kernel.
  std::string where(Operation *op) const {
    return text(*op) + " of seed " + std::to_string(seed) + ":\n" + nest.text;
  }

  uint64_t seed;
  RandomNest nest;
  OwningOpRef<ModuleOp> module;
  grain::KernelOp kernel;
  std::optional<AffineForms> forms;
  std::optional<Accesses> accesses;
  std::vector<Operation *> sites;
  std::map<Operation *, std::vector<Candidate>> candidates;
  std::map<Operation *, std::vector<Run>> runs;
  bool isWrong = false;
};

/// Finds the forms of numbers that exist at `site`, and of differences of two.
void Case::findCandidates(Operation *site) {
  std::vector<Candidate> &here = candidates[site];
  auto add = [&](Value value) {
    if (value.getType().isInteger() && widthOf(value) > 1 && here.size() < 40)
      here.push_back({forms->of(value), value, {}});
  };
  for (Operation *op = site; op && op != kernel; op = op->getParentOp()) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      for (Value result : before->getResults())
        add(result);
    for (Value argument : op->getBlock()->getArguments())
      add(argument);
  }
  size_t single = here.size();
  for (size_t i = 0; i + 1 < single; i += 2)
    if (auto difference = addTimes(here[i].form, -1, here[i + 1].form))
      here.push_back({*difference, {}, {}});
}

void Case::note(Operation *site, const Coordinates &at, const Values &values,
                const Iterations &iterations) {
  for (Candidate &candidate : candidates[site]) {
    std::optional<int64_t> number = evaluate(candidate.form, values);
    auto own = candidate.value ? values.find(candidate.value) : values.end();
    bool isPoison = own != values.end() && own->second.poison;
    if (!number || isPoison)
      continue;
    candidate.running.add(*number);
    candidate.isOther |=
        own != values.end() && *number != toSigned(own->second.bits, widthOf(candidate.value));
  }
  Value pointer = site->getOperand(site->getNumOperands() - 1);
  Type type =
      isa<LLVM::LoadOp>(site) ? site->getResult(0).getType() : site->getOperand(0).getType();
  const Number &address = values.find(pointer)->second;
  runs[site].push_back({at, iterations, address.base, int64_t(address.bits),
                        int64_t(type.getIntOrFloatBitWidth() / 8)});
}

bool Case::run(const Setting &setting, const std::vector<Coordinates> &threads) {
  runs.clear();
  for (auto &[site, here] : candidates)
    for (Candidate &candidate : here)
      candidate.running = {}, candidate.isOther = false;
  for (const Coordinates &at : threads) {
    Evaluator evaluator(setting,
                        [&](Operation *site, const Values &values, const Iterations &iterations) {
                          note(site, at, values, iterations);
                        });
    if (!evaluator.run(kernel, at))
      return false;
  }
  for (auto &[site, here] : candidates)
    for (Candidate &candidate : here)
      commit(site, candidate);
  return true;
}

/// Records the results of a launch in which everything is defined.
void Case::commit(Operation *site, Candidate &candidate) {
  if (!candidate.running.least)
    return;
  candidate.span.add(*candidate.running.least);
  candidate.span.add(*candidate.running.greatest);
  if (candidate.isOther && !isWrong)
    ADD_FAILURE() << "the form of " << text(candidate.value) << " is not its value at "
                  << where(site);
  isWrong |= candidate.isOther;
}

void Case::checkBounds() {
  for (Operation *site : sites) {
    SmallVector<Affine> facts = forms->factsAt(site);
    for (const Candidate &candidate : candidates[site]) {
      if (!candidate.span.least || isWrong)
        continue;
      std::optional<Affine> back = addTimes(Affine(), -1, candidate.form);
      bounds += forms->isAtLeast(candidate.form, *candidate.span.least, facts);
      isWrong = *candidate.span.least < INT64_MAX &&
                forms->isAtLeast(candidate.form, *candidate.span.least + 1, facts);
      EXPECT_FALSE(isWrong) << "more than " << *candidate.span.least << " is claimed at "
                            << where(site);
      if (isWrong || !back || *candidate.span.greatest <= INT64_MIN + 2)
        continue;
      bounds += forms->isAtLeast(*back, -*candidate.span.greatest, facts);
      isWrong = forms->isAtLeast(*back, -*candidate.span.greatest + 1, facts);
      EXPECT_FALSE(isWrong) << "less than " << *candidate.span.greatest << " is claimed at "
                            << where(site);
    }
  }
}

bool Case::touchSame(Operation *first, Operation *second,
                     llvm::function_ref<bool(const Run &, const Run &)> concerned) const {
  auto one = runs.find(first), other = runs.find(second);
  if (one == runs.end() || other == runs.end())
    return false;
  for (const Run &a : one->second)
    for (const Run &b : other->second)
      if (a.memory == b.memory && a.first < b.first + b.size && b.first < a.first + a.size &&
          concerned(a, b))
        return true;
  return false;
}

bool isSameThread(const Run &a, const Run &b) {
  return a.at.block == b.at.block && a.at.thread == b.at.thread;
}

/// Returns whether both are in one iteration of the loops around them, except
/// for `apart` and the loops in it.
bool isSameIteration(const Run &a, const Run &b, Operation *apart) {
  for (size_t i = 0; i < std::min(a.iterations.size(), b.iterations.size()); ++i) {
    if (a.iterations[i].first != b.iterations[i].first || a.iterations[i].first == apart)
      return true;
    if (a.iterations[i].second != b.iterations[i].second)
      return false;
  }
  return true;
}

void Case::checkPair(Operation *first, Operation *second) {
  std::optional<Access> a = accesses->of(first), b = accesses->of(second);
  auto expect = [&](const char *who, bool mayAlias, auto concerned) {
    apart += !mayAlias;
    if (mayAlias || isWrong)
      return;
    isWrong = touchSame(first, second, concerned);
    EXPECT_FALSE(isWrong) << "accesses of " << who << " are claimed to be apart: " << text(*first)
                          << " and " << where(second);
  };
  SmallVector<Operation *> around = {nullptr};
  for (Operation *loop = first->getParentOp(); loop; loop = loop->getParentOp())
    if (isa<scf::ForOp>(loop) && loop->isAncestor(second))
      around.push_back(loop);
  for (Operation *apartLoop : around)
    expect("one thread", accesses->mayAlias(*a, *b, Who::Same, apartLoop),
           [&](const Run &x, const Run &y) {
             return isSameThread(x, y) && isSameIteration(x, y, apartLoop);
           });
  expect("threads of a block", accesses->mayAlias(*a, *b, Who::AnyThread),
         [](const Run &x, const Run &y) {
           return x.at.block == y.at.block && x.at.thread != y.at.thread;
         });
  bool isShared = a->kind == Base::Shared || b->kind == Base::Shared;
  expect("blocks", accesses->mayAlias(*a, *b, Who::OtherBlock),
         [&](const Run &x, const Run &y) { return x.at.block != y.at.block && !isShared; });
}

void Case::checkAliases() {
  for (Operation *first : sites)
    for (Operation *second : sites)
      checkPair(first, second);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns coordinates below `count` in steps: all, or those at the ends of
/// many.
std::vector<uint32_t> samples(uint64_t count, uint32_t step) {
  std::vector<uint32_t> found;
  uint64_t iterations = (count + step - 1) / step;
  for (uint64_t i = 0; i < iterations; ++i) {
    if (iterations > 5 && i == 2)
      i = iterations - 2;
    found.push_back(uint32_t(i * step));
  }
  return found;
}

/// Launched blocks per dimension that CUDA allows.
constexpr uint64_t mostBlocks[] = {2147483647, 65535};

/// Returns all coordinates of a launch of the nest in x and y; empty if there is
/// none.
std::vector<Coordinates> coordinatesOf(const RandomNest &nest, const Setting &setting) {
  std::vector<uint32_t> at[2][2];
  for (unsigned d = 0; d < 2; ++d) {
    uint64_t blocks = setting.grid[d], threads = setting.blockSize[d];
    if (nest.shape[d]) {
      uint64_t total = blocks * threads;
      threads = nest.shape[d];
      blocks = (total + threads - 1) / threads;
      // Coordinates are numbers of 31 bits: the runtime runs the original elsewhere.
      if (total > uint64_t(INT32_MAX))
        return {};
    }
    if ((blocks + nest.factors[d] - 1) / nest.factors[d] > mostBlocks[d])
      return {};
    at[d][0] = samples(blocks, nest.factors[d]);
    at[d][1] = samples(threads, 1);
  }
  std::vector<Coordinates> found;
  for (uint32_t bx : at[0][0])
    for (uint32_t by : at[1][0])
      for (uint32_t tx : at[0][1])
        for (uint32_t ty : at[1][1])
          found.push_back({{bx, by, 0}, {tx, ty, 0}});
  return found;
}

/// Returns small launches, and launches at CUDA's limits.
std::vector<Setting> settingsFor(grain::KernelOp kernel) {
  struct Values4 {
    std::array<uint32_t, 3> grid, block;
    int32_t n;
    int64_t m;
  };
  static const std::vector<Values4> all = {
      {{3, 2, 1}, {3, 2, 1}, 2, 5},
      {{2, 1, 1}, {4, 1, 1}, -1, -2},
      {{1, 3, 1}, {1, 4, 1}, 0, 1},
      {{2147483647, 1, 1}, {1, 1, 1}, INT32_MAX, INT64_MAX},
      {{2097151, 65535, 1}, {1024, 1, 1}, INT32_MIN, INT64_MIN},
      {{1, 65535, 1}, {1, 1024, 1}, 1023, 4294967296},
      {{2, 65535, 1}, {32, 4, 1}, 3, 3},
      {{2, 65535, 1}, {32, 1, 1}, 65535, -65536}};
  std::vector<Setting> settings;
  for (const Values4 &each : all) {
    Setting setting;
    setting.grid = each.grid;
    setting.blockSize = each.block;
    Value p = kernel.getBody().getArgument(0);
    setting.arguments[p] = {0, p, false};
    // The second pointer points into the memory of the first, or elsewhere.
    bool isElsewhere = each.n < 0;
    Value q = kernel.getBody().getArgument(1);
    setting.arguments[q] = {isElsewhere ? 0u : 8u, isElsewhere ? q : p, false};
    setting.arguments[kernel.getBody().getArgument(2)] = {uint32_t(each.n), {}, false};
    setting.arguments[kernel.getBody().getArgument(3)] = {uint64_t(each.m), {}, false};
    settings.push_back(std::move(setting));
  }
  return settings;
}

TEST(Affine, ClaimsHoldOfEveryRun) {
  GrainContext own;
  uint64_t ran = 0, bounds = 0, apart = 0;
  for (uint64_t seed = 1; seed <= kernels && !HasFailure(); ++seed) {
    Case tried(seed, own.context);
    ASSERT_TRUE(tried.isThere()) << tried.drawn().text;
    for (const Setting &setting : settingsFor(tried.op())) {
      std::vector<Coordinates> threads = coordinatesOf(tried.drawn(), setting);
      // A launch with undefined behaviour proves nothing.
      if (threads.empty() || !tried.run(setting, threads))
        continue;
      ++ran;
      tried.checkAliases();
    }
    tried.checkBounds();
    bounds += tried.bounds;
    apart += tried.apart;
  }
  // Claims that are never made cannot be wrong.
  EXPECT_GT(ran, 2 * kernels);
  EXPECT_GT(bounds, 10 * kernels);
  EXPECT_GT(apart, 2 * kernels);
}

} // namespace
