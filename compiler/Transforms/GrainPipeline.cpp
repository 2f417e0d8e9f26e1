//===- GrainPipeline.cpp - The passes of a grain, in order ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/GrainPipeline.h"

#include "compiler/Transforms/Passes.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "runtime/image/block_steps.h"
#include "runtime/image/in_step.h"
#include "runtime/image/ring_form.h"
#include "runtime/image/slices.h"
#include "runtime/image/thread_split.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr Factors one = {1, 1, 1};

/// Adds the specialisation, which comes first because what is known may decide conditions that
/// would make later steps illegal.
void addSpecialisation(OpPassManager &passes, const KnownLaunch &known) {
  if (known.empty())
    return;
  Grain grain;
  grain.known = known;
  passes.addPass(createSpecialise({.known = toString(grain), .required = true}));
  passes.addPass(createCleanUp());
}

/// Adds the distribution of elements, while each thread of the nest is one of the program's.
void addDealing(OpPassManager &passes, const Grain &grain) {
  auto iterations = grain.words.find("iterations");
  if (iterations == grain.words.end())
    return;
  if (uint32_t neighbours = neighboursPerThread(grain); neighbours != 1) {
    passes.addPass(createDealStrides(
        {.width = neighbours, .reassociate = grain.words.contains("sums"), .required = true}));
  } else {
    Dealing dealing = iterations->second == "cyclic" ? Dealing::Cyclic : Dealing::Blocked;
    passes.addPass(createDealIterations({.dealing = dealing, .required = true}));
  }
  passes.addPass(createCleanUp());
}

/// Adds the rows in registers, while each thread of the nest is one of the program's. Loads that go
/// need no hints.
void addRows(OpPassManager &passes, const Grain &grain) {
  if (!grain.words.contains("rows") || keptElements(grain) != 0)
    return;
  unsigned joined = 1;
  for (const Factors &factors : {grain.block, grain.thread})
    for (uint32_t factor : factors)
      joined *= factor;
  passes.addPass(createKeepRows({.joined = joined, .required = true}));
}

bool hasStaging(const Grain &grain, std::string_view word) {
  auto staging = grain.words.find("staging");
  return staging != grain.words.end() && staging->second == word;
}

bool stagesLoads(const Grain &grain) {
  return hasStaging(grain, "shared") || hasStaging(grain, "loops") || hasStaging(grain, "steps");
}

/// Adds the hints, while each load is still one operation. Loads that are staged are of memory that
/// the launch does not write, which the program's own order of threads shows best.
void addLoadHints(OpPassManager &passes, const Grain &grain) {
  if (stagesLoads(grain))
    passes.addPass(createHintLoads({.hint = LoadHint::OnlyRead, .required = true}));
  auto loads = grain.words.find("loads");
  if (loads == grain.words.end())
    return;
  LoadHint hint = loads->second == "readonly" ? LoadHint::OnlyRead : LoadHint::LoadedOnce;
  passes.addPass(createHintLoads({.hint = hint, .required = true}));
}

/// Adds the order of trees in which neighbours combine their own elements first, while each thread
/// of the nest is one of the program's.
void addTreeOrder(OpPassManager &passes, const Grain &grain) {
  if (!grain.words.contains("exchange") || !grain.contiguous)
    return;
  passes.addPass(createReorderTrees({.reassociate = grain.words.contains("sums")}));
  passes.addPass(createCleanUp());
}

/// Adds the joining of blocks: those of one step are interleaved, and the steps are a loop.
void addBlockFactors(OpPassManager &passes, const Grain &grain) {
  Factors together = grain.block, inLoop = one;
  unsigned march = marchDimension(grain);
  inLoop[march] = stepsOf(grain);
  together[march] /= inLoop[march];
  bool common = grain.shared == SharedArrays::Common, sums = grain.words.contains("sums");
  if (together != one)
    passes.addPass(createCoarsenBlocks(
        {.factors = llvm::to_vector(together),
         .apart = grain.remainder,
         .whole = hasStaging(grain, "loops"), // the barriers of tiles stand where all threads run
         .common = common,
         .reassociate = sums,
         .required = true}));
  if (inLoop != one)
    passes.addPass(createCoarsenBlocks({.factors = llvm::to_vector(inLoop),
                                        .loop = true,
                                        .common = common,
                                        .reassociate = sums,
                                        .required = true}));
}

/// Adds the rings of steps, while each thread of a step is one of the program's.
void addRings(OpPassManager &passes, const Grain &grain) {
  if (!hasStaging(grain, "steps"))
    return;
  passes.addPass(createCleanUp());
  passes.addPass(createStageSteps({.bulk = grain.words.contains("copies"),
                                   .ahead = planesAhead(grain),
                                   .dynamicBytes = dynamicSharedOf(grain),
                                   .required = true}));
  passes.addPass(createCleanUp());
}

/// Adds the joining of threads. Guards are joined of neighbours in x, which then have numbers near
/// each other in each of the joined rows.
void addThreadFactors(OpPassManager &passes, const Grain &grain) {
  Factors left = grain.thread;
  if (grain.words.contains("guards")) {
    passes.addPass(createCoarsenThreads(
        {.factors = {left[0], 1, 1}, .contiguous = true, .joinsGuards = true, .required = true}));
    left[0] = 1;
    passes.addPass(createCleanUp());
  }
  if (left != one)
    passes.addPass(createCoarsenThreads(
        {.factors = llvm::to_vector(left), .contiguous = grain.contiguous, .required = true}));
}

/// Returns the dimensions in which the program's blocks have one thread.
llvm::SmallVector<uint32_t> slicesOf(const Grain &grain) {
  llvm::SmallVector<uint32_t> dimensions;
  for (uint32_t d : {0, 1, 2})
    if (isSliced(grain, d))
      dimensions.push_back(d);
  return dimensions;
}

/// Adds the steps that determine which work a launched block and a launched thread do.
void addRegrouping(OpPassManager &passes, const Grain &grain) {
  auto with = [](const Factors &factors) { return llvm::to_vector(factors); };
  if (uint32_t lanes = lanesPerThread(grain); lanes != 1)
    passes.addPass(createSplitThreads({.lanes = lanes,
                                       .warps = splitsWarps(grain),
                                       .width = iterationsPerLane(grain),
                                       .shape = with(*grain.shape),
                                       .reassociate = grain.words.contains("sums"),
                                       .elements = keptElements(grain),
                                       .required = true}));
  else if (grain.shape)
    passes.addPass(createReshapeBlocks(
        {.shape = with(*grain.shape), .slices = slicesOf(grain), .required = true}));
  // Each thread of the nest is one of the program's still, and their block has its final shape.
  if (hasStaging(grain, "transposed")) {
    passes.addPass(createCleanUp());
    passes.addPass(createTransposeAccesses({.required = true}));
  }
  if (grain.fuse != one) {
    passes.addPass(createFuseBlocks({.factors = with(grain.fuse), .required = true}));
    // With a known block, joined threads then have one guard.
    if (grain.known.block)
      passes.addPass(createCleanUp());
  }
  addBlockFactors(passes, grain);
  addRings(passes, grain);
  addThreadFactors(passes, grain);
}

/// Adds the exchange in registers, while each access to shared memory is one operation of a known
/// block.
void addExchange(OpPassManager &passes, const Grain &grain) {
  auto exchange = grain.words.find("exchange");
  if (exchange == grain.words.end())
    return;
  Exchanges exchanges = exchange->second == "levels" ? Exchanges::Levels : Exchanges::All;
  passes.addPass(createExchangeInWarp({.exchanges = exchanges, .required = true}));
  passes.addPass(createCleanUp());
}

/// Adds the steps that change no loop.
void addPlacement(OpPassManager &passes, const Grain &grain) {
  LaunchedBlocks blocks = grain.remainder ? LaunchedBlocks::Filling : LaunchedBlocks::All;
  if (grain.bound || grain.remainder)
    passes.addPass(createSetLaunch({.bound = grain.bound, .blocks = blocks}));
  if (grain.nontemporal)
    passes.addPass(createStreamStores({.required = true}));
  if (grain.words.contains("banks"))
    passes.addPass(createPadShared({.required = true}));
  if (grain.takesLentMemory())
    passes.addPass(createDemoteShared({.required = true}));
  bool inBulk = grain.words.contains("copies");
  // Tiles stay in shared memory where the program's arrays do not.
  if (hasStaging(grain, "shared"))
    passes.addPass(createStageLoads({.bulk = inBulk, .required = true}));
  if (hasStaging(grain, "loops"))
    passes.addPass(createStageLoops({.bulk = inBulk, .required = true}));
  if (uint32_t ahead = inStepOf(grain))
    passes.addPass(createKeepInStep({.ahead = ahead, .required = true}));
}

struct GrainPipelineOptions : PassPipelineOptions<GrainPipelineOptions> {
  Option<std::string> spec{*this, "spec", llvm::cl::desc("the grain, with factors per dimension"),
                           llvm::cl::init("original")};
  Option<bool> remainder{*this, "remainder", llvm::cl::desc("the launch of the blocks left over"),
                         llvm::cl::init(false)};
};

} // namespace

void regrain::buildParallelOptimisation(OpPassManager &passes, const Grain &grain) {
  passes.addPass(createPrivatiseShared());
  passes.addPass(createRemoveBarriers());
  if (grain.words.contains("guards"))
    passes.addPass(createRedirectLoads({.required = true}));
  passes.addPass(createForwardMemory());
  // Steps that carry common arrays need no window, and those with rings have them in its place.
  bool needsWindow = grain.shared != SharedArrays::Common || grain.words.contains("window");
  if (stepsOf(grain) != 1 && needsWindow && !hasStaging(grain, "steps"))
    passes.addPass(createKeepWindows({.ahead = grain.words.contains("window"), .required = true}));
  passes.addPass(createPromoteInLoops());
}

void regrain::buildGrainPipeline(OpPassManager &passes, const Grain &whole, GrainPart part) {
  bool isRemainder = part == GrainPart::Remainder;
  Grain grain = isRemainder ? whole.ofRemainder() : whole;
  addSpecialisation(passes, grain.known);
  addDealing(passes, grain);
  addRows(passes, grain);
  addLoadHints(passes, grain);
  addTreeOrder(passes, grain);
  addRegrouping(passes, grain);
  passes.addPass(createCleanUp());
  addExchange(passes, grain);
  if (!grain.isOriginal()) {
    buildParallelOptimisation(passes, grain);
    addPlacement(passes, grain);
  }
  if (isRemainder)
    passes.addPass(createSetLaunch({.bound = 0, .blocks = LaunchedBlocks::Remainder}));
  passes.addPass(createCheckLaunch({.required = true}));
}

void regrain::registerGrainPipeline() {
  static PassPipelineRegistration<GrainPipelineOptions> registration(
      "grain-pipeline", "The passes that take a kernel to a grain",
      [](OpPassManager &passes, const GrainPipelineOptions &options) {
        OrError<GrainSpec> spec = parseGrainSpec(options.spec);
        if (spec && spec->hasTotals())
          spec = tl::unexpected("expects factors per dimension, not '" + options.spec + "'");
        if (!spec) {
          llvm::WithColor::error() << spec.error() << "\n";
          std::exit(1);
        }
        GrainPart part = options.remainder ? GrainPart::Remainder : GrainPart::Whole;
        buildGrainPipeline(passes, spec->grain, part);
      });
}
