//===- ByteVectorsTest.cpp - Accesses to vectors of bytes -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/ByteVectors.h"

#include "unittests/compiler/Target/NVPTX/Compile.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace regrain;
using namespace regrain::test;

namespace {

/// Compiles a kernel that increments a vector of `count` bytes; `access` precedes the type of an
/// access.
Result incremented(unsigned count, unsigned alignment, const std::string &access = "") {
  std::string type = "<" + std::to_string(count) + " x i8>", ones;
  for (unsigned i = 0; i < count; ++i)
    ones += std::string(i == 0 ? "" : ", ") + "i8 1";
  std::string align = ", align " + std::to_string(alignment);
  std::string ir = "define void @k(ptr %from, ptr %to) {\n  %v = load " + access + type +
                   ", ptr %from" + align + "\n  %w = add " + type + " %v, <" + ones +
                   ">\n  store " + access + type + " %w, ptr %to" + align + R"(
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1})";
  return compile(ir.c_str(), Request());
}

TEST(NVPTXByteVectors, AreAccessedAsWords) {
  Result sixteen = incremented(16, 16);
  ASSERT_EQ(sixteen.error, "");
  EXPECT_TRUE(sixteen.has("ld.global.v4.u32")) << sixteen.text();
  EXPECT_TRUE(sixteen.has("st.global.v2.u64")) << sixteen.text();
  Result eight = incremented(8, 8);
  ASSERT_EQ(eight.error, "");
  EXPECT_TRUE(eight.has("ld.global.u64")) << eight.text();
  EXPECT_TRUE(eight.has("st.global.u64")) << eight.text();
}

/// Returns the function after the rewrite and the folding of its constants.
std::string folded(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module =
      llvm::parseAssemblyString("define i8 @f(ptr %p) {\n" + body + "\n}", diagnostic, context);
  if (!module)
    return diagnostic.getMessage().str();
  llvm::Function &function = *module->getFunction("f");
  EXPECT_TRUE(nvptx::widenByteVectors(function));
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  llvm::ModuleAnalysisManager modules;
  builder.registerFunctionAnalyses(analyses);
  builder.registerModuleAnalyses(modules);
  analyses.registerPass([&] { return llvm::ModuleAnalysisManagerFunctionProxy(modules); });
  llvm::InstCombinePass().run(function, analyses);
  std::string text;
  llvm::raw_string_ostream(text) << function;
  return text;
}

TEST(NVPTXByteVectors, KeepTheirOrder) {
  std::string stored = folded("  store <16 x i8> <i8 0, i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, "
                              "i8 8, i8 9, i8 10, i8 11, "
                              "i8 12, i8 13, i8 14, i8 15>, ptr %p, align 16\n  ret i8 0");
  EXPECT_NE(stored.find("store <2 x i64> <i64 506097522914230528, i64 1084818905618843912>"),
            std::string::npos)
      << stored; // 0x0706050403020100 and 0x0f0e0d0c0b0a0908
  std::string loaded = folded("  %v = load <8 x i8>, ptr %p, align 8\n"
                              "  %b = extractelement <8 x i8> %v, i64 5\n  ret i8 %b");
  EXPECT_NE(loaded.find("load i64"), std::string::npos) << loaded;
  EXPECT_NE(loaded.find("lshr i64 %1, 40"), std::string::npos) << loaded;
}

TEST(NVPTXByteVectors, ThatAreAlignedToLess_AreKept) {
  Result result = incremented(16, 4);
  ASSERT_EQ(result.error, "");
  EXPECT_FALSE(result.has("st.global.v")) << result.text();
  EXPECT_TRUE(result.has("st.global.u32")) << result.text();
}

TEST(NVPTXByteVectors, ThatAreVolatile_AreKept) {
  Result result = incremented(8, 8, "volatile ");
  ASSERT_EQ(result.error, "");
  EXPECT_TRUE(result.has("st.volatile")) << result.text();
  EXPECT_FALSE(result.has("st.volatile.global.u64")) << result.text();
}

} // namespace
