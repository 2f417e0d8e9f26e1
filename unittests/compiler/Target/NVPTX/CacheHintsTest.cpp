//===- CacheHintsTest.cpp - Cache hints in PTX ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/CacheHints.h"

#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace regrain::nvptx;

namespace {

std::string marked(const std::string &line, const std::string &more = "") {
  return "\t// begin inline asm\n\t// regrain: streamed" + more + "\n\t// end inline asm\n" + line;
}

TEST(CacheHints, MarkedAccessesAreStreamingOnes) {
  EXPECT_EQ(writeHints(marked("\tld.global.v4.f32 \t{%f1}, [%rd1+16];\n"), {}),
            "\tld.global.cs.v4.f32 \t{%f1}, [%rd1+16];\n");
  EXPECT_EQ(writeHints(marked("\tst.global.u8 \t[%rd1], %rs1;\n"), {}),
            "\tst.global.cs.u8 \t[%rd1], %rs1;\n");
  EXPECT_EQ(writeHints(marked("\tst.f64 \t[%rd1], %fd1;\n"), {}), "\tst.cs.f64 \t[%rd1], %fd1;\n");
  EXPECT_EQ(writeHints(marked("\tld.global.b16 \t%rs1, [%rd1];\n", ", only read"), {}),
            "\tld.global.cs.nc.b16 \t%rs1, [%rd1];\n");
}

TEST(CacheHints, AMarkConcernsTheNextAccessAlone) {
  EXPECT_EQ(writeHints(marked("\t.loc 1 2 3\n$L__tmp0:\n\tst.global.u32 \t[%rd1], %r1;\n"
                              "\tst.global.u32 \t[%rd2], %r1;\n"),
                       {}),
            "\t.loc 1 2 3\n$L__tmp0:\n\tst.global.cs.u32 \t[%rd1], %r1;\n"
            "\tst.global.u32 \t[%rd2], %r1;\n");
}

TEST(CacheHints, TheGrainChoosesThePolicyOfMarkedLoads) {
  std::string load = marked("\tld.global.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(writeHints(load, {"streaming", ""}), "\tld.global.cs.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(writeHints(load, {"evict-first", ""}),
            "\tld.global.L1::evict_first.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(writeHints(load, {"no-allocate", "64"}),
            "\tld.global.L1::no_allocate.L2::64B.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(writeHints(load, {"streaming", "256"}), "\tld.global.cs.L2::256B.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(
      writeHints(marked("\tld.global.f32 \t%f1, [%rd1];\n", ", only read"), {"no-allocate", "128"}),
      "\tld.global.nc.L1::no_allocate.L2::128B.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(writeHints(marked("\tld.f32 \t%f1, [%rd1];\n"), {"no-allocate", "128"}),
            "\tld.f32 \t%f1, [%rd1];\n");
  EXPECT_EQ(writeHints(marked("\tst.global.f32 \t[%rd1], %f1;\n"), {"no-allocate", "128"}),
            "\tst.global.cs.f32 \t[%rd1], %f1;\n");
}

TEST(CacheHints, PrefetchesAreOfAllPlainLoadsFromGlobalMemory) {
  CacheHints hints = {"", "128"};
  EXPECT_EQ(writeHints("\tld.global.nc.v2.f32 \t{%f1, %f2}, [%rd1];\n", hints),
            "\tld.global.nc.L2::128B.v2.f32 \t{%f1, %f2}, [%rd1];\n");
  for (std::string kept :
       {"\tld.volatile.global.u32 \t%r1, [%rd1];\n", "\tld.relaxed.sys.global.u32 \t%r1, [%rd1];\n",
        "\tld.shared.u32 \t%r1, [%rd1];\n", "\tld.u32 \t%r1, [%rd1];\n",
        "\tld.param.u64 \t%rd1, [p];\n", "\tst.global.u32 \t[%rd1], %r1;\n",
        "\tatom.global.add.u32 \t%r1, [%rd1], 1;\n",
        "\t// begin inline asm\n\tld.global.u32 %r1, [%rd1];\n\t// end inline asm\n"})
    EXPECT_EQ(writeHints(kept, hints), kept);
}

TEST(CacheHints, NewerOnesAreRefusedForOlderChips) {
  auto reasonOf = [](const CacheHints &hints, llvm::StringRef arch) {
    std::optional<regrain::Refusal> refusal = refuseHints(hints, arch);
    return refusal ? refusal->reason : std::string();
  };
  EXPECT_EQ(reasonOf({"streaming", ""}, "sm_50"), "");
  EXPECT_EQ(reasonOf({"readonly", ""}, "sm_50"), "");
  EXPECT_EQ(reasonOf({"evict-first", ""}, "sm_62"),
            "loads=evict-first needs compute capability 7.0, and this code is for sm_62");
  EXPECT_EQ(reasonOf({"no-allocate", ""}, "sm_70"), "");
  EXPECT_EQ(reasonOf({"", "64"}, "sm_70"),
            "prefetch=64 needs compute capability 7.5, and this code is for sm_70");
  EXPECT_EQ(reasonOf({"", "128"}, "sm_75"), "");
  EXPECT_EQ(reasonOf({"", "256"}, "sm_75"),
            "prefetch=256 needs compute capability 8.0, and this code is for sm_75");
  EXPECT_EQ(reasonOf({"", "256"}, "sm_90a"), "");
  EXPECT_EQ(requiredPtxVersion(CacheHints{"streaming", ""}), 0u);
  EXPECT_EQ(requiredPtxVersion(CacheHints{"no-allocate", ""}), 74u);
  EXPECT_EQ(requiredPtxVersion(CacheHints{"", "64"}), 74u);
}

/// Returns the PTX of a kernel with this body.
std::string compile(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "define void @k(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) %out) {\n" +
          body +
          "  ret void\n}\n!nvvm.annotations = !{!0}\n"
          "!0 = !{ptr @k, !\"kernel\", i32 1}\n!1 = !{i32 1}\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  if (!module)
    return {};
  auto machine = createMachine(MachineSettings());
  module->setDataLayout(machine->createDataLayout());
  auto ptx = emitPtx(*module, *machine, LoopAddresses::Reduced);
  EXPECT_TRUE(bool(ptx));
  return std::string(ptx->begin(), ptx->end());
}

/// Returns PTX of an access of this type and alignment.
std::string copyOf(const std::string &type, unsigned alignment) {
  std::string end = ", align " + std::to_string(alignment) + ", !nontemporal !1\n";
  return compile("  %p = getelementptr i8, ptr addrspace(1) %out, i64 64\n"
                 "  %v = load " +
                 type + ", ptr addrspace(1) %p" + end + "  store " + type +
                 " %v, ptr addrspace(1) %out" + end);
}

TEST(CacheHints, NontemporalAccessesOfEveryWidthHaveThem) {
  using Case = std::tuple<std::string, unsigned, std::string>;
  for (const auto &[type, alignment, printed] :
       {Case{"i8", 1, "cs.u8"}, Case{"half", 2, "cs.b16"}, Case{"float", 4, "cs.f32"},
        Case{"double", 8, "cs.f64"}, Case{"<2 x float>", 8, "cs.v2.f32"},
        Case{"<4 x i32>", 16, "cs.v4.u32"}, Case{"<2 x double>", 16, "cs.v2.f64"},
        Case{"<8 x half>", 16, "cs.v4.b32"}, Case{"<16 x i8>", 16, "cs.v"},
        Case{"i128", 16, "cs.u64"}, Case{"<4 x float>", 4, "cs.f32"}}) {
    std::string ptx = copyOf(type, alignment);
    EXPECT_NE(ptx.find("ld.global." + printed), std::string::npos) << type << "\n" << ptx;
    EXPECT_NE(ptx.find("st.global." + printed), std::string::npos) << type << "\n" << ptx;
    EXPECT_EQ(ptx.find("regrain"), std::string::npos) << ptx;
    EXPECT_EQ(ptx.find("inline asm"), std::string::npos) << ptx;
  }
}

TEST(CacheHints, TheReadOnlyPathIsKept) {
  std::string ptx = compile("  %v = load float, ptr addrspace(1) %in, !nontemporal !1\n"
                            "  store float %v, ptr addrspace(1) %out\n");
  EXPECT_NE(ptx.find("ld.global.cs.nc.f32"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("st.global.f32"), std::string::npos) << ptx;
}

TEST(CacheHints, OtherSpacesAndVolatileAccessesHaveNone) {
  std::string ptx = compile("  %v = load volatile float, ptr addrspace(1) %out, !nontemporal !1\n"
                            "  %s = inttoptr i64 64 to ptr addrspace(3)\n"
                            "  store float %v, ptr addrspace(3) %s, !nontemporal !1\n");
  EXPECT_NE(ptx.find("ld.volatile.global.f32"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("st.shared.f32"), std::string::npos) << ptx;
}

} // namespace
