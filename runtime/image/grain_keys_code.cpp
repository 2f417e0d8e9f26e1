//===- grain_keys_code.cpp - Keys of code generators ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_key_groups.h"

#include "runtime/image/grain_forms.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/max_resident.h"

namespace regrain {
namespace {

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

void writeBound(const Grain &grain, const GrainKey &, KeyPieces &pieces) {
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

constexpr std::string_view unrollWords[] = {"full", "none", "search", "2", "4", "8"};
constexpr std::string_view branchesWords[] = {"predicated"};
constexpr std::string_view unrollTrials[] = {"unroll=full", "unroll=none", "unroll=search",
                                             "unroll=4"};
constexpr std::string_view branchesTrials[] = {"branches=predicated"};
constexpr std::string_view blocksPerSmTrials[] = {"blocks-per-sm=1", "blocks-per-sm=2"};
constexpr std::string_view assemblerTrials[] = {"assembler=O1", "assembler=O2"};
constexpr KeyCandidate unrollCandidates[] = {{"unroll=full", KernelFact::HasShortLoops},
                                             {"unroll=search", KernelFact::HasSearches},
                                             {"unroll=4", KernelFact::HasOtherLoops},
                                             {"unroll=8", KernelFact::HasOtherLoops},
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
constexpr std::string_view arithmeticWords[] = {"packed"};
constexpr std::string_view arithmeticTrials[] = {"arithmetic=packed"};
constexpr KeyCandidate arithmeticCandidates[] = {
    {arithmeticTrials[0], KernelFact::PairsArithmetic}};
constexpr std::string_view sumsWords[] = {"reassociated"};
constexpr KeyCandidate sumsCandidates[] = {{"sums=reassociated", KernelFact::SumsInLoops}};
constexpr std::string_view assemblerWords[] = {"O1", "O2"};
constexpr std::string_view compilerWords[] = {"nvcc"};

/// The vendor's compiler takes the source, so what Regrain does to a kernel has no effect. Its code
/// is in the base module, which is assembled at one level.
constexpr GrainRule compilerRules[] = {
    {RuleOrder::Whole, [](const Grain &grain) {
       if (!grain.words.contains("compiler"))
         return std::string();
       Grain rest = grain;
       rest.words.erase("compiler");
       rest.codegen.erase("registers");
       return sayIf(!withAnyResidents(std::move(rest)).isOriginal(),
                    "compiler= can only be combined with registers= and max-resident=");
     }}};

const GrainKey table[] = {
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
     .examples = "unroll=full unroll=none unroll=search unroll=4",
     .help = "How loops are unrolled for which the program says nothing. `full`: completely, if "
             "the number of iterations is known and at most 2048 instructions result. `none`: not "
             "at all. `search`: a loop that looks for an element loads those of a line of 64 bytes "
             "together. A number: so many iterations at a time, if not completely.",
     .absence = "about as far as nvcc unrolls",
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
    {.name = "arithmetic",
     .examples = "arithmetic=packed",
     .help = "`packed`: one instruction converts two neighbouring 8-bit floating-point numbers.",
     .absence = "as the program converts",
     .step = KeyStep::Generate,
     .targets = KeyTargets::Nvidia,
     .words = arithmeticWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = arithmeticCandidates,
     .trials = arithmeticTrials,
     .trialPercent = 5},
    {.name = "sums",
     .examples = "sums=reassociated",
     .help = "`reassociated`: sums of floating-point numbers in loops, and in trees at which "
             "neighbours exchange, are formed in another order, so that results differ by "
             "rounding. It needs `--reassociate`.",
     .absence = "in the program's order",
     .step = KeyStep::Generate,
     .words = sumsWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = sumsCandidates},
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
};

} // namespace

std::span<const GrainKey> codeKeys() { return table; }

} // namespace regrain
