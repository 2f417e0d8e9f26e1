//===- ChoicesTest.cpp - The file of choices, read and written ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Choices/Choices.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace regrain {
namespace {

TunedChoices sample() {
  ClassChoice large = {"block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=16",
                       {"GPU", 132, "33cc"},
                       "block.x=4",
                       {1.25, 1.2, 1.3},
                       100,
                       80,
                       "bitwise, 3 launches, 40 MiB compared",
                       "for.block=256x1x1,for.arg1=20"};
  ClassChoice small = {"block=256x1x1,shared=0,align=16,waves=1/8,grid=*x1x1",
                       {},
                       "original",
                       {1, 1, 1},
                       3,
                       3,
                       "",
                       ""};
  return {{{"k(float*)", "00ff", {"block.x=4"}, "block.x=4", {large, small}},
           {"k(float*)", "11ee", {}, "original", {}}}};
}

/// Returns a file with one kernel whose members are `members`.
std::string fileWith(const std::string &members) {
  return "{\"regrain_choices\": \"2.0\", \"kernels\": [{" + members + "}]}";
}

const std::string goodHead =
    R"("name": "k", "hash": "00", "alternatives": ["block.x=2", "original"], "chosen": )";
const std::string goodClass =
    R"({"class": "block=1x1x1,shared=0,align=1,waves=1,grid=*x1x1", "alternative": "block.x=2", "gain": 1.5,)"
    R"( "gain_low": 1.4, "gain_high": 1.6, "original_us": 3,)"
    R"( "chosen_us": 2, "verified": "bitwise"})";

std::string errorOf(const std::string &text) {
  OrError<TunedChoices> choices = parseChoices(text, "a.json");
  EXPECT_FALSE(choices) << text;
  return choices ? "" : choices.error();
}

void expectSample(const TunedChoices &read) {
  ASSERT_EQ(read.kernels.size(), 2u);
  const KernelChoices &kernel = read.kernels[0];
  EXPECT_EQ(kernel.name, "k(float*)");
  EXPECT_EQ(kernel.hash, "00ff");
  EXPECT_EQ(kernel.alternatives, std::vector<std::string>{"block.x=4"});
  EXPECT_EQ(kernel.chosen, "block.x=4");
  ASSERT_EQ(kernel.classes.size(), 2u);
  EXPECT_EQ(kernel.classes[0].launchClass,
            "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=16");
  EXPECT_EQ(kernel.classes[0].measuredOn, (MeasuredOn{"GPU", 132, "33cc"}));
  EXPECT_EQ(kernel.classes[0].alternative, "block.x=4");
  EXPECT_EQ(kernel.classes[0].gain.ratio, 1.25);
  EXPECT_EQ(kernel.classes[0].gain.low, 1.2);
  EXPECT_EQ(kernel.classes[0].gain.high, 1.3);
  EXPECT_EQ(kernel.classes[0].originalMicroseconds, 100);
  EXPECT_EQ(kernel.classes[0].chosenMicroseconds, 80);
  EXPECT_EQ(kernel.classes[0].verified, "bitwise, 3 launches, 40 MiB compared");
  EXPECT_EQ(kernel.classes[0].launch, "for.block=256x1x1,for.arg1=20");
  EXPECT_EQ(kernel.classes[1].launch, "");
  EXPECT_EQ(kernel.classes[1].alternative, "original");
  EXPECT_EQ(kernel.classes[1].measuredOn, MeasuredOn());
  EXPECT_EQ(read.kernels[1].hash, "11ee");
}

TEST(Choices, WhatIsWrittenIsRead) {
  OrError<TunedChoices> read = parseChoices(toJson(sample()), "a.json");
  ASSERT_TRUE(read) << read.error();
  expectSample(*read);
  EXPECT_EQ(toJson(*read), toJson(sample()));
}

TEST(Choices, AFileIsReplacedAsAWhole) {
  std::string path = testing::TempDir() + "/choices." + std::to_string(getpid()) + ".json";
  ASSERT_TRUE(writeChoices({}, path));
  ASSERT_TRUE(writeChoices(sample(), path));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  OrError<TunedChoices> read = readChoices(path);
  ASSERT_TRUE(read) << read.error();
  expectSample(*read);
  std::filesystem::remove(path);
  read = readChoices(path);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "cannot read " + path + ": No such file or directory");
  EXPECT_FALSE(readChoices(testing::TempDir()));
  OrError<void> written = writeChoices(sample(), path + "/none/a.json");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), path + "/none/a.json: cannot be written");
}

TEST(Choices, UnknownFieldsAndMinorVersionsArePassedOver) {
  OrError<TunedChoices> read =
      parseChoices(R"({"regrain_choices": "2.7", "device": {}, "kernels": [)"
                   R"({"name": "k", "hash": "00", "alternatives": [], "chosen": "original",)"
                   R"( "classes": [], "note": 1}]})",
                   "a.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->kernels.size(), 1u);
}

TEST(Choices, ALaunchIsWhatIsKnownOfIt) {
  auto errorWith = [](const std::string &launch) {
    std::string with = goodClass;
    with.insert(with.size() - 1, R"(, "launch": ")" + launch + '"');
    OrError<TunedChoices> read =
        parseChoices(fileWith(goodHead + R"("original", "classes": [)" + with + "]"), "a.json");
    return read ? "" : read.error();
  };
  const std::string place = "a.json: kernels[0].classes[0].launch: ";
  EXPECT_EQ(errorWith("for.block=8x4x1,for.arg2=-1"), "");
  for (const char *other : {"original", "block.x=2,for.block=8x4x1", "for.arg2=1,rows=registers"})
    EXPECT_TRUE(errorWith(other).starts_with(place)) << other << ": " << errorWith(other);
  EXPECT_TRUE(errorWith("for.arg2=1,for.block=8x4x1").starts_with(place)); // not canonical
  EXPECT_TRUE(errorWith("launch").starts_with(place));
}

TEST(Choices, TheOriginalIsNoAlternative) {
  OrError<TunedChoices> read =
      parseChoices(fileWith(goodHead + R"("original", "classes": [)" + goodClass + "]"), "a.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->kernels[0].alternatives, std::vector<std::string>{"block.x=2"});
}

TEST(Choices, SyntaxErrorsNameTheLine) {
  std::string error = errorOf("{\n  \"regrain_choices\": ,\n}");
  EXPECT_TRUE(error.starts_with("a.json:2:22: syntax error")) << error;
  EXPECT_TRUE(errorOf("").starts_with("a.json:1:1: "));
  EXPECT_TRUE(errorOf("{\"a\xff\": 1}").starts_with("a.json:1:"));
}

TEST(Choices, VersionsAreCompared) {
  EXPECT_EQ(errorOf("{}"), "a.json: regrain_choices: is missing");
  EXPECT_EQ(errorOf("[]"), "a.json: the file: expected an object");
  EXPECT_EQ(errorOf(R"({"regrain_choices": 1})"), "a.json: regrain_choices: expected text");
  EXPECT_EQ(errorOf(R"({"regrain_choices": "1.0"})"),
            "a.json: regrain_choices: version 1.0 is not known to this compiler, which reads 2.x");
  for (const char *version : {"1", "1.", "1.0.0", "-1.0", "one"})
    EXPECT_TRUE(errorOf(std::string(R"({"regrain_choices": ")") + version + "\"}")
                    .starts_with("a.json: regrain_choices: "))
        << version;
}

TEST(Choices, ErrorsNameTheKey) {
  EXPECT_EQ(errorOf(R"({"regrain_choices": "2.0"})"), "a.json: kernels: is missing");
  EXPECT_EQ(errorOf(R"({"regrain_choices": "2.0", "kernels": {}})"),
            "a.json: kernels: expected a list");
  EXPECT_EQ(errorOf(R"({"regrain_choices": "2.0", "kernels": [1]})"),
            "a.json: kernels[0]: expected an object");
  EXPECT_EQ(errorOf(fileWith(R"("name": 1)")), "a.json: kernels[0].name: expected text");
  EXPECT_EQ(errorOf(fileWith(R"("name": "k")")), "a.json: kernels[0].hash: is missing");
  EXPECT_EQ(errorOf(fileWith(goodHead + R"("block.x=2")")),
            "a.json: kernels[0].classes: is missing");
  EXPECT_EQ(errorOf(fileWith(goodHead + R"("block.x=4", "classes": [])")),
            "a.json: kernels[0].chosen: 'block.x=4' is not in the kernel's list of alternatives");
  EXPECT_EQ(
      errorOf(
          fileWith(goodHead + R"("original", "classes": [)" + goodClass + "," + goodClass + "]")),
      "a.json: kernels[0].classes[1].class: 'block=1x1x1,shared=0,align=1,waves=1,grid=*x1x1' "
      "occurs twice");
}

TEST(Choices, IdsAreCanonical) {
  auto withId = [](const std::string &id) {
    return fileWith(R"("name": "k", "hash": "00", "alternatives": [")" + id + "\"]");
  };
  EXPECT_EQ(errorOf(withId("block=4")), "a.json: kernels[0].alternatives[0]: 'block=4' is not the "
                                        "id of an alternative (a SPEC in its canonical form)");
  EXPECT_EQ(errorOf(withId("thread.x=2,block.x=2")),
            "a.json: kernels[0].alternatives[0]: 'thread.x=2,block.x=2' is not the id of an "
            "alternative (a SPEC in its canonical form)");
  EXPECT_TRUE(errorOf(withId("grid.x=2")).starts_with("a.json: kernels[0].alternatives[0]: "));
}

TEST(Choices, FiguresAreNumbers) {
  auto with = [](std::string from, const std::string &to) {
    std::string text = goodClass;
    text.replace(text.find(from), from.size(), to);
    return errorOf(fileWith(goodHead + R"("original", "classes": [)" + text + "]"));
  };
  EXPECT_EQ(
      with("waves=1", "waves=3"),
      "a.json: kernels[0].classes[0].class: 'block=1x1x1,shared=0,align=1,waves=3,grid=*x1x1' "
      "is not a class of launches");
  EXPECT_EQ(with(R"("gain": 1.5)", R"("gain": "1.5")"),
            "a.json: kernels[0].classes[0].gain: expected a number that is not negative");
  EXPECT_EQ(with(R"("original_us": 3)", R"("original_us": -3)"),
            "a.json: kernels[0].classes[0].original_us: expected a number that is not negative");
  EXPECT_EQ(with(R"("alternative": "block.x=2")", R"("alternative": "block.x=8")"),
            "a.json: kernels[0].classes[0].alternative: 'block.x=8' is not in the kernel's list of "
            "alternatives");
}

TEST(Choices, AKernelOfOneVersionStandsOnce) {
  TunedChoices twice = sample();
  twice.kernels[1].hash = twice.kernels[0].hash;
  EXPECT_EQ(errorOf(toJson(twice)),
            "a.json: kernels[1]: 'k(float*)' occurs twice with the same hash");
}

} // namespace
} // namespace regrain
