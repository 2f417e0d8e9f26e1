//===- grain_keys_launch.cpp - Keys of the launch ------------------------===//
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

//===-- max-resident -------------------------------------------------------===//

constexpr std::string_view maxResidentTrials[] = {"max-resident=1", "max-resident=3"};

constexpr GrainRule maxResidentRules[] = {
    {RuleOrder::Values, [](const Grain &grain) {
       auto wanted = grain.codegen.find("blocks-per-sm");
       return sayIf(maxResidentOf(grain) && wanted != grain.codegen.end() &&
                        wanted->second > maxResidentOf(grain),
                    "blocks-per-sm= spends registers on more resident blocks than max-resident= "
                    "allows");
     }}};

//===-- for ----------------------------------------------------------------===//

constexpr GrainRule knownRules[] = {
    {RuleOrder::Values,
     [](const Grain &grain) {
       uint32_t bytes = grain.known.pointers;
       return sayIf(bytes > mostAlignment || (bytes & (bytes - 1)),
                    "for.pointers can be a power of two up to 128 bytes");
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

const GrainKey table[] = {
    {.name = maxResidentKey,
     .examples = "max-resident=4",
     .help =
         "At most so many launched blocks are on a multiprocessor at a time. The code is that of "
         "the grain without this piece; the launch asks for as much shared memory as it takes, "
         "and leaves the rest to the first-level cache where the device lets it choose.",
     .absence = "as many as find room",
     .step = KeyStep::Launch,
     .targets = KeyTargets::Gpus,
     .refusedElsewhere =
         "max-resident= limits how many blocks a GPU's multiprocessor holds; the CPU has none",
     .guard = "whose blocks would need more shared memory than they can have",
     .least = 1,
     .most = 32,
     .read = readCodegen,
     .write = writeCodegen,
     .rules = maxResidentRules,
     .trials = maxResidentTrials,
     .trialPercent = 5},
    {.name = "for",
     .examples = "for.block=16x16x1 for.grid=64x64x1 for.arg2=2048 for.arg3=4n for.pointers=16 "
                 "for.aliases=none",
     .help =
         "The code is for launches in which the program's block, grid or integer argument "
         "(numbered from 0) has this value. Factors do not change this value. With `n` the "
         "argument is a multiple of the number, and with `for.pointers` every pointer argument "
         "is aligned to so many bytes. With `for.aliases=none`, the pointer arguments point into "
         "different allocations.",
     .absence = "for all launches",
     .step = KeyStep::Specialise,
     .guard =
         "with another block, grid, argument or alignment, or with arguments in one allocation",
     .hasParts = true,
     .read = readKnown,
     .write = writeKnown,
     .rules = knownRules},
};

} // namespace

std::span<const GrainKey> launchKeys() { return table; }

} // namespace regrain
