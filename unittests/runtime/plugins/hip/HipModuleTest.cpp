//===- HipModuleTest.cpp - Code on AMD GPUs over the stand-in -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grid_workspace.h"
#include "unittests/runtime/plugins/hip/open_device.h"

#include <limits>
#include <vector>

using namespace regrain;
using hip::HipResult;
using image::CodeKind;

namespace {

constexpr int version = REGRAIN_STAND_IN_VERSION;
constexpr auto refused = static_cast<HipResult>(cudaErrorIllegalAddress);

using HipCode = HipTest;

TEST_F(HipCode, Arch_RunsOnItsChipAndOnItsSettings) {
  EXPECT_TRUE(hip::runsOn("gfx90a", "gfx90a:sramecc+:xnack-"));
  EXPECT_TRUE(hip::runsOn("gfx90a:xnack-", "gfx90a:sramecc+:xnack-"));
  EXPECT_TRUE(hip::runsOn("gfx1100", "gfx1100"));
  EXPECT_FALSE(hip::runsOn("gfx90a:xnack+", "gfx90a:sramecc+:xnack-"));
  EXPECT_FALSE(hip::runsOn("gfx90", "gfx90a:sramecc+:xnack-"));
  EXPECT_FALSE(hip::runsOn("gfx90a", "gfx90"));
  EXPECT_FALSE(hip::runsOn("", "gfx90a"));
}

TEST_F(HipCode, CodeRank_IsOfCodeObjectsForTheChip) {
  std::unique_ptr<Device> device = openDevice();
  auto rank = [&](CodeKind kind, const char *arch) {
    return device->codeRank(moduleOf(kind, arch, ""));
  };
  EXPECT_GE(rank(CodeKind::Hsaco, "gfx90a"), 0);
  EXPECT_GT(rank(CodeKind::Hsaco, "gfx90a:xnack-"), rank(CodeKind::Hsaco, "gfx90a"));
  EXPECT_LT(rank(CodeKind::Hsaco, "gfx942"), 0);
  EXPECT_LT(rank(CodeKind::Ptx, "sm_70"), 0);
  EXPECT_LT(rank(CodeKind::CpuSharedObject, "x86-64-v3"), 0);
}

TEST_F(HipCode, LocalMemory_IsDividedAsTheChipDoes) {
  for (auto [chip, granule] : {std::pair("gfx90a:sramecc+:xnack-", 512u), {"gfx950", 1280u}}) {
    hipStandIn().chip = chip;
    std::optional<SharedMemoryUnits> units = openDevice()->sharedMemoryUnits();
    ASSERT_TRUE(units) << chip;
    EXPECT_EQ(units->granule, granule);
    EXPECT_EQ(units->reserved, 0u);
    EXPECT_EQ(units->sizes, std::vector<uint64_t>{65536});
  }
  hipStandIn().chip = "gfx1100";
  EXPECT_FALSE(openDevice()->sharedMemoryUnits()) << "two units share the memory";
}

TEST_F(HipCode, LoadModule_KeepsTheCodeUntilItIsUnloaded) {
  std::unique_ptr<Device> device = openDevice();
  std::unique_ptr<Module> module;
  std::string reason;
  ASSERT_EQ(device->loadModule(moduleOf(CodeKind::Hsaco, "gfx90a", "code"), module, reason),
            cudaSuccess);
  EXPECT_EQ(hipStandIn().loadedCode, "code");
  moduleOf(CodeKind::Hsaco, "gfx90a", "else"); // at the place of the first one
  module.reset();
  EXPECT_TRUE(hipStandIn().called("hipModuleUnload"));
  EXPECT_EQ(hipStandIn().changedCodes, 0);
}

TEST_F(HipCode, LoadModuleFails_SaysWhatAndWhere) {
  std::unique_ptr<Device> device = openDevice();
  hipStandIn().results["hipModuleLoadData"] = HipResult::InvalidKernelFile;
  std::unique_ptr<Module> module;
  std::string reason;
  EXPECT_EQ(device->loadModule(moduleOf(CodeKind::Hsaco, "gfx90a", "x"), module, reason),
            cudaErrorInvalidKernelImage);
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(reason, "the code for gfx90a cannot be loaded on gfx90a:sramecc+:xnack-: "
                    "hipModuleLoadData failed: the stand-in's text");
  EXPECT_FALSE(hipStandIn().called("hipModuleUnload"));
}

class HipModule : public HipTest {
protected:
  void SetUp() override {
    HipTest::SetUp();
    device = openDevice();
    std::string reason;
    ASSERT_EQ(device->loadModule(moduleOf(CodeKind::Hsaco, "gfx90a", "x"), module, reason),
              cudaSuccess);
    ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  }
  void TearDown() override {
    function.reset();
    module.reset();
    HipTest::TearDown();
  }
  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  std::unique_ptr<Function> function;
};

TEST_F(HipModule, Launch_PassesShapeAndParameters) {
  int first = 1;
  void *values[] = {&first};
  Launch launch = {{2, 3, 4}, {32, 2, 1}, 4096, cudaStreamPerThread, values, {}};
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  const auto &launched = hipStandIn().launched;
  EXPECT_EQ(launched.grid[0], 2u);
  EXPECT_EQ(launched.grid[1], 3u);
  EXPECT_EQ(launched.grid[2], 4u);
  EXPECT_EQ(launched.block[0], 32u);
  EXPECT_EQ(launched.block[1], 2u);
  EXPECT_EQ(launched.block[2], 1u);
  EXPECT_EQ(launched.dynamicSharedBytes, 4096u);
  EXPECT_EQ(reinterpret_cast<cudaStream_t>(launched.stream), cudaStreamPerThread);
  EXPECT_EQ(launched.parameters, values);
  launch.stream = cudaStreamLegacy;
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  EXPECT_EQ(hipStandIn().launched.stream, nullptr);
}

TEST_F(HipModule, CooperativeLaunch_IsHipsOwn) {
  int can = -1;
  ASSERT_EQ(device->attribute(cudaDevAttrCooperativeLaunch, can), cudaSuccess);
  if (!can)
    GTEST_SKIP() << "this version has no such launch";
  Launch launch = {{2, 3, 4}, {32, 2, 1}, 64, nullptr, nullptr, {}, /*isCooperative=*/true};
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  EXPECT_TRUE(hipStandIn().called("hipModuleLaunchCooperativeKernel"));
  EXPECT_FALSE(hipStandIn().called("hipModuleLaunchKernel"));
  EXPECT_EQ(hipStandIn().launched.grid[2], 4u);
}

/// Code with the marker takes the address of a workspace, each cooperative launch its own.
TEST_F(HipModule, CodeWithAGridBarrier_TakesAWorkspace) {
  hipStandIn().globals[gridWorkspaceMarker] = 1;
  std::unique_ptr<Module> marked;
  std::unique_ptr<Function> kernel;
  std::string reason;
  ASSERT_EQ(device->loadModule(moduleOf(CodeKind::Hsaco, "gfx90a", "y"), marked, reason),
            cudaSuccess);
  ASSERT_EQ(marked->function("kernel", kernel), cudaSuccess);
  std::vector<uint64_t> addresses;
  hipStandIn().onLaunch = [&](void **parameters) {
    EXPECT_EQ(*static_cast<int *>(parameters[0]), 7);
    addresses.push_back(*static_cast<uint64_t *>(parameters[1]));
  };
  int first = 7;
  void *values[] = {&first};
  ParameterLayout layout[] = {{0, 4}};
  for (bool isCooperative : {false, version >= 505, version >= 505})
    EXPECT_EQ(
        device->launch(*kernel, {{1, 1, 1}, {32, 1, 1}, 0, nullptr, values, layout, isCooperative}),
        cudaSuccess);
  ASSERT_EQ(addresses.size(), 3u);
  EXPECT_EQ(addresses[0], 0u);
  if (version >= 505) {
    EXPECT_NE(addresses[1], 0u);
    EXPECT_NE(addresses[1], addresses[2]);
    EXPECT_EQ(reinterpret_cast<GridWorkspaceLayout *>(addresses[1])->barrier, 0u);
  }
  kernel.reset();
  marked.reset();
  function.reset();
  module.reset();
  EXPECT_EQ(device->reset(), cudaSuccess); // frees the workspaces
}

TEST_F(HipModule, LaunchFails_ReturnsItsError) {
  hipStandIn().results["hipModuleLaunchKernel"] =
      static_cast<HipResult>(cudaErrorLaunchOutOfResources);
  EXPECT_EQ(device->launch(*function, {{1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr, {}}),
            cudaErrorLaunchOutOfResources);
}

TEST_F(HipModule, MoreThreadsThanTheHardwareCounts_IsNotLaunched) {
  hipStandIn().calls.clear();
  uint32_t most = std::numeric_limits<uint32_t>::max() / 1024;
  EXPECT_EQ(device->launch(*function, {{most, 1, 1}, {1024, 1, 1}, 0, nullptr, nullptr, {}}),
            cudaSuccess);
  EXPECT_EQ(device->launch(*function, {{most + 1, 1, 1}, {1024, 1, 1}, 0, nullptr, nullptr, {}}),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(hipStandIn().calls.size(), 1u);
}

TEST_F(HipModule, AbsentKernel_IsInvalidDeviceFunction) {
  std::unique_ptr<Function> absent;
  EXPECT_EQ(module->function("absent", absent), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(absent, nullptr);
  hipStandIn().results["hipModuleGetFunction"] = refused;
  EXPECT_EQ(module->function("kernel", absent), cudaErrorIllegalAddress);
}

TEST_F(HipModule, FunctionAttributes_AreHipsAndWhatWasSet) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(function->attributes(attributes), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 100);
  EXPECT_EQ(attributes.sharedSizeBytes, 101u);
  EXPECT_EQ(attributes.constSizeBytes, 102u);
  EXPECT_EQ(attributes.localSizeBytes, 103u);
  EXPECT_EQ(attributes.numRegs, 104);
  EXPECT_EQ(attributes.ptxVersion, 70);
  EXPECT_EQ(attributes.binaryVersion, 70);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 108);
  auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(function->setAttribute(most, 109), cudaErrorInvalidValue);
  EXPECT_EQ(function->setAttribute(most, -1), cudaErrorInvalidValue);
  EXPECT_EQ(function->setAttribute(most, 64), cudaSuccess);
  EXPECT_EQ(function->setAttribute(cudaFuncAttributePreferredSharedMemoryCarveout, 101),
            cudaErrorInvalidValue);
  EXPECT_EQ(function->setAttribute(cudaFuncAttributePreferredSharedMemoryCarveout, 50),
            cudaSuccess);
  ASSERT_EQ(function->attributes(attributes), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 64);
  EXPECT_EQ(attributes.preferredShmemCarveout, 50);
  EXPECT_EQ(function->setCacheConfig(cudaFuncCachePreferShared), cudaSuccess);
  EXPECT_EQ(function->setCacheConfig(static_cast<cudaFuncCache>(9)), cudaErrorInvalidValue);
  hipStandIn().results["hipFuncGetAttribute"] = refused;
  EXPECT_EQ(function->attributes(attributes), cudaErrorIllegalAddress);
  EXPECT_EQ(function->setAttribute(most, 64), cudaErrorIllegalAddress);
}

TEST_F(HipModule, WriteSlot_StoresTheAddressAndWaits) {
  hipStandIn().globals["slot"] = 0;
  hipStandIn().calls.clear();
  int variable;
  EXPECT_EQ(module->writeSlot("slot", &variable), cudaSuccess);
  EXPECT_EQ(hipStandIn().globals["slot"], reinterpret_cast<uint64_t>(&variable));
  std::vector<std::string> expected = {"hipModuleGetGlobal", "hipStreamCreateWithPriority",
                                       "hipMemcpyAsync", "hipStreamSynchronize",
                                       "hipStreamDestroy"};
  EXPECT_EQ(hipStandIn().calls, expected);
  EXPECT_EQ(module->writeSlot("dropped", &variable), cudaErrorInvalidSymbol);
}

TEST_F(HipModule, WriteSlotFails_LeavesNoStream) {
  hipStandIn().globals["slot"] = 0;
  for (const char *symbol : {"hipModuleGetGlobal", "hipStreamCreateWithPriority", "hipMemcpyAsync",
                             "hipStreamSynchronize"}) {
    hipStandIn().results = {{symbol, refused}};
    EXPECT_EQ(module->writeSlot("slot", &module), cudaErrorIllegalAddress) << symbol;
    EXPECT_EQ(hipStandIn().live["hipStreamCreate"], 0) << symbol;
  }
}

TEST_F(HipModule, Variables_AreTheLibrarys) {
  hipStandIn().globals["variable"] = 0;
  void *address = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(module->variable("variable", address, bytes), cudaSuccess);
  EXPECT_EQ(address, &hipStandIn().globals["variable"]);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(module->variable("absent", address, bytes), cudaErrorInvalidSymbol);
}

TEST_F(HipModule, Occupancy_IsTheLibrarys) {
  int blocks = 0;
  EXPECT_EQ(function->maxActiveBlocks(64, 0, 0, blocks), cudaSuccess);
  EXPECT_EQ(blocks, 1);
  hipStandIn().results["hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"] = refused;
  EXPECT_EQ(function->maxActiveBlocks(64, 0, 0, blocks), cudaErrorIllegalAddress);
}

//===--- Comparing pages -------------------------------------------------===//

TEST_F(HipCode, ComparisonCode_IsACodeObjectOfTheChip) {
  for (const char *chip :
       {"gfx90a:sramecc+:xnack-", "gfx942:sramecc+:xnack-", "gfx1030", "gfx1100"}) {
    std::span<const char> code = hip::comparisonCode(chip);
    ASSERT_GT(code.size(), 64u) << chip;
    EXPECT_EQ(std::string_view(code.data(), 4), "\177ELF") << chip;
    constexpr uint16_t amdgpu = 224;
    uint16_t machine = 0;
    std::memcpy(&machine, code.data() + 18, sizeof machine);
    EXPECT_EQ(machine, amdgpu) << chip;
  }
  EXPECT_NE(hip::comparisonCode("gfx90a").data(), hip::comparisonCode("gfx942").data());
  EXPECT_TRUE(hip::comparisonCode("gfx908").empty());
}

TEST_F(HipCode, ComparePages_LoadsTheKernelOnce) {
  std::unique_ptr<Device> device = openDevice();
  std::vector<char> data(100);
  std::vector<uint8_t> differs(7, 9);
  hipStandIn().calls.clear();
  EXPECT_EQ(device->comparePages(data.data(), data.data(), 100, 16, differs), cudaSuccess);
  std::vector<std::string> expected = {"hipDeviceSynchronize",
                                       "hipModuleLoadData",
                                       "hipModuleGetFunction",
                                       "hipMalloc",
                                       "hipMemset",
                                       "hipModuleLaunchKernel",
                                       "hipMemcpy"};
  EXPECT_EQ(hipStandIn().calls, expected);
  EXPECT_EQ(hipStandIn().launched.grid[0], 7u);
  EXPECT_EQ(hipStandIn().launched.block[0], 256u);
  EXPECT_EQ(differs, std::vector<uint8_t>(7, 0));
  std::vector<char> other = data;
  other[17] = other[99] = 1;
  EXPECT_EQ(device->comparePages(data.data(), other.data(), 100, 16, differs), cudaSuccess);
  EXPECT_EQ(differs, (std::vector<uint8_t>{0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(hipStandIn().live["hipModuleLoadData"], 1);
  EXPECT_EQ(hipStandIn().live["hipMalloc"], 1);
  hipStandIn().calls.clear();
  EXPECT_EQ(device->reset(), cudaSuccess);
  EXPECT_TRUE(hipStandIn().calledInOrder("hipModuleUnload", "hipDeviceReset"));
  EXPECT_TRUE(hipStandIn().calledInOrder("hipFree", "hipDeviceReset"));
}

/// On a chip without that code, the host compares.
TEST_F(HipCode, ComparePagesOnAnotherChip_FindsEveryDifference) {
  hipStandIn().chip = "gfx908:sramecc+:xnack-";
  std::unique_ptr<Device> device = openDevice();
  constexpr size_t bytes = (9 << 20) + 100, pageBytes = 4096, pages = bytes / pageBytes + 1;
  std::vector<char> left(bytes), right(bytes);
  std::vector<uint8_t> differs(pages, 9), expected(pages, 0);
  for (size_t at : {size_t(0), size_t(4 << 20) - 1, size_t(4 << 20), bytes - 1}) {
    right[at] = 1;
    expected[at / pageBytes] = 1;
  }
  EXPECT_EQ(device->comparePages(left.data(), right.data(), bytes, pageBytes, differs),
            cudaSuccess);
  EXPECT_EQ(differs, expected);
  EXPECT_FALSE(hipStandIn().called("hipModuleLoadData"));
  hipStandIn().results["hipMemcpy"] = refused;
  EXPECT_EQ(device->comparePages(left.data(), right.data(), bytes, pageBytes, differs),
            cudaErrorIllegalAddress);
}

TEST_F(HipCode, ComparePagesFails_LeavesNothing) {
  std::vector<char> data(64);
  std::vector<uint8_t> differs(4);
  for (const char *symbol : {"hipDeviceSynchronize", "hipModuleLoadData", "hipModuleGetFunction",
                             "hipMalloc", "hipMemset", "hipModuleLaunchKernel", "hipMemcpy"}) {
    hipStandIn().reset();
    std::unique_ptr<Device> device = openDevice();
    hipStandIn().results[symbol] = refused;
    EXPECT_EQ(device->comparePages(data.data(), data.data(), 64, 16, differs),
              cudaErrorIllegalAddress)
        << symbol;
    hipStandIn().results.clear();
    EXPECT_EQ(device->comparePages(data.data(), data.data(), 64, 16, differs), cudaSuccess)
        << symbol;
    EXPECT_EQ(device->reset(), cudaSuccess);
    EXPECT_EQ(hipStandIn().liveObjects(), 0) << symbol;
  }
}

} // namespace
