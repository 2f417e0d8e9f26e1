//===- Passes.cpp - The transforms as passes ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Passes.h"

#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/CoarsenThreads/CoarsenThreads.h"
#include "compiler/Transforms/DemoteShared/DemoteShared.h"
#include "compiler/Transforms/ExpandAlternatives/ExpandAlternatives.h"
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"
#include "compiler/Transforms/FuseBlocks/FuseBlocks.h"
#include "compiler/Transforms/PrivatiseShared/PrivatiseShared.h"
#include "compiler/Transforms/PromoteInLoops/PromoteInLoops.h"
#include "compiler/Transforms/RemoveBarriers/RemoveBarriers.h"
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"
#include "compiler/Transforms/SelectAlternative/SelectAlternative.h"
#include "compiler/Transforms/Specialise/Specialise.h"
#include "compiler/Transforms/SplitGuards/SplitGuards.h"
#include "compiler/Transforms/StreamStores/StreamStores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_COARSENBLOCKS
#define GEN_PASS_DEF_COARSENTHREADS
#define GEN_PASS_DEF_DEMOTESHARED
#define GEN_PASS_DEF_EXPANDALTERNATIVES
#define GEN_PASS_DEF_PROMOTEINLOOPS
#define GEN_PASS_DEF_FORWARDMEMORY
#define GEN_PASS_DEF_FUSEBLOCKS
#define GEN_PASS_DEF_PRIVATISESHARED
#define GEN_PASS_DEF_REMOVEBARRIERS
#define GEN_PASS_DEF_RESHAPEBLOCKS
#define GEN_PASS_DEF_SELECTALTERNATIVE
#define GEN_PASS_DEF_SPECIALISE
#define GEN_PASS_DEF_SPLITGUARDS
#define GEN_PASS_DEF_STREAMSTORES
#include "compiler/Transforms/Passes.h.inc"

namespace {

using Transform = llvm::function_ref<LogicalResult(grain::BlocksOp &, const Factors &, Refusal &)>;

/// Transforms every nest of the kernel, alternatives too.
LogicalResult transformAll(grain::KernelOp kernel, ArrayRef<uint32_t> given, Transform transform) {
  if (given.size() > 3 || llvm::is_contained(given, 0u))
    return kernel.emitError("expects one to three numbers of at least 1");
  Factors factors{1, 1, 1};
  llvm::copy(given, factors.begin());
  SmallVector<grain::BlocksOp> nests;
  kernel.walk([&](grain::BlocksOp nest) { nests.push_back(nest); });
  for (grain::BlocksOp nest : nests) {
    Refusal refusal;
    if (failed(transform(nest, factors, refusal)))
      emitRemark(refusal);
  }
  return success();
}

struct CoarsenBlocksPass : impl::CoarsenBlocksBase<CoarsenBlocksPass> {
  using CoarsenBlocksBase::CoarsenBlocksBase;
  void runOnOperation() override {
    auto transform = [&](grain::BlocksOp &nest, const Factors &given, Refusal &refusal) {
      return coarsenBlocks(nest, given, apart ? Edge::Apart : Edge::Inside, refusal);
    };
    if (failed(transformAll(getOperation(), factors, transform)))
      signalPassFailure();
  }
};

struct CoarsenThreadsPass : impl::CoarsenThreadsBase<CoarsenThreadsPass> {
  using CoarsenThreadsBase::CoarsenThreadsBase;
  void runOnOperation() override {
    auto transform = [&](grain::BlocksOp &nest, const Factors &given, Refusal &refusal) {
      return coarsenThreads(nest, given,
                            contiguous ? Distribution::Contiguous : Distribution::Strided, refusal);
    };
    if (failed(transformAll(getOperation(), factors, transform)))
      signalPassFailure();
  }
};

struct ForwardMemoryPass : impl::ForwardMemoryBase<ForwardMemoryPass> {
  void runOnOperation() override { forwardMemory(getOperation()); }
};

struct FuseBlocksPass : impl::FuseBlocksBase<FuseBlocksPass> {
  using FuseBlocksBase::FuseBlocksBase;
  void runOnOperation() override {
    if (failed(transformAll(getOperation(), factors, fuseBlocks)))
      signalPassFailure();
  }
};

struct ReshapeBlocksPass : impl::ReshapeBlocksBase<ReshapeBlocksPass> {
  using ReshapeBlocksBase::ReshapeBlocksBase;
  void runOnOperation() override {
    if (failed(transformAll(getOperation(), shape, reshapeBlocks)))
      signalPassFailure();
  }
};

struct SpecialisePass : impl::SpecialiseBase<SpecialisePass> {
  using SpecialiseBase::SpecialiseBase;
  void runOnOperation() override {
    std::string error;
    std::optional<GrainSpec> spec = parseGrainSpec(known, error);
    if (!spec) {
      getOperation().emitError(error);
      return signalPassFailure();
    }
    Refusal refusal;
    if (failed(specialise(getOperation(), spec->grain.known, refusal)))
      emitRemark(refusal);
  }
};

struct SplitGuardsPass : impl::SplitGuardsBase<SplitGuardsPass> {
  void runOnOperation() override {
    getOperation().walk([](grain::ThreadsOp threads) { splitGuards(threads); });
  }
};

struct DemoteSharedPass : impl::DemoteSharedBase<DemoteSharedPass> {
  void runOnOperation() override {
    Refusal refusal;
    if (failed(demoteShared(getOperation(), refusal)))
      emitRemark(refusal);
  }
};

struct StreamStoresPass : impl::StreamStoresBase<StreamStoresPass> {
  void runOnOperation() override {
    Refusal refusal;
    if (failed(streamStores(getOperation(), refusal)))
      emitRemark(refusal);
  }
};

struct ExpandAlternativesPass : impl::ExpandAlternativesBase<ExpandAlternativesPass> {
  using ExpandAlternativesBase::ExpandAlternativesBase;
  void runOnOperation() override {
    SmallVector<StringRef> pieces;
    StringRef(specs).split(pieces, ';', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    SmallVector<Grain> grains;
    for (StringRef piece : pieces) {
      std::string error;
      std::optional<GrainSpec> spec = parseGrainSpec(piece, error);
      if (!spec || spec->hasTotals()) {
        getOperation().emitError("expects factors per dimension, not '") << piece << "'";
        return signalPassFailure();
      }
      grains.push_back(spec->grain);
    }
    SmallVector<Refusal> refusals;
    if (failed(expandAlternatives(getOperation(), grains, refusals)))
      return signalPassFailure();
    for (const Refusal &refusal : refusals)
      emitRemark(refusal);
  }
};

struct PrivatiseSharedPass : impl::PrivatiseSharedBase<PrivatiseSharedPass> {
  void runOnOperation() override { privatiseShared(getOperation()); }
};

struct PromoteInLoopsPass : impl::PromoteInLoopsBase<PromoteInLoopsPass> {
  void runOnOperation() override { promoteInLoops(getOperation()); }
};

struct RemoveBarriersPass : impl::RemoveBarriersBase<RemoveBarriersPass> {
  void runOnOperation() override { removeBarriers(getOperation()); }
};

struct SelectAlternativePass : impl::SelectAlternativeBase<SelectAlternativePass> {
  using SelectAlternativeBase::SelectAlternativeBase;
  void runOnOperation() override {
    if (failed(selectAlternative(getOperation(), id)))
      signalPassFailure();
  }
};

} // namespace

#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/Passes.h.inc"

void registerTransformPasses() { registerRegrainTransformsPasses(); }

} // namespace regrain
