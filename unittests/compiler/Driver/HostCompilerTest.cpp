//===- HostCompilerTest.cpp - Commands of other programs ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/HostCompiler.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

namespace regrain {
namespace {

const Installation installation = {
    "/opt/r/lib", "/opt/r/include/regrain/cuda", "/opt/r/lib/math", "/opt/r/include/math", {}, {}};
const Installation withToolkit = {"/opt/r/lib",      "/opt/r/include/regrain/cuda",
                                  "/opt/r/lib/math", "/opt/r/include/math",
                                  {"/t/include"},    {"/t/lib64"}};

bool has(const Command &command, llvm::StringRef argument) {
  return llvm::is_contained(command, argument);
}

TEST(LinkCommand, SharedRuntimeIsFoundAgainByRpath) {
  Command command = linkCommand(CommandLine(), installation, {"a.o", "-lm"}, "prog");
  EXPECT_TRUE(has(command, "-L/opt/r/lib"));
  EXPECT_TRUE(has(command, "-lregrain"));
  EXPECT_TRUE(has(command, "-Wl,-rpath,/opt/r/lib"));
  EXPECT_FALSE(has(command, "-shared"));
}

TEST(LinkCommand, StaticRuntimeIsLinkedWhole) {
  CommandLine line;
  line.cudart = Cudart::Static;
  Command command = linkCommand(line, installation, {"a.o"}, "prog");
  EXPECT_TRUE(has(command, "/opt/r/lib/libregrain.a"));
  EXPECT_TRUE(has(command, "/opt/r/lib/libregrain-cpu.a"));
  EXPECT_FALSE(has(command, "-lregrain"));
}

TEST(LinkCommand, NoRuntime) {
  CommandLine line;
  line.cudart = Cudart::None;
  line.shared = true;
  Command command = linkCommand(line, installation, {"a.o"}, "lib.so");
  EXPECT_TRUE(has(command, "-shared"));
  EXPECT_FALSE(has(command, "-lregrain"));
}

TEST(LinkCommand, DriverApiIsLinkedOnlyWhereItIsCalled) {
  Command command =
      linkCommand(CommandLine(), installation, {"a.o", "-L/no/such/folder", "-lcuda"}, "prog");
  auto library = llvm::find(command, "-lcuda");
  if (library != command.end())
    EXPECT_EQ(library[-1], "-Wl,--push-state,--as-needed");
}

TEST(CompileCommand, StandardOfCXXIsNotForC) {
  CommandLine line;
  line.action = Action::Compile;
  line.otherArgs = {"-std=c++17", "-O2"};
  Command forC = compileCommand(line, installation, {Item::C, "a.c"}, "a.o", {});
  EXPECT_FALSE(has(forC, "-std=c++17"));
  EXPECT_TRUE(has(forC, "-O2"));
  EXPECT_TRUE(
      has(compileCommand(line, installation, {Item::CXX, "a.cpp"}, "a.o", {}), "-std=c++17"));
  line.otherArgs = {"-std=c11"};
  EXPECT_TRUE(has(compileCommand(line, installation, {Item::C, "a.c"}, "a.o", {}), "-std=c11"));
}

TEST(CompileCommand, SourceKeepsItsLanguage) {
  CommandLine line;
  line.action = Action::Compile;
  line.hostCompiler = "g++";
  line.otherArgs = {"-O2"};
  Command command = compileCommand(line, installation, {Item::C, "a.c"}, "a.o", {});
  EXPECT_EQ(
      command,
      (Command{"g++", "-I/opt/r/include/regrain/cuda", "-D__NVCC__", "-DREGRAIN_CUDA_VERSION=13000",
               "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0",
               "-O2", "-isystem", "/opt/r/include/math", "-c", "-x", "c", "a.c", "-o", "a.o"}));
}

TEST(CompileCommand, ToolkitIsSearchedAfterTheUsersFolders) {
  CommandLine line;
  line.action = Action::Compile;
  line.hostCompiler = "g++";
  line.otherArgs = {"-Imine"};
  Command command = compileCommand(line, withToolkit, {Item::CXX, "a.cpp"}, "a.o", {});
  EXPECT_EQ(command, (Command{"g++",
                              "-I/opt/r/include/regrain/cuda",
                              "-D__NVCC__",
                              "-DREGRAIN_CUDA_VERSION=13000",
                              "-D__CUDACC_VER_MAJOR__=13",
                              "-D__CUDACC_VER_MINOR__=0",
                              "-D__CUDACC_VER_BUILD__=0",
                              "-Imine",
                              "-isystem",
                              "/opt/r/include/regrain/cccl",
                              "-isystem",
                              "/t/include",
                              "-isystem",
                              "/opt/r/include/math",
                              "-c",
                              "-x",
                              "c++",
                              "a.cpp",
                              "-o",
                              "a.o"}));
}

TEST(CompileCommand, OwnLibrariesComeFirstWithoutGPU) {
  CommandLine line;
  line.action = Action::Compile;
  line.image.targets = {"cpu"};
  Command command = compileCommand(line, withToolkit, {Item::CXX, "a.cpp"}, "a.o", {});
  EXPECT_LT(llvm::find(command, "/opt/r/include/math"), llvm::find(command, "/t/include"));
  line.image.targets = {"cpu", "sm_90"};
  command = compileCommand(line, withToolkit, {Item::CXX, "a.cpp"}, "a.o", {});
  EXPECT_LT(llvm::find(command, "/t/include"), llvm::find(command, "/opt/r/include/math"));
}

TEST(LinkCommand, OwnLibrariesComeFirstWithoutGPU) {
  CommandLine line;
  line.image.targets = {"cpu"};
  Command command = linkCommand(line, withToolkit, {"a.o", "-lcublas"}, "prog");
  EXPECT_LT(llvm::find(command, "-L/opt/r/lib/math"), llvm::find(command, "-L/t/lib64"));
  line.image.targets = {"cpu", "ptx"};
  command = linkCommand(line, withToolkit, {"a.o", "-lcublas"}, "prog");
  EXPECT_LT(llvm::find(command, "-L/t/lib64"), llvm::find(command, "-L/opt/r/lib/math"));
}

/// Regrain's library and NVIDIA's take turns only in programs for the CPU and for GPUs.
TEST(CommandLine, ProgramForTheCPUAndAGPU_IsRecognised) {
  CommandLine line;
  EXPECT_FALSE(line.runsOnCPUAndGPU());
  for (auto [targets, isBoth] : {std::pair(std::vector<std::string>{"cpu"}, false),
                                 {{"ptx", "sm_90"}, false},
                                 {{"cpu", "ptx"}, true},
                                 {{"gfx90a", "cpu"}, true}}) {
    line.image.targets = targets;
    EXPECT_EQ(line.runsOnCPUAndGPU(), isBoth) << targets.front();
  }
}

TEST(LinkCommand, OwnLibrariesAreFoundAgainBesideTheStaticRuntime) {
  CommandLine line;
  line.cudart = Cudart::Static;
  EXPECT_TRUE(
      has(linkCommand(line, installation, {"a.o", "-lcufft"}, "prog"), "-Wl,-rpath,/opt/r/lib"));
  EXPECT_FALSE(has(linkCommand(line, installation, {"a.o"}, "prog"), "-Wl,-rpath,/opt/r/lib"));
}

TEST(MathLibraries, MissingLibraryIsReported) {
  llvm::Error error = checkMathLibraries(CommandLine(), installation, {"a.o", "-lcufft"});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "'-lcufft': no CUDA toolkit has this library, and Regrain was built without FFTW "
            "(libfftw3-dev)");
  EXPECT_FALSE(checkMathLibraries(CommandLine(), installation, {"a.o", "-lm"}));
}

TEST(LinkCommand, ToolkitsLibrariesAreFoundAfterTheUsersButNotByRpath) {
  Command command = linkCommand(CommandLine(), withToolkit, {"a.o", "-Lmine", "-lcublas"}, "prog");
  auto users = llvm::find(command, "-Lmine"), toolkits = llvm::find(command, "-L/t/lib64");
  EXPECT_NE(toolkits, command.end());
  EXPECT_LT(users, toolkits);
  EXPECT_FALSE(has(command, "-Wl,-rpath,/t/lib64"));
}

TEST(Quoted, ArgumentsWithBlanksAreQuoted) {
  EXPECT_EQ(quoted({"cc", "-DX=a b"}), "cc \"-DX=a b\"");
}

TEST(RunCommand, SaysWhatIsMissing) {
  std::string error = llvm::toString(runCommand({"/no/such/compiler", "-c"}));
  EXPECT_NE(error.find("'/no/such/compiler'"), std::string::npos);
}

TEST(RunCommand, FailureIsDiagnosedByTheCommand) {
  llvm::Error error = runCommand({"false"});
  EXPECT_TRUE(error.isA<Diagnosed>());
  llvm::consumeError(std::move(error));
  EXPECT_FALSE(runCommand({"true"}));
}

} // namespace
} // namespace regrain
