//===- PackImageTests.cpp - What is packed is read back -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Packing/PackImage.h"
#include "compiler/Target/Target.h"
#include "runtime/image/container.h"

#include "gtest/gtest.h"
#include <cstring>

using namespace regrain;

namespace {

Grain parsed(const std::string &spec) {
  OrError<GrainSpec> found = parseGrainSpec(spec);
  EXPECT_TRUE(found) << found.error();
  return found ? found->grain : Grain();
}

/// One kernel with parameters of 8, 4 and 1 bytes, two variables, and a module of each kind.
class PackImage : public testing::Test {
protected:
  PackImage() {
    DeviceKernel kernel;
    kernel.symbol = "_Z1kPfic";
    kernel.name = "k(float*, int, char)";
    kernel.parameters = {{0, 8, true}, {8, 4, false}, {12, 1, false}};
    code.kernels = {kernel};
    plan.kernels.resize(1);
    variables.resize(2);
    variables[0].symbol = "a";
    variables[1].symbol = "b";
    variables[1].kind = DeviceVariable::Constant;
    variables[1].size = 40;
    contents.source = "unit.cu";
    contents.code = &code;
    contents.facts = facts;
    contents.plan = &plan;
    contents.variables = variables;
    contents.targets = {"cpu", "ptx"};
  }

  const image::Image &packed() {
    std::vector<char> image = packImage(contents);
    EXPECT_EQ(image, packImage(contents)) << "the same contents give the same bytes";
    bytes.assign((image.size() + 7) / 8, 0);
    std::memcpy(bytes.data(), image.data(), image.size());
    OpenedImage opened = openImage(bytes.data(), image.size());
    EXPECT_EQ(opened.status, ImageStatus::Ok) << opened.message;
    EXPECT_EQ(opened.totalBytes, image.size());
    return *opened.image;
  }
  const image::Kernel &kernel() { return *packed().kernels()->Get(0); }

  DeviceCode code;
  std::vector<KernelFacts> facts = {
      {"0123", std::nullopt, 0, true, true, true, MemoryUse::unknown()}};
  Plan plan;
  std::vector<DeviceVariable> variables;
  ImageContents contents;
  std::vector<uint64_t> bytes; ///< aligned
};

TEST_F(PackImage, AKernelSaysWhetherItReadsTheSizeOfItsMemory) {
  EXPECT_TRUE(kernel().reads_shared_size());
  facts.front().readsSharedSize = false;
  EXPECT_FALSE(kernel().reads_shared_size());
}

TEST_F(PackImage, AKernelHasItsNamesAndParameters) {
  const image::Kernel &found = kernel();
  EXPECT_EQ(found.symbol()->str(), "_Z1kPfic");
  EXPECT_EQ(found.name()->str(), "k(float*, int, char)");
  EXPECT_EQ(found.hash()->str(), "0123");
  ASSERT_EQ(found.parameters()->size(), 3u);
  EXPECT_TRUE(found.parameters()->Get(0)->pointer());
  EXPECT_EQ(found.parameters()->Get(1)->offset(), 8u);
  EXPECT_EQ(found.parameters()->Get(2)->size(), 1u);
  EXPECT_EQ(found.alternatives()->Get(0)->id()->str(), "original");
}

TEST_F(PackImage, AFootprintIsThereIfTheKernelWasRaised) {
  EXPECT_EQ(kernel().footprint(), nullptr);
  AccessFootprint access;
  access.memory = "parameter 0";
  access.reads = true;
  access.bytes = 4;
  access.loops = {{1, 0, true}};
  FootprintAxis axis;
  axis.unit = 2;
  axis.sizes = {1};
  axis.threads = {4, 0, 8};
  axis.loops = {16};
  access.axes = {axis};
  ArithmeticFootprint sums;
  sums.bits = 64;
  sums.operations = 3;
  sums.loops = {{0, 8, false}};
  plan.kernels[0].footprint = {{32, 8, 1}, {access}, {{sums}}};
  const image::Footprint &found = *kernel().footprint();
  ASSERT_EQ(found.arithmetic()->size(), 1u);
  EXPECT_EQ(found.arithmetic()->Get(0)->operations(), 3u);
  EXPECT_EQ(found.arithmetic()->Get(0)->loops()->Get(0)->trips(), 8u);
  EXPECT_EQ(found.block()->y(), 8u);
  ASSERT_EQ(found.accesses()->size(), 1u);
  const image::FootprintAccess &packed = *found.accesses()->Get(0);
  EXPECT_EQ(packed.memory()->str(), "parameter 0");
  EXPECT_TRUE(packed.loops()->Get(0)->varies());
  EXPECT_EQ(packed.axes()->Get(0)->threads()->Get(2), 8);
  EXPECT_EQ(packed.axes()->Get(0)->loops()->Get(0), 16);
}

TEST_F(PackImage, AppendedParametersLieBehindTheKernelsOwn) {
  plan.kernels[0].add(parsed("block.x=2"));
  plan.kernels[0].add(parsed("shared=global"));
  plan.kernels[0].lentBytes[2] = 512;
  plan.kernels[0].wholeWarps.insert(1);
  const image::Kernel &found = kernel();
  const image::Alternative &block = *found.alternatives()->Get(1);
  EXPECT_EQ(block.id()->str(), "block.x=2");
  EXPECT_EQ(block.block_factors()->x(), 2u);
  EXPECT_TRUE(block.takes_grid());
  EXPECT_TRUE(block.whole_warps());
  EXPECT_EQ(block.parameters_offset(), 16u)
      << "the own parameters end at 13; sizes are aligned to 4";
  EXPECT_EQ(block.scratch_bytes(), 0u);
  const image::Alternative &lent = *found.alternatives()->Get(2);
  EXPECT_FALSE(lent.whole_warps());
  EXPECT_EQ(lent.scratch_bytes(), 512u);
  EXPECT_EQ(lent.scratch_offset(), 16u) << "aligned to 8";
  EXPECT_EQ(lent.parameters_offset(), 24u) << "behind the address";
}

TEST_F(PackImage, ChoicesNameAlternatives) {
  plan.kernels[0].add(parsed("block.x=2"));
  plan.kernels[0].add(parsed("block.x=4"));
  plan.kernels[0].choose(1);
  plan.kernels[0].choose(2);
  const image::Kernel &found = kernel();
  EXPECT_EQ(found.chosen(), 2u);
  ASSERT_EQ(found.next_choices()->size(), 1u);
  EXPECT_EQ(found.next_choices()->Get(0), 1u);
}

TEST_F(PackImage, AModuleNamesItsVariablesByIndex) {
  PackedModule module;
  module.kind = image::CodeKind::Ptx;
  module.arch = "sm_70";
  module.base = true;
  module.code = {'p', 't', 'x', '\0'};
  module.slots = {"b"};
  module.generation = "77";
  PackedEntry entry;
  entry.symbol = "_Z1kPfic";
  entry.resources.registers = 40;
  module.entries = {entry};
  contents.modules = {module};
  const image::Image &found = packed();
  const image::Module &ptx = *found.modules()->Get(0);
  EXPECT_EQ(ptx.arch()->str(), "sm_70");
  EXPECT_TRUE(ptx.base());
  EXPECT_EQ(std::string(ptx.code()->begin(), ptx.code()->end()), std::string("ptx\0", 4));
  EXPECT_EQ(ptx.generation()->str(), "77");
  ASSERT_EQ(ptx.slots()->size(), 1u);
  EXPECT_EQ(ptx.slots()->Get(0)->variable(), 1u);
  EXPECT_EQ(ptx.slots()->Get(0)->slot()->str(), slotNameFor("b"));
  EXPECT_EQ(ptx.entries()->Get(0)->resources()->registers(), 40);
  EXPECT_EQ(ptx.entries()->Get(0)->wave(), nullptr) << "only AMD's GPUs have these figures";
  EXPECT_EQ(found.variables()->Get(1)->kind(), image::VariableKind::Constant);
  EXPECT_EQ(found.variables()->Get(1)->size(), 40u);
}

TEST_F(PackImage, TimesAreRecordedOnlyOnRequest) {
  Candidate candidate;
  candidate.id = "block.x=2";
  candidate.seconds = 1.5;
  CandidateCode made;
  made.target = 1;
  made.verdict = {CandidateOutcome::Pruned, Objection{"duplicate", "the same code"}};
  made.seconds = 2.5;
  candidate.code = {made};
  contents.candidates = {candidate};
  const image::Candidate &without = *packed().candidates()->Get(0);
  EXPECT_EQ(without.seconds(), -1);
  EXPECT_EQ(without.code()->Get(0)->seconds(), -1);
  EXPECT_EQ(without.code()->Get(0)->target()->str(), "ptx");
  EXPECT_EQ(without.code()->Get(0)->outcome(), image::CandidateOutcome::Pruned);
  contents.recordTimes = true;
  const image::Candidate &with = *packed().candidates()->Get(0);
  EXPECT_EQ(with.seconds(), 1.5f);
  EXPECT_EQ(with.code()->Get(0)->seconds(), 2.5f);
}

} // namespace
