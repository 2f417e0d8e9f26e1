//===- SassTests.cpp - What is read in Sass -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Sass.h"

#include "unittests/compiler/Listing/MeaningCases.h"

using namespace regrain::listing;

namespace {

class SassMeaning : public testing::TestWithParam<MeaningCase> {};

TEST_P(SassMeaning, IsThatOfTheManual) {
  EXPECT_EQ(describe(meaningInSass(GetParam().text)), GetParam().meaning);
}

constexpr MeaningCase cases[] = {
    {"LDG.E R0, desc[UR4][R2.64]", "global load 32"},
    {"LDG.E.128 R4, desc[UR4][R2.64]", "global load 128"},
    {"LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", "global load 128 CONSTANT"},
    {"LDG.E.U8.EF R4, [R2.64]", "global load 8 EF"},
    {"@!P0 LDG.E.LTC128B.64 R4, [R2.64]", "global load 64 LTC128B"},
    {"LDG.E.STRONG.GPU R4, [R2.64]", "global load 32 STRONG.GPU"},
    {"LDG.E.S16.NA R4, [R2.64]", "global load 16 NA"},
    {"STG.E.128 desc[UR4][R2.64], R4", "global store 128"},
    {"STG.E.EF desc[UR4][R2.64], R4", "global store 32 EF"},
    {"LDS.128 R4, [R0]", "shared load 128"},
    {"LDS.U.U16 R4, [R0+0x10]", "shared load 16"},
    {"STS.64 [R0], R4", "shared store 64"},
    {"LDL.LU R4, [R1]", "local load 32 LU"},
    {"STL.64 [R1+0x8], R4", "local store 64"},
    {"LDC.64 R2, c[0x0][0x210]", "constant load 64"},
    {"ULDC.64 UR4, c[0x0][0x208]", "constant load 64"},
    {"ULDC UR4, c[0x0][0x214]", "constant load 32"},
    {"LDCU.128 UR4, c[0x0][0x380]", "constant load 128"},
    {"LD.E.64 R4, [R2]", "generic load 64"},
    {"LDSM.16.M88.4 R4, [R0]", "shared load 128"},
    {"LDSM.16.MT88 R4, [R0]", "shared load 32"},
    {"LDGSTS.E.BYPASS.LTC128B.128 [R0], desc[UR4][R2.64]", "global copy 128 BYPASS.LTC128B"},
    {"UBLKCP [UR4], [UR6], UR8", "global copy 0"},
    {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R4, desc[UR4][R2.64], R5",
     "global atomic 32 STRONG.GPU"},
    {"ATOMS.CAS.64 R4, [R0], R2, R4", "shared atomic 64"},
    {"RED.E.ADD.F64.RN.STRONG.GPU desc[UR4][R2.64], R4", "global atomic 64 STRONG.GPU"},
    {"CCTL.E.PF2 [R2]", "global prefetch 0 PF2"},
    {"CCTL.IVALL", ""},
    {"TEX.LL R4, R2, R0, 0x0, 2D", "texture load 0"},
    {"BAR.SYNC.DEFER_BLOCKING 0x0", "barrier"},
    {"BSYNC B0", ""},
    {"@P0 BRA `(.L_x_1)", "branch"},
    {"BRX R2 -0x10", "branch"},
    {"FFMA.FTZ R0, R1, R2, R3", "fma"},
    {"DFMA R0, R2, R4, R6", "fma"},
    {"HFMA2.MMA R0, R1, R2, R3", "fma"},
    {"HFMA2.MMA R0, -RZ, RZ, 0, 0", ""},
    {"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", ""},
    {"EXIT", ""},
};

INSTANTIATE_TEST_SUITE_P(Listing, SassMeaning, testing::ValuesIn(cases));

constexpr const char *fromNvdisasm = R"sass(
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
	.elftype	@"ET_EXEC"


//--------------------- .text._Z4copyPfPKf        --------------------------
	.section	.text._Z4copyPfPKf,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=8"
	.align	128
        .global         _Z4copyPfPKf
        .type           _Z4copyPfPKf,@function
        .size           _Z4copyPfPKf,(.L_x_1 - _Z4copyPfPKf)
        .other          _Z4copyPfPKf,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z4copyPfPKf:
.text._Z4copyPfPKf:
	//## File "/src/copy.cu", line 2
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/src/index.h", line 7 inlined at "/src/copy.cu", line 3
	//## File "/src/copy.cu", line 3
        /*0010*/                   LDG.E R0, desc[UR4][R2.64] ;
.L_x_0:
        /*0020*/              @!P0 BRA `(.L_x_0) ;
        /*0030*/                   EXIT ;
.L_x_2:
        /*0040*/                   BRA `(.L_x_2);
        /*0050*/                   NOP;
        /*0060*/                   NOP;
.L_x_1:
	.section	.nv.constant0._Z4copyPfPKf,"a",@progbits
	.section	.text._Z5otherv,"ax",@progbits
.text._Z5otherv:
        /*0000*/                   EXIT ;
)sass";

// Parts of what nvdisasm 13.0 prints of examples/heat2d.cu.
constexpr const char *fromNvdisasm13 = R"sass(
	.target	sm_90

	.elftype	@"ET_EXEC"


//--------------------- .text._Z9heatStepsPKfPfS0_iiif --------------------------
	.section	.text._Z9heatStepsPKfPfS0_iiif,"ax",@progbits
	.align	128
        .global         _Z9heatStepsPKfPfS0_iiif
        .type           _Z9heatStepsPKfPfS0_iiif,@function
        .size           _Z9heatStepsPKfPfS0_iiif,(.L_x_21 - _Z9heatStepsPKfPfS0_iiif)
        .other          _Z9heatStepsPKfPfS0_iiif,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z9heatStepsPKfPfS0_iiif:
.text._Z9heatStepsPKfPfS0_iiif:
	//## File "./ex/heat2d.cu", line 16
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "./ex/heat2d.cu", line 20
        /*0040*/                   ULDC.64 UR10, c[0x0][0x208] ;
	//## File "./ex/heat2d.cu", line 23
        /*00d0*/                   IMAD R0, R5.reuse, UR5, R0 ;
	//## File "./ex/heat2d.cu", line 50
        /*05a0*/              @!P0 EXIT ;
        /*05d0*/                   VIMNMX R7, R3, R2, !PT ;
.L_x_18:
	//## File "./ex/heat2d.cu", line 51
        /*0650*/                   LDS R7, [R7] ;
        /*0660*/                   IMAD.WIDE R2, R5, 0x4, R2 ;
        /*0670*/                   STG.E desc[UR10][R2.64], R7 ;
	//## File "./ex/heat2d.cu", line 52
        /*0680*/                   EXIT ;
.L_x_19:
        /*0690*/                   BRA `(.L_x_19);
        /*06a0*/                   NOP;
        /*0770*/                   NOP;
.L_x_21:


//--------------------- SYMBOLS --------------------------

	.type		.nv.reservedSmem.offset0,@object
	.size		.nv.reservedSmem.offset0,0x4
)sass";

constexpr const char *fromCuobjdump = R"sass(
Fatbin elf code:
================
arch = sm_70
code version = [1,7]
host = linux
compile_size = 64bit

	code for sm_70
		Function : _Z4copyPfPKf
	.headerflags    @"EF_CUDA_SM70 EF_CUDA_PTX_SM(EF_CUDA_SM70)"
        /*0000*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;       /* 0x00000a00ff017624 */
                                                                                 /* 0x000fd000078e00ff */
        /*0010*/                   LDG.E.128.SYS R4, [R2] ;                      /* 0x0000000002047381 */
                                                                                 /* 0x000ea800001eed00 */
        /*0020*/                   EXIT ;                                        /* 0x000000000000794d */
                                                                                 /* 0x000fea0003800000 */
        /*0030*/                   BRA 0x30;                                     /* 0xfffffff000007947 */
                                                                                 /* 0x000fc0000383ffff */
		..........
)sass";

std::string linesOf(const Listing &listing) {
  std::string all;
  for (const Instruction &each : listing.instructions)
    all += std::to_string(each.where.line) + " " + each.text + "\n";
  return all;
}

TEST(SassText, NvdisasmTellsLines) {
  Listings found = parseSass(fromNvdisasm);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(linesOf(found.at("_Z4copyPfPKf")), "2 LDC R1, c[0x0][0x28]\n"
                                               "3 LDG.E R0, desc[UR4][R2.64]\n"
                                               "3 @!P0 BRA `(.L_x_0)\n"
                                               "3 EXIT\n");
  EXPECT_EQ(found.at("_Z4copyPfPKf").instructions.front().where.file, "/src/copy.cu");
  EXPECT_EQ(linesOf(found.at("_Z5otherv")), "0 EXIT\n");
}

TEST(SassText, NvdisasmOfAnExample) {
  Listings found = parseSass(fromNvdisasm13);
  ASSERT_EQ(found.size(), 1u);
  const Listing &listing = found.at("_Z9heatStepsPKfPfS0_iiif");
  EXPECT_EQ(linesOf(listing), "16 LDC R1, c[0x0][0x28]\n"
                              "20 ULDC.64 UR10, c[0x0][0x208]\n"
                              "23 IMAD R0, R5.reuse, UR5, R0\n"
                              "50 @!P0 EXIT\n"
                              "50 VIMNMX R7, R3, R2, !PT\n"
                              "51 LDS R7, [R7]\n"
                              "51 IMAD.WIDE R2, R5, 0x4, R2\n"
                              "51 STG.E desc[UR10][R2.64], R7\n"
                              "52 EXIT\n");
  EXPECT_EQ(countAccesses(listing).size(), 4u);
}

TEST(SassText, CuobjdumpTellsNoLines) {
  Listings found = parseSass(fromCuobjdump);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(linesOf(found.at("_Z4copyPfPKf")), "0 IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]\n"
                                               "0 LDG.E.128.SYS R4, [R2]\n"
                                               "0 EXIT\n");
  EXPECT_FALSE(found.at("_Z4copyPfPKf").hasLines());
}

TEST(SassText, DamagedTextIsNoError) {
  for (const char *text :
       {"", "/*", "/*0000*/", "//##", "//## File \"a", "Function :", ".section", "/*zz*/ EXIT ;",
        ".section .text.k,\n/*0000*/ ;\n/*0010*/ }", "nvdisasm fatal   : Unknown option"})
    EXPECT_LE(parseSass(text).size(), 1u) << text;
}

} // namespace
