//===- InlineAssemblyTests.cpp - Parsing of inline PTX --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/InlineAssembly.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "gtest/gtest.h"

using namespace regrain;

namespace {

class InlineAssembly : public testing::Test {
protected:
  const llvm::InlineAsm &assembly(const char *text) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    return *llvm::InlineAsm::get(type, text, "", /*hasSideEffects=*/true);
  }
  std::string foreign(const char *text) { return findForeignOpcode(assembly(text)); }
  bool ofOneThread(const char *text) { return concernsOneThread(assembly(text)); }

  llvm::LLVMContext context;
};

TEST_F(InlineAssembly, WhatStaysOnTheDeviceIsNotForeign) {
  for (const char *text :
       {"", ";", "membar.gl;", "atom.global.add.u32 $0, [$1], $2;", "bar.sync 0;",
        "{ .reg .pred p;\n setp.ne.s32 p, $0, 0;\n@p bra again;\n again: st.u32 [$1], $0; }",
        "again:st.u32 [$1], $0;", "@!p trap;", "mov.u64 $0, %clock64;",
        "vadd4.u32.u32.u32 $0, $1, $2, $3;", "ld.global.v4.u32 {$0, $1, $2, $3}, [$4];",
        "mma.sync.aligned.m8n8k4 {$0}, {$1}, {$2};", "// call f;\nadd.u32 $0, $1, $2;",
        "add.u32 $0, /* sys; */ $1, $2;", "cp.async.wait_all;"})
    EXPECT_EQ(foreign(text), "") << text;
}

TEST_F(InlineAssembly, WhatLeavesTheDeviceIsForeign) {
  EXPECT_EQ(foreign("membar.sys;"), "membar.sys");
  EXPECT_EQ(foreign("add.u32 $0, $1, $2; fence.acq_rel.sys;"), "fence.acq_rel.sys");
  EXPECT_EQ(foreign("@p atom.sys.add.u32 $0, [$1], $2;"), "atom.sys.add.u32");
  EXPECT_EQ(foreign("st.mmio.relaxed.sys.u32 [$0], $1;"), "st.mmio.relaxed.sys.u32");
  EXPECT_EQ(foreign("{ call (r), vprintf, (a, b); }"), "call");
  EXPECT_EQ(foreign("label: brkpt;"), "brkpt");
  EXPECT_EQ(foreign("/* closed */ newer.thing $0;"), "newer.thing");
  EXPECT_EQ(foreign("add.u32 $0, $1, $2; // end\nmultimem.st.u32 [$0], $1;"), "multimem.st.u32");
}

TEST_F(InlineAssembly, TexturesAndSurfacesAreAccessesOfOneThread) {
  for (const char *text :
       {"tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];",
        "tld4.r.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];",
        "suld.b.1d.b32.trap {$0}, [$1, {$2}];", "sust.b.1d.b32.trap [$0, {$1}], {$2};"}) {
    EXPECT_EQ(foreign(text), "") << text;
    EXPECT_TRUE(ofOneThread(text)) << text;
  }
  EXPECT_TRUE(onlyReadsTextures(assembly("tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}];")));
  EXPECT_FALSE(onlyReadsTextures(assembly("suld.b.1d.b32.trap {$0}, [$1, {$2}];")));
  EXPECT_FALSE(onlyReadsTextures(
      assembly("ld.u64 $0, [$0]; tex.1d.v4.f32.s32 {$1, $2, $3, $4}, [$0, {$5}];")));
  EXPECT_FALSE(onlyReadsTextures(assembly("")));
  EXPECT_TRUE(writesSurface(assembly("@p sust.b.1d.b32.trap [$0, {$1}], {$2};")));
  EXPECT_FALSE(writesSurface(assembly("suld.b.1d.b32.trap {$0}, [$1, {$2}]; st.u32 [$3], $0;")));
}

TEST_F(InlineAssembly, CommentsThatAreNotClosedEndTheText) {
  EXPECT_EQ(foreign("membar.gl; /* brkpt;"), "");
  EXPECT_EQ(foreign("membar.gl; // brkpt;"), "");
  EXPECT_EQ(foreign("/*/ brkpt;"), "");
}

TEST_F(InlineAssembly, WhatOneThreadRunsForItself) {
  EXPECT_TRUE(ofOneThread("@p add.u32 $0, $1, $2;"));
  EXPECT_TRUE(ofOneThread("{ .reg .pred p; setp.ne.s32 p, $0, 0; }"));
  EXPECT_FALSE(ofOneThread("bar.sync 0;"));
  EXPECT_FALSE(ofOneThread("skip: bra skip;"));
  EXPECT_FALSE(ofOneThread("ld.volatile.u32 $0, [$1];"));
  EXPECT_FALSE(ofOneThread("add.u32 $0, $1, $2; // sum"));
}

TEST_F(InlineAssembly, WhatDependsOnItsOperandsAlone) {
  auto computes = [&](const char *text, bool hasSideEffects = false) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    return onlyComputes(*llvm::InlineAsm::get(type, text, "", hasSideEffects));
  };
  EXPECT_TRUE(computes("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;"));
  EXPECT_TRUE(computes("{ .reg .pred p; setp.ne.s32 p, $1, 0; selp.u32 $0, 1, 2, p; }"));
  EXPECT_FALSE(computes("cvt.f32.f16 $0, $1;", /*hasSideEffects=*/true));
  EXPECT_FALSE(computes("ld.global.nc.u32 $0, [$1];"));
  EXPECT_FALSE(computes("mov.u32 $0, %laneid;"));
  EXPECT_FALSE(computes("mov.u64 $0, %clock64;"));
  EXPECT_FALSE(computes("shfl.sync.idx.b32 $0, $1, 0, 31, -1;"));
  EXPECT_FALSE(computes("add.cc.u32 $0, $1, $2;"));
  EXPECT_FALSE(computes("addc.u32 $0, $1, $2;"));
}

TEST_F(InlineAssembly, QualifiedOpcodesOfOneThreadAreThoseOfItsBlock) {
  EXPECT_TRUE(ofOneThread("ld.global.L1::no_allocate.u32 $0, [$1];"));
  EXPECT_TRUE(ofOneThread("@p ld.global.L2::128B.v2.u32 {$0, $1}, [$2];"));
  EXPECT_TRUE(ofOneThread("st.shared::cta.u32 [$0], $1;"));
  EXPECT_FALSE(ofOneThread("ld.shared::cluster.u32 $0, [$1];"));
  EXPECT_FALSE(ofOneThread("@p ld.shared::cluster.u32 $0, [$1];"));
}

TEST_F(InlineAssembly, WhatTheLanesOfAWarpRunTogether) {
  EXPECT_TRUE(concernsWarp(assembly("shfl.sync.idx.b32 $0, $1, 0, 31, -1;")));
  EXPECT_TRUE(concernsWarp(assembly("mov.u32 $0, %laneid; add.u32 $0, $0, 1;")));
  EXPECT_FALSE(concernsWarp(assembly("exit;")));
  EXPECT_FALSE(concernsWarp(assembly("mov.u32 $0, %warpid;")));
  EXPECT_FALSE(concernsWarp(assembly("vote.sync.any.pred p, q, -1; bar.sync 1;")));
}

TEST_F(InlineAssembly, ProductsOfWarpgroupsReadSharedMemory) {
  auto multiplies = [&](const char *text) { return multipliesFromSharedMemory(assembly(text)); };
  EXPECT_TRUE(multiplies("wgmma.fence.sync.aligned;"));
  EXPECT_TRUE(multiplies("{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned."
                         "m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, $4, $5, p, 1, 1; }"));
  EXPECT_TRUE(multiplies("fence.proxy.async.shared::cta;"));
  EXPECT_FALSE(multiplies("add.u32 $0, $1, $2;"));
  EXPECT_FALSE(multiplies(""));
  EXPECT_FALSE(multiplies("fence.proxy.async;"));
  EXPECT_FALSE(multiplies("fence.proxy.async.global;"));
  EXPECT_FALSE(multiplies("wgmma.fence.sync.aligned; st.global.u32 [$0], $1;"));
  EXPECT_FALSE(multiplies("wgmma.fence.sync.aligned; bar.sync 1;"));
  EXPECT_FALSE(multiplies("wgmma.fence.sync.aligned; mov.u32 $0, %warpid;"));
  EXPECT_FALSE(multiplies("wgmma.fence.sync.aligned; // begin"));
}

TEST_F(InlineAssembly, WhatStaysInSharedMemory) {
  auto stays = [&](const char *text) { return staysInSharedMemory(assembly(text)); };
  EXPECT_TRUE(stays("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                    "[$1], 0; selp.u32 $0, 1, 0, p; }"));
  EXPECT_TRUE(stays("LOOP: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; @!p bra LOOP;"));
  EXPECT_TRUE(stays("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [$0], $1, [$2];"));
  EXPECT_TRUE(stays("ld.volatile.shared.u32 $0, [$1];"));
  EXPECT_TRUE(stays("mapa.u64 $0, $1, $2;"));
  EXPECT_TRUE(stays("fence.mbarrier_init.release.cluster;"));
  EXPECT_TRUE(stays("wgmma.fence.sync.aligned;"));
  EXPECT_FALSE(stays("ld.volatile.u32 $0, [$1];")) << "of any memory";
  EXPECT_FALSE(stays("mbarrier.arrive.b64 s, [$0]; st.global.u32 [$1], $2;"));
  EXPECT_FALSE(stays("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], "
                     "[$1], 16, [$2];"))
      << "it reads global memory";
  EXPECT_FALSE(stays("atom.add.u32 $0, [$1], 1;"));
  EXPECT_TRUE(stays("barrier.cluster.arrive.release.aligned;"));
  EXPECT_TRUE(stays("mov.u32 $0, %cluster_ctarank;"));
  EXPECT_TRUE(mapsToCluster(assembly("mapa.u64 $0, $1, $2;")));
  EXPECT_FALSE(mapsToCluster(assembly("mapa.u64 a, $1, $2; ld.shared::cluster.u64 $0, [a];")))
      << "any address may lie there";
  EXPECT_FALSE(stays("ld.shared.u32 $0, [$1]; // st.global"));
  EXPECT_FALSE(stays("add.u32 $0, $1, $2;")) << "no access";
}

TEST_F(InlineAssembly, AsynchronousCopiesReadTheirSecondOperand) {
  auto copies = [&](const char *text) { return copiesAsynchronously(assembly(text)); };
  EXPECT_TRUE(copies("cp.async.cg.shared.global [$0], [$1], 16;"));
  EXPECT_TRUE(copies("cp.async.ca.shared::cta.global.L2::128B [$0], [$1], 8, $2;"));
  EXPECT_TRUE(copies("cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, $2;"));
  EXPECT_FALSE(copies("cp.async.cg.shared.global [$1], [$0], 16;"));
  EXPECT_FALSE(copies("cp.async.cg.shared.global [$0], [$1+16], 16;"));
  EXPECT_FALSE(copies("cp.async.cg.shared.global [$0], [$1], 16; st.global.u32 [$1], $2;"));
  EXPECT_FALSE(copies("@p cp.async.cg.shared.global [$0], [$1], 16;"));
  EXPECT_FALSE(copies("cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], 16;"));
  EXPECT_FALSE(copies("cp.async.cg.shared::cluster.global [$0], [$1], 16;"));
  EXPECT_FALSE(copies("cp.async.wait_all;"));
}

TEST_F(InlineAssembly, WhatHoldsWithinABlock) {
  EXPECT_TRUE(isOfBlockScope(assembly("membar.cta;")));
  EXPECT_TRUE(isOfBlockScope(assembly("add.u32 $0, $0, 1; @p atom.cta.add.u32 $0, [$1], 1;")));
  EXPECT_FALSE(isOfBlockScope(assembly("membar.gl;")));
  EXPECT_FALSE(isOfBlockScope(assembly("atom.add.u32 $0, [$1], 1;")));
}

} // namespace
