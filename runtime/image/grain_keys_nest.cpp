//===- grain_keys_nest.cpp - Keys for blocks and threads -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_key_groups.h"

#include "runtime/image/block_steps.h"
#include "runtime/image/grain_forms.h"
#include "runtime/image/grain_spec.h"
#include "runtime/image/in_step.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/slices.h"
#include "runtime/image/thread_split.h"

namespace regrain {
namespace {

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

void writeControl(const Grain &grain, const GrainKey &, KeyPieces &pieces) {
  if (grain.control)
    pieces.emplace_back(controlId);
}

//===-- variant ------------------------------------------------------------===//

std::string readVariant(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  std::string &variant = reader.spec.grain.variant;
  if (!variant.empty())
    return ": it is given twice";
  variant = piece.value;
  return variant.empty() || variantName(variant) != variant
             ? " needs the name of a kernel, such as matmul<128,3>"
             : "";
}

void writeVariant(const Grain &grain, const GrainKey &, KeyPieces &pieces) {
  if (!grain.variant.empty())
    pieces.push_back("variant=" + grain.variant);
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

void writeShape(const Grain &grain, const GrainKey &, KeyPieces &pieces) {
  if (grain.shape)
    pieces.push_back("shape=" + sizeText(*grain.shape));
}

//===-- slices -------------------------------------------------------------===//

constexpr std::string_view slicesWords[] = {"x", "y", "z", "xy", "xz", "yz", "xyz"};

constexpr GrainRule slicesRules[] = {
    {RuleOrder::Steps,
     [](const Grain &grain) {
       bool divides = grain.shape && !grain.words.contains("split");
       return sayIf(grain.words.contains("slices") && !divides,
                    "slices= needs shape=, and cannot be combined with split=");
     }},
    {RuleOrder::Launch, [](const Grain &grain) {
       bool isOther = false;
       for (unsigned d = 0; d < 3; ++d)
         isOther |= isSliced(grain, d) && grain.known.block && (*grain.known.block)[d] != 1;
       return sayIf(isOther, "for.block has several threads in a dimension of slices=");
     }}};

//===-- steps --------------------------------------------------------------===//

constexpr GrainRule stepsRules[] = {
    {RuleOrder::Steps,
     [](const Grain &grain) {
       uint32_t steps = stepsOf(grain);
       return sayIf(steps != 1 && grain.block[marchDimension(grain)] % steps != 0,
                    "steps= must divide the last block factor");
     }},
    {RuleOrder::Steps, [](const Grain &grain) {
       bool isOther = grain.remainder || grain.shared == SharedArrays::Apart;
       return sayIf(stepsOf(grain) != 1 && isOther,
                    "steps= cannot be combined with :remainder and shared=apart");
     }}};

//===-- window -------------------------------------------------------------===//

constexpr std::string_view windowWords[] = {"ahead"};

constexpr GrainRule windowRules[] = {{RuleOrder::Steps, [](const Grain &grain) {
                                        return sayIf(grain.words.contains("window") &&
                                                         stepsOf(grain) == 1,
                                                     "window=ahead needs steps=");
                                      }}};

//===-- in-step ------------------------------------------------------------===//

constexpr GrainRule inStepRules[] = {
    {RuleOrder::Steps, [](const Grain &grain) {
       auto staging = grain.words.find("staging");
       bool hasRings = staging != grain.words.end() && staging->second == "steps";
       return sayIf(inStepOf(grain) && !hasRings, "in-step= needs staging=steps");
     }}};

//===-- guards -------------------------------------------------------------===//

constexpr std::string_view guardsWords[] = {"joined"};

constexpr GrainRule guardsRules[] = {
    {RuleOrder::Steps, [](const Grain &grain) {
       bool hasInner = grain.contiguous && grain.thread[0] > 2;
       return sayIf(grain.words.contains("guards") && !hasInner,
                    "guards=joined needs a thread factor above 2 in x with :contiguous");
     }}};

//===-- iterations ---------------------------------------------------------===//

constexpr std::string_view iterationsWords[] = {"cyclic", "blocked", "2", "4", "8", "16"};
constexpr std::string_view iterationsTrials[] = {"iterations=cyclic", "iterations=blocked",
                                                 "iterations=4"};
constexpr KeyCandidate iterationsCandidates[] = {
    {iterationsTrials[0], KernelFact::DealsIterations}};

//===-- split --------------------------------------------------------------===//

constexpr std::string_view splitWords[] = {
    "4",      "8",      "16",     "32",      "4x2",    "4x4",    "4x8",    "8x2",
    "8x4",    "8x8",    "16x2",   "16x4",    "16x8",   "32x2",   "32x4",   "32x8",
    "128",    "256",    "512",    "1024",    "128x2",  "128x4",  "128x8",  "256x2",
    "256x4",  "256x8",  "512x2",  "512x4",   "512x8",  "1024x2", "1024x4", "1024x8",
    "2warps", "4warps", "8warps", "16warps", "32warps"};

constexpr GrainRule splitRules[] = {
    {RuleOrder::Steps,
     [](const Grain &grain) {
       return sayIf(grain.words.contains("split") &&
                        (!grain.shape || (*grain.shape)[0] % warpThreads != 0),
                    "split= needs shape= with a multiple of 32 threads in x");
     }},
    {RuleOrder::Steps,
     [](const Grain &grain) {
       uint32_t lanes = lanesPerThread(grain);
       return sayIf(lanes > warpThreads && grain.shape != Factors{lanes, 1, 1},
                    "split= above 32 needs shape= with so many threads in x alone");
     }},
    {RuleOrder::Steps,
     [](const Grain &grain) {
       uint32_t threads = lanesPerThread(grain) * warpThreads;
       return sayIf(splitsWarps(grain) && grain.shape != Factors{threads, 1, 1},
                    "split= with warps needs shape= with the threads of so many warps in x alone");
     }},
    {RuleOrder::Steps, [](const Grain &grain) {
       bool isRegrouped = !isOne(grain.thread) || !isOne(grain.block);
       bool isOther = grain.words.contains("staging") || grain.words.contains("exchange");
       return sayIf(grain.words.contains("split") && (isRegrouped || isOther),
                    "split= cannot be combined with block=, thread=, staging= and exchange=");
     }}};

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
    {.name = "variant",
     .examples = "variant=matmul<128,3>",
     .help =
         "The kernel that the source offers in place of the original. Other pieces then concern "
         "this kernel and its launch.",
     .absence = "the original",
     .step = KeyStep::Specialise,
     .guard = "which the source's rule leaves out, or describes in another way",
     .fields = "rule rule_results",
     .read = readVariant,
     .write = writeVariant},
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
     .help =
         "A launched thread runs this many threads of the program. They are as far apart as "
         "the launched block is wide, or, in fused blocks of known size, as one block's part of "
         "it; with `:contiguous`, they are neighbours.",
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
    {.name = "slices",
     .examples = "slices=z slices=yz",
     .help = "With `shape=`, the program's blocks have one thread in these dimensions, so that the "
             "number of a block there is that of a thread, and needs no division.",
     .absence = "blocks have any size",
     .step = KeyStep::Regroup,
     .guard = "with blocks that have several threads in these dimensions",
     .words = slicesWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = slicesRules},
    {.name = "steps",
     .examples = "steps=8",
     .help = "A launched block runs its blocks of the program in this many steps, in a loop along "
             "the last dimension with a block factor, and not all of them interleaved. What a "
             "step reads again that steps before have read stays in registers, as a sliding "
             "window. The block must have a known size in that dimension, by `for.block` or "
             "`shape`. With `shared=common`, steps carry common arrays instead, for any block.",
     .absence = "blocks are interleaved",
     .step = KeyStep::Regroup,
     .least = 2,
     .most = 1024,
     .read = readCodegen,
     .write = writeCodegen,
     .rules = stepsRules},
    {.name = "window",
     .examples = "window=ahead",
     .help = "`ahead`: with `steps=`, a step loads what the next step adds to the window before it "
             "computes, so that more loads are on their way at a time.",
     .absence = "each step loads what it needs",
     .step = KeyStep::Finish,
     .words = windowWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = windowRules},
    {.name = inStepKey,
     .examples = "in-step=256",
     .help =
         "With `staging=steps`, launched blocks wait for each other, so that they read an array "
         "nearly in the order of its addresses: a step begins when all but so many of those "
         "that lie before it have begun, step by step and in each by the numbers of launched "
         "blocks. Nothing depends on the order, and a wait ends after about a millisecond.",
     .absence = "each launched block runs its steps as it can",
     .step = KeyStep::Finish,
     .guard = "of which the device does not hold all launched blocks at once, in a capture, or for "
              "`cudaStreamPerThread`",
     .fields = "scratch_bytes scratch_offset",
     .least = 1,
     .most = 65536,
     .read = readCodegen,
     .write = writeCodegen,
     .rules = inStepRules},
    {.name = "guards",
     .examples = "guards=joined",
     .help =
         "`joined`: neighbours at the ends of a row, which a guard of the program excludes, run "
         "together with the others. They load what a neighbour loads, and store nothing. So "
         "all loads of a thread are made together, and can be wide.",
     .absence = "where a guard excludes one of the neighbours, they run one after the other",
     .step = KeyStep::Regroup,
     .words = guardsWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = guardsRules},
    {.name = "iterations",
     .examples = "iterations=cyclic iterations=blocked iterations=16",
     .help = "How the iterations of a loop over elements are distributed among threads. `cyclic`: "
             "neighbouring threads take neighbouring elements. `blocked`: a thread takes "
             "neighbouring elements. A number: where threads of a block stride through a range "
             "together, each takes so many neighbouring elements at a time.",
     .absence = "as the program distributes them",
     .step = KeyStep::Specialise,
     .words = iterationsWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = iterationsCandidates,
     .trials = iterationsTrials,
     .trialPercent = 2},
    {.name = "split",
     .examples = "split=32 split=32x4 split=256 split=8warps",
     .help = "A thread of the program is shared by this many launched threads, lanes of one warp "
             "or all threads of a block, which share the iterations of its loops. With `x4`, a "
             "lane takes 4 neighbouring iterations at a time. With `warps`, each of them is in "
             "another warp: a block of so many warps runs one warp of the program. It needs "
             "`shape=`, which counts launched threads.",
     .absence = "a thread is not shared",
     .step = KeyStep::Regroup,
     .guard = "with blocks whose width is no multiple of 32, if it says `warps`",
     .words = splitWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = splitRules},
};

} // namespace

std::span<const GrainKey> nestKeys() { return table; }

} // namespace regrain
