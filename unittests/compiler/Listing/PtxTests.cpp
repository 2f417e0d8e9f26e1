//===- PtxTests.cpp - What is read in Ptx ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Ptx.h"

#include "unittests/compiler/Listing/MeaningCases.h"

using namespace regrain::listing;

namespace {

class PtxMeaning : public testing::TestWithParam<MeaningCase> {};

TEST_P(PtxMeaning, IsThatOfTheManual) {
  EXPECT_EQ(describe(meaningInPtx(GetParam().text)), GetParam().meaning);
}

constexpr MeaningCase cases[] = {
    {"ld.global.f32 %f1, [%rd4]", "global load 32"},
    {"ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]", "global load 128 nc"},
    {"ld.global.L1::no_allocate.L2::128B.v2.b64 {%rd1, %rd2}, [%rd4]",
     "global load 128 L1::no_allocate.L2::128B"},
    {"ld.global.cs.u8 %rs1, [%rd4]", "global load 8 cs"},
    {"ld.volatile.shared.u16 %rs1, [%r1]", "shared load 16 volatile"},
    {"ld.shared::cluster.b32 %r1, [%r2]", "shared load 32"},
    {"ld.acquire.gpu.global.b32 %r1, [%rd1]", "global load 32 acquire"},
    {"ld.param.u64 %rd1, [scale_param_0]", "parameter load 64"},
    {"ld.const.f64 %fd1, [table+8]", "constant load 64"},
    {"ld.local.v2.f32 {%f1, %f2}, [%rd1]", "local load 64"},
    {"ld.u32 %r1, [%rd1]", "generic load 32"},
    {"st.global.wt.v2.f32 [%rd4], {%f1, %f2}", "global store 64 wt"},
    {"st.shared.v4.b32 [%r1], {%r2, %r3, %r4, %r5}", "shared store 128"},
    {"@%p1 st.global.f16x2 [%rd4], %r1", "global store 32"},
    {"atom.global.add.f32 %f1, [%rd1], %f2", "global atomic 32"},
    {"atom.acq_rel.gpu.shared.cas.b64 %rd1, [%r1], %rd2, %rd3", "shared atomic 64 acq_rel"},
    {"red.relaxed.sys.global.add.u32 [%rd1], %r1", "global atomic 32 relaxed"},
    {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16", "global copy 128 cg.L2::128B"},
    {"cp.async.ca.shared.global [%r1], [%rd1], 4, %r2", "global copy 32 ca"},
    {"cp.async.wait_group 0", ""},
    {"cp.async.commit_group", ""},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]", ""},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3]",
     "global copy 0 bulk"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5]", "shared load 128"},
    {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r1}, [%r5]", "shared load 32"},
    {"prefetch.global.L2 [%rd1]", "global prefetch 0 L2"},
    {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r2}]", "texture load 0"},
    {"bar.sync 0", "barrier"},
    {"barrier.sync.aligned 0", "barrier"},
    {"bar.warp.sync -1", ""},
    {"@%p1 bra $L__BB0_2", "branch"},
    {"bra.uni $L__BB0_2", "branch"},
    {"fma.rn.f32 %f1, %f2, %f3, %f4", "fma"},
    {"mad.lo.s32 %r1, %r2, %r3, %r4", ""},
    {"ret", ""},
    {"mov.u32 %r1, %tid.x", ""},
};

INSTANTIATE_TEST_SUITE_P(Listing, PtxMeaning, testing::ValuesIn(cases));

constexpr const char *text = R"(
//
.version 8.3
.target sm_90
.address_size 64
.global .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;

.visible .entry scale(
	.param .u64 .ptr .align 1 scale_param_0,
	.param .u32 scale_param_1
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<6>;
	.loc	1 4 0
$L__func_begin0:
	.loc	1 4 0

// %bb.0:
	ld.param.u32 	%r2, [scale_param_1];
	.loc	1 6 9
	@%p1 bra 	$L__BB0_2;
	.loc	1 7 11, function_name $L__info_string1, inlined_at 1 6 3
	{ // callseq 0, 0
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd1;
	call.uni (retval0), 
	vprintf, 
	(
	param0
	);
	} // callseq 0
	// begin inline asm
	{ mul.f32 %f1, %f2, %f3; fma.rn.f32 %f1, %f1, %f2, %f3; }
	// end inline asm
$L__BB0_2: ret;
$L__func_end0:
}
.func helper() { ret; }
	.file	1 "/src/scale.cu"
	.section .debug_loc { }
)";

TEST(PtxText, FunctionsHaveTheirInstructionsWithLines) {
  Listings found = parsePtx(text);
  ASSERT_EQ(found.size(), 2u);
  std::string all;
  for (const Instruction &each : found.at("scale").instructions)
    all += std::to_string(each.where.line) + " " + each.text + "\n";
  EXPECT_EQ(all, "4 ld.param.u32 %r2, [scale_param_1]\n"
                 "6 @%p1 bra $L__BB0_2\n"
                 "7 st.param.b64 [param0+0], %rd1\n"
                 "7 call.uni (retval0), vprintf, ( param0 )\n"
                 "7 mul.f32 %f1, %f2, %f3\n"
                 "7 fma.rn.f32 %f1, %f1, %f2, %f3\n"
                 "7 ret\n");
  EXPECT_EQ(found.at("scale").instructions.front().where.file, "/src/scale.cu");
  EXPECT_TRUE(found.at("scale").hasLines());
  EXPECT_EQ(found.at("helper").instructions.size(), 1u);
  EXPECT_FALSE(found.at("helper").hasLines());
}

TEST(PtxText, EqualAccessesAreCountedTogether) {
  Listings found = parsePtx(".visible .entry k()\n{\n"
                            "\tld.global.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd1];\n"
                            "\tld.global.v4.b32 \t{%r1, %r2, %r3, %r4}, [%rd2];\n"
                            "\tld.global.f32 \t%f5, [%rd1];\n\tbar.sync \t0;\n\tret;\n}\n");
  AccessCounts counts = countAccesses(found.at("k"));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.at({Space::Global, Kind::Load, 32, ""}).count, 1u);
  const AccessCount &wide = counts.at({Space::Global, Kind::Load, 128, ""});
  EXPECT_EQ(wide.count, 2u);
  EXPECT_EQ(wide.opcodes, (std::set<std::string>{"ld.global.v4.b32", "ld.global.v4.f32"}));
  Totals totals = totalsOf(found.at("k"));
  EXPECT_EQ(totals.instructions, 5u);
  EXPECT_EQ(totals.barriers, 1u);
  EXPECT_EQ(totals.branches, 0u);
}

TEST(PtxText, DamagedTextIsNoError) {
  for (const char *text : {"", "{", "}", "}}", ".entry", ".entry k(", ".visible .entry k() {", ";",
                           ".loc", ".file 1 \"x", ".entry k() { a", "k: {}"})
    EXPECT_LE(parsePtx(text).size(), 1u) << text;
}

} // namespace
