//===- X86Tests.cpp - What is read in X86 ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/X86.h"

#include "unittests/compiler/Listing/MeaningCases.h"

using namespace regrain::listing;

namespace {

class X86Meaning : public testing::TestWithParam<MeaningCase> {};

TEST_P(X86Meaning, IsThatOfTheManual) {
  EXPECT_EQ(describe(meaningInX86(GetParam().text)), GetParam().meaning);
}

constexpr MeaningCase cases[] = {
    {"mov eax, dword ptr [rdi + 4*rcx]", "global load 32"},
    {"vmovups ymm0, ymmword ptr [rdi + 4*rcx]", "global load 256"},
    {"vmovups zmmword ptr [rdi], zmm0", "global store 512"},
    {"vmovntps ymmword ptr [rdi], ymm0", "global store 256 nt"},
    {"mov qword ptr [rsp + 8], rax", "local store 64"},
    {"vmovss xmm0, dword ptr [rip + 1234]", "constant load 32"},
    {"vaddps ymm0, ymm1, ymmword ptr [rdi]", "global load 256"},
    {"vfmadd231ps ymm0, ymm1, ymmword ptr [rdi]", "fma global load 256"},
    {"lock add dword ptr [rdi], eax", "global atomic 32"},
    {"cmp dword ptr [rdi], 0", "global load 32"},
    {"prefetcht0 byte ptr [rdi + 64]", "global prefetch 0 t0"},
    {"lea rax, [rdi + 8]", ""},
    {"jne -35", "branch"},
    {"ret", ""},
};

INSTANTIATE_TEST_SUITE_P(Listing, X86Meaning, testing::ValuesIn(cases));

} // namespace
