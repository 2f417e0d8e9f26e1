//===- CubinTest.cpp - ptxas, real and imitated ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/Ptxas.h"
#include "compiler/Target/NVPTX/Toolkit.h"
#include "unittests/compiler/Target/NVPTX/Compile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace regrain;
using namespace regrain::test;

namespace {

constexpr const char *kernel = R"(
@tile = internal addrspace(3) global [64 x float] undef, align 4
define void @k(ptr %p, i32 %i) {
  %t = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  store volatile float 1.0, ptr addrspace(3) %t
  %v = load volatile float, ptr addrspace(3) %t
  store float %v, ptr %p
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @k, !"maxntidx", i32 64})";

TEST(Cubin, Report_IsReadPerKernel) {
  auto kernels = nvptx::parsePtxasReport(
      "ptxas info    : 0 bytes gmem, 16 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90'\n"
      "ptxas info    : Function properties for first\n"
      "    48 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 2048 bytes smem, 392 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90'\n"
      "ptxas info    : Function properties for helper\n"
      "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Function properties for second\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 0 barriers, 8 bytes cumulative stack size\n");
  ASSERT_EQ(kernels.size(), 2u);
  const Resources &first = kernels["first"], &second = kernels["second"];
  EXPECT_EQ(first.registers, 255);
  EXPECT_EQ(first.spillStoreBytes, 12);
  EXPECT_EQ(first.spillLoadBytes, 16);
  EXPECT_EQ(first.stackBytes, 48);
  EXPECT_EQ(first.staticSharedBytes, 2048);
  EXPECT_EQ(second.registers, 10);
  EXPECT_EQ(second.spillStoreBytes, 0);
  EXPECT_EQ(second.stackBytes, 8);
  EXPECT_EQ(second.staticSharedBytes, 0);
}

TEST(Cubin, NoPtxas_IsAnErrorThatSaysWhatToDo) {
  Request request;
  request.target = "sm_90";
  EXPECT_EQ(compile(kernel, request).error,
            "no ptxas was found, which target sm_90 needs; set CUDA_PATH to a CUDA toolkit");
}

/// A toolkit whose ptxas is a shell script.
class ImitatedPtxas : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("regrain-toolkit", root));
    ASSERT_FALSE(llvm::sys::fs::create_directory(root + "/bin"));
  }
  void TearDown() override { ASSERT_FALSE(llvm::sys::fs::remove_directories(root)); }

  Result compileWith(const std::string &script, unsigned seconds = 60) {
    std::string path = (root + "/bin/ptxas").str();
    {
      std::error_code code;
      llvm::raw_fd_ostream stream(path, code);
      EXPECT_FALSE(code);
      stream << "#!/bin/sh\n" << script << "\n";
    }
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
    Request request;
    request.target = "sm_90";
    request.toolkit = NVPTXOptions();
    request.toolkit.toolkit = std::string(root);
    request.toolkit.ptxasSeconds = seconds;
    request.codegen.maxRegisters = 48;
    request.codegen.ptxasArgs = {"--allow-expensive-optimizations=true"};
    return compile(kernel, request);
  }

  llvm::SmallString<128> root;
};

TEST_F(ImitatedPtxas, Refusal_IsTheError) {
  Result result = compileWith("echo \"ptxas fatal   : Value 'sm_90' is not defined\"; exit 1");
  EXPECT_EQ(result.error, "ptxas fatal   : Value 'sm_90' is not defined");
}

TEST_F(ImitatedPtxas, Errors_AreSaidBeforeTheAbort) {
  Result result = compileWith("echo 'ptxas a.ptx, line 3; error   : Unknown symbol'; "
                              "echo 'ptxas fatal   : Ptx assembly aborted due to errors'; exit 1");
  EXPECT_EQ(result.error, "ptxas a.ptx, line 3; error   : Unknown symbol");
}

TEST_F(ImitatedPtxas, SilentFailure_NamesTheExitCode) {
  Result result = compileWith("exit 3");
  EXPECT_NE(result.error.find("ptxas failed with exit code 3"), std::string::npos) << result.error;
}

TEST_F(ImitatedPtxas, TooSlow_IsEnded) {
  Result result = compileWith("exec sleep 30", 1);
  EXPECT_NE(result.error.find("ptxas did not finish"), std::string::npos) << result.error;
}

TEST_F(ImitatedPtxas, NoElfFile_IsAnError) {
  Result result = compileWith("exit 0");
  EXPECT_NE(result.error, "");
}

TEST_F(ImitatedPtxas, Options_ArePassedOn) {
  Result result = compileWith("echo \"error $*\"; exit 1");
  for (const char *option :
       {"-arch=sm_90", "-O3", "-maxrregcount=48", "-v ", "--allow-expensive-optimizations=true"})
    EXPECT_NE(result.error.find(option), std::string::npos) << result.error;
}

TEST(PtxasArguments, ThoseThatDecideOnTheCode) {
  using Arguments = std::vector<std::string>;
  EXPECT_EQ(nvptx::decidingArguments({"-v", "--warn-on-spills", "-lineinfo"}), Arguments());
  EXPECT_EQ(nvptx::decidingArguments({"-dlcm=ca", "-O2", "-v"}),
            nvptx::decidingArguments({"-O2", "-dlcm=ca"}))
      << "what differs in name may stand in any order";
  EXPECT_NE(nvptx::decidingArguments({"-O2", "-O3"}), nvptx::decidingArguments({"-O3", "-O2"}));
  EXPECT_EQ(nvptx::decidingArguments({"-dlcm", "ca", "-v"}), Arguments{"-dlcm=ca"});
  EXPECT_EQ(nvptx::decidingArguments({"--not-known"}), Arguments{"--not-known"});
}

TEST_F(ImitatedPtxas, AnotherOne_IsAnotherInput) {
  auto inputs = [&](const std::string &script) {
    compileWith(script);
    NVPTXOptions options;
    options.toolkit = std::string(root);
    auto target = createNVPTXTarget("sm_90", options);
    EXPECT_TRUE(bool(target));
    auto found = (*target)->inputs({});
    EXPECT_TRUE(bool(found));
    return *found;
  };
  std::vector<CodeInput> first = inputs("exit 0");
  EXPECT_EQ(first, inputs("exit 0"));
  EXPECT_NE(first, inputs("exit 1"));
}

TEST(Cubin, RealPtxas_ReportsResources) {
  Request request;
  request.target = "sm_90";
  request.toolkit = NVPTXOptions();
  if (nvptx::findToolkit(request.toolkit).ptxas.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  Result result = compile(kernel, request);
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.text().substr(0, 4), "\x7f"
                                        "ELF");
  const Resources &resources = result.module.kernels[0].resources;
  EXPECT_GT(resources.registers, 0);
  EXPECT_EQ(resources.spillStoreBytes, 0);
  EXPECT_EQ(resources.staticSharedBytes, 256);
  EXPECT_GT(resources.codeBytes, 0);
  EXPECT_EQ(resources.occupancyThreads, 64);
  EXPECT_EQ(resources.occupancyPercent, 100);
}

TEST(Ptxas, TheLevelOfAGrainReplacesTheCommandLines) {
  CodegenOptions options;
  options.ptxasArgs = {"-O3", "--opt-level", "2", "-dlcm", "ca", "--opt-level=0"};
  EXPECT_EQ(nvptx::atLevel(options, "O1").ptxasArgs, (std::vector<std::string>{"-dlcm=ca", "-O1"}));
  EXPECT_EQ(nvptx::atLevel(options, "").ptxasArgs, options.ptxasArgs);
}

} // namespace
