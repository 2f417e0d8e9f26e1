//===- ArchitecturesTest.cpp - GPUs named on a command line ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Architectures.h"
#include "compiler/DeviceIR/ArchitectureNumbers.h"
#include "compiler/Target/TargetFamily.h"
#include <gtest/gtest.h>

namespace regrain {
namespace {

using Names = std::vector<std::string>;

std::string message(llvm::Error error) { return llvm::toString(std::move(error)); }

TEST(TargetList, RealArchitecture_AddsCubinAndPtx) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGpu("sm_90", true)), "");
  EXPECT_EQ(Names(targets.names()), (Names{"sm_90", "compute_90"}));
  EXPECT_EQ(targets.deviceArchitectures(), std::vector<Architecture>{90});
}

TEST(TargetList, VirtualArchitecture_AddsPtxAlone) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGpu("compute_80", true)), "");
  EXPECT_EQ(Names(targets.names()), Names{"compute_80"});
}

TEST(TargetList, BareNumberAndList) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGpu("80,90", false)), "");
  EXPECT_EQ(Names(targets.names()), (Names{"sm_80", "sm_90"}));
}

TEST(TargetList, Gencode_TakesEachCodeOnce) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGencode("arch=compute_80,code=[sm_80,compute_80]")), "");
  EXPECT_EQ(message(targets.addGencode("arch=compute_90,code=sm_90")), "");
  EXPECT_EQ(message(targets.addGencode("arch=compute_90,code=\\\"sm_90,compute_90\\\"")), "");
  EXPECT_EQ(Names(targets.names()), (Names{"sm_80", "compute_80", "sm_90", "compute_90"}));
  EXPECT_EQ(targets.deviceArchitectures(), (std::vector<Architecture>{80, 90}));
}

TEST(TargetList, GencodeMalformed_NamesTheValue) {
  for (const char *value :
       {"compute_80", "arch=compute_80", "code=sm_80,arch=compute_80", "arch=compute_80,code="}) {
    TargetList targets;
    std::string error = message(targets.addGencode(value));
    EXPECT_FALSE(error.empty()) << value;
    EXPECT_TRUE(targets.names().empty());
  }
}

TEST(TargetList, ArchAndCode_MakesCodeForTheCodes) {
  TargetList targets;
  EXPECT_EQ(message(targets.addArchAndCode("compute_70", "sm_75,sm_80")), "");
  EXPECT_EQ(Names(targets.names()), (Names{"sm_75", "sm_80"}));
}

TEST(TargetList, Retired_MapsUpWithOneWarning) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGpu("sm_35", true)), "");
  EXPECT_EQ(message(targets.addGpu("sm_35", true)), "");
  EXPECT_EQ(Names(targets.names()), (Names{"sm_50", "compute_50"}));
  ASSERT_EQ(targets.warnings().size(), 1u);
  EXPECT_EQ(targets.warnings()[0], "architecture 'sm_35' is retired; 'sm_50' is taken instead");
}

TEST(TargetList, NewerThanKnown_FallsToPtxWithWarning) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGpu("sm_200", false)), "");
  EXPECT_EQ(Names(targets.names()), Names{"compute_90"});
  ASSERT_EQ(targets.warnings().size(), 1u);
  EXPECT_NE(targets.warnings()[0].find("'sm_200' is newer"), std::string::npos);
}

TEST(TargetList, FeaturesOfAChip_AreAnArchitectureOfTheirOwn) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGencode("arch=compute_90a,code=[sm_90a,compute_90a]")), "");
  EXPECT_EQ(message(targets.addGpu("sm_90,sm_100f", false)), "");
  EXPECT_EQ(Names(targets.names()), (Names{"sm_90a", "compute_90a", "sm_90", "sm_100f"}));
  EXPECT_EQ(
      targets.deviceArchitectures(),
      (std::vector<Architecture>{{90, Architecture::OfChip}, 90, {100, Architecture::OfFamily}}));
}

TEST(TargetList, Nonsense_IsNamed) {
  for (const char *value : {"sm_", "volta", "sm_7x", "compute_-1", "sm_90x", "sm_80a", "sm_90f"}) {
    TargetList targets;
    std::string error = message(targets.addGpu(value, true));
    EXPECT_NE(error.find(std::string("'") + value + "'"), std::string::npos) << error;
  }
}

TEST(TargetList, All_IsEveryKnownArchitectureAndTheNewestPtx) {
  TargetList targets;
  EXPECT_EQ(message(targets.addGpu("all", true)), "");
  EXPECT_EQ(targets.names().size(), std::size(architectureNumbers) + 1);
  EXPECT_EQ(targets.names().back(), "compute_121");
}

TEST(TargetList, CpuAndPtx_ShareOneDeviceCompile) {
  TargetList targets;
  EXPECT_EQ(message(targets.addTarget("cpu")), "");
  EXPECT_EQ(message(targets.addTarget("ptx")), "");
  EXPECT_EQ(message(targets.addTarget("sm_70")), "");
  EXPECT_EQ(targets.deviceArchitectures(), std::vector<Architecture>{portableArch});
}

TEST(TargetList, UnknownTarget_IsNamed) {
  TargetList targets;
  EXPECT_EQ(message(targets.addTarget("x86")),
            "--targets: 'x86' is not a target: cpu, ptx, compute_NN, sm_NN, gfx90a, gfx942, "
            "gfx1030, gfx1100");
  EXPECT_EQ(message(targets.addTarget("gfx906")),
            "'gfx906' is not a known AMD GPU; known are gfx90a, gfx942, gfx1030, gfx1100");
}

TEST(TargetList, AMDTargets_AreLoweredFromThePortableCompile) {
  TargetList targets;
  EXPECT_EQ(message(targets.addTarget("gfx90a")), "");
  EXPECT_EQ(message(targets.addGpu("gfx1100", /*withPtx=*/true)), "");
  EXPECT_EQ(Names(targets.names()), (Names{"gfx90a", "gfx1100"}));
  EXPECT_EQ(targets.deviceArchitectures(), std::vector<Architecture>{portableArch});
}

} // namespace
} // namespace regrain
