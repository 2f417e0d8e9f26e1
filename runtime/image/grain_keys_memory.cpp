//===- grain_keys_memory.cpp - Keys for memory ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_key_groups.h"

#include "runtime/image/block_steps.h"
#include "runtime/image/grain_forms.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/ring_form.h"
#include "runtime/image/thread_split.h"

namespace regrain {
namespace {

//===-- shared, stores, addresses ------------------------------------------===//

constexpr std::string_view sharedWords[] = {"apart", "global", "common"};
constexpr std::string_view storesWords[] = {"nontemporal"};
constexpr std::string_view addressesWords[] = {"indexed", "wide"};
constexpr std::string_view banksWords[] = {"padded"};
constexpr std::string_view exchangeWords[] = {"warp", "levels"};
constexpr std::string_view stagingWords[] = {"shared", "loops", "transposed", "steps"};
constexpr std::string_view copiesWords[] = {"bulk"};
constexpr std::string_view rowsWords[] = {"registers", "8", "16", "24", "32", "48", "64"};
constexpr std::string_view sharedTrials[] = {"shared=global"};
constexpr std::string_view storesTrials[] = {"stores=nontemporal"};
constexpr KeyCandidate sharedCandidates[] = {{sharedTrials[0], KernelFact::HasSharedArrays}};
constexpr KeyCandidate storesCandidates[] = {{storesTrials[0], KernelFact::StreamsStores}};
constexpr KeyCandidate addressesCandidates[] = {{"addresses=indexed", KernelFact::ChoosesAddresses},
                                                {"addresses=wide", KernelFact::ChoosesAddresses}};

constexpr std::string_view banksTrials[] = {"banks=padded"};
constexpr std::string_view exchangeTrials[] = {"exchange=warp", "exchange=levels"};
constexpr std::string_view stagingTrials[] = {"staging=shared", "staging=transposed",
                                              "staging=loops"};
constexpr std::string_view rowsTrials[] = {"rows=registers"};
constexpr KeyCandidate banksCandidates[] = {{banksTrials[0], KernelFact::ConflictsInBanks}};
constexpr KeyCandidate exchangeCandidates[] = {{exchangeTrials[0], KernelFact::ExchangesInWarps},
                                               {exchangeTrials[1], KernelFact::ExchangesInWarps}};
constexpr KeyCandidate stagingCandidates[] = {{stagingTrials[0], KernelFact::SharesFootprint},
                                              {stagingTrials[1], KernelFact::TransposesAccesses},
                                              {stagingTrials[2], KernelFact::StagesLoops}};
constexpr KeyCandidate rowsCandidates[] = {{rowsTrials[0], KernelFact::RereadsRows}};

constexpr GrainRule rowsRules[] = {{RuleOrder::Steps, [](const Grain &grain) {
                                      return sayIf(keptElements(grain) != 0 &&
                                                       !grain.words.contains("split"),
                                                   "rows= with a number needs split=");
                                    }}};

// Rings are made before arrays of the program are changed, which would change them as well.
constexpr GrainRule stagingRules[] = {
    {RuleOrder::Parts, [](const Grain &grain) {
       auto staging = grain.words.find("staging");
       bool hasRings = staging != grain.words.end() && staging->second == "steps";
       bool keepsArrays = !grain.words.contains("banks") && !grain.words.contains("exchange") &&
                          grain.shared != SharedArrays::Common &&
                          grain.shared != SharedArrays::Global;
       bool hasSteps = stepsOf(grain) != 1 && !grain.words.contains("window");
       return sayIf(hasRings && !(keepsArrays && hasSteps),
                    "staging=steps needs steps=, and cannot be combined with window=, banks=, "
                    "exchange=, shared=common and shared=global");
     }}};

constexpr GrainRule copiesRules[] = {
    {RuleOrder::Parts, [](const Grain &grain) {
       auto staging = grain.words.find("staging");
       bool hasTiles = staging != grain.words.end() && staging->second != "transposed";
       return sayIf(grain.words.contains("copies") && !hasTiles,
                    "copies=bulk needs staging=shared, staging=loops or staging=steps");
     }}};

bool hasRings(const Grain &grain) {
  auto staging = grain.words.find("staging");
  return staging != grain.words.end() && staging->second == "steps";
}

constexpr GrainRule stagesRules[] = {
    {RuleOrder::Parts, [](const Grain &grain) {
       return sayIf(planesAhead(grain) != 1 && !(hasRings(grain) && grain.words.contains("copies")),
                    "stages= needs staging=steps and copies=bulk");
     }}};

constexpr GrainRule dynamicSharedRules[] = {{RuleOrder::Parts, [](const Grain &grain) {
                                               return sayIf(dynamicSharedOf(grain) &&
                                                                !hasRings(grain),
                                                            "dynamic-shared= needs staging=steps");
                                             }}};

constexpr GrainRule sharedRules[] = {
    {RuleOrder::Parts,
     [](const Grain &grain) {
       return sayIf(grain.shared == SharedArrays::Apart && isOne(grain.block),
                    "shared=apart needs a block factor above 1");
     }},
    {RuleOrder::Parts, [](const Grain &grain) {
       return sayIf(grain.shared == SharedArrays::Common && isOne(grain.block),
                    "shared=common needs a block factor above 1");
     }}};

constexpr GrainRule banksRules[] = {
    {RuleOrder::Parts, [](const Grain &grain) {
       return sayIf(grain.shared == SharedArrays::Global && grain.words.contains("banks"),
                    "banks=padded and shared=global cannot be combined: global memory has no such "
                    "banks");
     }}};

std::string readShared(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readWord(reader.spec.grain.shared, piece.value, KeyWords(sharedWords),
                  ": shared is given twice", ": shared memory can be apart, global or common");
}

std::string readStores(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readWord(reader.spec.grain.nontemporal, piece.value, KeyWords(storesWords),
                  ": it is given twice", ": stores can be nontemporal");
}

std::string readAddresses(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  return readWord(reader.spec.grain.addresses, piece.value, KeyWords(addressesWords),
                  ": it is given twice", ": addresses can be indexed or wide");
}

const GrainKey table[] = {
    {.name = "shared",
     .examples = "shared=apart shared=global shared=common",
     .help = "Where shared arrays lie. `apart`: the static arrays of joined blocks are separate "
             "variables. `global`: all static arrays lie in global memory, so that they do not "
             "limit how many blocks are resident. `common`: joined blocks accumulate by atomic "
             "operations in the same arrays, which are cleared once, and added to global memory "
             "once.",
     .absence = "in shared memory, in one piece",
     .step = KeyStep::Finish,
     .fields = "scratch_bytes scratch_offset",
     .read = readShared,
     .write =
         [](const Grain &grain, const GrainKey &key, KeyPieces &pieces) {
           writeWord(grain.shared, key, KeyWords(sharedWords), pieces);
         },
     .rules = sharedRules,
     .candidates = sharedCandidates,
     .trials = sharedTrials,
     .trialPercent = 25},
    {.name = "banks",
     .examples = "banks=padded",
     .help = "How rows of static shared arrays lie. `padded`: each row is followed by unused bytes "
             "where threads of a warp would otherwise wait for the same bank.",
     .absence = "as the program declares them",
     .step = KeyStep::Finish,
     .words = banksWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = banksRules,
     .candidates = banksCandidates,
     .trials = banksTrials,
     .trialPercent = 3},
    {.name = "exchange",
     .examples = "exchange=warp exchange=levels",
     .help = "How threads of one warp hand values to each other. `warp`: in registers and by "
             "shuffles instead of through shared memory, without barriers. `levels`: the same, but "
             "warps exchange values with other warps through shared memory. The launched block "
             "must be known.",
     .absence = "as the program does",
     .step = KeyStep::Finish,
     .words = exchangeWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .candidates = exchangeCandidates,
     .trials = exchangeTrials,
     .trialPercent = 3},
    {.name = "staging",
     .examples = "staging=shared staging=loops staging=transposed staging=steps",
     .help =
         "`shared`: elements of global memory that several threads of a block read are first "
         "copied into shared memory. `loops`: the same in loops, for some iterations at a time, "
         "while the block works on the iterations before. `transposed`: where neighbouring "
         "threads access distant elements, threads of a block access them for each other, in the "
         "order of addresses, and hand each other the values in shared memory. `steps`: with "
         "`steps=`, what a step adds to what steps before have read is copied into a ring of "
         "planes "
         "in shared memory, while the block works on the step before. The block must be known, by "
         "`for.block` or `shape`.",
     .absence = "each thread accesses global memory itself",
     .step = KeyStep::Finish,
     .words = stagingWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = stagingRules,
     .candidates = stagingCandidates,
     .trials = stagingTrials,
     .trialPercent = 3},
    {.name = "copies",
     .examples = "copies=bulk",
     .help =
         "How `staging=shared`, `staging=loops` and `staging=steps` copy. `bulk`: one thread "
         "copies a row of a tile at once. Rows must be known to begin at multiples of 16 bytes, by "
         "`for.pointers` and `for.argN`. From compute capability 9.0 on, such a copy is one "
         "instruction; before, it is a loop.",
     .absence = "each thread copies elements, up to 16 bytes at a time",
     .step = KeyStep::Finish,
     .words = copiesWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = copiesRules},
    {.name = stagesKey,
     .examples = "stages=3",
     .help = "With `staging=steps` and `copies=bulk`, so many planes are in work at a time, beside "
             "those that a step reads again: the newest of them is read, and the others are copied "
             "ahead.",
     .absence = "2: one plane is copied ahead",
     .step = KeyStep::Finish,
     .least = 3,
     .most = 8,
     .read = readCodegen,
     .write = writeCodegen,
     .rules = stagesRules},
    {.name = dynamicSharedKey,
     .examples = "dynamic-shared=96",
     .help = "With `staging=steps`, the rings lie in dynamic shared memory, of which a launched "
             "block gets so many KiB. That may be more than the 48 KiB of static arrays. The "
             "program uses none itself.",
     .absence = "the rings are static arrays",
     .step = KeyStep::Finish,
     .guard = "on devices of which a block cannot have so much shared memory",
     .least = 1,
     .most = 227,
     .read = readCodegen,
     .write = writeCodegen,
     .rules = dynamicSharedRules},
    {.name = "rows",
     .examples = "rows=registers rows=32",
     .help = "`registers`: what a thread reads again from global memory in later loops stays in "
             "registers, over barriers as well. These loops are unrolled, so the block and the "
             "lengths of rows must be known, as by `for.block` and `for.argN`. A number: with "
             "`split=`, a lane keeps so many elements of each row that later loops read again, "
             "and reads the rest from memory, however long rows are.",
     .absence = "each loop reads global memory",
     .step = KeyStep::Specialise,
     .words = rowsWords,
     .read = readTargetWord,
     .write = writeTargetWord,
     .rules = rowsRules,
     .candidates = rowsCandidates,
     .trials = rowsTrials,
     .trialPercent = 3},
    {.name = "stores",
     .examples = "stores=nontemporal",
     .help = "Stores of values that the launch does not read bypass the caches on AMD GPUs; on "
             "NVIDIA's, they are streaming stores.",
     .absence = "as the program stores",
     .step = KeyStep::Finish,
     .targets = KeyTargets::Gpus,
     .read = readStores,
     .write =
         [](const Grain &grain, const GrainKey &key, KeyPieces &pieces) {
           writeWord(grain.nontemporal, key, KeyWords(storesWords), pieces);
         },
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
         [](const Grain &grain, const GrainKey &key, KeyPieces &pieces) {
           writeWord(grain.addresses, key, KeyWords(addressesWords), pieces);
         },
     .candidates = addressesCandidates},
};

} // namespace

std::span<const GrainKey> memoryKeys() { return table; }

} // namespace regrain
