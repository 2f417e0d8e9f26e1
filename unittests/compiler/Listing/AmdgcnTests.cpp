//===- AmdgcnTests.cpp - What is read in Amdgcn ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Amdgcn.h"

#include "unittests/compiler/Listing/MeaningCases.h"

using namespace regrain::listing;

namespace {

class AmdgcnMeaning : public testing::TestWithParam<MeaningCase> {};

TEST_P(AmdgcnMeaning, IsThatOfTheManual) {
  EXPECT_EQ(describe(meaningInAmdgcn(GetParam().text)), GetParam().meaning);
}

constexpr MeaningCase cases[] = {
    {"global_load_dword v1, v0, s[2:3]", "global load 32"},
    {"global_load_dwordx4 v[0:3], v4, s[2:3] offset:16", "global load 128"},
    {"global_load_dwordx2 v[0:1], v4, s[2:3] glc slc", "global load 64 glc slc"},
    {"global_load_ubyte v0, v4, s[2:3]", "global load 8"},
    {"global_load_short_d16_hi v0, v4, s[2:3]", "global load 16"},
    {"global_load_b128 v[0:3], v4, s[2:3]", "global load 128"},
    {"global_load_d16_b16 v0, v4, s[2:3]", "global load 16"},
    {"global_load_u8 v0, v4, s[2:3]", "global load 8"},
    {"global_store_dwordx3 v0, v[1:3], s[2:3]", "global store 96"},
    {"global_store_b64 v0, v[1:2], s[2:3] th:TH_STORE_NT", "global store 64 th:TH_STORE_NT"},
    {"global_store_dword v0, v1, s[2:3] nt sc0", "global store 32 nt sc0"},
    {"flat_load_dword v0, v[0:1]", "generic load 32"},
    {"scratch_store_dwordx2 off, v[0:1], s32", "local store 64"},
    {"buffer_load_dword v0, off, s[0:3], 0 offset:4", "local load 32"},
    {"ds_read_b32 v0, v1", "shared load 32"},
    {"ds_read2_b32 v[0:1], v2 offset1:1", "shared load 64"},
    {"ds_read2st64_b64 v[0:3], v2 offset1:1", "shared load 128"},
    {"ds_write_b128 v0, v[1:4]", "shared store 128"},
    {"ds_load_b96 v[0:2], v3", "shared load 96"},
    {"ds_load_2addr_b64 v[0:3], v4 offset1:1", "shared load 128"},
    {"ds_store_b8 v0, v1", "shared store 8"},
    {"ds_add_u32 v0, v1", "shared atomic 32"},
    {"ds_cmpst_rtn_b64 v[0:1], v0, v[1:2], v[3:4]", "shared atomic 64"},
    {"ds_bpermute_b32 v0, v1, v2", ""},
    {"ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,1)", ""},
    {"global_atomic_add_f32 v0, v1, s[2:3]", "global atomic 32"},
    {"global_atomic_add_x2 v0, v[1:2], s[2:3]", "global atomic 64"},
    {"global_atomic_add v0, v1, s[2:3] glc", "global atomic 32 glc"},
    {"s_load_dwordx4 s[0:3], s[4:5], 0x0", "constant load 128"},
    {"s_load_b64 s[0:1], s[4:5], 0x0", "constant load 64"},
    {"s_waitcnt vmcnt(0)", ""},
    {"s_barrier", "barrier"},
    {"s_cbranch_execz 12", "branch"},
    {"v_fma_f32 v0, v1, v2, v3", "fma"},
    {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", "fma"},
    {"v_mul_f32_e32 v0, v1, v2", ""},
    {"s_endpgm", ""},
    {"buffer_gl0_inv", ""},
    {"buffer_wbl2", ""},
};

INSTANTIATE_TEST_SUITE_P(Listing, AmdgcnMeaning, testing::ValuesIn(cases));

} // namespace
