//===- Passes.td - The transforms as passes ----------------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.td"
include "compiler/Transforms/CoarsenThreads/CoarsenThreads.td"
include "compiler/Transforms/DemoteShared/DemoteShared.td"
include "compiler/Transforms/ExpandAlternatives/ExpandAlternatives.td"
include "compiler/Transforms/PromoteInLoops/PromoteInLoops.td"
include "compiler/Transforms/ForwardMemory/ForwardMemory.td"
include "compiler/Transforms/FuseBlocks/FuseBlocks.td"
include "compiler/Transforms/PrivatiseShared/PrivatiseShared.td"
include "compiler/Transforms/RemoveBarriers/RemoveBarriers.td"
include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.td"
include "compiler/Transforms/SelectAlternative/SelectAlternative.td"
include "compiler/Transforms/Specialise/Specialise.td"
include "compiler/Transforms/SplitGuards/SplitGuards.td"
include "compiler/Transforms/StreamStores/StreamStores.td"
