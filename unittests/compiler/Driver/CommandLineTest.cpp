//===- CommandLineTest.cpp - Parsing of command lines ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

namespace regrain {
namespace {

using Strings = std::vector<std::string>;

/// Parses flags that must be valid.
CommandLine parse(std::vector<const char *> flags) {
  llvm::Expected<CommandLine> line = parseCommandLine(flags);
  if (line)
    return std::move(*line);
  ADD_FAILURE() << llvm::toString(line.takeError());
  return {};
}

/// Returns the error of flags that must be invalid.
std::string errorOf(std::vector<const char *> flags) {
  llvm::Expected<CommandLine> line = parseCommandLine(flags);
  return line ? "" : llvm::toString(line.takeError());
}

Strings texts(const CommandLine &line, Item::Kind kind) {
  Strings result;
  for (const Item &item : line.items)
    if (item.kind == kind)
      result.push_back(item.text);
  return result;
}

//===-- Toolkit -----------------------------------------------------------===//

TEST(Toolkit, ReleaseIsANumberInTheRange) {
  EXPECT_EQ(parse({"a.cu"}).cudaVersion, std::nullopt);
  EXPECT_EQ(parse({"a.cu", "--cuda-version=11.8"}).cudaVersion, 11080u);
  EXPECT_EQ(parse({"a.cu", "--cuda-version", "13.0"}).cudaVersion, 13000u);
  for (const char *wrong : {"--cuda-version=11.7", "--cuda-version=13.1", "--cuda-version=12",
                            "--cuda-version=12.10", "--cuda-version=x"})
    EXPECT_NE(errorOf({"a.cu", wrong}).find("a release from 11.8 to 13.0"), std::string::npos);
}

//===-- Actions -----------------------------------------------------------===//

TEST(Action, DefaultIsLinking) {
  CommandLine line = parse({"a.cu", "b.cpp", "c.o", "-o", "prog"});
  EXPECT_EQ(line.action, Action::Link);
  EXPECT_EQ(line.output, "prog");
  EXPECT_EQ(texts(line, Item::Cuda), Strings{"a.cu"});
  EXPECT_EQ(texts(line, Item::CXX), Strings{"b.cpp"});
  EXPECT_EQ(texts(line, Item::LinkerInput), Strings{"c.o"});
}

TEST(Action, CompileInAllSpellings) {
  for (const char *flag : {"-c", "--compile"})
    EXPECT_EQ(parse({flag, "a.cu"}).action, Action::Compile) << flag;
}

TEST(Action, PreprocessAndDependencies) {
  for (const char *flag : {"-E", "--preprocess", "-M", "-MM", "--generate-dependencies"})
    EXPECT_EQ(parse({flag, "a.cu"}).action, Action::Preprocess) << flag;
  EXPECT_EQ(parse({"-MD", "-c", "a.cu"}).action, Action::Compile);
}

TEST(Action, EmitGoesToStdoutUnlessNamed) {
  CommandLine shown = parse({"--emit=grain", "a.cu"});
  EXPECT_EQ(shown.action, Action::Emit);
  EXPECT_TRUE(std::holds_alternative<GrainStage>(shown.stage));
  EXPECT_TRUE(shown.emitToStdout);
  EXPECT_FALSE(parse({"--emit=llvm", "a.cu", "-o", "a.ll"}).emitToStdout);
  CommandLine ptx = parse({"-ptx", "a.cu"});
  EXPECT_EQ(std::get<CodeStage>(ptx.stage).name, "ptx");
  EXPECT_FALSE(ptx.emitToStdout);
  EXPECT_EQ(std::get<CodeStage>(parse({"--cubin", "a.cu"}).stage).name, "cubin");
  EXPECT_EQ(errorOf({"--emit=sass", "a.cu"}),
            "option '--emit=sass': expected one of llvm, grain, asm, ptx, cubin, "
            "amdgcn, hsaco");
}

TEST(Action, QuestionsNeedNoFiles) {
  EXPECT_EQ(parse({"--version"}).action, Action::Version);
  EXPECT_EQ(parse({"-V"}).action, Action::Version);
  EXPECT_EQ(parse({"-h"}).action, Action::Help);
  EXPECT_EQ(parse({"--list-gpu-code"}).action, Action::ListReal);
  EXPECT_EQ(errorOf({"-c"}), "no input files; '--help' shows how it is called");
  EXPECT_EQ(errorOf({"-c", "a.o"}), "no source file is given, and nothing is linked");
  EXPECT_EQ(errorOf({"-c", "a.cu", "b.cu", "-o", "x.o"}),
            "option '-o' names one file, but there are several to write");
}

TEST(CommandLine, RefusesToReplaceASource) {
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("source", "cu", path));
  std::string error = errorOf({"-c", path.c_str(), "-o", path.c_str()});
  EXPECT_EQ(error, "option '-o' names a source, '" + std::string(path) +
                       "', which the output would replace");
  llvm::SmallString<64> object;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("object", "o", object));
  EXPECT_EQ(errorOf({"-c", path.c_str(), "-o", object.c_str()}), "");
  EXPECT_EQ(errorOf({"-c", "-x", "cu", "/dev/null", "-o", "/dev/null"}), "");
  llvm::sys::fs::remove(path);
  llvm::sys::fs::remove(object);
}

TEST(Action, VerboseAndDryRun) {
  for (const char *flag : {"-v", "--verbose"})
    EXPECT_TRUE(parse({flag, "a.cu"}).verbose) << flag;
  for (const char *flag : {"--dry-run", "-dryrun", "--dryrun", "-###"})
    EXPECT_TRUE(parse({flag, "a.cu"}).dryRun) << flag;
}

//===-- Files ----------------------------------------------------------------===//

TEST(Files, OutputJoinedSeparateAndLong) {
  EXPECT_EQ(parse({"-oprog", "a.cu"}).output, "prog");
  EXPECT_EQ(parse({"--output-file", "prog", "a.cu"}).output, "prog");
  EXPECT_EQ(parse({"--output-file=prog", "a.cu"}).output, "prog");
  EXPECT_EQ(errorOf({"a.cu", "-o"}), "option '-o' needs a value");
}

TEST(Files, LanguageOfWhatFollows) {
  CommandLine line = parse({"a.cpp", "-x", "cu", "b.cpp", "c.o", "-x", "c++", "d.cu"});
  EXPECT_EQ(texts(line, Item::CXX), (Strings{"a.cpp", "d.cu"}));
  EXPECT_EQ(texts(line, Item::Cuda), Strings{"b.cpp"});
  EXPECT_EQ(texts(line, Item::LinkerInput), Strings{"c.o"});
  EXPECT_EQ(parse({"-x=cu", "a.inc"}).items[0].kind, Item::Cuda);
  EXPECT_EQ(errorOf({"-x", "fortran", "a.f"}), "option '-x fortran': expected cu, c, c++ or none");
}

TEST(Files, EveryExtension) {
  for (const char *file : {"a.cpp", "a.cc", "a.cxx", "a.C", "a.c++"})
    EXPECT_EQ(parse({file}).items[0].kind, Item::CXX) << file;
  EXPECT_EQ(parse({"a.c"}).items[0].kind, Item::C);
  for (const char *file : {"a.o", "a.a", "a.so", "liba.so.1", "a"})
    EXPECT_EQ(parse({file}).items[0].kind, Item::LinkerInput) << file;
}

TEST(Files, ResponseFile) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("flags", "rsp", path));
  llvm::FileRemover remover(path);
  {
    std::error_code code;
    llvm::raw_fd_ostream out(path, code);
    ASSERT_FALSE(code);
    out << "-DX=\"a b\" -c\na.cu\n";
  }
  std::string at = ("@" + path).str(), option = ("-optf=" + path).str();
  for (const char *flag : {at.c_str(), option.c_str()}) {
    CommandLine line = parse({flag});
    EXPECT_EQ(line.action, Action::Compile) << flag;
    EXPECT_EQ(line.frontend.clangArgs, (Strings{"-D", "X=a b"})) << flag;
  }
  EXPECT_NE(errorOf({"-optf", "/nonexistent", "a.cu"}).find("/nonexistent"), std::string::npos);
}

//===-- Destinations of flags ---------------------------------------------===//

TEST(Flags, PreprocessorFlagsReachBothSidesAndOtherSources) {
  CommandLine line = parse({"-Iinc", "-I", "inc2", "-DA=1", "-U", "B", "--define-macro=C",
                            "-isystem", "sys", "-include", "pre.h", "a.cu"});
  Strings expected = {"-I", "inc", "-I", "inc2",     "-D",  "A=1",      "-U",
                      "B",  "-D",  "C",  "-isystem", "sys", "-include", "pre.h"};
  EXPECT_EQ(line.frontend.clangArgs, expected);
  EXPECT_EQ(line.otherArgs, expected);
  EXPECT_TRUE(line.frontend.hostArgs.empty());
}

TEST(Flags, Standard) {
  for (std::vector<const char *> flags : {std::vector{"-std=c++17", "a.cu"},
                                          {"--std=c++17", "a.cu"},
                                          {"-std", "c++17", "a.cu"},
                                          {"--std", "c++17", "a.cu"}})
    EXPECT_EQ(parse(flags).frontend.clangArgs, Strings{"-std=c++17"});
}

TEST(Flags, OptimisationAndDebugAreTheHosts) {
  CommandLine line = parse({"-O2", "-g", "-march=native", "-m64", "a.cu"});
  EXPECT_EQ(line.frontend.hostArgs, (Strings{"-O2", "-g", "-march=native", "-m64"}));
  EXPECT_EQ(line.frontend.hostArgs, line.otherArgs);
  EXPECT_EQ(line.image.codegen.optLevel, 3u);
  EXPECT_EQ(parse({"--optimize=1", "a.cu"}).frontend.hostArgs, Strings{"-O1"});
}

TEST(Flags, DeviceDebugIsNotOptimised) {
  CommandLine line = parse({"-G", "a.cu"});
  EXPECT_EQ(line.image.codegen.optLevel, 0u);
  EXPECT_EQ(line.image.codegen.debugInfo, DebugInfo::Full);
  EXPECT_TRUE(line.frontend.debug);
  for (const char *option : {"-lineinfo", "--generate-line-info"}) {
    CommandLine lines = parse({option, "a.cu"});
    EXPECT_EQ(lines.image.codegen.debugInfo, DebugInfo::Lines);
    EXPECT_EQ(lines.image.codegen.optLevel, 3u);
    EXPECT_FALSE(lines.frontend.debug);
  }
}

TEST(Flags, SanitizersCheckDeviceCodeOfTheCpuAlone) {
  CommandLine line =
      parse({"--targets=cpu", "-fsanitize=address,shift,leak", "-fno-sanitize=shift-base", "a.cu"});
  EXPECT_TRUE(line.image.codegen.sanitizers.address);
  EXPECT_TRUE(line.image.codegen.sanitizers.undefined);
  EXPECT_FALSE(line.image.codegen.sanitizers.thread);
  EXPECT_EQ(line.image.codegen.debugInfo, DebugInfo::Lines);
  EXPECT_EQ(line.frontend.deviceArgs, (Strings{"-Xclang", "-fsanitize=address,shift-exponent",
                                               "-Xclang", "-fsanitize-recover=shift-exponent"}));
  CommandLine others = parse({"--targets=cpu,ptx", "-fsanitize=thread", "a.cu"});
  EXPECT_FALSE(others.image.codegen.sanitizers.areAny());
  EXPECT_TRUE(others.frontend.deviceArgs.empty());
  EXPECT_EQ(others.warnings.size(), 1u);
}

TEST(Flags, XcompilerListsGoToTheHostAndTheLink) {
  CommandLine line =
      parse({"-Xcompiler", "-Wall,-fPIC", "--compiler-options=-fopenmp", "-Xcompiler=-DX", "a.cu"});
  EXPECT_EQ(line.frontend.hostArgs, (Strings{"-Wall", "-fPIC", "-fopenmp"}));
  EXPECT_EQ(line.linkArgs, line.frontend.hostArgs);
  EXPECT_EQ(line.frontend.clangArgs, Strings{"-DX"});
}

TEST(Flags, PassedOnListsSplitAtCommasAndBlanks) {
  EXPECT_EQ(splitPassedOn("-a,-b -c"), (Strings{"-a", "-b", "-c"}));
  EXPECT_EQ(splitPassedOn("-a\\,b"), Strings{"-a,b"});
  EXPECT_EQ(splitPassedOn("-DX=\\\"y\\\""), Strings{"-DX=\"y\""});
}

TEST(Flags, PtxasAndRegisters) {
  CommandLine line = parse({"-Xptxas", "-v,-O2", "--ptxas-options=-dlcm=ca", "-maxrregcount=32",
                            "--resource-usage", "a.cu"});
  EXPECT_EQ(line.image.codegen.ptxasArgs, (Strings{"-v", "-O2", "-dlcm=ca", "-v"}));
  EXPECT_EQ(line.image.codegen.maxRegisters, 32u);
  EXPECT_EQ(parse({"--maxrregcount", "64", "a.cu"}).image.codegen.maxRegisters, 64u);
  EXPECT_EQ(errorOf({"-maxrregcount=many", "a.cu"}),
            "option '-maxrregcount=many': expected a number of registers");
}

TEST(Flags, FastMathInAllSpellings) {
  for (const char *flag : {"-use_fast_math", "--use_fast_math", "--use-fast-math"}) {
    CommandLine line = parse({flag, "a.cu"});
    EXPECT_TRUE(line.image.codegen.fastMath && line.frontend.fastMath) << flag;
  }
  EXPECT_EQ(parse({"-ftz=true", "-fmad=false", "a.cu"}).frontend.deviceArgs,
            (Strings{"-fgpu-flush-denormals-to-zero", "-ffp-contract=off"}));
  EXPECT_TRUE(parse({"-ftz=false", "--fmad", "true", "a.cu"}).frontend.deviceArgs.empty());
  EXPECT_FALSE(parse({"-fmad=false", "a.cu"}).image.codegen.fuseMultiplyAdd);
  EXPECT_TRUE(parse({"-fmad=true", "a.cu"}).image.codegen.fuseMultiplyAdd);
  EXPECT_EQ(errorOf({"-ftz=maybe", "a.cu"}), "option '-ftz=maybe': expected true or false");
}

TEST(Flags, TheLastOptionDecidesWhetherProductsAreFused) {
  auto fuses = [](std::initializer_list<const char *> flags) {
    return parse(flags).image.codegen.fuseMultiplyAdd;
  };
  EXPECT_FALSE(fuses({"-ffp-contract=off", "a.cu"}));
  EXPECT_TRUE(fuses({"-ffp-contract=on", "a.cu"}));
  EXPECT_FALSE(fuses({"-fmad=true", "-ffp-contract=off", "a.cu"}));
  EXPECT_TRUE(fuses({"-ffp-contract=off", "-fmad=true", "a.cu"}));
  EXPECT_EQ(parse({"-ffp-contract=on", "a.cu"}).frontend.deviceArgs,
            (Strings{"-ffp-contract=fast"}));
  EXPECT_EQ(parse({"-ffp-contract=off", "a.cu"}).image.vendor.obstacle, "");
}

TEST(Flags, DependenciesStandApart) {
  CommandLine line = parse({"-MD", "-MP", "-MF", "a.d", "-MT", "x.o", "-c", "a.cu"});
  EXPECT_TRUE(line.writesDependencies);
  EXPECT_EQ(line.dependencyArgs, (Strings{"-MD", "-MP"}));
  EXPECT_EQ(line.dependencyFile, "a.d");
  EXPECT_EQ(line.dependencyTargets, (Strings{"-MT", "x.o"}));
}

TEST(Flags, LanguageExtensionsAreMacros) {
  CommandLine line = parse({"--expt-relaxed-constexpr", "-extended-lambda", "a.cu"});
  EXPECT_EQ(line.frontend.clangArgs,
            (Strings{"-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_RELAXED_CONSTEXPR__"}));
  EXPECT_EQ(parse({"-G", "a.cu"}).frontend.clangArgs, (Strings{"-D__CUDACC_DEBUG__"}));
}

TEST(Flags, WhatChangesNothingIsTaken) {
  CommandLine line = parse({"-t", "4", "--threads=2", "-Wno-deprecated-gpu-targets",
                            "-diag-suppress", "177", "-Xcudafe", "--display_error_number", "--keep",
                            "-prec-div=true", "-rdc=false", "--default-stream", "legacy", "a.cu"});
  EXPECT_TRUE(line.frontend.clangArgs.empty());
  EXPECT_TRUE(line.frontend.hostArgs.empty());
  EXPECT_EQ(line.items.size(), 1u);
}

TEST(Flags, DefaultStream) {
  Strings wanted = {"-Xclang", "-fgpu-default-stream=per-thread"};
  EXPECT_EQ(parse({"--default-stream", "per-thread", "a.cu"}).frontend.clangArgs, wanted);
  EXPECT_EQ(parse({"-default-stream=per-thread", "a.cu"}).frontend.clangArgs, wanted);
  EXPECT_TRUE(parse({"-default-stream=null", "a.cu"}).frontend.clangArgs.empty());
  for (const char *macro :
       {"-DCUDA_API_PER_THREAD_DEFAULT_STREAM", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}) {
    Strings both = parse({macro, "a.cu"}).frontend.clangArgs;
    ASSERT_EQ(both.size(), 4u) << macro;
    EXPECT_EQ(Strings(both.begin(), both.begin() + 2), wanted) << macro;
  }
  EXPECT_EQ(parse({"-DCUDA_API_PER_THREAD", "a.cu"}).frontend.clangArgs,
            (Strings{"-D", "CUDA_API_PER_THREAD"}));
}

//===-- Linking --------------------------------------------------------------===//

TEST(Linking, FlagsKeepTheirPlaceBetweenFiles) {
  CommandLine line = parse({"a.o", "-lfoo", "-L", "dir", "b.a", "-Xlinker", "-x,-y", "-Wl,-z,now"});
  Strings all;
  for (const Item &item : line.items)
    all.push_back(item.text);
  EXPECT_EQ(all, (Strings{"a.o", "-lfoo", "-L", "dir", "b.a", "-Xlinker", "-x", "-Xlinker", "-y",
                          "-Wl,-z,now", "-lfoo"}));
}

TEST(Linking, LibrariesInFrontOfFilesAreNamedBehindThemAgain) {
  auto textsOf = [](std::vector<const char *> arguments) {
    Strings all;
    for (const Item &item : parse(arguments).items)
      all.push_back(item.text);
    return all;
  };
  EXPECT_EQ(textsOf({"-lone", "-Ldir", "-ltwo", "a.cu", "b.o", "-lthree"}),
            (Strings{"-lone", "-L", "dir", "-ltwo", "a.cu", "b.o", "-lthree", "-lone", "-ltwo"}));
  EXPECT_EQ(textsOf({"a.cu", "-lone"}), (Strings{"a.cu", "-lone"}));
  // Their place has a meaning.
  EXPECT_EQ(textsOf({"-Wl,-Bstatic", "-lone", "-Wl,-Bdynamic", "a.o"}),
            (Strings{"-Wl,-Bstatic", "-lone", "-Wl,-Bdynamic", "a.o"}));
}

TEST(Linking, TheToolkitsRuntimeIsSwallowed) {
  CommandLine line = parse({"a.o", "-lcudart", "-lcudart_static", "-l", "cudadevrt", "-lm"});
  EXPECT_EQ(texts(line, Item::LinkerFlag), Strings{"-lm"});
}

TEST(Linking, Cudart) {
  EXPECT_EQ(parse({"a.o"}).cudart, Cudart::Shared);
  EXPECT_EQ(parse({"-cudart", "static", "a.o"}).cudart, Cudart::Static);
  EXPECT_EQ(parse({"--cudart=none", "a.o"}).cudart, Cudart::None);
  EXPECT_EQ(errorOf({"-cudart=maybe", "a.o"}),
            "option '-cudart=maybe': expected shared, static or none");
  EXPECT_TRUE(parse({"-shared", "a.o"}).shared);
  EXPECT_EQ(parse({"-ccbin=g++", "a.o"}).hostCompiler, "g++");
}

//===-- Targets and grains ---------------------------------------------------===//

TEST(Targets, DefaultIsCpuAndPtx) {
  CommandLine line = parse({"a.cu"});
  EXPECT_EQ(line.image.targets, (Strings{"cpu", "ptx"}));
  EXPECT_EQ(line.deviceArchitectures, std::vector<Architecture>{70});
}

TEST(Targets, GpusAreAddedAndTheCpuStays) {
  CommandLine line = parse({"-arch=sm_90", "a.cu"});
  EXPECT_EQ(line.image.targets, (Strings{"cpu", "sm_90", "compute_90"}));
  EXPECT_EQ(line.deviceArchitectures, (std::vector<Architecture>{70, 90}));
  EXPECT_EQ(parse({"-arch", "sm_90", "a.cu"}).image.targets, line.image.targets);
  EXPECT_EQ(parse({"--gpu-architecture=sm_90", "a.cu"}).image.targets, line.image.targets);
  EXPECT_EQ(parse({"--offload-arch=sm_90", "a.cu"}).image.targets, line.image.targets);
  EXPECT_EQ(parse({"--cuda-gpu-arch=sm_90", "a.cu"}).image.targets, line.image.targets);
  EXPECT_EQ(parse({"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90",
                   "a.cu"})
                .image.targets,
            (Strings{"cpu", "sm_80", "sm_90"}));
  EXPECT_EQ(parse({"-arch=compute_80", "-code=sm_80,sm_86", "a.cu"}).image.targets,
            (Strings{"cpu", "sm_80", "sm_86"}));
  EXPECT_EQ(errorOf({"-code=sm_80", "a.cu"}), "option '-code' needs -arch=compute_NN");
}

TEST(Targets, ExactListReplacesAll) {
  CommandLine line = parse({"--targets=sm_90,ptx", "-arch=sm_80", "a.cu"});
  EXPECT_EQ(line.image.targets, (Strings{"sm_90", "ptx"}));
  EXPECT_EQ(line.deviceArchitectures, (std::vector<Architecture>{90, 70}));
  EXPECT_NE(errorOf({"--targets=cpu,vulkan", "a.cu"}).find("'vulkan'"), std::string::npos);
}

TEST(Targets, RetiredArchitectureWarns) {
  CommandLine line = parse({"-arch=sm_20", "a.cu"});
  EXPECT_EQ(line.image.targets, (Strings{"cpu", "sm_50", "compute_50"}));
  ASSERT_EQ(line.warnings.size(), 1u);
  EXPECT_NE(line.warnings[0].find("'sm_20' is retired"), std::string::npos);
}

TEST(Grains, RequestsInOrder) {
  CommandLine line = parse({"--coarsen=*:block.x=2", "--coarsen=lud<int>:thread=4", "a.cu"});
  ASSERT_EQ(line.image.coarsen.size(), 2u);
  EXPECT_EQ(line.image.coarsen[0].glob, "*");
  EXPECT_EQ(line.image.coarsen[1].spec, "thread=4");
}

TEST(Grains, BadSpecNamesTheOption) {
  for (const char *flag : {"--coarsen=block.x=2", "--coarsen=*:block.w=2", "--coarsen=*:block.x=0",
                           "--coarsen=*:", "--coarsen=*:block.x=two"}) {
    std::string error = errorOf({flag, "a.cu"});
    EXPECT_NE(error.find(std::string("option '") + flag + "'"), std::string::npos) << error;
  }
}

TEST(Grains, Choices) {
  std::string path = testing::TempDir() + "/choices." + std::to_string(getpid()) + ".json";
  TunedChoices choices = {{{"k()", "00", {"block.x=2"}, "block.x=2", {}}}};
  ASSERT_TRUE(writeChoices(choices, path));
  std::string flag = "--choose=" + path;
  CommandLine line = parse({flag.c_str(), "a.cu"});
  EXPECT_EQ(line.image.choicesFile, path);
  ASSERT_EQ(line.image.choices.kernels.size(), 1u);
  EXPECT_EQ(line.image.choices.kernels[0].name, "k()");
  EXPECT_EQ(std::remove(path.c_str()), 0);
  EXPECT_EQ(errorOf({flag.c_str(), "a.cu"}),
            "option '--choose': cannot read " + path + ": No such file or directory");
}

TEST(Grains, LaunchesOfChoices_AreNoChoices) {
  std::string path = testing::TempDir() + "/launches." + std::to_string(getpid()) + ".json";
  TunedChoices choices = {{{"k()", "00", {"block.x=2"}, "block.x=2", {}}}};
  ASSERT_TRUE(writeChoices(choices, path));
  std::string flag = "--launches=" + path;
  CommandLine line = parse({flag.c_str(), "a.cu"});
  EXPECT_TRUE(line.image.choices.kernels.empty());
  EXPECT_EQ(line.image.launches.kernels.size(), 1u);
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

TEST(Grains, Alternatives) {
  EXPECT_EQ(parse({"--alternatives=3", "a.cu"}).image.alternatives, 3u);
  EXPECT_TRUE(parse({"--alternatives=all", "a.cu"}).image.allAlternatives);
  EXPECT_EQ(errorOf({"--alternatives=some", "a.cu"}),
            "option '--alternatives=some': expected a number or 'all'");
  EXPECT_EQ(parse({"a.cu"}).image.alternativeSeconds, 60u);
  EXPECT_EQ(parse({"--alternative-timeout=5", "a.cu"}).image.alternativeSeconds, 5u);
  EXPECT_EQ(errorOf({"--alternative-timeout=soon", "a.cu"}),
            "option '--alternative-timeout=soon': expected a number of seconds");
  EXPECT_FALSE(parse({"a.cu"}).image.reordersSums);
  EXPECT_FALSE(parse({"--use_fast_math", "a.cu"}).image.reordersSums);
  EXPECT_FALSE(parse({"-ffast-math", "-fno-associative-math", "a.cu"}).image.reordersSums);
  EXPECT_TRUE(parse({"-fassociative-math", "a.cu"}).image.reordersSums);
  EXPECT_TRUE(parse({"--reassociate", "a.cu"}).image.reordersSums);
  EXPECT_FALSE(parse({"a.cu"}).image.recordTimes);
  EXPECT_TRUE(parse({"--record-compile-times", "a.cu"}).image.recordTimes);
  EXPECT_FALSE(parse({"--alternatives=3", "a.cu"}).image.specialise);
  EXPECT_TRUE(parse({"--alternatives=3", "--specialise", "a.cu"}).image.specialise);
}

//===-- Refusals -------------------------------------------------------------===//

TEST(Refusals, UnknownOptionIsNamedWithItsNearest) {
  EXPECT_EQ(errorOf({"--coarsn=*:block.x=2", "a.cu"}),
            "unknown option '--coarsn=*:block.x=2'; did you mean '--coarsen=*:block.x=2'?");
  EXPECT_EQ(
      errorOf({"--utterly-unknown", "a.cu"}),
      "unknown option '--utterly-unknown'; '--help' lists the options, -Xcompiler, -Xptxas and "
      "-Xlinker pass others on");
}

TEST(Refusals, UnknownOptionsGoOnWhereNvccWouldPassThem) {
  CommandLine line = parse({"-forward-unknown-to-host-compiler", "--utterly-unknown", "a.cu"});
  EXPECT_EQ(line.frontend.hostArgs, Strings{"--utterly-unknown"});
  line = parse({"--forward-unknown-to-host-linker", "--utterly-unknown", "a.o"});
  EXPECT_EQ(texts(line, Item::LinkerFlag), Strings{"--utterly-unknown"});
}

TEST(Refusals, UnsupportedOptionsSayWhat) {
  EXPECT_NE(errorOf({"-m32", "a.cu"}).find("32-bit"), std::string::npos);
  EXPECT_NE(errorOf({"-dlink", "a.cu"}).find("'-dlink'"), std::string::npos);
}

TEST(Relocatable, EachSpellingAsksForIt) {
  for (const char *option :
       {"-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c", "-fgpu-rdc"})
    EXPECT_TRUE(parse({option, "a.cu"}).relocatable) << option;
  for (const char *option : {"-rdc=false", "-dw", "-fno-gpu-rdc"})
    EXPECT_FALSE(parse({"-rdc=true", option, "a.cu"}).relocatable) << option;
  EXPECT_EQ(parse({"-dc", "a.cu"}).action, Action::Compile);
  EXPECT_EQ(parse({"-dlink", "a.o"}).action, Action::DeviceLink);
  EXPECT_EQ(parse({"-lib", "a.o"}).action, Action::Archive);
}

TEST(Relocatable, TheDeviceLinkTakesFromObjectsWhatTheLineDoesNotSay) {
  Strings ofObject = parse({"-dc", "-arch=sm_80", "-fmad=false", "-maxrregcount=40", "-DX",
                            "--coarsen=*:block.x=2", "a.cu"})
                         .objectOptions;
  auto linked = [&](std::vector<const char *> arguments) {
    llvm::Expected<CommandLine> line = parseForDeviceLink(parse(arguments), ofObject);
    return line ? std::move(*line) : CommandLine();
  };
  CommandLine plain = linked({"-dlink", "a.o"});
  EXPECT_EQ(plain.image.targets, (Strings{"cpu", "sm_80", "compute_80"}));
  EXPECT_FALSE(plain.image.codegen.fuseMultiplyAdd);
  EXPECT_EQ(plain.image.codegen.maxRegisters, 40u);
  EXPECT_EQ(plain.image.coarsen.size(), 1u);
  CommandLine own = linked({"-dlink", "-arch=sm_90", "-maxrregcount=32", "a.o"});
  EXPECT_EQ(own.image.targets, (Strings{"cpu", "sm_90", "compute_90"}));
  EXPECT_EQ(own.image.codegen.maxRegisters, 32u);
}

TEST(Refusals, EveryErrorIsShown) {
  EXPECT_EQ(errorOf({"-m32", "--targets=z", "--no-such-thing", "a.cu"}).find('\n') ==
                std::string::npos,
            false);
}

} // namespace
} // namespace regrain
