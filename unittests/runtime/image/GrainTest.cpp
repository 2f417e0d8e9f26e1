//===- image/GrainTest.cpp - The SPEC notation ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/thread_split.h"

#include "runtime/image/grain_keys.h"
#include "runtime/image/in_step.h"
#include "runtime/image/max_resident.h"
#include "runtime/image/ring_form.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

Grain parsed(std::string_view text) {
  OrError<GrainSpec> spec = parseGrainSpec(text);
  EXPECT_TRUE(spec) << text;
  return spec ? balance(*spec, {true, true, true}, {true, true, true}) : Grain();
}

std::string errorOf(std::string_view text) {
  OrError<GrainSpec> spec = parseGrainSpec(text);
  EXPECT_FALSE(spec) << text;
  return spec ? "" : spec.error();
}

TEST(GrainSpec, PerDimension_IsCanonical) {
  EXPECT_EQ(toString(parsed("thread.y=2,block.x=4")), "block.x=4,thread.y=2");
  EXPECT_EQ(toString(parsed("block.z=3,block.x=1")), "block.z=3");
  EXPECT_EQ(toString(parsed("original")), "original");
  EXPECT_EQ(toString(parsed("block.x=1")), "original");
}

TEST(GrainSpec, SymbolSuffix) {
  EXPECT_EQ(toSymbolSuffix(parsed("thread.y=2,block.x=4")), "block_x4_thread_y2");
  EXPECT_EQ(toSymbolSuffix(parsed("thread.x=2:contiguous,shape=128")),
            "thread_x2_contiguous_shape128_1_1");
  EXPECT_EQ(toSymbolSuffix(parsed("for.block=16x16,for.arg1=-2")), "for_block16_16_1_for_arg1_m2");
  EXPECT_EQ(toSymbolSuffix(parsed("block.x=7,shared=apart")), "block_x7_sharedapart");
  EXPECT_EQ(toSymbolSuffix(parsed("control")), "control");
  EXPECT_EQ(toSymbolSuffix(parsed("addresses=wide")), "addresseswide");
  EXPECT_EQ(toSymbolSuffix(parsed("shared=global,stores=nontemporal,bound=256")),
            "sharedglobal_storesnontemporal_bound256");
  EXPECT_EQ(toSymbolSuffix(Grain()), "original");
}

TEST(GrainSpec, CanonicalForm_ParsesToItself) {
  for (const char *text :
       {"block.x=7", "thread.z=16", "block.x=2,block.y=3,thread.x=32", "block.x=3:remainder",
        "thread.x=2,thread.y=2:contiguous", "block.x=4,fuse.x=4,fuse.y=4,for.block=4x4x1",
        "shape=128x1x2", "block.z=8,shape=32x4x1,slices=yz,steps=8",
        "block.x=7,shared=apart,for.block=16x16x1",
        "block.x=7,shared=apart,addresses=indexed,for.block=16x16x1", "addresses=wide",
        "block.x=2,shared=global,stores=nontemporal,addresses=wide,bound=256,for.arg0=1",
        "shared=global", "block.x=8,steps=4,shared=common", "stores=nontemporal", "bound=1024",
        "thread.x=2,bound=64,for.block=128x1x1", "for.grid=8x1x1,for.arg0=-3,for.arg12=2048",
        "control"})
    EXPECT_EQ(toString(parsed(text)), text);
}

TEST(GrainSpec, Variants_AreNamesWithBrackets) {
  for (const char *text : {"variant=matmul<128,3>", "variant=sum",
                           "variant=sum<ns::Op,std::pair<int,float>>,block.x=2",
                           "variant=sum<(Mode)2,unsigned int>,thread.x=2:contiguous,for.arg1=4n"})
    EXPECT_EQ(toString(parsed(text)), text);
  EXPECT_EQ(parsed("block.x=2,variant=k<1,2>").variant, "k<1,2>");
  EXPECT_TRUE(parsed("variant=k<1,2>").isPlainVariant());
  EXPECT_FALSE(parsed("variant=k<1,2>,block.x=2").isPlainVariant());
  EXPECT_NE(toSymbolSuffix(parsed("variant=k<1,23>")), toSymbolSuffix(parsed("variant=k<12,3>")));
  EXPECT_EQ(toSymbolSuffix(parsed("variant=k<1,-2>")), "variantk_60_1_44_m2_62_");
  EXPECT_EQ(errorOf("variant="), "'variant=' needs the name of a kernel, such as matmul<128,3>");
  EXPECT_EQ(errorOf("variant=ns::k<1>"),
            "'variant=ns::k<1>' needs the name of a kernel, such as matmul<128,3>");
  EXPECT_EQ(errorOf("variant=k<1, 2>"),
            "'variant=k<1, 2>' needs the name of a kernel, such as matmul<128,3>");
  EXPECT_EQ(errorOf("variant=k,variant=m"), "'variant=m': it is given twice");
}

TEST(NameOfVariant, IsWithoutNamespacesAndParameters) {
  EXPECT_EQ(nameOfVariant("void ns::inner::matmul<128, 3>(float const*, int)"), "matmul<128,3>");
  EXPECT_EQ(nameOfVariant("sum(float*)"), "sum");
  EXPECT_EQ(nameOfVariant("void (anonymous namespace)::sum<ns::Op, (Mode)1>(float*)"),
            "sum<ns::Op,(Mode)1>");
  EXPECT_EQ(nameOfVariant("void k<&ns::operator< >(int)"), "") << "brackets that do not match";
}

TEST(GrainSpec, Totals_AreBalancedOverUsedDimensions) {
  GrainSpec twelve = *parseGrainSpec("block=12,thread=8");
  Grain grain = balance(twelve, {true, true, false}, {true, false, false});
  // 3 to x, then 2 and 2 to y, the smaller each time.
  EXPECT_EQ(toString(grain), "block.x=3,block.y=4,thread.x=8");
  EXPECT_EQ(toString(balance(*parseGrainSpec("block=7"), {true, true, true}, {})), "block.x=7");
  EXPECT_EQ(toString(balance(*parseGrainSpec("block=4"), {}, {})), "block.x=4");
}

TEST(GrainSpec, Errors_NameTheWrongPiece) {
  EXPECT_EQ(errorOf("block.x=0"), "'block.x=0' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("block.x=-1"), "'block.x=-1' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("block.x=99999999999"),
            "'block.x=99999999999' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("block.w=2"), "'block.w=2': there is no dimension 'w'; use x, y or z");
  EXPECT_EQ(errorOf("warp.x=2"),
            "'warp.x=2' names none of variant, block, thread, fuse, shape, "
            "slices, steps, window, in-step, guards, iterations, split, shared, banks, exchange, "
            "staging, copies, stages, dynamic-shared, rows, stores, addresses, "
            "bound, registers, blocks-per-sm, unroll, branches, loads, "
            "prefetch, arithmetic, sums, assembler, compiler, max-resident and for");
  EXPECT_EQ(errorOf("block.x"), "'block.x' has no '='");
  EXPECT_EQ(errorOf("block.=2"), "'block.=2' lacks a dimension after '.'");
  EXPECT_EQ(errorOf("block.x=2,"), "'' has no '='");
  EXPECT_EQ(errorOf("block.x=2,block.x=4"), "'block.x=4': block.x is given twice");
  EXPECT_EQ(errorOf("block=2,block.x=4"), "'block.x=4': block= (all dimensions together) and "
                                          "block.x= (one dimension) cannot be combined");
  EXPECT_NE(errorOf("").find("empty"), std::string::npos);
  EXPECT_EQ(errorOf("block.x=2:contiguous"),
            "'block.x=2:contiguous': block has no modifier 'contiguous'");
  EXPECT_EQ(errorOf("fuse.x=2:remainder"),
            "'fuse.x=2:remainder': fuse has no modifier 'remainder'");
  EXPECT_EQ(errorOf("shape=0x2"), "'shape=0x2' needs a size such as 128x1x2");
  EXPECT_EQ(errorOf("shape=1x2x3x4"), "'shape=1x2x3x4' needs a size such as 128x1x2");
  EXPECT_EQ(errorOf("shape=64,shape=32"), "'shape=32': it is given twice");
  EXPECT_EQ(
      errorOf("for.warp=2"),
      "'for.warp=2': after for. comes block, grid, pointers, aliases or an argument such as arg0");
  EXPECT_EQ(errorOf("for.arg1=x"),
            "'for.arg1=x' needs a whole number of 64 bits, or a factor such as 4n");
  EXPECT_EQ(errorOf("for.arg1=1n"), "'for.arg1=1n' needs a factor of at least 2 before n");
  EXPECT_EQ(errorOf("for.arg1=-4n"), "'for.arg1=-4n' needs a factor of at least 2 before n");
  EXPECT_EQ(errorOf("for.arg1=4n,for.arg1=8"), "'for.arg1=8': it is given twice");
  EXPECT_EQ(errorOf("for.pointers=1"),
            "'for.pointers=1' needs a number of bytes: a power of two from 2 to 128");
  EXPECT_EQ(errorOf("for.pointers=12"),
            "'for.pointers=12': for.pointers can be a power of two up to 128 bytes");
  EXPECT_EQ(errorOf("for.aliases=some"), "'for.aliases=some': for.aliases can be none");
  EXPECT_EQ(errorOf("for.aliases=none,for.aliases=none"), "'for.aliases=none': it is given twice");
  EXPECT_EQ(errorOf("for.pointers=8,for.pointers=16"), "'for.pointers=16': it is given twice");
  EXPECT_EQ(errorOf("for.arg1=1,for.arg1=2"), "'for.arg1=2': it is given twice");
}

TEST(GrainSpec, WordsOfTargets_AreKeptUnderTheirKey) {
  Grain grain = parsed("compiler=nvcc,registers=64");
  EXPECT_EQ(grain.words.at("compiler"), "nvcc");
  EXPECT_EQ(toString(grain), "registers=64,compiler=nvcc");
  EXPECT_EQ(errorOf("unroll=3"), "'unroll=3': unroll can be full, none, search, 2, 4 or 8");
  EXPECT_EQ(errorOf("unroll=2,unroll=4"), "'unroll=4': it is given twice");
  EXPECT_EQ(errorOf("block.x=2,compiler=nvcc"),
            "'block.x=2,compiler=nvcc': compiler= can only be combined with registers= and "
            "max-resident=");
  EXPECT_EQ(errorOf("assembler=O1,compiler=nvcc"),
            "'assembler=O1,compiler=nvcc': compiler= can only be combined with registers= and "
            "max-resident=");
}

TEST(GrainSpec, MaxResident_IsALimitThatAnyGrainCanHave) {
  Grain grain = parsed("for.arg0=1,max-resident=4,block.x=2");
  EXPECT_EQ(toString(grain), "block.x=2,max-resident=4,for.arg0=1");
  EXPECT_EQ(maxResidentOf(grain), 4u);
  EXPECT_EQ(toString(withAnyResidents(grain)), "block.x=2,for.arg0=1");
  EXPECT_EQ(maxResidentOf(parsed("block.x=2")), 0u);
  EXPECT_EQ(maxResidentOf(parsed("compiler=nvcc,max-resident=4")), 4u);
  EXPECT_EQ(maxResidentOf(parsed("blocks-per-sm=2,max-resident=4")), 4u);
  for (const char *text : {"max-resident=0", "max-resident=33", "max-resident=x"})
    EXPECT_NE(errorOf(text).find("needs a whole number of 1 to 32"), std::string::npos) << text;
  EXPECT_EQ(errorOf("blocks-per-sm=4,max-resident=3"),
            "'blocks-per-sm=4,max-resident=3': blocks-per-sm= spends registers on more resident "
            "blocks than max-resident= allows");
  EXPECT_EQ(whyRefusedBy(KeyTargets::Cpu, grain),
            "max-resident= limits how many blocks a GPU's multiprocessor holds; the CPU has none");
  EXPECT_EQ(whyRefusedBy(KeyTargets::Amd, grain), "");
}

TEST(GrainSpec, FactorsOfArgumentsAndAlignment_ArePartOfTheKnownLaunch) {
  Grain grain = parsed("for.aliases=none,for.pointers=16,for.arg3=4n,for.arg1=7");
  EXPECT_TRUE(grain.known.disjoint);
  EXPECT_EQ(grain.known.pointers, 16u);
  EXPECT_EQ(grain.known.multiples.at(3), 4u);
  EXPECT_EQ(toString(grain), "for.arg1=7,for.arg3=4n,for.pointers=16,for.aliases=none");
  EXPECT_EQ(toSymbolSuffix(grain), "for_arg1_7_for_arg3_4n_for_pointers16_for_aliasesnone");
}

TEST(GrainSpec, Registers_AreANumberForCodeGenerators) {
  Grain grain = parsed("for.arg0=1,registers=64,block.x=2");
  EXPECT_EQ(toString(grain), "block.x=2,registers=64,for.arg0=1");
  EXPECT_EQ(toSymbolSuffix(parsed("registers=64")), "registers64");
  EXPECT_EQ(grain.codegen.at("registers"), 64u);
  EXPECT_FALSE(parsed("registers=16").isOriginal());
  EXPECT_FALSE(parsed("registers=255").regroups());
  for (const char *text : {"registers=15", "registers=256", "registers=x", "registers=-1"})
    EXPECT_EQ(errorOf(text), "'" + std::string(text) + "' needs a whole number of 16 to 255");
  EXPECT_EQ(errorOf("registers=64,registers=32"), "'registers=32': it is given twice");
  EXPECT_EQ(errorOf("registers=64,control"),
            "'registers=64,control': control cannot be combined with other pieces");
}

TEST(GrainSpec, Contradictions_AreNamed) {
  EXPECT_EQ(errorOf("shape=64,fuse.x=2"), "'shape=64,fuse.x=2': shape= and fuse= cannot be "
                                          "combined: each of them sets the launched block");
  EXPECT_EQ(errorOf("shared=apart,shared=apart"), "'shared=apart': shared is given twice");
  EXPECT_EQ(errorOf("addresses=wide,addresses=indexed"), "'addresses=indexed': it is given twice");
  EXPECT_EQ(errorOf("addresses=reduced"), "'addresses=reduced': addresses can be indexed or wide");
  EXPECT_EQ(errorOf("block.x=2,shared=united"),
            "'shared=united': shared memory can be apart, global or common");
  EXPECT_EQ(errorOf("block.x=2,shared=apart,shared=global"),
            "'shared=global': shared is given twice");
  EXPECT_EQ(errorOf("stores=cached"), "'stores=cached': stores can be nontemporal");
  EXPECT_EQ(errorOf("stores=nontemporal,stores=nontemporal"),
            "'stores=nontemporal': it is given twice");
  EXPECT_EQ(errorOf("bound=0"), "'bound=0' needs a whole number of at least 1");
  EXPECT_EQ(errorOf("bound=64,bound=32"), "'bound=32': bound is given twice");
  EXPECT_EQ(errorOf("bound=1025"), "'bound=1025': bound is larger than the block of any launch");
  EXPECT_EQ(errorOf("bound=255,for.block=16x16"), "'bound=255,for.block=16x16': the launched block "
                                                  "has more threads than the bound allows");
  EXPECT_EQ(errorOf("bound=256,control"),
            "'bound=256,control': control cannot be combined with other pieces");
  EXPECT_EQ(errorOf("thread.x=2,shared=apart"),
            "'thread.x=2,shared=apart': shared=apart needs a block factor above 1");
  EXPECT_EQ(errorOf("fuse.x=2,shared=common"),
            "'fuse.x=2,shared=common': shared=common needs a block factor above 1");
  EXPECT_EQ(errorOf("block.x=2,control"),
            "'block.x=2,control': control cannot be combined with other pieces");
  EXPECT_EQ(errorOf("control=1"),
            "'control=1' names none of variant, block, thread, fuse, shape, "
            "slices, steps, window, in-step, guards, iterations, split, shared, banks, exchange, "
            "staging, copies, stages, dynamic-shared, rows, stores, addresses, "
            "bound, registers, blocks-per-sm, unroll, branches, loads, "
            "prefetch, arithmetic, sums, assembler, compiler, max-resident and for");
  EXPECT_EQ(
      errorOf("block.x=2,block.y=2:remainder"),
      "'block.x=2,block.y=2:remainder': :remainder needs a block factor in exactly one dimension");
  EXPECT_EQ(errorOf("thread.x=1:contiguous"),
            "'thread.x=1:contiguous': :contiguous needs a thread factor above 1");
  EXPECT_EQ(errorOf("steps=4"), "'steps=4': steps= must divide the last block factor");
  EXPECT_EQ(errorOf("block.x=4,window=ahead"),
            "'block.x=4,window=ahead': window=ahead needs steps=");
  for (const char *few :
       {"guards=joined", "thread.x=4,guards=joined", "thread.x=2:contiguous,guards=joined",
        "thread.y=4:contiguous,guards=joined"})
    EXPECT_EQ(errorOf(few),
              "'" + std::string(few) +
                  "': guards=joined needs a thread factor above 2 in x with :contiguous");
  EXPECT_EQ(errorOf("block.x=4,block.z=6,steps=4"),
            "'block.x=4,block.z=6,steps=4': steps= must divide the last block factor");
  EXPECT_EQ(errorOf("block.y=4:remainder,steps=4"),
            "'block.y=4:remainder,steps=4': steps= cannot be combined with :remainder and "
            "shared=apart");
  EXPECT_EQ(errorOf("block.y=4,steps=1"), "'steps=1' needs a whole number of 2 to 1024");
  EXPECT_EQ(toString(parsed("steps=2,shape=32x8,block.z=6")), "block.z=6,shape=32x8x1,steps=2");
  EXPECT_EQ(errorOf("slices=z"),
            "'slices=z': slices= needs shape=, and cannot be combined with split=");
  EXPECT_EQ(errorOf("shape=64,slices=y,split=16"),
            "'shape=64,slices=y,split=16': slices= needs shape=, and cannot be combined with "
            "split=");
  EXPECT_EQ(errorOf("shape=64,slices=yz,for.block=32x1x2"),
            "'shape=64,slices=yz,for.block=32x1x2': for.block has several threads in a dimension "
            "of slices=");
  EXPECT_EQ(errorOf("split=32"),
            "'split=32': split= needs shape= with a multiple of 32 threads in x");
  EXPECT_EQ(errorOf("shape=48,split=16"),
            "'shape=48,split=16': split= needs shape= with a multiple of 32 threads in x");
  EXPECT_EQ(
      errorOf("block.x=2,shape=64,split=8"),
      "'block.x=2,shape=64,split=8': split= cannot be combined with block=, thread=, staging= "
      "and exchange=");
  EXPECT_EQ(errorOf("shape=64,split=32x3"),
            "'split=32x3': split can be 4, 8, 16, 32, 4x2, 4x4, 4x8, 8x2, 8x4, 8x8, 16x2, "
            "16x4, 16x8, 32x2, 32x4, 32x8, 128, 256, 512, 1024, 128x2, 128x4, 128x8, 256x2, "
            "256x4, 256x8, 512x2, 512x4, 512x8, 1024x2, 1024x4, 1024x8, "
            "2warps, 4warps, 8warps, 16warps or 32warps");
  EXPECT_EQ(
      errorOf("shape=256x2,split=256"),
      "'shape=256x2,split=256': split= above 32 needs shape= with so many threads in x alone");
  EXPECT_EQ(toString(parsed("shape=256,split=256x4")), "shape=256x1x1,split=256x4");
  EXPECT_EQ(iterationsPerLane(parsed("shape=64,split=16x8")), 8u);
  EXPECT_EQ(iterationsPerLane(parsed("shape=64,split=16")), 1u);
  EXPECT_EQ(errorOf("shape=64,split=8warps"),
            "'shape=64,split=8warps': split= with warps needs shape= with the threads of so many "
            "warps in x alone");
  EXPECT_EQ(toString(parsed("split=8warps,shape=256,rows=24")),
            "shape=256x1x1,split=8warps,rows=24");
  EXPECT_EQ(lanesPerThread(parsed("shape=256,split=8warps")), 8u);
  EXPECT_TRUE(splitsWarps(parsed("shape=256,split=8warps")));
  EXPECT_FALSE(splitsWarps(parsed("shape=256,split=256")));
  EXPECT_EQ(errorOf("rows=32"), "'rows=32': rows= with a number needs split=");
  EXPECT_EQ(errorOf("copies=bulk"),
            "'copies=bulk': copies=bulk needs staging=shared, staging=loops or staging=steps");
  EXPECT_EQ(errorOf("shape=32x32x1,staging=transposed,copies=bulk"),
            "'shape=32x32x1,staging=transposed,copies=bulk': copies=bulk needs staging=shared, "
            "staging=loops or staging=steps");
  for (const char *rest :
       {"", "steps=4,window=ahead,", "steps=4,shared=common,", "steps=4,shared=global,",
        "steps=4,banks=padded,", "steps=4,exchange=warp,"}) {
    std::string spec = "block.z=4,shape=32x4x1," + std::string(rest) + "staging=steps";
    EXPECT_EQ(errorOf(spec), "'" + spec +
                                 "': staging=steps needs steps=, and cannot be combined with "
                                 "window=, banks=, exchange=, shared=common and shared=global");
  }
  EXPECT_EQ(toString(parsed("staging=steps,copies=bulk,steps=4,shape=32x4x1,block.z=4")),
            "block.z=4,shape=32x4x1,steps=4,staging=steps,copies=bulk");
  EXPECT_EQ(toString(parsed("dynamic-shared=96,in-step=40,stages=3,staging=steps,copies=bulk,"
                            "steps=4,shape=32x4x1,block.z=4")),
            "block.z=4,shape=32x4x1,steps=4,in-step=40,staging=steps,copies=bulk,stages=3,"
            "dynamic-shared=96");
  EXPECT_EQ(inStepOf(parsed("block.z=4,steps=4,staging=steps,in-step=40")), 40u);
  EXPECT_EQ(dynamicSharedOf(parsed("block.z=4,steps=4,staging=steps,dynamic-shared=96")), 98304u);
  EXPECT_EQ(planesAhead(parsed("block.z=4,steps=4,staging=steps,copies=bulk,stages=3")), 2u);
  EXPECT_EQ(planesAhead(parsed("block.z=4,steps=4,staging=steps,copies=bulk")), 1u);
  EXPECT_EQ(errorOf("block.z=4,steps=4,in-step=40"),
            "'block.z=4,steps=4,in-step=40': in-step= needs staging=steps");
  EXPECT_EQ(errorOf("block.z=4,steps=4,staging=steps,stages=3"),
            "'block.z=4,steps=4,staging=steps,stages=3': stages= needs staging=steps and "
            "copies=bulk");
  EXPECT_EQ(errorOf("block.z=4,steps=4,dynamic-shared=96"),
            "'block.z=4,steps=4,dynamic-shared=96': dynamic-shared= needs staging=steps");
  EXPECT_EQ(toString(parsed("rows=32,split=16,shape=64")), "shape=64x1x1,split=16,rows=32");
  EXPECT_EQ(keptElements(parsed("shape=64,split=16,rows=32")), 32u);
  EXPECT_EQ(keptElements(parsed("rows=registers")), 0u);
  EXPECT_EQ(errorOf("thread.x=3,shape=64"),
            "'thread.x=3,shape=64': thread.x=3 does not divide the block, which has 64");
  EXPECT_EQ(errorOf("thread.y=4,for.block=16x2"),
            "'thread.y=4,for.block=16x2': thread.y=4 does not divide the block, which has 2");
  EXPECT_EQ(toString(parsed("thread.y=4,fuse.y=2,for.block=16x2")),
            "thread.y=4,fuse.y=2,for.block=16x2x1");
}

TEST(GrainRequest, SplitsAtTheLastColon) {
  auto request = parseGrainRequest("ns::k*:block.x=2");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->glob, "ns::k*");
  EXPECT_EQ(request->spec, "block.x=2");
  request = parseGrainRequest("ns::k:block.x=2:remainder,thread.x=4:contiguous");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->glob, "ns::k");
  EXPECT_EQ(request->spec, "block.x=2:remainder,thread.x=4:contiguous");
  request = parseGrainRequest("ns::k<ns::A>:variant=k<ns::B,2>,block.x=2:remainder");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->glob, "ns::k<ns::A>");
  EXPECT_EQ(request->spec, "variant=k<ns::B,2>,block.x=2:remainder");
  EXPECT_FALSE(parseGrainRequest("ns::k")) << "a colon of a name";
}

TEST(GrainRequest, Errors) {
  auto wrongIn = [](std::string_view text) {
    OrError<GrainRequest> request = parseGrainRequest(text);
    return request ? "" : request.error();
  };
  EXPECT_EQ(wrongIn("kernel"), "'kernel' has no ':' between the kernel and the grain");
  EXPECT_EQ(wrongIn(":block.x=2"), "':block.x=2' names no kernel before ':'");
  EXPECT_EQ(wrongIn("kernel:"), "'kernel:' names no grain after ':'");
}

TEST(MatchesKernel, GlobWithoutParentheses_IgnoresParameters) {
  EXPECT_TRUE(matchesKernel("saxpy", "saxpy(float, float*)"));
  EXPECT_TRUE(matchesKernel("sax*", "saxpy(float, float*)"));
  EXPECT_FALSE(matchesKernel("sax", "saxpy(float, float*)"));
  EXPECT_FALSE(matchesKernel("*float*", "saxpy(float, float*)"));
  EXPECT_TRUE(matchesKernel("k?", "k1(int)"));
  EXPECT_TRUE(matchesKernel("k[0-9]", "k1(int)"));
  EXPECT_TRUE(matchesKernel("plain", "plain"));
}

TEST(MatchesKernel, Template_WithAndWithoutReturnType) {
  const char *name = "void f<int>(float*)";
  EXPECT_TRUE(matchesKernel("f<int>", name));
  EXPECT_TRUE(matchesKernel("void f<int>", name));
  EXPECT_TRUE(matchesKernel("f<*>", name));
  EXPECT_TRUE(matchesKernel("f<int>(float[*])", name));
  EXPECT_FALSE(matchesKernel("f<float>", name));
}

TEST(MatchesKernel, ParenthesesInsideTheName) {
  EXPECT_TRUE(matchesKernel("*::k", "(anonymous namespace)::k(int)"));
  EXPECT_TRUE(matchesKernel("f<*>", "void f<(Mode)1>(void (*)(int))"));
}

TEST(MatchesKernel, GlobWithParentheses_SeesTheParameters) {
  EXPECT_TRUE(matchesKernel("saxpy(float*", "saxpy(float, float*)"));
  EXPECT_FALSE(matchesKernel("saxpy(double*", "saxpy(float, float*)"));
}

} // namespace
