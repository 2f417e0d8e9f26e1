//===- BaseTest.cpp - PTX of base modules ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/compiler/Target/NVPTX/Compile.h"

#include "compiler/Target/NVPTX/Toolkit.h"

#include <thread>
#include <vector>

using namespace regrain;
using namespace regrain::test;

namespace {

/// There are two kernels: one is plain, one takes the sine of what it reads.
constexpr const char *sineModule = R"(
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_sinf(float)
define void @plain(ptr %p) #0 {
  store float 1.0, ptr %p
  ret void
}
define void @sine(ptr %p) #0 {
  %v = load float, ptr %p
  %s = call float @helper(float %v)
  store float %s, ptr %p
  ret void
}
define float @helper(float %v) #0 {
  %s = call float @__nv_sinf(float %v)
  ret float %s
}
attributes #0 = { convergent nounwind }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @sine, !"kernel", i32 1}
)";

TEST(NVPTXBase, MathWithoutDefinition_OnlyThatKernelIsMissing) {
  Result result = compile(sineModule);
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.module.kernels.size(), 2u);
  EXPECT_FALSE(result.module.kernels[0].refusal);
  ASSERT_TRUE(result.module.kernels[1].refusal);
  EXPECT_EQ(result.module.kernels[1].refusal->reason,
            "it refers to __nv_sinf, for which no definition was found");
  EXPECT_TRUE(result.has(".entry plain("));
  EXPECT_FALSE(result.has("sine"));
  EXPECT_FALSE(result.has("helper"));
  EXPECT_FALSE(result.has("__nv_"));
}

TEST(NVPTXBase, EveryKernelMissing_GivesNoCode) {
  Result result = compile(R"(
declare float @__nv_sinf(float)
define void @k(ptr %p) {
  %s = call float @__nv_sinf(float 1.0)
  store float %s, ptr %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(result.module.code.empty());
  EXPECT_TRUE(result.module.kernels[0].refusal);
}

TEST(NVPTXBase, MathOfTheMachine_NeedsNoLibrary) {
  Result result = compile(R"(
declare float @__nv_sqrtf(float)
declare double @__nv_fma(double, double, double)
declare float @__nv_fadd_rd(float, float)
declare i32 @__nv_double2int_ru(double)
declare i32 @__nv_popcll(i64)
define void @k(ptr %p, float %f, double %d, i64 %n) {
  %a = call float @__nv_sqrtf(float %f)
  store volatile float %a, ptr %p
  %b = call double @__nv_fma(double %d, double %d, double %d)
  store volatile double %b, ptr %p
  %c = call float @__nv_fadd_rd(float %f, float %f)
  store volatile float %c, ptr %p
  %e = call i32 @__nv_double2int_ru(double %d)
  store volatile i32 %e, ptr %p
  %g = call i32 @__nv_popcll(i64 %n)
  store volatile i32 %g, ptr %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  ASSERT_EQ(result.error, "");
  EXPECT_FALSE(result.module.kernels[0].refusal);
  for (const char *instruction :
       {"sqrt.rn.f32", "fma.rn.f64", "add.rm.f32", "cvt.rpi.s32.f64", "popc.b64"})
    EXPECT_TRUE(result.has(instruction)) << instruction << "\n" << result.text();
}

TEST(NVPTXBase, LibclcStandsInForLibdevice) {
  Request request;
  request.toolkit = NVPTXOptions();
  request.toolkit.useToolkit = false;
  if (nvptx::findToolkit(request.toolkit).libclc.empty())
    GTEST_SKIP() << "libclc's nvptx64 bitcode is not installed";
  Result result = compile(sineModule, request);
  ASSERT_EQ(result.error, "");
  EXPECT_FALSE(result.module.kernels[1].refusal);
  EXPECT_TRUE(result.has(".entry sine("));
  EXPECT_FALSE(result.has(".extern"));
}

TEST(NVPTXBase, FastMath_ApproximatesAndFlushesToZero) {
  const char *divide = R"(
define void @k(ptr %p, float %a, float %b) {
  %q = fdiv float %a, %b
  store volatile float %q, ptr %p
  %r = fdiv float 1.0, %b
  store volatile float %r, ptr %p
  %s = call float @llvm.sqrt.f32(float %a)
  store volatile float %s, ptr %p
  %t = fadd float %a, %b
  store volatile float %t, ptr %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})";
  Request request;
  Result exact = compile(divide, request);
  for (const char *instruction : {"div.rn.f32", "rcp.rn.f32", "sqrt.rn.f32", "add.rn.f32"})
    EXPECT_TRUE(exact.has(instruction)) << exact.text();
  request.codegen.fastMath = true;
  Result fast = compile(divide, request);
  for (const char *instruction :
       {"div.approx.ftz.f32", "rcp.approx.ftz.f32", "sqrt.approx.ftz.f32", "add.rn.ftz.f32"})
    EXPECT_TRUE(fast.has(instruction)) << fast.text();
}

TEST(NVPTXBase, MultiplyAndAdd_AreFused) {
  Result result = compile(R"(
define void @k(ptr %p, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fadd contract float %m, %a
  store float %s, ptr %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_TRUE(result.has("fma.rn.f32")) << result.text();
}

constexpr const char *emptyKernel = R"(
define void @k() { ret void }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})";

TEST(NVPTXBase, RegisterLimit_YieldsToLaunchBounds) {
  Request request;
  request.codegen.maxRegisters = 40;
  EXPECT_TRUE(compile(emptyKernel, request).has(".maxnreg 40"));
  Result bounded = compile(std::string(emptyKernel) + R"(
!nvvm.annotations = !{!1}
!1 = !{ptr @k, !"maxntidx", i32 128})",
                           request);
  EXPECT_FALSE(bounded.has(".maxnreg")) << bounded.text();
}

constexpr const char *kernelWithLines = R"(
define void @k(ptr %p) !dbg !4 {
  store i32 1, ptr %p, !dbg !7
  ret void, !dbg !7
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "k.cu", directory: "/d")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !2, line: 3, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 4, column: 5, scope: !4))";

TEST(NVPTXBase, LineInfo_IsDirectivesAlone) {
  Request request;
  request.codegen.debugInfo = DebugInfo::Lines;
  Result result = compile(kernelWithLines, request);
  EXPECT_TRUE(result.has(".loc\t1 4 5")) << result.text();
  EXPECT_FALSE(result.has(", debug")) << "ptxas would build for a debugger";
}

TEST(NVPTXBase, WithoutLineInfo_NothingOfItIsLeft) {
  Result result = compile(kernelWithLines);
  EXPECT_FALSE(result.has(".loc\t"));
  EXPECT_FALSE(result.has(".file"));
}

TEST(NVPTXBase, PtxIsNulTerminated) {
  Result result = compile(emptyKernel);
  ASSERT_FALSE(result.module.code.empty());
  EXPECT_EQ(result.module.code.back(), '\0');
}

TEST(NVPTXBase, IllegalNames_AreRewrittenOutsideKernels) {
  Result result = compile(R"(
@tile.0 = addrspace(3) global [8 x i32] undef, align 4
define void @k(i32 %i) {
  %p = getelementptr [8 x i32], ptr addrspace(3) @tile.0, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})");
  EXPECT_TRUE(result.has("_tile_0[32]")) << result.text();
  EXPECT_EQ(result.module.kernels[0].resources.staticSharedBytes, 32);
}

TEST(NVPTXBase, KernelWithAnIllegalName_IsAnError) {
  Result result = compile(R"(
define void @"k.1"() { ret void }
!nvvm.annotations = !{!0}
!0 = !{ptr @"k.1", !"kernel", i32 1})");
  EXPECT_EQ(result.error, "the kernel's name 'k.1' is not allowed in PTX: it may have letters, "
                          "digits, '_' and '$', and must not begin with a digit");
}

TEST(NVPTXBase, AbsentKernel_IsAnError) {
  EXPECT_EQ(compileKernels(emptyKernel, {"other"}).error, "the module has no kernel other");
}

TEST(NVPTXBase, ConstructorOfAVariable_IsAnError) {
  Result result = compile(std::string(emptyKernel) + R"(
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @k, ptr null }])");
  EXPECT_NE(result.error.find("run before main"), std::string::npos) << result.error;
}

TEST(NVPTXBase, UnknownTarget_IsAnError) {
  Request request;
  for (const char *name : {"sm_", "sm_x", "compute_", "gfx90a", ""}) {
    request.target = name;
    EXPECT_EQ(compile(emptyKernel, request).error, std::string("unknown NVIDIA target ") + name);
  }
}

TEST(NVPTXBase, ParallelCalls_GiveTheSameBytes) {
  Request request;
  request.toolkit = NVPTXOptions();
  const std::string expected = compile(sineModule, request).text();
  std::vector<std::string> texts(8);
  std::vector<std::thread> threads;
  for (std::string &text : texts)
    threads.emplace_back([&text, &request] { text = compile(sineModule, request).text(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    EXPECT_EQ(text, expected);
}

TEST(NVPTXBase, OptimisationLevels_AreTaken) {
  Request request;
  for (unsigned level : {0u, 1u, 2u, 3u}) {
    request.codegen.optLevel = level;
    EXPECT_TRUE(compile(emptyKernel, request).has(".entry k(")) << level;
  }
}

} // namespace
