//===- grain_keys.cpp - The descriptors of the keys of SPEC ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_keys.h"

#include "runtime/image/grain_forms.h"
#include "runtime/image/launch_limits.h"

namespace regrain {
namespace {

using Words = std::span<const std::string_view>;
using Pieces = std::vector<std::string>;

/// CUDA's limits of a launch, on any device.

uint64_t product(const Factors &factors) { return uint64_t(factors[0]) * factors[1] * factors[2]; }

bool exceeds(const Factors &size, const Factors &limits) {
  return size[0] > limits[0] || size[1] > limits[1] || size[2] > limits[2];
}

bool holdsTooMany(const Factors &block) {
  return exceeds(block, maxBlockSize) || product(block) > maxBlockThreads;
}

std::string sayIf(bool isBroken, const char *sentence) { return isBroken ? sentence : ""; }

/// Returns the launched block; nothing if the grain does not determine it. It is an
/// error if no such block is possible.
OrError<std::optional<Factors>> launchedBlock(const Grain &grain) {
  if (!grain.shape && !grain.known.block)
    return std::optional<Factors>();
  Factors launched;
  for (int d = 0; d < 3; ++d) {
    uint64_t size =
        grain.shape ? (*grain.shape)[d] : uint64_t((*grain.known.block)[d]) * grain.fuse[d];
    if (size % grain.thread[d] != 0)
      return tl::unexpected(std::string("thread.") + dimensionNames[d] + "=" +
                            std::to_string(grain.thread[d]) +
                            " does not divide the block, which has " + std::to_string(size));
    launched[d] = uint32_t(std::min<uint64_t>(size / grain.thread[d], maxBlockThreads + 1));
  }
  return std::optional(launched);
}

//===-- control ------------------------------------------------------------===//

constexpr GrainRule controlRules[] = {{RuleOrder::Whole, [](const Grain &grain) {
                                         return sayIf(
                                             grain.control && grain != Grain{.control = true},
                                             "control cannot be combined with other pieces");
                                       }}};

std::string readControl(SpecReader &reader, const GrainKey &, const SpecPiece &) {
  if (reader.spec.grain.control)
    return " has no '='";
  reader.spec.grain.control = true;
  return {};
}

void writeControl(const Grain &grain, const GrainKey &, Pieces &pieces) {
  if (grain.control)
    pieces.emplace_back(controlId);
}

//===-- block, thread, fuse, shape -----------------------------------------===//

constexpr GrainLoop blockLoop = {&Grain::block, &GrainSpec::blockTotal, &Grain::remainder, false};
constexpr GrainLoop threadLoop = {&Grain::thread, &GrainSpec::threadTotal, &Grain::contiguous,
                                  true};
constexpr GrainLoop fuseLoop = {&Grain::fuse, &GrainSpec::fuseTotal, nullptr, false};

constexpr GrainRule blockRules[] = {
    {RuleOrder::Parts, [](const Grain &grain) {
       auto coarsened = std::count_if(grain.block.begin(), grain.block.end(),
                                      [](uint32_t factor) { return factor != 1; });
       return sayIf(grain.remainder && coarsened != 1,
                    ":remainder needs a block factor in exactly one dimension");
     }}};

constexpr GrainRule threadRules[] = {{RuleOrder::Values,
                                      [](const Grain &grain) {
                                        return sayIf(grain.contiguous && isOne(grain.thread),
                                                     ":contiguous needs a thread factor above 1");
                                      }},
                                     {RuleOrder::Launch, [](const Grain &grain) {
                                        OrError<std::optional<Factors>> launched =
                                            launchedBlock(grain);
                                        return launched ? std::string() : launched.error();
                                      }}};

constexpr GrainRule shapeRules[] = {
    {RuleOrder::Steps,
     [](const Grain &grain) {
       return sayIf(grain.shape && !isOne(grain.fuse),
                    "shape= and fuse= cannot be combined: each of them sets the launched block");
     }},
    {RuleOrder::Launch, [](const Grain &grain) {
       std::optional<Factors> launched = launchedBlock(grain).value_or(std::nullopt);
       return sayIf(launched && holdsTooMany(*launched),
                    "the launched block is larger than the block of any launch");
     }}};

std::string readShape(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readSize(reader.spec.grain.shape, piece.value);
}

void writeShape(const Grain &grain, const GrainKey &, Pieces &pieces) {
  if (grain.shape)
    pieces.push_back("shape=" + sizeText(*grain.shape));
}

//===-- shared, stores, addresses ------------------------------------------===//

constexpr std::string_view sharedWords[] = {"apart", "global"};
constexpr std::string_view storesWords[] = {"nontemporal"};
constexpr std::string_view addressesWords[] = {"indexed", "wide"};
constexpr std::string_view sharedTrials[] = {"shared=global"};
constexpr std::string_view storesTrials[] = {"stores=nontemporal"};
constexpr KeyCandidate sharedCandidates[] = {{sharedTrials[0], KernelFact::HasSharedArrays}};
constexpr KeyCandidate storesCandidates[] = {{storesTrials[0], KernelFact::StreamsStores}};
constexpr KeyCandidate addressesCandidates[] = {{"addresses=indexed", KernelFact::ChoosesAddresses},
                                                {"addresses=wide", KernelFact::ChoosesAddresses}};

constexpr GrainRule sharedRules[] = {{RuleOrder::Parts, [](const Grain &grain) {
                                        return sayIf(grain.shared == SharedArrays::Apart &&
                                                         isOne(grain.block),
                                                     "shared=apart needs a block factor above 1");
                                      }}};

std::string readShared(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readWord(reader.spec.grain.shared, piece.value, Words(sharedWords),
                  ": shared is given twice", ": shared memory can be apart or global");
}

std::string readStores(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readWord(reader.spec.grain.nontemporal, piece.value, Words(storesWords),
                  ": it is given twice", ": stores can be nontemporal");
}

std::string readAddresses(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readWord(reader.spec.grain.addresses, piece.value, Words(addressesWords),
                  ": it is given twice", ": addresses can be indexed or wide");
}

//===-- bound --------------------------------------------------------------===//

constexpr std::string_view boundTrials[] = {"bound=64", "bound=128", "bound=256", "bound=1024"};

constexpr GrainRule boundRules[] = {
    {RuleOrder::Values,
     [](const Grain &grain) {
       return sayIf(grain.bound > maxBlockThreads, "bound is larger than the block of any launch");
     }},
    {RuleOrder::Launch, [](const Grain &grain) {
       std::optional<Factors> launched = launchedBlock(grain).value_or(std::nullopt);
       return sayIf(launched && grain.bound && product(*launched) > grain.bound,
                    "the launched block has more threads than the bound allows");
     }}};

std::string readBound(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  if (reader.spec.grain.bound)
    return ": bound is given twice";
  std::optional<uint32_t> bound = parseFactor(piece.value);
  reader.spec.grain.bound = bound.value_or(0);
  return bound ? "" : " needs a whole number of at least 1";
}

void writeBound(const Grain &grain, const GrainKey &, Pieces &pieces) {
  if (grain.bound)
    pieces.push_back("bound=" + std::to_string(grain.bound));
}

//===-- registers ----------------------------------------------------------===//

constexpr std::string_view registersTrials[] = {"registers=16", "registers=32", "registers=128"};

constexpr GrainRule blocksPerSmRules[] = {
    {RuleOrder::Values, [](const Grain &grain) {
       return sayIf(grain.codegen.contains("registers") && grain.codegen.contains("blocks-per-sm"),
                    "registers= and blocks-per-sm= cannot be combined: each of them bounds the "
                    "registers");
     }}};

//===-- keys of code generators --------------------------------------------===//

constexpr std::string_view unrollWords[] = {"full", "none", "2", "4", "8"};
constexpr std::string_view branchesWords[] = {"predicated"};
constexpr std::string_view unrollTrials[] = {"unroll=full", "unroll=none", "unroll=4"};
constexpr std::string_view branchesTrials[] = {"branches=predicated"};
constexpr std::string_view blocksPerSmTrials[] = {"blocks-per-sm=1", "blocks-per-sm=2"};
constexpr std::string_view assemblerTrials[] = {"assembler=O1", "assembler=O2"};
constexpr KeyCandidate unrollCandidates[] = {{"unroll=full", KernelFact::HasShortLoops},
                                             {"unroll=4", KernelFact::HasOtherLoops},
                                             {"unroll=none", KernelFact::HasOtherLoops}};
constexpr KeyCandidate branchesCandidates[] = {{branchesTrials[0], KernelFact::GuardsInLoops}};
constexpr std::string_view loadsWords[] = {"readonly", "streaming", "evict-first", "no-allocate"};
constexpr std::string_view prefetchWords[] = {"64", "128", "256"};
constexpr KeyCandidate loadsCandidates[] = {{"loads=streaming", KernelFact::StreamsLoads}};
constexpr std::string_view loadsTrials[] = {"loads=readonly", "loads=streaming",
                                            "loads=no-allocate"};
constexpr KeyCandidate prefetchCandidates[] = {{"prefetch=128", KernelFact::ScattersLoads},
                                               {"prefetch=256", KernelFact::ScattersLoads}};
constexpr std::string_view prefetchTrials[] = {"prefetch=64"};
constexpr std::string_view assemblerWords[] = {"O1", "O2"};
constexpr std::string_view compilerWords[] = {"nvcc"};

/// The vendor's compiler takes the source, so what Regrain does to a kernel has no effect.
constexpr GrainRule compilerRules[] = {
    {RuleOrder::Whole, [](const Grain &grain) {
       if (!grain.words.contains("compiler"))
         return std::string();
       Grain rest = grain;
       rest.words.erase("compiler");
       rest.words.erase("assembler");
       rest.codegen.erase("registers");
       return sayIf(!rest.isOriginal(),
                    "compiler= can only be combined with registers= and assembler=");
     }}};

//===-- for ----------------------------------------------------------------===//

constexpr GrainRule knownRules[] = {
    {RuleOrder::Values,
     [](const Grain &grain) {
       uint32_t bytes = grain.known.pointers;
       return sayIf(bytes > widestAccess || (bytes & (bytes - 1)),
                    "for.pointers can be 2, 4, 8 or 16 bytes");
     }},
    {RuleOrder::Values,
     [](const Grain &grain) {
       return sayIf(grain.known.block && holdsTooMany(*grain.known.block),
                    "for.block is larger than the block of any launch");
     }},
    {RuleOrder::Values, [](const Grain &grain) {
       return sayIf(grain.known.grid && exceeds(*grain.known.grid, maxGridSize),
                    "for.grid is larger than the grid of any launch");
     }}};

//===-- The table ----------------------------------------------------------===//

const GrainKey table[] = {
    {.name = controlId,
     .examples = "control",
     .help = "The original, compiled by the route of the alternatives, so that `regrain tune` can "
             "compare with it. It cannot be combined with other pieces.",
     .absence = "",
     .step = KeyStep::None,
     .isBare = true,
     .read = readControl,
     .write = writeControl,
     .rules = controlRules},
    {.name = "block",
     .examples = "block.x=4 block=8 block.x=3:remainder",
     .help = "A launched block runs this many blocks of the program, one after the other. With "
             "`:remainder`, the blocks that do not fill a launched block get a launch of their "
             "own.",
     .absence = "one block",
     .step = KeyStep::Regroup,
     .fields = "block_factors takes_grid",
     .hasParts = true,
     .loop = &blockLoop,
     .modifier = "remainder",
     .read = readLoop,
     .write = writeLoop,
     .rules = blockRules},
    {.name = "thread",
     .examples = "thread.y=2 thread=4 thread.x=4:contiguous",
     .help = "A launched thread runs this many threads of the program. They are as far apart as "
             "the launched block is wide; with `:contiguous`, they are neighbours.",
     .absence = "one thread",
     .step = KeyStep::Regroup,
     .guard = "with a block that the factor does not divide",
     .fields = "thread_factors",
     .hasParts = true,
     .loop = &threadLoop,
     .modifier = "contiguous",
     .read = readLoop,
     .write = writeLoop,
     .rules = threadRules},
    {.name = "fuse",
     .examples = "fuse.x=2 fuse=4",
     .help = "This many neighbouring blocks run side by side as one launched block.",
     .absence = "one block",
     .step = KeyStep::Regroup,
     .guard = "with too many threads in the fused block",
     .fields = "takes_grid",
     .hasParts = true,
     .loop = &fuseLoop,
     .read = readLoop,
     .write = writeLoop},
    {.name = "shape",
     .examples = "shape=128x1x2",
     .help = "The iteration space is divided into blocks of this size, whatever size the "
             "program's blocks have.",
     .absence = "the program's blocks",
     .step = KeyStep::Regroup,
     .fields = "takes_grid takes_block",
     .read = readShape,
     .write = writeShape,
     .rules = shapeRules},
    {.name = "shared",
     .examples = "shared=apart shared=global",
     .help = "Where static shared arrays lie. `apart`: the arrays of joined blocks are separate "
             "variables. `global`: all arrays lie in global memory, so that they do not limit "
             "how many blocks are resident.",
     .absence = "in shared memory, in one piece",
     .step = KeyStep::Finish,
     .fields = "scratch_bytes scratch_offset",
     .read = readShared,
     .write = [](const Grain &grain, const GrainKey &key,
                 Pieces &pieces) { writeWord(grain.shared, key, Words(sharedWords), pieces); },
     .rules = sharedRules,
     .candidates = sharedCandidates,
     .trials = sharedTrials,
     .trialPercent = 25},
    {.name = "stores",
     .examples = "stores=nontemporal",
     .help = "Stores of values that the launch does not read bypass the caches on AMD GPUs; on "
             "NVIDIA's, they are streaming stores.",
     .absence = "as the program stores",
     .step = KeyStep::Finish,
     .targets = KeyTargets::Gpus,
     .read = readStores,
     .write = [](const Grain &grain, const GrainKey &key,
                 Pieces &pieces) { writeWord(grain.nontemporal, key, Words(storesWords), pieces); },
     .candidates = storesCandidates,
     .trials = storesTrials,
     .trialPercent = 10},
    {.name = "addresses",
     .examples = "addresses=indexed addresses=wide",
     .help = "How loops form addresses. `indexed`: from the loop's index in each iteration. "
             "`wide`: the index has 64 bits, or pointers advance.",
     .absence = "pointers advance if LLVM estimates that this is cheaper",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .read = readAddresses,
     .write =
         [](const Grain &grain, const GrainKey &key, Pieces &pieces) {
           writeWord(grain.addresses, key, Words(addressesWords), pieces);
         },
     .candidates = addressesCandidates},
    {.name = "bound",
     .examples = "bound=256",
     .help = "The code is for launched blocks of at most this many threads, so that each thread "
             "may have more registers.",
     .absence = "any number of threads that a launch can have",
     .step = KeyStep::Finish,
     .guard = "with more threads in the launched block",
     .read = readBound,
     .write = writeBound,
     .rules = boundRules,
     .trials = boundTrials,
     .trialPercent = 10},
    {.name = "registers",
     .examples = "registers=64",
     .help = "A launched thread has at most this many registers; other values are spilled. On AMD "
             "these are vector registers, and there are at least as many as allow the maximum "
             "number of waves.",
     .absence = "as many as the target chooses",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Gpus,
     .refusedElsewhere =
         "registers= limits the registers of a GPU thread; the CPU has no such limit",
     .least = 16,
     .most = 255,
     .read = readCodegen,
     .write = writeCodegen,
     .trials = registersTrials,
     .trialPercent = 5},
    {.name = "blocks-per-sm",
     .examples = "blocks-per-sm=2",
     .help = "So many launched blocks fit on a multiprocessor at a time: a thread has fewer "
             "registers if it must, and other values are spilled.",
     .absence = "as many as the code lets fit",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .refusedElsewhere = "blocks-per-sm= bounds the registers of NVIDIA's code",
     .least = 1,
     .most = 32,
     .read = readCodegen,
     .write = writeCodegen,
     .rules = blocksPerSmRules,
     .trials = blocksPerSmTrials,
     .trialPercent = 3},
    {.name = "unroll",
     .examples = "unroll=full unroll=none unroll=4",
     .help = "How loops are unrolled for which the program says nothing. `full`: completely, if "
             "the number of iterations is known and at most 2048 instructions result. `none`: not "
             "at all. A number: so many iterations at a time, if not completely.",
     .absence = "as LLVM estimates",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .words = unrollWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = unrollCandidates,
     .trials = unrollTrials,
     .trialPercent = 10},
    {.name = "branches",
     .examples = "branches=predicated",
     .help = "Short guarded code runs without a branch, and its results are selected, if it cannot "
             "fault.",
     .absence = "branches as LLVM estimates",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .words = branchesWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = branchesCandidates,
     .trials = branchesTrials,
     .trialPercent = 10},
    {.name = "loads",
     .examples = "loads=readonly loads=streaming loads=evict-first loads=no-allocate",
     .help =
         "How loads use the caches. `readonly`: loads of memory that the launch is proved not to "
         "write take the read-only path. The other words concern loads of data that the launch "
         "loads once. `streaming`: the line is used once. `evict-first`: the first-level cache "
         "evicts the line first. `no-allocate`: it does not keep the line. On AMD GPUs, the "
         "three are the same.",
     .absence = "as the program loads",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Gpus,
     .words = loadsWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = loadsCandidates,
     .trials = loadsTrials,
     .trialPercent = 10},
    {.name = "prefetch",
     .examples = "prefetch=128",
     .help =
         "A load from global memory brings so many bytes into the second-level cache. This needs "
         "compute capability 7.5, or 8.0 for 256.",
     .absence = "as the device does",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .words = prefetchWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = prefetchCandidates,
     .trials = prefetchTrials,
     .trialPercent = 5},
    {.name = "assembler",
     .examples = "assembler=O1",
     .help = "The level at which ptxas optimises.",
     .absence = "as the command line says",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .refusedElsewhere = "assembler= sets the level of NVIDIA's assembler",
     .words = assemblerWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .trials = assemblerTrials,
     .trialPercent = 3},
    {.name = "compiler",
     .examples = "compiler=nvcc",
     .help = "The kernel as the vendor's compiler translates it from the source.",
     .absence = "Regrain's own",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .refusedElsewhere = "compiler=nvcc is code for NVIDIA's GPUs",
     .words = compilerWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = compilerRules},
    {.name = "for",
     .examples = "for.block=16x16x1 for.grid=64x64x1 for.arg2=2048 for.arg3=4n for.pointers=16",
     .help = "The code is for launches in which the program's block, grid or integer argument "
             "(numbered from 0) has this value. Factors do not change this value. With `n` the "
             "argument is a multiple of the number, and with `for.pointers` every pointer argument "
             "is aligned to so many bytes.",
     .absence = "for all launches",
     .step = KeyStep::Specialise,
     .guard = "with another block, grid, argument or alignment",
     .hasParts = true,
     .read = readKnown,
     .write = writeKnown,
     .rules = knownRules},
};

} // namespace

std::span<const GrainKey> grainKeys() { return table; }

} // namespace regrain
