//===- OutputFileTest.cpp - Atomic output files ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

namespace regrain {
namespace {

namespace fs = llvm::sys::fs;

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("output", folder)); }
  void TearDown() override { EXPECT_FALSE(fs::remove_directories(folder)); }

  std::string inFolder(llvm::StringRef name) const { return (folder + "/" + name).str(); }

  int countFiles() const {
    int count = 0;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<128> folder;
};

TEST_F(OutputFileTest, KeptFileHasItsNameAndBytes) {
  auto file = OutputFile::create(inFolder("a.o"));
  ASSERT_TRUE(static_cast<bool>(file));
  ASSERT_FALSE(file->write({'a', 'b'}));
  EXPECT_FALSE(fs::exists(inFolder("a.o")));
  ASSERT_FALSE(file->keep());
  auto buffer = llvm::MemoryBuffer::getFile(inFolder("a.o"));
  ASSERT_TRUE(static_cast<bool>(buffer));
  EXPECT_EQ((*buffer)->getBuffer(), "ab");
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(OutputFileTest, DroppedFileLeavesNothing) {
  {
    auto file = OutputFile::create(inFolder("a.o"));
    ASSERT_TRUE(static_cast<bool>(file));
    EXPECT_EQ(countFiles(), 1);
  }
  EXPECT_EQ(countFiles(), 0);
}

TEST_F(OutputFileTest, MissingFolderIsAnErrorThatNamesTheFile) {
  auto file = OutputFile::create(inFolder("none/a.o"));
  ASSERT_FALSE(static_cast<bool>(file));
  EXPECT_NE(llvm::toString(file.takeError()).find("none/a.o"), std::string::npos);
}

TEST_F(OutputFileTest, DevicesAreWrittenDirectly) {
  auto file = OutputFile::create("/dev/null");
  ASSERT_TRUE(static_cast<bool>(file));
  EXPECT_EQ(file->path(), "/dev/null");
  EXPECT_FALSE(file->write({'a'}));
  EXPECT_FALSE(file->keep());
  EXPECT_TRUE(fs::exists("/dev/null"));
}

} // namespace
} // namespace regrain
