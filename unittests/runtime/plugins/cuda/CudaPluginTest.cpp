//===- CudaPluginTest.cpp - The CUDA plugin over a fake driver ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

using namespace regrain;

namespace {

class CudaPlugin : public testing::Test {
protected:
  void SetUp() override { fakeDriver().reset(); }

  std::unique_ptr<Device> openDevice() {
    std::string reason;
    EXPECT_EQ(cudaPlugin().probe(reason), cudaSuccess) << reason;
    std::unique_ptr<Device> device;
    EXPECT_EQ(cudaPlugin().open(0, device, reason), cudaSuccess) << reason;
    return device;
  }

  /// Returns an image module without entries; its bytes live in `builder`.
  const image::Module &moduleOf(image::CodeKind kind, const char *arch, const char *code) {
    builder.Clear();
    auto bytes = builder.CreateVector(reinterpret_cast<const uint8_t *>(code), strlen(code));
    auto name = builder.CreateString(arch);
    image::ModuleBuilder module(builder);
    module.add_kind(kind);
    module.add_arch(name);
    module.add_code(bytes);
    builder.Finish(module.Finish());
    return *flatbuffers::GetRoot<image::Module>(builder.GetBufferPointer());
  }

  flatbuffers::FlatBufferBuilder builder;
};

TEST_F(CudaPlugin, SymbolTable_NamesEverySymbolOnce) {
  std::set<std::string> symbols;
#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  EXPECT_TRUE(symbols.insert(symbol).second) << symbol;
#include "runtime/plugins/cuda/driver_api.def"
  EXPECT_GT(symbols.size(), 50u);
}

TEST_F(CudaPlugin, DriverAbsent_SaysSoInASentence) {
  cuda::Driver driver;
  std::string reason;
  EXPECT_EQ(cuda::loadDriver("libcuda-absent.so.1", driver, reason), cudaErrorInsufficientDriver);
  EXPECT_NE(reason.find("cannot be loaded"), std::string::npos) << reason;
  EXPECT_NE(reason.find("libcuda-absent.so.1"), std::string::npos) << reason;
}

TEST_F(CudaPlugin, DriverWithoutASymbol_NamesIt) {
  cuda::Driver driver;
  std::string reason;
  EXPECT_EQ(cuda::loadDriver("libc.so.6", driver, reason), cudaErrorInsufficientDriver);
  EXPECT_EQ(reason, "the NVIDIA driver is too old: it lacks cuInit");
}

TEST_F(CudaPlugin, InitFails_ReasonCarriesTheDriversText) {
  fakeDriver().results["cuInit"] = CUDA_ERROR_NO_DEVICE;
  std::string reason;
  EXPECT_EQ(cudaPlugin().probe(reason), cudaErrorNoDevice);
  EXPECT_EQ(reason, "cuInit failed: the fake driver's text");
}

TEST_F(CudaPlugin, NoGpu_IsNoDevice) {
  fakeDriver().devices = 0;
  std::string reason;
  EXPECT_EQ(cudaPlugin().probe(reason), cudaErrorNoDevice);
  EXPECT_EQ(reason, "the NVIDIA driver sees no GPU");
}

TEST_F(CudaPlugin, UnknownDriverError_IsUnknown) {
  EXPECT_EQ(cuda::toRuntime(static_cast<CUresult>(700)), cudaErrorIllegalAddress);
  EXPECT_EQ(cuda::toRuntime(static_cast<CUresult>(123456)), cudaErrorUnknown);
}

TEST_F(CudaPlugin, BindThread_RetainsThePrimaryContextOnce) {
  std::unique_ptr<Device> device = openDevice();
  fakeDriver().calls.clear();
  EXPECT_EQ(device->bindThread(), cudaSuccess);
  EXPECT_EQ(device->bindThread(), cudaSuccess);
  std::vector<std::string> expected = {"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",
                                       "cuCtxSetCurrent"};
  EXPECT_EQ(fakeDriver().calls, expected);
}

TEST_F(CudaPlugin, BoundThread_IsNoLongerAfterReset) {
  std::unique_ptr<Device> device = openDevice();
  EXPECT_EQ(device->bindThread(), cudaSuccess);
  EXPECT_TRUE(device->isBound());
  EXPECT_EQ(device->reset(), cudaSuccess);
  EXPECT_FALSE(device->isBound());
}

TEST_F(CudaPlugin, CurrentOrdinal_IsThatOfTheDriversContext) {
  fakeDriver().devices = 3;
  fakeDriver().contextDevice = 2;
  std::unique_ptr<Device> device = openDevice();
  std::thread([] { EXPECT_EQ(cudaPlugin().currentOrdinal(), -1); }).join();
  EXPECT_EQ(fakeDriver().failures, std::vector<std::string>());
  EXPECT_EQ(device->bindThread(), cudaSuccess);
  EXPECT_EQ(cudaPlugin().currentOrdinal(), 2);
}

TEST_F(CudaPlugin, BindThreadAfterReset_RetainsAgain) {
  std::unique_ptr<Device> device = openDevice();
  EXPECT_EQ(device->bindThread(), cudaSuccess);
  EXPECT_EQ(device->reset(), cudaSuccess);
  fakeDriver().calls.clear();
  EXPECT_EQ(device->bindThread(), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuDevicePrimaryCtxRetain"));
}

TEST_F(CudaPlugin, Arrays_AreTheDrivers) {
  std::unique_ptr<Device> device = openDevice();
  std::unique_ptr<Arrays> arrays = device->makeArrays();
  ASSERT_TRUE(arrays);
  fakeDriver().calls.clear();
  cudaArray_t array = nullptr;
  ArrayShape shape = {{8, 8, 0, 0, cudaChannelFormatKindUnsigned}, {16, 4, 0}, 0};
  EXPECT_EQ(arrays->create(shape, array), cudaSuccess);
  EXPECT_EQ(fakeDriver().lastShape.width, 16u);
  EXPECT_EQ(fakeDriver().lastShape.format, 1); // CU_AD_FORMAT_UNSIGNED_INT8
  EXPECT_EQ(fakeDriver().lastShape.channels, 2u);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(arrays->createTexture(resource, description, nullptr, texture), cudaSuccess);
  EXPECT_EQ(fakeDriver().lastTexture.flags, 3u); // as integers, normalized coordinates
  BoxCopy box;
  box.to.array = array;
  box.from.memory = {&box, 64, 64, 4};
  box.extent = {32, 4, 1};
  box.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(arrays->copy(box, nullptr, false), cudaSuccess);
  EXPECT_EQ(fakeDriver().lastBox.to.kind, cuda::DriverMemory::Array);
  EXPECT_EQ(fakeDriver().lastBox.from.kind, cuda::DriverMemory::Host);
  EXPECT_EQ(fakeDriver().lastBox.from.pitch, 64u);
  std::vector<std::string> expected = {"cuArray3DCreate_v2", "cuTexObjectCreate", "cuMemcpy3D_v2"};
  EXPECT_EQ(fakeDriver().calls, expected);
}

TEST_F(CudaPlugin, StructuresOfArrays_AreTheDrivers) {
  EXPECT_EQ(sizeof(cuda::DriverCopy3D), 200u);
  EXPECT_EQ(sizeof(cuda::DriverArrayShape), 40u);
  EXPECT_EQ(sizeof(cuda::DriverResource), 144u);
  EXPECT_EQ(sizeof(cuda::DriverTexture), 104u);
  EXPECT_EQ(sizeof(cuda::DriverView), 112u);
}

TEST_F(CudaPlugin, Properties_ComeFromTheirAttributes) {
  std::unique_ptr<Device> device = openDevice();
  cudaDeviceProp properties;
  EXPECT_EQ(device->properties(properties), cudaSuccess);
  EXPECT_STREQ(properties.name, "Fake GPU");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 0);
  EXPECT_EQ(properties.warpSize, cudaDevAttrWarpSize);
  EXPECT_EQ(properties.sharedMemPerBlockOptin, size_t(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

TEST_F(CudaPlugin, CodeRank_PrefersTheNearestCubinThenPtx) {
  std::unique_ptr<Device> device = openDevice();
  fakeDriver().capability = 89;
  auto rank = [&](image::CodeKind kind, const char *arch) {
    return device->codeRank(moduleOf(kind, arch, ""));
  };
  using image::CodeKind;
  EXPECT_GT(rank(CodeKind::Cubin, "sm_89"), rank(CodeKind::Cubin, "sm_86"));
  EXPECT_GT(rank(CodeKind::Cubin, "sm_80"), rank(CodeKind::Ptx, "sm_89"));
  EXPECT_GT(rank(CodeKind::Ptx, "sm_80"), rank(CodeKind::Ptx, "sm_70"));
  EXPECT_GE(rank(CodeKind::Ptx, "compute_70"), 0);
  EXPECT_GE(rank(CodeKind::Ptx, "ptx"), 0);
  EXPECT_LT(rank(CodeKind::Cubin, "sm_90"), 0);
  EXPECT_LT(rank(CodeKind::Cubin, "sm_75"), 0);
  EXPECT_LT(rank(CodeKind::Ptx, "sm_90"), 0);
  EXPECT_LT(rank(CodeKind::Ptx, "sm_80a"), 0);
  EXPECT_LT(rank(CodeKind::CpuSharedObject, "x86-64-v3"), 0);
}

TEST_F(CudaPlugin, LoadModule_GivesPtxNulTerminated) {
  std::unique_ptr<Device> device = openDevice();
  std::unique_ptr<Module> module;
  std::string reason;
  EXPECT_EQ(
      device->loadModule(moduleOf(image::CodeKind::Ptx, "sm_70", ".version 6.0"), module, reason),
      cudaSuccess);
  EXPECT_EQ(fakeDriver().loadedCode, ".version 6.0");
  module.reset();
  EXPECT_TRUE(fakeDriver().called("cuModuleUnload"));
}

TEST_F(CudaPlugin, LoadModuleFails_ReasonCarriesTheLog) {
  std::unique_ptr<Device> device = openDevice();
  fakeDriver().results["cuModuleLoadDataEx"] = CUDA_ERROR_INVALID_PTX;
  fakeDriver().jitLog = "\nptxas error: bad line\nmore";
  std::unique_ptr<Module> module;
  std::string reason;
  EXPECT_EQ(device->loadModule(moduleOf(image::CodeKind::Ptx, "sm_70", "x"), module, reason),
            cudaErrorInvalidPtx);
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(reason, "the driver refused the code for sm_70: the fake driver's text "
                    "(ptxas error: bad line)");
}

class CudaModule : public CudaPlugin {
protected:
  void SetUp() override {
    CudaPlugin::SetUp();
    device = openDevice();
    std::string reason;
    ASSERT_EQ(device->loadModule(moduleOf(image::CodeKind::Ptx, "sm_70", "x"), module, reason),
              cudaSuccess);
  }
  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
};

TEST_F(CudaModule, Launch_PassesShapeAndParameters) {
  std::unique_ptr<Function> function;
  ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  int first = 1;
  void *values[] = {&first};
  Launch launch = {{2, 3, 4}, {32, 2, 1}, 4096, cudaStreamPerThread, values, {}};
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  const auto &launched = fakeDriver().launched;
  EXPECT_EQ(launched.grid[0], 2u);
  EXPECT_EQ(launched.grid[1], 3u);
  EXPECT_EQ(launched.grid[2], 4u);
  EXPECT_EQ(launched.block[0], 32u);
  EXPECT_EQ(launched.block[1], 2u);
  EXPECT_EQ(launched.block[2], 1u);
  EXPECT_EQ(launched.dynamicSharedBytes, 4096u);
  EXPECT_EQ(launched.stream, cudaStreamPerThread);
  EXPECT_EQ(launched.parameters, values);
}

TEST_F(CudaModule, CooperativeLaunch_IsTheDriversOwn) {
  std::unique_ptr<Function> function;
  ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  Launch launch = {{2, 3, 4}, {32, 2, 1}, 64, nullptr, nullptr, {}, /*isCooperative=*/true};
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuLaunchCooperativeKernel"));
  EXPECT_FALSE(fakeDriver().called("cuLaunchKernel"));
  EXPECT_EQ(fakeDriver().launched.grid[2], 4u);
}

TEST_F(CudaModule, LaunchWithClusters_TellsTheDriver) {
  std::unique_ptr<Function> function;
  ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  Launch launch = {{4, 3, 4},
                   {32, 2, 1},
                   64,
                   nullptr,
                   nullptr,
                   {},
                   /*isCooperative=*/false,
                   /*cluster=*/{2, 1, 4}};
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  EXPECT_FALSE(fakeDriver().called("cuLaunchKernel"));
  EXPECT_EQ(fakeDriver().launched.grid[0], 4u);
  ASSERT_EQ(fakeDriver().launchAttributes.size(), 1u);
  EXPECT_EQ(fakeDriver().launchAttributes[0].id, cudaLaunchAttributeClusterDimension);
  EXPECT_EQ(fakeDriver().launchAttributes[0].val.clusterDim.x, 2u);
  EXPECT_EQ(fakeDriver().launchAttributes[0].val.clusterDim.y, 1u);
  EXPECT_EQ(fakeDriver().launchAttributes[0].val.clusterDim.z, 4u);
  launch.isCooperative = true;
  EXPECT_EQ(device->launch(*function, launch), cudaSuccess);
  EXPECT_FALSE(fakeDriver().called("cuLaunchCooperativeKernel"));
  ASSERT_EQ(fakeDriver().launchAttributes.size(), 2u);
  EXPECT_EQ(fakeDriver().launchAttributes[1].id, cudaLaunchAttributeCooperative);
  int number = 0;
  EXPECT_EQ(function->maxActiveClusters(launch, number), cudaSuccess);
  EXPECT_EQ(function->maxClusterBlocks(launch, number), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuOccupancyMaxActiveClusters"));
  EXPECT_TRUE(fakeDriver().called("cuOccupancyMaxPotentialClusterSize"));
}

TEST_F(CudaModule, WhatOnlyTheDriverHas_IsTheDrivers) {
  std::unique_ptr<Function> function;
  ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  EXPECT_NE(function->driverHandle(), nullptr);
  void *found = nullptr;
  auto result = cudaDriverEntryPointSymbolNotFound;
  EXPECT_EQ(device->driverFunction("cuInit", 12000, 0, found, result), cudaSuccess);
  EXPECT_EQ(result, cudaDriverEntryPointSuccess);
  EXPECT_TRUE(fakeDriver().called("cuGetProcAddress_v2"));
  fakeDriver().results["cuGetProcAddress_v2"] = CUDA_ERROR_NOT_FOUND;
  EXPECT_EQ(device->driverFunction("cuNone", 12000, 0, found, result), cudaSuccess);
  EXPECT_EQ(found, nullptr);
  cudaIpcMemHandle_t memory = {};
  EXPECT_EQ(device->shareMemory(&memory, memory), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuIpcGetMemHandle"));
  fakeDriver().results["cuIpcOpenMemHandle_v2"] = CUDA_ERROR_INVALID_VALUE;
  EXPECT_EQ(device->openShared(memory, 1, found), cudaErrorInvalidValue);
  EXPECT_EQ(device->closeShared(&memory), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuIpcCloseMemHandle"));
}

TEST_F(CudaModule, LaunchFails_ReturnsTheDriversError) {
  std::unique_ptr<Function> function;
  ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  fakeDriver().results["cuLaunchKernel"] = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  EXPECT_EQ(device->launch(*function, {{1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr, {}}),
            cudaErrorLaunchOutOfResources);
}

TEST_F(CudaModule, AbsentKernel_IsInvalidDeviceFunction) {
  std::unique_ptr<Function> function;
  EXPECT_EQ(module->function("absent", function), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(function, nullptr);
}

TEST_F(CudaModule, FunctionAttributes_GoBothWays) {
  std::unique_ptr<Function> function;
  ASSERT_EQ(module->function("kernel", function), cudaSuccess);
  cudaFuncAttributes attributes;
  EXPECT_EQ(function->attributes(attributes), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 100);
  EXPECT_EQ(attributes.numRegs, 104);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 108);
  constexpr int moreThanWithoutAsking = 96 << 10;
  EXPECT_EQ(
      function->setAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize, moreThanWithoutAsking),
      cudaSuccess);
  EXPECT_EQ(fakeDriver().functionAttributes[8], moreThanWithoutAsking);
}

TEST_F(CudaModule, WriteSlot_StoresTheAddressAndWaits) {
  fakeDriver().globals["slot"] = 0;
  int variable;
  EXPECT_EQ(module->writeSlot("slot", &variable), cudaSuccess);
  EXPECT_EQ(fakeDriver().globals["slot"], reinterpret_cast<uint64_t>(&variable));
  EXPECT_TRUE(fakeDriver().called("cuStreamSynchronize"));
  EXPECT_TRUE(fakeDriver().called("cuStreamDestroy_v2"));
  EXPECT_EQ(module->writeSlot("dropped", &variable), cudaErrorInvalidSymbol);
}

TEST_F(CudaPlugin, AllocationFails_IsMemoryAllocation) {
  std::unique_ptr<Device> device = openDevice();
  fakeDriver().results["cuMemAlloc_v2"] = CUDA_ERROR_OUT_OF_MEMORY;
  void *pointer = nullptr;
  EXPECT_EQ(device->allocate(64, pointer), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
}

TEST_F(CudaPlugin, APool_IsOneOfTheDriver) {
  std::unique_ptr<Device> device = openDevice();
  cudaMemPoolProps properties = {};
  properties.location = {cudaMemLocationTypeDevice, 7}; // the program's ordinal
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool = nullptr, first = nullptr;
  ASSERT_EQ(device->makePool(properties, pool), cudaSuccess);
  EXPECT_EQ(fakeDriver().poolProperties.location.id, 0) << "the driver's ordinal";
  EXPECT_EQ(fakeDriver().poolProperties.handleTypes, cudaMemHandleTypePosixFileDescriptor);
  EXPECT_EQ(device->firstPool(first), cudaSuccess);
  EXPECT_NE(first, pool);
  void *pointer = nullptr;
  EXPECT_EQ(device->allocateFrom(pool, 64, nullptr, pointer), cudaSuccess);
  EXPECT_EQ(fakeDriver().poolOfAllocation, pool);
  EXPECT_EQ(device->setPoolAccess(pool, *device, cudaMemAccessFlagsProtReadWrite), cudaSuccess);
  fakeDriver().results["cuMemPoolSetAccess"] = CUDA_ERROR_INVALID_DEVICE;
  EXPECT_EQ(device->setPoolAccess(pool, *device, cudaMemAccessFlagsProtReadWrite),
            cudaErrorInvalidDevice);
  int descriptor = -1;
  EXPECT_EQ(device->exportPool(pool, cudaMemHandleTypePosixFileDescriptor, 0, &descriptor),
            cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuMemPoolExportToShareableHandle"));
  EXPECT_EQ(device->trimPool(pool, 0), cudaSuccess);
  EXPECT_EQ(device->destroyPool(pool), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuMemPoolDestroy"));
}

TEST_F(CudaPlugin, LinearCopies_ReachTheDevice) {
  std::unique_ptr<Device> device = openDevice();
  void *pointer = nullptr;
  ASSERT_EQ(device->allocate(sizeof(int), pointer), cudaSuccess);
  int sent = 42, back = 0;
  EXPECT_EQ(
      device->copy(pointer, 0, &sent, 0, {sizeof sent, 1}, cudaMemcpyHostToDevice, nullptr, false),
      cudaSuccess);
  EXPECT_EQ(
      device->copy(&back, 0, pointer, 0, {sizeof back, 1}, cudaMemcpyDeviceToHost, nullptr, false),
      cudaSuccess);
  EXPECT_EQ(back, 42);
  EXPECT_EQ(
      device->copy(pointer, 0, pointer, 0, {4, 1}, cudaMemcpyDefault, cudaStreamPerThread, true),
      cudaSuccess);
  EXPECT_EQ(fakeDriver().calls.back(), "cuMemcpyAsync");
  EXPECT_EQ(device->free(pointer), cudaSuccess);
}

TEST_F(CudaPlugin, PitchedCopy_DescribesBothSides) {
  std::unique_ptr<Device> device = openDevice();
  char host[64] = {};
  auto *deviceRows = reinterpret_cast<void *>(uintptr_t(0x1000));
  EXPECT_EQ(
      device->copy(deviceRows, 512, host, 16, {12, 4}, cudaMemcpyHostToDevice, nullptr, false),
      cudaSuccess);
  const cuda::DriverCopy2D &copied = fakeDriver().copied;
  EXPECT_EQ(copied.fromKind, cuda::DriverMemory::Host);
  EXPECT_EQ(copied.fromHost, host);
  EXPECT_EQ(copied.fromPitch, 16u);
  EXPECT_EQ(copied.toKind, cuda::DriverMemory::Device);
  EXPECT_EQ(copied.toDevice, 0x1000u);
  EXPECT_EQ(copied.toPitch, 512u);
  EXPECT_EQ(copied.width, 12u);
  EXPECT_EQ(copied.height, 4u);
}

TEST_F(CudaPlugin, PointerAttributes_OfDeviceMemory) {
  std::unique_ptr<Device> device = openDevice();
  cudaPointerAttributes attributes;
  EXPECT_EQ(device->pointerAttributes(this, attributes), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 0);
}

/// Returns what the device says of an address in the middle of what the fake driver describes; the
/// reason, if it says nothing.
static std::string extentText(Device &device) {
  MemoryExtent extent = {};
  std::string reason;
  if (device.memoryExtent(0x1800, extent, reason) != cudaSuccess)
    return reason;
  return std::to_string(extent.begin) + "+" + std::to_string(extent.bytes);
}

TEST_F(CudaPlugin, MemoryOfAnotherAllocator_HasTheExtentOfItsAllocation) {
  std::unique_ptr<Device> device = openDevice();
  auto &pointer = fakeDriver().pointer;
  pointer = {.begin = 0x1000, .mapped = 0x1000, .bytes = 0x1000, .mappedBytes = 0x1000};
  EXPECT_EQ(extentText(*device), "4096+4096");
  pointer.mappedBytes = 0x900;
  EXPECT_EQ(
      extentText(*device),
      "in a range of reserved addresses, parts of which may be unmapped during a measurement");
  pointer.mappedBytes = 0x1000;
  fakeDriver().results["cuMemGetAddressRange_v2"] = CUDA_ERROR_NOT_FOUND;
  EXPECT_EQ(extentText(*device), "whose extent the driver does not know");
}

TEST_F(CudaPlugin, MemoryThatOthersUse_HasNoExtent) {
  std::unique_ptr<Device> device = openDevice();
  auto &pointer = fakeDriver().pointer;
  pointer = {.begin = 0x1000, .mapped = 0x1000, .bytes = 0x1000, .mappedBytes = 0x1000};
  pointer.isManaged = 1;
  EXPECT_NE(extentText(*device).find("managed"), std::string::npos);
  pointer.isManaged = 0;
  pointer.device = 1;
  EXPECT_EQ(extentText(*device), "which is another device's");
  pointer.device = 0;
  pointer.memory = cuda::DriverMemory::Host;
  EXPECT_NE(extentText(*device).find("the host's"), std::string::npos);
  pointer.memory = {};
  EXPECT_EQ(extentText(*device), "whose extent the driver does not know");
  fakeDriver().results["cuPointerGetAttributes"] = CUDA_ERROR_INVALID_VALUE;
  EXPECT_EQ(extentText(*device), "whose extent the driver does not know");
}

TEST_F(CudaPlugin, StickyError_IgnoresWorkUnderWay) {
  std::unique_ptr<Device> device = openDevice();
  fakeDriver().results["cuStreamQuery"] = CUDA_ERROR_NOT_READY;
  EXPECT_EQ(device->stickyError(), cudaSuccess);
  fakeDriver().results["cuStreamQuery"] = static_cast<CUresult>(906);
  EXPECT_EQ(device->stickyError(), cudaSuccess);
  fakeDriver().results["cuStreamQuery"] = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_EQ(device->stickyError(), cudaErrorIllegalAddress);
}

TEST_F(CudaPlugin, StickyErrorWhileABlockingStreamCaptures_LeavesTheDefaultStreamAlone) {
  std::unique_ptr<Device> device = openDevice();
  fakeDriver().results["cuStreamIsCapturing"] =
      static_cast<CUresult>(cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(device->stickyError(), cudaSuccess);
  EXPECT_FALSE(fakeDriver().called("cuStreamQuery"));
}

TEST_F(CudaPlugin, StickyErrorWhileAnotherStreamCaptures_AsksInRelaxedMode) {
  std::unique_ptr<Device> device = openDevice();
  EXPECT_EQ(device->stickyError(), cudaSuccess);
  EXPECT_EQ(fakeDriver().captureModesOfQueries, std::vector<int>{cudaStreamCaptureModeRelaxed});
  EXPECT_EQ(fakeDriver().captureMode, cudaStreamCaptureModeGlobal);
}

TEST_F(CudaPlugin, CaptureInfo_IsTheDrivers) {
  std::unique_ptr<Device> device = openDevice();
  CaptureInfo info;
  ASSERT_EQ(device->captureInfo(nullptr, info), cudaSuccess);
  EXPECT_EQ(info.status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(info.id, 42u);
  ASSERT_EQ(info.dependencies.size(), 2u);
  EXPECT_EQ(info.dependencies[1], reinterpret_cast<cudaGraphNode_t>(32));
  fakeDriver().results["cuStreamGetCaptureInfo_v2"] =
      static_cast<CUresult>(cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(device->captureInfo(nullptr, info), cudaErrorStreamCaptureImplicit);
}

TEST_F(CudaPlugin, ACapturedGraph_BecomesTheNextNodeOfAStream) {
  std::unique_ptr<Device> device = openDevice();
  auto graph = reinterpret_cast<cudaGraph_t>(64);
  ASSERT_EQ(device->captureGraph(nullptr, graph), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuGraphAddChildGraphNode"));
  EXPECT_TRUE(fakeDriver().called("cuStreamUpdateCaptureDependencies"));
  fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  EXPECT_EQ(device->captureGraph(nullptr, graph), cudaErrorIllegalState);
  fakeDriver().captureStatus = cudaStreamCaptureStatusInvalidated;
  EXPECT_EQ(device->captureGraph(nullptr, graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CudaPlugin, AtomicCapabilities_AreTheDrivers) {
  std::unique_ptr<Device> device = openDevice();
  const cudaAtomicOperation operation = cudaAtomicOperationIntegerAdd;
  unsigned known = 0;
  EXPECT_EQ(device->hostAtomics({&operation, 1}, &known), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuDeviceGetHostAtomicCapabilities"));
  EXPECT_EQ(device->peerAtomics({&operation, 1}, *device, &known), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuDeviceGetP2PAtomicCapabilities"));
}

TEST_F(CudaPlugin, CaptureMode_IsSwapped) {
  std::unique_ptr<Device> device = openDevice();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASSERT_EQ(device->exchangeCaptureMode(mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  ASSERT_EQ(device->exchangeCaptureMode(mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
}

TEST_F(CudaPlugin, ExecUpdate_SaysWhatTheDriverSays) {
  std::unique_ptr<Device> device = openDevice();
  cudaGraphExecUpdateResultInfo result = {};
  fakeDriver().results["cuGraphExecUpdate_v2"] =
      static_cast<CUresult>(cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(device->updateExecutable(nullptr, nullptr, result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(result.errorNode, reinterpret_cast<cudaGraphNode_t>(16));
  EXPECT_EQ(result.errorFromNode, reinterpret_cast<cudaGraphNode_t>(32));
}

} // namespace
