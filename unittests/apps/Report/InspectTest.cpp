//===- InspectTest.cpp - regrain inspect ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Inspect.h"

#include "apps/Report/FileReport.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace regrain;

namespace {

template <typename T> using Offsets = std::vector<flatbuffers::Offset<T>>;

/// Returns one kernel with two alternatives, for PTX and sm_90; the cubin lacks
/// one of them, and a third was refused.
std::vector<char> sampleImage() {
  flatbuffers::FlatBufferBuilder builder;
  image::Dim3 block(4, 1, 1), one(1, 1, 1);
  Offsets<image::Alternative> alternatives = {
      image::CreateAlternativeDirect(builder, "original", &one, &one),
      image::CreateAlternativeDirect(builder, "block.x=4", &block, &one, false, true, 16)};
  Offsets<image::ClassChoice> choices = {
      image::CreateClassChoiceDirect(builder, "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1",
                                     1),
      image::CreateClassChoiceDirect(builder, "block=64x1x1,shared=0,align=4,waves=1/8,grid=*x1x1",
                                     0)};
  Offsets<image::Kernel> kernels = {image::CreateKernelDirect(
      builder, "_Z1kPf", "k(float*)", "k.cu", 3, nullptr, 256, true, &alternatives, 1, nullptr,
      "0123456789abcdef0123456789abcdef", "it prints (k.cu:4)", &choices)};
  image::Resources figures(24, 0, 8, 16, 1024, 640, 75, 256);
  image::Resources nothing(-1, -1, -1, -1, -1, -1, -1, -1);
  Offsets<image::Entry> originals = {image::CreateEntryDirect(builder, 0, 0, "_Z1kPf", &nothing)};
  Offsets<image::Entry> others = {
      image::CreateEntryDirect(builder, 0, 1, "_Z1kPf__grain_block_x4", &nothing)};
  Offsets<image::Entry> cubins = {image::CreateEntryDirect(builder, 0, 0, "_Z1kPf", &figures)};
  std::vector<uint8_t> code = {0};
  Offsets<image::Module> modules = {
      image::CreateModuleDirect(builder, image::CodeKind::Ptx, "sm_70", true, &code, &originals),
      image::CreateModuleDirect(builder, image::CodeKind::Ptx, "sm_70", false, &code, &others),
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", true, &code, &cubins)};
  Offsets<image::Variable> variables = {
      image::CreateVariableDirect(builder, "table", image::VariableKind::Constant, 64, 4)};
  Offsets<image::Refusal> refusals = {
      image::CreateRefusalDirect(builder, "_Z1kPf", "thread.x=2", "coarsen threads", "k.cu", 5, 7,
                                 "the loop's bounds differ between threads", "divergent-barrier",
                                 "move the barrier out of it")};
  builder.Finish(
      image::CreateImageDirect(builder, "test", "k.cu", &kernels, &variables, &modules, &refusals),
      image::ImageIdentifier());
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}

class Inspect : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "inspectXXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string write(const std::vector<char> &bytes) {
    std::string path = (folder / "file").string();
    std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
    return path;
  }

  /// Runs the subcommand; its output is in `out` and `err`.
  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "inspect");
    std::vector<char *> argv;
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int code = runInspect(static_cast<int>(arguments.size()), argv.data());
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return code;
  }

  std::filesystem::path folder;
  std::string out, err;
};

TEST_F(Inspect, Text_IsATablePerKernel) {
  std::string path = write(sampleImage());
  EXPECT_EQ(run({path}), 0);
  EXPECT_EQ(err, "");
  EXPECT_EQ(out, path + R"(: k.cu, 1 kernel

k(float*)  [k.cu:3]  launch bounds 256  dynamic shared memory  hash 01234567
  target     grain      registers  spills  stack  shared  code  occupancy
  ptx sm_70  original           -       -      -       -     -          -
  ptx sm_70  block.x=4          -       -      -       -     -          -  chosen
  sm_90      original          24     0/8     16    1024   640    75%@256
  sm_90      block.x=4          -       -      -       -     -          -  chosen, no code
  not tuned: it prints (k.cu:4)
  chosen for block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1: block.x=4
  chosen for block=64x1x1,shared=0,align=4,waves=1/8,grid=*x1x1: original
  refused thread.x=2 (coarsen threads): the loop's bounds differ between threads [k.cu:5:7]
    to lift this: move the barrier out of it

)");
}

TEST_F(Inspect, Json_FollowsTheSchema) {
  EXPECT_EQ(run({"--json", write(sampleImage())}), 0);
  auto json = nlohmann::json::parse(out);
  EXPECT_EQ(json["schema"], "regrain-report");
  EXPECT_EQ(json["version"]["major"], 1);
  const auto &image = json["images"][0];
  EXPECT_EQ(image["member"], nullptr);
  EXPECT_EQ(image["source"], "k.cu");
  EXPECT_EQ(image["targets"].size(), 2u);
  EXPECT_EQ(image["variables"][0]["kind"], "constant");
  EXPECT_EQ(image["refusals"][0]["reason"], "the loop's bounds differ between threads");
  EXPECT_EQ(image["refusals"][0]["kind"], "divergent-barrier");
  EXPECT_EQ(image["refusals"][0]["remedy"], "move the barrier out of it");
  const auto &kernel = image["kernels"][0];
  EXPECT_EQ(kernel["name"], "k(float*)");
  EXPECT_EQ(kernel["chosen"], "block.x=4");
  EXPECT_EQ(kernel["hash"], "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(kernel["not_replayable"], "it prints (k.cu:4)");
  ASSERT_EQ(kernel["class_choices"].size(), 2u);
  EXPECT_EQ(kernel["class_choices"][0]["class"],
            "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1");
  EXPECT_EQ(kernel["class_choices"][0]["alternative"], "block.x=4");
  EXPECT_EQ(kernel["class_choices"][1]["alternative"], "original");
  const auto &original = kernel["alternatives"][0]["code"];
  EXPECT_EQ(original[0]["kind"], "ptx");
  EXPECT_EQ(original[0]["registers"], nullptr);
  EXPECT_EQ(original[1]["arch"], "sm_90");
  EXPECT_EQ(original[1]["registers"], 24);
  EXPECT_EQ(original[1]["spill_load_bytes"], 8);
  EXPECT_EQ(original[1]["occupancy_percent"], 75);
  const auto &other = kernel["alternatives"][1];
  EXPECT_EQ(other["block_factors"], nlohmann::json({4, 1, 1}));
  EXPECT_EQ(other["code"][1]["symbol"], nullptr);
}

TEST_F(Inspect, DamagedImage_IsOneMessage) {
  std::vector<char> bytes = sampleImage();
  bytes.back() ^= 1;
  EXPECT_EQ(run({write(bytes)}), 1);
  EXPECT_EQ(out, "");
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
  EXPECT_NE(err.find("regrain inspect: error: "), std::string::npos) << err;
}

TEST_F(Inspect, FileThatIsNoObject_IsOneMessage) {
  EXPECT_EQ(run({write({'t', 'e', 'x', 't'})}), 1);
  EXPECT_EQ(out, "");
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
}

TEST_F(Inspect, ObjectWithoutImages_SaysSo) {
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(run({self.string()}), 1);
  EXPECT_EQ(err, "regrain inspect: error: " + self.string() + " holds no Regrain image\n");
}

TEST_F(Inspect, AbsentFile_IsOneMessage) {
  std::string path = (folder / "absent").string();
  EXPECT_EQ(run({path}), 1);
  EXPECT_EQ(err, "regrain inspect: error: cannot read " + path + ": No such file or directory\n");
}

TEST_F(Inspect, Folder_IsOneMessage) {
  EXPECT_EQ(run({folder.string()}), 1);
  EXPECT_EQ(err, "regrain inspect: error: " + folder.string() + " is a folder\n");
}

TEST_F(Inspect, WrongCommandLine_IsExitCodeOne) {
  EXPECT_EQ(run({}), 1);
  EXPECT_EQ(run({"--unknown", "file"}), 1);
  EXPECT_NE(err.find("--unknown"), std::string::npos) << err;
}

TEST_F(Inspect, Help_IsNoError) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_NE(out.find("--json"), std::string::npos);
}

TEST(FileReport, NamesThatAreNotUtf8_AreReplacedInJson) {
  report::FileReport report = {"bad\xff", {}, {}};
  std::ostringstream stream;
  report::writeJson(report, stream);
  EXPECT_EQ(nlohmann::json::parse(stream.str())["file"], "bad\xEF\xBF\xBD");
}

} // namespace
