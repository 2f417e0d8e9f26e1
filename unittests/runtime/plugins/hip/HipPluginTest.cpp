//===- HipPluginTest.cpp - The HIP plugin over the stand-in ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/hip/open_device.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <set>

using namespace regrain;
using hip::HipResult;

namespace {

constexpr int version = REGRAIN_STAND_IN_VERSION;
const std::string ownName = "libamdhip64.so." + std::to_string(version / 100);

using HipPlugin = HipTest;

//===--- Finding the library ---------------------------------------------===//

TEST_F(HipPlugin, SymbolTable_NamesEverySymbolOnce) {
  std::set<std::string> symbols;
#define REGRAIN_HIP_CALL(result, name, symbol, parameters)                                         \
  EXPECT_TRUE(symbols.insert(symbol).second) << symbol;
#include "runtime/plugins/hip/hip_api.def"
  EXPECT_GT(symbols.size(), 70u);
}

TEST_F(HipPlugin, OptionalCalls_AreThereSinceTheirVersion) {
  hip::Library library;
  std::string reason;
  ASSERT_EQ(hip::loadLibrary(ownName.c_str(), library, reason), hip::Usable::Yes) << reason;
#define REGRAIN_HIP_CALL(result, name, symbol, parameters) EXPECT_TRUE(library.name) << symbol;
#define REGRAIN_HIP_OPTIONAL(since, result, name, symbol, parameters)                              \
  EXPECT_EQ(library.name != nullptr, version >= since) << symbol;
#include "runtime/plugins/hip/hip_api.def"
  EXPECT_EQ(library.hasAbi6(), version >= 600);
}

TEST_F(HipPlugin, LibraryAbsent_SaysSoInASentence) {
  hip::Library library;
  std::string reason;
  EXPECT_EQ(hip::loadLibrary("libamdhip64-absent.so", library, reason), hip::Usable::Absent);
  EXPECT_NE(reason.find("the HIP library cannot be loaded: libamdhip64-absent.so"),
            std::string::npos)
      << reason;
}

TEST_F(HipPlugin, LibraryWithoutASymbol_NamesIt) {
  hip::Library library;
  std::string reason;
  EXPECT_EQ(hip::loadLibrary("libc.so.6", library, reason), hip::Usable::TooOld);
  EXPECT_EQ(reason, "libc.so.6 is too old: it lacks hipGetErrorString");
}

TEST_F(HipPlugin, NoGpu_IsNoDevice) {
  hipStandIn().devices = 0;
  std::string reason;
  EXPECT_EQ(hipPlugin().probe(reason), cudaErrorNoDevice);
  EXPECT_EQ(reason, ownName + " sees no AMD GPU");
}

TEST_F(HipPlugin, CountFails_ReasonCarriesTheLibrarysText) {
  hipStandIn().results["hipGetDeviceCount"] = static_cast<HipResult>(cudaErrorInsufficientDriver);
  std::string reason;
  EXPECT_EQ(hipPlugin().probe(reason), cudaErrorNoDevice);
  EXPECT_EQ(reason, ownName + ": hipGetDeviceCount failed: the stand-in's text");
}

TEST_F(HipPlugin, CudaVisibleDevicesEmpty_HidesEveryGpu) {
  unsetenv("HIP_VISIBLE_DEVICES");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  std::string reason;
  EXPECT_EQ(hipPlugin().probe(reason), cudaErrorNoDevice);
  EXPECT_EQ(reason, "CUDA_VISIBLE_DEVICES is empty");
  EXPECT_TRUE(hipStandIn().calls.empty());
  setenv("HIP_VISIBLE_DEVICES", "-1", 1); // HIP's own variable takes precedence
  EXPECT_EQ(hipPlugin().probe(reason), cudaSuccess);
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  EXPECT_EQ(hipPlugin().probe(reason), cudaSuccess);
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_F(HipPlugin, DriverVersion_IsThatOfTheServedApiAndCodeVersionHips) {
  EXPECT_EQ(hipPlugin().driverVersion(), 13000);
  std::string reason;
  ASSERT_EQ(hipPlugin().probe(reason), cudaSuccess);
  EXPECT_EQ(hipPlugin().codeVersion(), version * 10);
}

TEST_F(HipPlugin, OpenWithoutAChipsName_SaysSo) {
  hipStandIn().chip = "";
  std::unique_ptr<Device> device;
  std::string reason;
  ASSERT_EQ(hipPlugin().probe(reason), cudaSuccess);
  EXPECT_EQ(hipPlugin().open(0, device, reason), cudaErrorDevicesUnavailable);
  EXPECT_EQ(reason, "the HIP library does not name the chip");
  EXPECT_EQ(hipPlugin().open(1, device, reason), cudaErrorInvalidDevice);
  EXPECT_EQ(device, nullptr);
}

TEST_F(HipPlugin, Errors_KeepTheirNumbersButForSome) {
  EXPECT_EQ(hip::toRuntime(static_cast<HipResult>(2)), cudaErrorMemoryAllocation);
  EXPECT_EQ(hip::toRuntime(static_cast<HipResult>(700)), cudaErrorIllegalAddress);
  EXPECT_EQ(hip::toRuntime(HipResult::InvalidKernelFile), cudaErrorInvalidKernelImage);
  EXPECT_EQ(hip::toRuntime(HipResult::ContextIsDestroyed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(hip::toRuntime(HipResult::InvalidChannelDescriptor), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(hip::toRuntime(HipResult::InvalidTexture), cudaErrorInvalidTexture);
  // These are hipErrorRuntimeMemory, hipErrorRuntimeOther, and unknown ones.
  for (int number : {1052, 1053, 123456})
    EXPECT_EQ(hip::toRuntime(static_cast<HipResult>(number)), cudaErrorUnknown);
}

//===--- Properties of the device -----------------------------------------===//

TEST_F(HipPlugin, Properties_AreWhatCudaProgramsExpect) {
  std::unique_ptr<Device> device = openDevice();
  cudaDeviceProp properties;
  ASSERT_EQ(device->properties(properties), cudaSuccess);
  EXPECT_STREQ(properties.name, "Stand-in GPU (gfx90a)");
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.major * 10 + properties.minor, 70);
  EXPECT_EQ(properties.multiProcessorCount, 104);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.sharedMemPerBlock, 65536u);
  EXPECT_EQ(properties.sharedMemPerBlockOptin, 65536u);
  EXPECT_EQ(properties.sharedMemPerMultiprocessor, 65536u);
  EXPECT_EQ(properties.maxGridSize[0], 2147483647);
  EXPECT_EQ(properties.maxGridSize[1], 65535);
  EXPECT_EQ(properties.maxGridSize[2], 65535);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
  EXPECT_EQ(properties.maxTexture1D, 0);
  EXPECT_EQ(properties.cooperativeLaunch, version >= 505);
  EXPECT_EQ(properties.uuid.bytes[0], version >= 501 ? 7 : 0);
  EXPECT_GT(properties.totalGlobalMem, 0u);
}

TEST_F(HipPlugin, BoardWithoutAName_IsKnownByItsChip) {
  hipStandIn().board = "";
  cudaDeviceProp properties;
  ASSERT_EQ(openDevice()->properties(properties), cudaSuccess);
  EXPECT_STREQ(properties.name, "AMD GPU (gfx90a)");
}

TEST_F(HipPlugin, Attributes_HaveHipsNumbers) {
  std::unique_ptr<Device> device = openDevice();
  int value = -1;
  // Without a call for cooperative launches, a device has none.
  auto isKnown = [](cudaDeviceAttr attribute) {
    return version >= 505 || attribute != cudaDevAttrCooperativeLaunch;
  };
#define REGRAIN_HIP_ATTRIBUTE(name, number)                                                        \
  hipStandIn().attributes[number] = 7;                                                             \
  EXPECT_EQ(device->attribute(cudaDevAttr##name, value), cudaSuccess);                             \
  EXPECT_EQ(value, isKnown(cudaDevAttr##name) ? 7 : 0) << #name;                                   \
  hipStandIn().attributes.clear();
#include "runtime/plugins/hip/attributes.def"
  EXPECT_EQ(device->attribute(cudaDevAttrMaxTexture1DWidth, value), cudaSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(device->attribute(static_cast<cudaDeviceAttr>(100000), value), cudaErrorInvalidValue);
}

TEST_F(HipPlugin, AttributeThatTheVersionDoesNotKnow_IsNotSupported) {
  int value = -1;
  EXPECT_EQ(openDevice()->attribute(cudaDevAttrHostRegisterSupported, value), cudaSuccess);
  EXPECT_EQ(value, version >= 600);
}

//===--- Failures of every call -------------------------------------------===//

struct Failure {
  const char *symbol;
  std::function<cudaError_t(Device &)> call;
};

/// These are the calls of the interface that are one call of the library.
const Failure failures[] = {
    {"hipSetDevice", [](Device &d) { return d.bindThread(); }},
    {"hipDeviceSynchronize", [](Device &d) { return d.synchronize(); }},
    {"hipDeviceReset", [](Device &d) { return d.reset(); }},
    {"hipGetDevice", [](Device &d) { return d.stickyError(); }},
    {"hipDeviceGetName",
     [](Device &d) {
       cudaDeviceProp out;
       return d.properties(out);
     }},
    {"hipDeviceTotalMem",
     [](Device &d) {
       cudaDeviceProp out;
       return d.properties(out);
     }},
    {"hipDeviceGetAttribute",
     [](Device &d) {
       int out;
       return d.attribute(cudaDevAttrClockRate, out);
     }},
    {"hipMemGetInfo",
     [](Device &d) {
       size_t one, other;
       return d.memoryInfo(one, other);
     }},
    {"hipDeviceGetLimit",
     [](Device &d) {
       size_t out;
       return d.limit(cudaLimitMallocHeapSize, out);
     }},
    {"hipDeviceGetCacheConfig",
     [](Device &d) {
       cudaFuncCache out;
       return d.cacheConfig(out);
     }},
    {"hipDeviceSetCacheConfig", [](Device &d) { return d.setCacheConfig(cudaFuncCachePreferL1); }},
    {"hipGetDeviceFlags",
     [](Device &d) {
       unsigned out;
       return d.flags(out);
     }},
    {"hipSetDeviceFlags", [](Device &d) { return d.setFlags(0); }},
    {"hipMalloc",
     [](Device &d) {
       void *out;
       return d.allocate(64, out);
     }},
    {"hipDeviceCanAccessPeer",
     [](Device &d) {
       int can;
       return d.canAccessPeer(d, can);
     }},
    {"hipDeviceEnablePeerAccess", [](Device &d) { return d.enablePeer(d); }},
    {"hipDeviceDisablePeerAccess", [](Device &d) { return d.disablePeer(d); }},
    {"hipDeviceGetP2PAttribute",
     [](Device &d) {
       int value;
       return d.peerAttribute(cudaDevP2PAttrAccessSupported, d, value);
     }},
    {"hipMallocPitch",
     [](Device &d) {
       void *out;
       size_t pitch;
       return d.allocatePitched(3, 3, out, pitch);
     }},
    {"hipMallocManaged",
     [](Device &d) {
       void *out;
       return d.allocateHost(HostMemory::Managed, 64, cudaMemAttachGlobal, out);
     }},
    {"hipHostMalloc",
     [](Device &d) {
       void *out;
       return d.allocateHost(HostMemory::Pinned, 64, 0, out);
     }},
    {"hipFree", [](Device &d) { return d.free(nullptr); }},
    {"hipHostFree", [](Device &d) { return d.freeHost(nullptr); }},
    {"hipHostRegister", [](Device &d) { return d.registerHost(nullptr, 1, 0); }},
    {"hipHostUnregister", [](Device &d) { return d.unregisterHost(nullptr); }},
    {"hipHostGetDevicePointer",
     [](Device &d) {
       void *out;
       return d.hostDevicePointer(nullptr, out);
     }},
    {"hipHostGetFlags",
     [](Device &d) {
       unsigned out;
       return d.hostFlags(nullptr, out);
     }},
    {"hipPointerGetAttributes",
     [](Device &d) {
       cudaPointerAttributes out;
       return d.pointerAttributes(nullptr, out);
     }},
    {"hipMemcpy",
     [](Device &d) {
       return d.copy(nullptr, 0, nullptr, 0, {1, 1}, cudaMemcpyDefault, nullptr, false);
     }},
    {"hipMemcpyAsync",
     [](Device &d) {
       return d.copy(nullptr, 0, nullptr, 0, {1, 1}, cudaMemcpyDefault, nullptr, true);
     }},
    {"hipMemcpy2D",
     [](Device &d) {
       return d.copy(nullptr, 2, nullptr, 2, {1, 2}, cudaMemcpyDefault, nullptr, false);
     }},
    {"hipMemcpy2DAsync",
     [](Device &d) {
       return d.copy(nullptr, 2, nullptr, 2, {1, 2}, cudaMemcpyDefault, nullptr, true);
     }},
    {"hipMemset", [](Device &d) { return d.fill(nullptr, 0, 0, {1, 1}, nullptr, false); }},
    {"hipMemsetAsync", [](Device &d) { return d.fill(nullptr, 0, 0, {1, 1}, nullptr, true); }},
    {"hipMemset2D", [](Device &d) { return d.fill(nullptr, 2, 0, {1, 2}, nullptr, false); }},
    {"hipMemset2DAsync", [](Device &d) { return d.fill(nullptr, 2, 0, {1, 2}, nullptr, true); }},
    {"hipMemPrefetchAsync", [](Device &d) { return d.prefetch(nullptr, 1, 0, nullptr); }},
    {"hipMemAdvise", [](Device &d) { return d.advise(nullptr, 1, cudaMemAdviseSetReadMostly, 0); }},
    {"hipStreamCreateWithPriority",
     [](Device &d) {
       cudaStream_t out;
       return d.createStream(0, 0, out);
     }},
    {"hipStreamDestroy", [](Device &d) { return d.destroyStream(cudaStreamPerThread); }},
    {"hipStreamSynchronize", [](Device &d) { return d.synchronizeStream(nullptr); }},
    {"hipStreamQuery", [](Device &d) { return d.queryStream(nullptr); }},
    {"hipStreamGetFlags",
     [](Device &d) {
       unsigned out;
       return d.streamFlags(cudaStreamPerThread, out);
     }},
    {"hipStreamGetPriority",
     [](Device &d) {
       int out;
       return d.streamPriority(nullptr, out);
     }},
    {"hipDeviceGetStreamPriorityRange",
     [](Device &d) {
       int one, other;
       return d.priorityRange(one, other);
     }},
    {"hipStreamWaitEvent", [](Device &d) { return d.streamWaitEvent(nullptr, nullptr, 0); }},
    {version >= 503 ? "hipLaunchHostFunc" : "hipStreamAddCallback",
     [](Device &d) { return d.launchHostFunction(nullptr, [](void *) {}, nullptr); }},
    {"hipEventCreateWithFlags",
     [](Device &d) {
       cudaEvent_t out;
       return d.createEvent(0, out);
     }},
    {"hipEventDestroy", [](Device &d) { return d.destroyEvent(nullptr); }},
    {"hipEventRecord", [](Device &d) { return d.recordEvent(nullptr, nullptr, 0); }},
    {"hipEventSynchronize", [](Device &d) { return d.synchronizeEvent(nullptr); }},
    {"hipEventQuery", [](Device &d) { return d.queryEvent(nullptr); }},
    {"hipEventElapsedTime",
     [](Device &d) {
       float out;
       return d.elapsedTime(nullptr, nullptr, out);
     }},
    {"hipStreamBeginCapture",
     [](Device &d) { return d.beginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal); }},
    {"hipStreamEndCapture",
     [](Device &d) {
       cudaGraph_t out;
       return d.endCapture(cudaStreamPerThread, out);
     }},
    {"hipStreamGetCaptureInfo_v2",
     [](Device &d) {
       CaptureInfo out;
       return d.captureInfo(nullptr, out);
     }},
    {"hipThreadExchangeStreamCaptureMode",
     [](Device &d) {
       cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
       return d.exchangeCaptureMode(mode);
     }},
    {"hipGraphCreate",
     [](Device &d) {
       cudaGraph_t out;
       return d.createGraph(out);
     }},
    {"hipGraphClone",
     [](Device &d) {
       cudaGraph_t out;
       return d.cloneGraph(nullptr, out);
     }},
    {"hipStreamUpdateCaptureDependencies",
     [](Device &d) { return d.updateDependencies(nullptr, {}, true); }},
    {"hipGraphDestroy", [](Device &d) { return d.destroyGraph(nullptr); }},
    {"hipGraphGetNodes",
     [](Device &d) {
       size_t count = 0;
       return d.graphNodes(nullptr, nullptr, count);
     }},
    {"hipGraphNodeGetType",
     [](Device &d) {
       cudaGraphNodeType type;
       return d.nodeType(nullptr, type);
     }},
    {"hipGraphInstantiateWithFlags",
     [](Device &d) {
       cudaGraphExec_t out;
       return d.instantiate(nullptr, 0, out);
     }},
    {"hipGraphExecUpdate",
     [](Device &d) {
       cudaGraphExecUpdateResultInfo out;
       return d.updateExecutable(nullptr, nullptr, out);
     }},
    {"hipGraphLaunch", [](Device &d) { return d.launchExecutable(nullptr, nullptr); }},
    {"hipGraphExecDestroy", [](Device &d) { return d.destroyExecutable(nullptr); }},
};

TEST_F(HipPlugin, EveryFailedCall_GivesItsError) {
  std::unique_ptr<Device> device = openDevice();
  for (const Failure &failure : failures) {
    hipStandIn().reset();
    hipStandIn().results[failure.symbol] = static_cast<HipResult>(cudaErrorIllegalAddress);
    EXPECT_EQ(failure.call(*device), cudaErrorIllegalAddress) << failure.symbol;
    EXPECT_TRUE(hipStandIn().called(failure.symbol)) << failure.symbol;
    EXPECT_EQ(hipStandIn().liveObjects(), 0) << failure.symbol;
  }
}

//===--- Memory ----------------------------------------------------------===//

TEST_F(HipPlugin, Copies_ReachTheDevice) {
  std::unique_ptr<Device> device = openDevice();
  void *pointer = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(device->allocatePitched(3, 2, pointer, pitch), cudaSuccess);
  char back[6] = {};
  EXPECT_EQ(device->copy(pointer, pitch, "abcdef", 3, {3, 2}, cudaMemcpyHostToDevice, nullptr,
                         /*async=*/false),
            cudaSuccess);
  EXPECT_EQ(device->fill(pointer, pitch, 'x', {1, 2}, nullptr, false), cudaSuccess);
  EXPECT_EQ(device->copy(back, 3, pointer, pitch, {3, 2}, cudaMemcpyDeviceToHost, cudaStreamLegacy,
                         /*async=*/true),
            cudaSuccess);
  EXPECT_EQ(hipStandIn().calls.back(), "hipMemcpy2DAsync");
  EXPECT_EQ(device->synchronizeStream(cudaStreamLegacy), cudaSuccess);
  EXPECT_EQ(std::string(back, 6), "xbcxef");
  EXPECT_EQ(device->free(pointer), cudaSuccess);
  EXPECT_EQ(device->free(pointer), cudaErrorInvalidValue);
}

TEST_F(HipPlugin, RowsWithoutGaps_AreOneCopy) {
  std::unique_ptr<Device> device = openDevice();
  char from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {};
  EXPECT_EQ(device->copy(to, 3, from, 3, {3, 2}, cudaMemcpyHostToHost, nullptr, false),
            cudaSuccess);
  EXPECT_EQ(hipStandIn().calls.back(), "hipMemcpy");
  EXPECT_EQ(std::memcmp(from, to, 6), 0);
}

TEST_F(HipPlugin, PointerAttributes_OfEveryKindOfMemory) {
  std::unique_ptr<Device> device = openDevice();
  void *ofDevice = nullptr, *pinned = nullptr, *managed = nullptr;
  ASSERT_EQ(device->allocate(64, ofDevice), cudaSuccess);
  ASSERT_EQ(device->allocateHost(HostMemory::Pinned, 64, 0, pinned), cudaSuccess);
  ASSERT_EQ(device->allocateHost(HostMemory::Managed, 64, cudaMemAttachGlobal, managed),
            cudaSuccess);
  int onStack = 0;
  cudaPointerAttributes found;
  for (auto [pointer, type] : {std::pair<void *, cudaMemoryType>(ofDevice, cudaMemoryTypeDevice),
                               {pinned, cudaMemoryTypeHost},
                               {managed, cudaMemoryTypeManaged}}) {
    ASSERT_EQ(device->pointerAttributes(pointer, found), cudaSuccess);
    EXPECT_EQ(found.type, type);
    EXPECT_EQ(found.device, 0);
    EXPECT_EQ(found.devicePointer, pointer);
  }
  for (const void *unknown :
       {static_cast<const void *>(&onStack), static_cast<const void *>(nullptr)}) {
    ASSERT_EQ(device->pointerAttributes(unknown, found), cudaSuccess);
    EXPECT_EQ(found.type, cudaMemoryTypeUnregistered);
    EXPECT_EQ(found.device, cudaInvalidDeviceId);
  }
  EXPECT_EQ(device->free(ofDevice), cudaSuccess);
  EXPECT_EQ(device->free(managed), cudaSuccess);
  EXPECT_EQ(device->freeHost(pinned), cudaSuccess);
}

TEST_F(HipPlugin, HostFlags_AreThoseOfCudaAlone) {
  std::unique_ptr<Device> device = openDevice();
  void *pinned = nullptr;
  unsigned flags = 0;
  ASSERT_EQ(device->allocateHost(HostMemory::Pinned, 64, cudaHostAllocPortable, pinned),
            cudaSuccess);
  EXPECT_EQ(device->hostFlags(pinned, flags), cudaSuccess);
  EXPECT_TRUE(flags & cudaHostAllocPortable);
  EXPECT_LE(flags, 7u);
  EXPECT_EQ(device->freeHost(pinned), cudaSuccess);
}

//===--- Streams and events ----------------------------------------------===//

TEST_F(HipPlugin, SpecialStreams_ReachTheLibraryInItsTerms) {
  std::unique_ptr<Device> device = openDevice();
  for (cudaStream_t stream : {cudaStream_t(nullptr), cudaStreamLegacy, cudaStreamPerThread}) {
    CaptureInfo info;
    unsigned flags = 7;
    int priority = 7;
    EXPECT_EQ(device->synchronizeStream(stream), cudaSuccess);
    EXPECT_EQ(device->queryStream(stream), cudaSuccess);
    EXPECT_EQ(device->streamFlags(stream, flags), cudaSuccess);
    EXPECT_EQ(device->streamPriority(stream, priority), cudaSuccess);
    EXPECT_EQ(device->captureInfo(stream, info), cudaSuccess);
    EXPECT_EQ(info.status, cudaStreamCaptureStatusNone);
    EXPECT_NE(device->destroyStream(stream), cudaSuccess);
  }
  EXPECT_EQ(device->beginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
            device->beginCapture(nullptr, cudaStreamCaptureModeGlobal));
}

TEST_F(HipPlugin, StreamThatIsNone_IsAnInvalidHandleInEveryVersion) {
  std::unique_ptr<Device> device = openDevice();
  cudaStream_t stream = nullptr;
  ASSERT_EQ(device->createStream(cudaStreamNonBlocking, 0, stream), cudaSuccess);
  EXPECT_EQ(device->destroyStream(stream), cudaSuccess);
  EXPECT_EQ(device->queryStream(stream), cudaErrorInvalidResourceHandle);
}

TEST_F(HipPlugin, HostFunction_RunsOnceWithItsData) {
  std::unique_ptr<Device> device = openDevice();
  std::atomic<int> called = 0;
  auto count = [](void *data) { ++*static_cast<std::atomic<int> *>(data); };
  EXPECT_EQ(device->launchHostFunction(nullptr, count, &called), cudaSuccess);
  EXPECT_EQ(device->synchronize(), cudaSuccess);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(hipStandIn().called("hipLaunchHostFunc"), version >= 503);
  if (version >= 503)
    return;
  for (const char *symbol : {"hipStreamAddCallback", "hipStreamGetCaptureInfo_v2"}) {
    hipStandIn().results = {{symbol, static_cast<HipResult>(cudaErrorIllegalAddress)}};
    EXPECT_EQ(device->launchHostFunction(nullptr, count, &called), cudaErrorIllegalAddress);
    EXPECT_EQ(called, 1);
  }
}

TEST_F(HipPlugin, ExternalRecord_NeedsALibraryThatHasIt) {
  std::unique_ptr<Device> device = openDevice();
  cudaEvent_t event = nullptr;
  ASSERT_EQ(device->createEvent(0, event), cudaSuccess);
  EXPECT_EQ(device->recordEvent(event, nullptr, cudaEventRecordExternal),
            version >= 604 ? cudaSuccess : cudaErrorNotSupported);
  EXPECT_EQ(hipStandIn().called("hipEventRecordWithFlags"), version >= 604);
  EXPECT_EQ(device->recordEvent(event, nullptr, 0), cudaSuccess);
  EXPECT_EQ(device->synchronizeEvent(event), cudaSuccess);
  EXPECT_EQ(device->destroyEvent(event), cudaSuccess);
}

TEST_F(HipPlugin, StickyError_AsksNothingThatACaptureOrAStreamNotices) {
  std::unique_ptr<Device> device = openDevice();
  hipStandIn().calls.clear();
  EXPECT_EQ(device->stickyError(), cudaSuccess);
  EXPECT_EQ(hipStandIn().calls, std::vector<std::string>{"hipGetDevice"});
}

//===--- Limits ----------------------------------------------------------===//

TEST_F(HipPlugin, Limits_AreThoseThatHipHas) {
  std::unique_ptr<Device> device = openDevice();
  size_t value = 0;
  bool hasStack = version >= 503;
  EXPECT_EQ(device->limit(cudaLimitMallocHeapSize, value), cudaSuccess);
  EXPECT_EQ(device->limit(cudaLimitStackSize, value),
            hasStack ? cudaSuccess : cudaErrorUnsupportedLimit);
  EXPECT_EQ(device->setLimit(cudaLimitStackSize, 4096),
            hasStack ? cudaSuccess : cudaErrorUnsupportedLimit);
  EXPECT_EQ(device->limit(cudaLimitPrintfFifoSize, value), cudaErrorUnsupportedLimit);
  hipStandIn().calls.clear();
  EXPECT_EQ(device->limit(cudaLimitMaxL2FetchGranularity, value), cudaErrorUnsupportedLimit);
  EXPECT_EQ(device->setLimit(cudaLimitMaxL2FetchGranularity, 1), cudaErrorUnsupportedLimit);
  EXPECT_TRUE(hipStandIn().calls.empty());
}

//===--- Capture and graphs ----------------------------------------------===//

TEST_F(HipPlugin, CapturedWork_RunsWithTheGraph) {
  std::unique_ptr<Device> device = openDevice();
  cudaStream_t stream = nullptr;
  void *data = nullptr;
  ASSERT_EQ(device->allocate(4, data), cudaSuccess);
  ASSERT_EQ(device->createStream(cudaStreamNonBlocking, 0, stream), cudaSuccess);
  ASSERT_EQ(device->fill(data, 0, 1, {4, 1}, nullptr, false), cudaSuccess);
  ASSERT_EQ(device->beginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(device->fill(data, 0, 2, {4, 1}, stream, true), cudaSuccess);
  std::atomic<int> called = 0;
  auto count = [](void *counter) { ++*static_cast<std::atomic<int> *>(counter); };
  EXPECT_EQ(device->launchHostFunction(stream, count, &called), cudaSuccess);
  CaptureInfo info;
  EXPECT_EQ(device->captureInfo(stream, info), cudaSuccess);
  EXPECT_EQ(info.status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(info.dependencies.size(), 1u);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(device->endCapture(stream, graph), cudaSuccess);
  size_t nodes = 0;
  EXPECT_EQ(device->graphNodes(graph, nullptr, nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2u);
  EXPECT_EQ(called, 0);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(device->instantiate(graph, 0, executable), cudaSuccess);
  cudaGraphExecUpdateResultInfo result = {};
  EXPECT_EQ(device->updateExecutable(executable, graph, result), cudaSuccess);
  EXPECT_EQ(device->uploadExecutable(executable, stream), cudaSuccess);
  EXPECT_EQ(hipStandIn().called("hipGraphUpload"), version >= 503);
  EXPECT_EQ(device->launchExecutable(executable, stream), cudaSuccess);
  EXPECT_EQ(device->synchronizeStream(stream), cudaSuccess);
  int back = 0;
  EXPECT_EQ(device->copy(&back, 0, data, 0, {4, 1}, cudaMemcpyDeviceToHost, nullptr, false),
            cudaSuccess);
  EXPECT_EQ(back, 0x02020202);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(device->destroyExecutable(executable), cudaSuccess);
  EXPECT_EQ(device->destroyGraph(graph), cudaSuccess);
  EXPECT_EQ(device->destroyStream(stream), cudaSuccess);
  EXPECT_EQ(device->free(data), cudaSuccess);
}

TEST_F(HipPlugin, CaptureMode_IsSwapped) {
  std::unique_ptr<Device> device = openDevice();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASSERT_EQ(device->exchangeCaptureMode(mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  ASSERT_EQ(device->exchangeCaptureMode(mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
}

} // namespace
