//===- RepeatTest.cpp - Output of a restarted program ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Repeat.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace regrain::tune {
namespace {

/// Returns what is passed on of a run with these parts of output.
std::string passedOn(Repeat &repeat, const std::vector<std::string> &parts) {
  std::string result;
  for (const std::string &part : parts)
    result += repeat.unseen(part);
  return result;
}

TEST(Repeat, FirstRun_AllIsNew) {
  Repeat repeat;
  EXPECT_EQ(passedOn(repeat, {"a", "", "bc"}), "abc");
  EXPECT_FALSE(repeat.hasDiffered());
  EXPECT_FALSE(repeat.isShort());
}

TEST(Repeat, EqualPrefix_IsSwallowed_HoweverItIsCut) {
  Repeat repeat;
  passedOn(repeat, {"abcdef"});
  repeat.restart();
  EXPECT_TRUE(repeat.isShort());
  EXPECT_EQ(passedOn(repeat, {"ab", "cdefgh", "i"}), "ghi");
  repeat.restart();
  EXPECT_EQ(passedOn(repeat, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}), "j");
  EXPECT_FALSE(repeat.hasDiffered());
  EXPECT_FALSE(repeat.isShort());
}

TEST(Repeat, Difference_IsNewFromThereOn) {
  Repeat repeat;
  passedOn(repeat, {"abcdef"});
  repeat.restart();
  EXPECT_EQ(passedOn(repeat, {"abX", "def"}), "Xdef");
  EXPECT_TRUE(repeat.hasDiffered());
  repeat.restart(); // the last run counts
  EXPECT_FALSE(repeat.hasDiffered());
  EXPECT_EQ(passedOn(repeat, {"abXdefg"}), "g");
  EXPECT_FALSE(repeat.hasDiffered());
}

TEST(Repeat, ShortRun_KeepsWhatTheLongerPutOut) {
  Repeat repeat;
  passedOn(repeat, {"abcdef"});
  repeat.restart();
  EXPECT_EQ(passedOn(repeat, {"abc"}), "");
  EXPECT_TRUE(repeat.isShort());
  repeat.restart();
  EXPECT_EQ(passedOn(repeat, {"abcdefg"}), "g");
}

TEST(Repeat, ManyPages) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += std::to_string(i);
  Repeat repeat;
  EXPECT_EQ(passedOn(repeat, {text}), text);
  repeat.restart();
  std::string other = text;
  other[50000] = 'x';
  EXPECT_EQ(passedOn(repeat, {other}), other.substr(50000));
}

/// Limits the size of this process's files during its lifetime.
class FileLimit {
public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit = {bytes, before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
  }

private:
  rlimit before;
};

TEST(Repeat, NoPlaceToKeepIt_PassesItOnTwiceAndSaysSo) {
  FileLimit limit(4);
  Repeat repeat;
  EXPECT_EQ(passedOn(repeat, {"abcdef", "gh"}), "abcdefgh");
  EXPECT_FALSE(repeat.isComplete());
  repeat.restart();
  EXPECT_EQ(passedOn(repeat, {"abcdefgh"}), "efgh");
}

TEST(Spool, KeepsReadsAndForgets) {
  Spool spool;
  spool.append("hello ");
  spool.append("world");
  EXPECT_EQ(spool.size(), 11u);
  char text[20];
  EXPECT_EQ(std::string(text, spool.read(6, text, sizeof(text))), "world");
  EXPECT_EQ(std::string(text, spool.read(0, text, 2)), "he");
  EXPECT_EQ(spool.read(11, text, sizeof(text)), 0u);
  EXPECT_EQ(spool.read(99, text, sizeof(text)), 0u);
  spool.truncate(5);
  spool.append("!");
  EXPECT_EQ(std::string(text, spool.read(0, text, sizeof(text))), "hello!");
}

TEST(Spool, NoFolder_IsNotComplete) {
  std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
  ::setenv("TMPDIR", "/proc/self", 1); // a folder that takes no file
  Spool spool;
  EXPECT_FALSE(spool.isComplete());
  spool.append("a");
  EXPECT_EQ(spool.size(), 0u);
  if (before.empty())
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", before.c_str(), 1);
}

} // namespace
} // namespace regrain::tune
