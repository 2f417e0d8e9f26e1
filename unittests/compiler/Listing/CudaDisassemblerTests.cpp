//===- CudaDisassemblerTests.cpp - Running NVIDIA's disassemblers ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/CudaDisassembler.h"

#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace regrain;
using namespace regrain::listing;

namespace {

/// A toolkit that has the given programs, each a shell script; the only one that is found.
class Disassemblers : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "toolkitXXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    std::filesystem::create_directory(folder / "bin");
    setenv("CUDA_PATH", folder.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("CUDA_PATH");
    std::filesystem::remove_all(folder);
  }

  void add(const std::string &name, const std::string &script) {
    std::filesystem::path file = folder / "bin" / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  std::filesystem::path folder;
  const std::vector<char> cubin = {'c', 'o', 'd', 'e'};
};

TEST_F(Disassemblers, NvdisasmIsPreferredAndGetsTheCubin) {
  add("cuobjdump", "exit 1");
  add("nvdisasm", "echo \"$1 $2\"; cat \"$3\"");
  OrError<CudaDisassembler> found = findCudaDisassembler();
  ASSERT_TRUE(found) << found.error();
  EXPECT_TRUE(found->tellsLines());
  OrError<std::string> text = disassemble(*found, cubin);
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(*text, "-c -g\ncode");
}

TEST_F(Disassemblers, CuobjdumpOfTheNamedToolkitIsTakenAndTellsNoLines) {
  add("cuobjdump", "echo \"$1\"");
  OrError<CudaDisassembler> found = findCudaDisassembler();
  ASSERT_TRUE(found) << found.error();
  EXPECT_FALSE(found->tellsLines());
  EXPECT_EQ(disassemble(*found, cubin).value_or(""), "-sass\n");
}

TEST_F(Disassemblers, AMissingOneIsNamedWithItsPackage) {
  OrError<CudaDisassembler> found = findCudaDisassembler();
  if (found)
    GTEST_SKIP() << "this machine has " << found->file;
  for (const char *word : {"nvdisasm", "cuda-nvdisasm", "CUDA_PATH"})
    EXPECT_NE(found.error().find(word), std::string::npos) << found.error();
}

TEST_F(Disassemblers, AFailureTellsTheFirstLine) {
  add("nvdisasm", "echo 'nvdisasm fatal   : bad file' >&2; echo more; exit 3");
  OrError<CudaDisassembler> found = findCudaDisassembler();
  ASSERT_TRUE(found) << found.error();
  OrError<std::string> text = disassemble(*found, cubin);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(),
            (folder / "bin" / "nvdisasm").string() + " failed: nvdisasm fatal   : bad file");
}

TEST_F(Disassemblers, ASilentFailureTellsTheExitCode) {
  add("nvdisasm", "exit 3");
  OrError<std::string> text = disassemble(*findCudaDisassembler(), cubin);
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().find("exit code 3"), std::string::npos) << text.error();
}

} // namespace
