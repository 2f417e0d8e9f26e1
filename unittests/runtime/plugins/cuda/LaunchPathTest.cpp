//===- LaunchPathTest.cpp - Locks and allocations of a launch -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is tested from <<<...>>> to the driver: once a kernel has launched, no lock
// is taken and no memory allocated, for any choice. Both are counted by replacements of
// pthread_mutex_lock and operator new. The thread's processor time stands still, so that the
// watch may time launches however slow the machine is. Memory that a grain needs is returned when
// the program asks for it.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/cuda/LaunchPath.h"
#include "include/cuda/cuda.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <new>
#include <pthread.h>
#include <thread>

using regrain::allocations, regrain::isCounting, regrain::locks;

extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t *);
  static const Lock next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  locks += isCounting;
  return next(mutex);
}

extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept {
  using Read = int (*)(clockid_t, timespec *);
  static const Read next = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "clock_gettime"));
  if (clock != CLOCK_THREAD_CPUTIME_ID)
    return next(clock, now);
  *now = {};
  return 0;
}

void *operator new(size_t bytes) {
  allocations += isCounting && !fakeDriver().isNoting;
  if (void *pointer = std::malloc(bytes ? bytes : 1))
    return pointer;
  throw std::bad_alloc();
}

void operator delete(void *pointer) noexcept { std::free(pointer); }
void operator delete(void *pointer, size_t) noexcept { std::free(pointer); }

using namespace regrain;

namespace {

/// The runtime's record of memory does both.
TEST_F(LaunchPath, LocksAndAllocations_AreSeen) {
  void *pointer = nullptr;
  isCounting = true;
  cudaError_t status = cudaMalloc(&pointer, 64);
  isCounting = false;
  EXPECT_EQ(status, cudaSuccess);
  EXPECT_GE(locks, 1);
  EXPECT_GE(allocations, 1);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

/// Returns what the driver is asked for, and frees it.
class Asked {
public:
  explicit Asked(size_t bytes) { EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess); }
  ~Asked() { EXPECT_EQ(cudaFree(pointer), cudaSuccess); }
  [[nodiscard]] size_t bytes() const {
    return fakeDriver().allocated.at(reinterpret_cast<uint64_t>(pointer));
  }

private:
  void *pointer = nullptr;
};

/// The image has code for pointers into different allocations.
TEST_F(LaunchPath, Allocations_DoNotTouch) {
  EXPECT_EQ(Asked(1000).bytes(), 1000u) << "the next allocation begins later";
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(Asked(1024).bytes(), 1025u) << "what was freed needs no gap";
  Asked first(1024), second(1024), third(1024);
  EXPECT_EQ(first.bytes() + second.bytes(), 2050u);
  EXPECT_EQ(third.bytes(), 1024u) << "gaps take a small part of the memory";
}

/// The first launch may be within a capture.
TEST_F(LaunchPath, Code_IsLoadedInTheRelaxedMode) {
  EXPECT_EQ(launch(8), cudaSuccess);
  EXPECT_EQ(fakeDriver().captureModesOfLoading,
            (std::vector<int>{cudaStreamCaptureModeRelaxed, cudaStreamCaptureModeRelaxed}));
  EXPECT_EQ(fakeDriver().captureMode, cudaStreamCaptureModeGlobal);
}

/// A class says how often a grid fills the device, so what the program changes about that counts
/// from its next launch on.
TEST_F(LaunchPath, ChoiceOfTheClass_FollowsTheOccupancy) {
  ASSERT_EQ(launch(16), cudaSuccess);
  EXPECT_EQ(fakeDriver().launched.grid[0], 8u) << "16 waves, two blocks of the program in one";
  fakeDriver().residentBlocks = 2;
  for (auto change :
       {+[] { return cudaFuncSetCacheConfig(&shadow, cudaFuncCachePreferL1); },
        +[] { return cudaDeviceSetCacheConfig(cudaFuncCachePreferShared); },
        +[] {
          return cudaFuncSetAttribute(&shadow, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
        }}) {
    ASSERT_EQ(change(), cudaSuccess);
    ASSERT_EQ(launch(16 * fakeDriver().residentBlocks), cudaSuccess);
    EXPECT_EQ(fakeDriver().launched.grid[0], 8u * fakeDriver().residentBlocks);
    ++fakeDriver().residentBlocks;
  }
  fakeDriver().residentBlocks = 1;
  ASSERT_EQ(cudaFuncSetCacheConfig(&shadow, cudaFuncCachePreferNone), cudaSuccess);
}

/// As the other library of a process does, for example NVIDIA's runtime.
void makeContextCurrent(CUcontext context) {
  auto *call = reinterpret_cast<CUresult (*)(CUcontext)>(dlsym(RTLD_DEFAULT, "cuCtxSetCurrent"));
  ASSERT_TRUE(call);
  ASSERT_EQ(call(context), CUDA_SUCCESS);
}

TEST_F(LaunchPath, ContextOfAnotherLibrary_IsReplaced) {
  ASSERT_EQ(launch(8), cudaSuccess);
  fakeDriver().calls.clear();
  ASSERT_EQ(launch(8), cudaSuccess);
  EXPECT_FALSE(fakeDriver().called("cuCtxSetCurrent"));
  makeContextCurrent(nullptr);
  fakeDriver().calls.clear();
  ASSERT_EQ(launch(8), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuCtxSetCurrent"));
}

TEST_F(LaunchPath, StreamOfAnotherLibrary_HasAnId) {
  char made;
  unsigned long long id = 0;
  int device = -1;
  auto stream = reinterpret_cast<cudaStream_t>(&made);
  EXPECT_EQ(cudaStreamGetId(stream, &id), cudaSuccess);
  EXPECT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
  fakeDriver().results["cuStreamGetFlags"] = CUDA_ERROR_INVALID_HANDLE;
  auto unknown = reinterpret_cast<cudaStream_t>(&made + 1);
  EXPECT_EQ(cudaStreamGetId(unknown, &id), cudaErrorInvalidResourceHandle);
  fakeDriver().results.erase("cuStreamGetFlags");
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

/// An object of NVIDIA's compiler in the program has a fat binary for its image.
TEST_F(LaunchPath, FatBinary_IsTheDriversToLoad) {
  alignas(8) static const char code[] = "\x50\xed\x55\xba\1\0\x10\0\4\0\0\0\0\0\0\0code";
  static FatBinaryWrapper wrapper = {.data = code};
  static char shadowOfForeign;
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &shadowOfForeign, nullptr, "foreign", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(__cudaGetKernel(&kernel, &shadowOfForeign), cudaSuccess);
  int number = 1;
  void *arguments[] = {&number};
  ASSERT_EQ(__cudaLaunchKernel(kernel, dim3(3), dim3(32), arguments, 0, nullptr), cudaSuccess);
  EXPECT_TRUE(fakeDriver().loadedCode.starts_with("\x50\xed\x55\xba"));
  EXPECT_EQ(fakeDriver().launched.grid[0], 3u);
  EXPECT_EQ(fakeDriver().launched.parameters, arguments);
  __cudaUnregisterFatBinary(handle);
}

TEST_F(LaunchPath, DriverApi_IsTheDrivers) {
  CUdeviceptr pointer = 0;
  CUmodule module = nullptr;
  fakeDriver().calls.clear();
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&pointer, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoadDataEx(&module, ".version 8.5", 0, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(fakeDriver().calls, (std::vector<std::string>{"cuInit", "cuMemAlloc_v2", "cuMemFree_v2",
                                                          "cuModuleLoadDataEx", "cuModuleUnload"}));
}

TEST_F(LaunchPath, ModuleOfAnImage_IsTheRuntimes) {
  std::vector<char> image = makeImage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cuModuleLoadData(&module, image.data()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "kernel"), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "absent"), CUDA_ERROR_NOT_FOUND);
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  ASSERT_EQ(cuLaunchKernel(function, 16, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(fakeDriver().launched.grid[0], 8u) << "at the choice of the class";
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS) << "the driver decides about unknown handles";
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "the runtime's errors are its own";
}

TEST_F(LaunchPath, LibraryOfPtx_IsTheDriversToLoad) {
  const char *ptx = ".version 7.8\n.target sm_70\n.visible .global .u32 counter;\n"
                    ".visible .entry scale(.param .u64 out) { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  void *pointer = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0),
            cudaSuccess);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "absent"), cudaErrorSymbolNotFound);
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "scale"), cudaSuccess);
  void *arguments[] = {&pointer};
  ASSERT_EQ(cudaLaunchKernel(kernel, dim3(5), dim3(32), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(fakeDriver().loadedCode, ptx);
  EXPECT_EQ(fakeDriver().launched.grid[0], 5u);
  EXPECT_EQ(fakeDriver().launched.parameters, arguments);
  fakeDriver().globals["counter"] = 64;
  EXPECT_EQ(cudaLibraryGetGlobal(&pointer, &bytes, library, "counter"), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(cudaLibraryLoadData(&library, "no code", nullptr, nullptr, 0, nullptr, nullptr, 0),
            cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoKernelImageForDevice);
}

TEST_F(LaunchPath, LibraryOfAnImage_IsTheRuntimes) {
  std::vector<char> image = makeImage();
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  fakeDriver().calls.clear();
  ASSERT_EQ(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_SUCCESS);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "kernel"), CUDA_SUCCESS);
  ASSERT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
  EXPECT_EQ(fakeDriver().calls, std::vector<std::string>());
}

TEST_F(LaunchPath, Original_TakesNoLockAndAllocatesNothing) {
  EXPECT_EQ(launchCounted(8), 50);
  EXPECT_EQ(fakeDriver().launched.grid[0], 8u);
  EXPECT_EQ(locks, 0);
  EXPECT_EQ(allocations, 0);
}

TEST_F(LaunchPath, ChosenGrain_TakesNoLockAndAllocatesNothing) {
  EXPECT_EQ(launchCounted(16), 50);
  EXPECT_EQ(fakeDriver().launched.grid[0], 8u);
  EXPECT_EQ(locks, 0);
  EXPECT_EQ(allocations, 0);
}

/// Two pairs of launches are timed among the 50.
TEST_F(LaunchPath, Watch_TakesNoLockAndAllocatesNothing) {
  fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  for (auto [kernel, time] : {std::pair("kernel", 100.0), {"kernel2", 90.0}})
    fakeDriver().launchMicroseconds[kernel] = time;
  EXPECT_EQ(launchCounted(256), 50);
  const std::vector<std::string> &calls = fakeDriver().calls;
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "cuEventRecordWithFlags"), 8);
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "cuEventElapsedTime"), 2);
  EXPECT_FALSE(fakeDriver().called("cuCtxSynchronize"));
  EXPECT_FALSE(fakeDriver().called("cuEventSynchronize"));
  EXPECT_EQ(fakeDriver().launched.grid[0], 128u);
  EXPECT_EQ(locks, 0);
  EXPECT_EQ(allocations, 0);
}

TEST_F(LaunchPath, SlowerGrain_GivesWayToTheOriginalForGood) {
  fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  for (auto [kernel, time] : {std::pair("kernel", 100.0), {"kernel2", 103.0}})
    fakeDriver().launchMicroseconds[kernel] = time;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(launch(256), cudaSuccess);
  EXPECT_EQ(launchCounted(256), 50);
  EXPECT_EQ(fakeDriver().launched.grid[0], 256u);
  EXPECT_FALSE(fakeDriver().called("cuEventRecordWithFlags"));
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with(
      "regrain: kernel(): the tuned grain block.x=2 runs at 0.97 of the "
      "original's speed for block=64x1x1,shared=0,align=16,waves=256,grid=*x1x1,integers=4 "
      "("))
      << said;
  EXPECT_TRUE(said.ends_with(" pairs of launches), so this process continues with the original; "
                             "'regrain tune' measures again, REGRAIN_WATCH=off disables this "
                             "check\n"))
      << said;
}

TEST_F(LaunchPath, Remainder_TakesNoLockAndAllocatesNothing) {
  EXPECT_EQ(launchCounted(20), 100);
  EXPECT_EQ(fakeDriver().launched.grid[0], 2u);
  EXPECT_EQ(locks, 0);
  EXPECT_EQ(allocations, 0);
}

/// Launches of a kernel with two pointers. 16 blocks are 8 at the grain.
class LaunchPointers : public LaunchPath {
protected:
  void SetUp() override {
    fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
    for (void **pointer : {&a, &b})
      ASSERT_EQ(cudaMalloc(pointer, 64), cudaSuccess);
  }
  void TearDown() override {
    for (void *pointer : {a, b})
      EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  }

  /// Returns the launched blocks.
  static unsigned launchPair(void *first, void *second) {
    void *arguments[] = {&first, &second};
    EXPECT_EQ(cudaLaunchKernel(&pairShadow, dim3(16), dim3(threads), arguments, 0, nullptr),
              cudaSuccess);
    return fakeDriver().launched.grid[0];
  }
  static void *behind(void *pointer, size_t bytes) { return static_cast<char *>(pointer) + bytes; }

  void *a = nullptr, *b = nullptr;
};

TEST_F(LaunchPointers, IntoDifferentAllocations_RunTheGrain) {
  EXPECT_EQ(launchPair(a, b), 8u);
  EXPECT_EQ(launchPair(behind(b, 60), behind(a, 4)), 8u);
  EXPECT_EQ(launchPair(a, nullptr), 8u);
  EXPECT_EQ(launchPair(nullptr, nullptr), 8u);
  EXPECT_EQ(launchPair(a, behind(a, 60)), 16u);
  EXPECT_EQ(launchPair(a, a), 16u);
  int own = 0;
  EXPECT_EQ(launchPair(a, &own), 16u) << "the runtime does not know the memory";
}

TEST_F(LaunchPointers, OfFreedMemory_RunTheOriginal) {
  void *c = nullptr;
  ASSERT_EQ(cudaMalloc(&c, 64), cudaSuccess);
  EXPECT_EQ(launchPair(a, c), 8u);
  EXPECT_EQ(cudaFree(c), cudaSuccess);
  EXPECT_EQ(launchPair(a, c), 16u);
}

TEST_F(LaunchPointers, OfMemoryFreedByTheDriverApi_RunTheOriginal) {
  void *c = nullptr;
  ASSERT_EQ(cudaMalloc(&c, 64), cudaSuccess);
  EXPECT_EQ(launchPair(a, c), 8u);
  EXPECT_EQ(cuMemFree(reinterpret_cast<CUdeviceptr>(c)), CUDA_SUCCESS);
  EXPECT_EQ(launchPair(a, c), 16u);
}

TEST_F(LaunchPointers, OfMemoryThatOtherProcessesHave_RunTheOriginal) {
  EXPECT_EQ(launchPair(a, b), 8u);
  cudaIpcMemHandle_t handle;
  ASSERT_EQ(cudaIpcGetMemHandle(&handle, b), cudaSuccess);
  EXPECT_EQ(launchPair(a, b), 16u);
}

TEST_F(LaunchPointers, OfCapturedLaunch_RunTheOriginal) {
  EXPECT_EQ(launchPair(a, b), 8u);
  fakeDriver().captureStatus = cudaStreamCaptureStatusActive;
  EXPECT_EQ(launchPair(a, b), 16u);
  fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  EXPECT_EQ(launchPair(a, b), 8u);
}

/// One launch is about to raise the limit of the grain's code when another, which needs more, comes
/// to raise it as well. The grain takes twice the original's bytes.
TEST_F(LaunchPointers, LimitOfSimultaneousLaunches_IsTheLargest) {
  constexpr auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  constexpr int little = 1024, much = 2048;
  ASSERT_EQ(cudaFuncSetAttribute(&pairShadow, most, much), cudaSuccess);
  auto launchWith = [&](int bytes) {
    void *arguments[] = {&a, &b};
    return cudaLaunchKernel(&pairShadow, dim3(16), dim3(threads), arguments, bytes, nullptr);
  };
  std::atomic<cudaError_t> statusOfMuch = cudaErrorUnknown;
  std::thread launchesMuch;
  fakeDriver().beforeSetting = [&](int value) {
    if (value != 2 * little)
      return;
    launchesMuch = std::thread([&] { statusOfMuch = launchWith(much); });
    for (int waits = 0; waits < 100 && statusOfMuch != cudaSuccess; ++waits)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  EXPECT_EQ(launchWith(little), cudaSuccess);
  ASSERT_TRUE(launchesMuch.joinable()) << "the limit of the grain's code was raised";
  launchesMuch.join();
  fakeDriver().beforeSetting = nullptr;
  EXPECT_EQ(statusOfMuch, cudaSuccess);
  EXPECT_EQ(fakeDriver().functionAttributes[most], 2 * much);
}

/// Expects that launches, of as many blocks, neither lock nor allocate when they are repeated.
template <class LaunchAll> void expectNoLockOrAllocation(LaunchAll launchAll, unsigned launched) {
  locks = allocations = 0;
  isCounting = true;
  unsigned blocks = 0;
  for (int i = 0; i < 50; ++i)
    blocks += launchAll();
  isCounting = false;
  EXPECT_EQ(blocks, 50 * launched);
  EXPECT_EQ(locks, 0);
  EXPECT_EQ(allocations, 0);
}

/// Two buffers are exchanged in every launch, and a third launch does not fit the grain.
TEST_F(LaunchPointers, TakeNoLockAndAllocateNothing) {
  auto launchAll = [&] {
    return launchPair(a, b) + launchPair(b, a) + launchPair(a, behind(a, 4));
  };
  EXPECT_EQ(launchAll(), 32u);
  expectNoLockOrAllocation(launchAll, 32);
}

/// Launches a kernel in whose place a variant runs, in so many blocks as the number says; the
/// original has 16. Returns the launched blocks.
unsigned launchVaried(const void *kernel, int number, unsigned width = threads) {
  void *arguments[] = {&number};
  EXPECT_EQ(cudaLaunchKernel(kernel, dim3(16), dim3(width), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(fakeDriver().launched.block[0], width);
  return fakeDriver().launched.grid[0];
}

TEST_F(LaunchPath, Variant_TakesNoLockAndAllocatesNothing) {
  auto launchAll = [&] {
    return launchVaried(&variedShadow, 3) + launchVaried(&variedShadow, 5, 32) +
           launchVaried(&variedShadow, 0);
  };
  EXPECT_EQ(launchAll(), 24u) << "a rule without blocks leaves the launch to the original";
  expectNoLockOrAllocation(launchAll, 24);
}

/// Launches 16 blocks of a kernel in clusters of so many blocks. Returns the blocks of a cluster
/// that reached the driver.
unsigned launchClusters(const void *kernel, void **arguments, unsigned blocks,
                        unsigned width = threads) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(16);
  config.blockDim = dim3(width);
  config.attrs = &attribute;
  config.numAttrs = 1;
  fakeDriver().launchAttributes.clear();
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernel, arguments), cudaSuccess);
  EXPECT_EQ(fakeDriver().launched.grid[0], 16u);
  for (const cudaLaunchAttribute &made : fakeDriver().launchAttributes)
    if (made.id == cudaLaunchAttributeClusterDimension)
      return made.val.clusterDim.x;
  return 1;
}

/// A launch whose rule says clusters that do not divide the grid, or are too large, runs the
/// original in the program's.
TEST_F(LaunchPath, Clusters_AreThoseOfTheRule) {
  fakeDriver().activeClusters = 2;
  auto launchIn = [&](int number, unsigned blocks) {
    void *arguments[] = {&number};
    return launchClusters(&togetherShadow, arguments, blocks);
  };
  auto launchAll = [&] {
    return launchIn(8, 4) + launchIn(2, 1) + launchIn(1, 2) + launchIn(3, 4) + launchIn(16, 2);
  };
  EXPECT_EQ(launchAll(), 8u + 2 + 1 + 4 + 2);
  expectNoLockOrAllocation(launchAll, 17);
}

TEST_F(LaunchPath, Clusters_ThatTheDeviceCannotHold_AreThoseOfTheOriginal) {
  fakeDriver().activeClusters = 0;
  int number = 8;
  void *arguments[] = {&number};
  EXPECT_EQ(launchClusters(&togetherShadow, arguments, 4, 32), 4u);
}

/// Blocks of a grain would have other ranks.
TEST_F(LaunchPointers, InClusters_RunTheOriginal) {
  EXPECT_EQ(launchPair(a, b), 8u);
  void *arguments[] = {&a, &b};
  EXPECT_EQ(launchClusters(&pairShadow, arguments, 2), 2u);
}

/// Launches a kernel with a limit of resident blocks. Returns the percentage of shared memory that
/// the launch asked for, -1 if for none.
int launchLimited(const void *kernel, unsigned grid = 16) {
  int number = 3;
  void *arguments[] = {&number};
  fakeDriver().launchAttributes.clear();
  EXPECT_EQ(cudaLaunchKernel(kernel, dim3(grid), dim3(threads), arguments, 0, nullptr),
            cudaSuccess);
  for (const cudaLaunchAttribute &attribute : fakeDriver().launchAttributes)
    if (attribute.id == cudaLaunchAttributePreferredSharedMemoryCarveout)
      return int(attribute.val.sharedMemCarveout);
  return -1;
}

/// A block of the fake driver's functions has 101 bytes of shared memory, and with what is reserved
/// 1152. Seven fill 8 KiB, the least that a multiprocessor can have.
TEST_F(LaunchPath, MaxResident_AsksForTheLeastOfTheMultiprocessor) {
  fakeDriver().residentBlocks = 8;
  fakeDriver().functionAttributes.clear();
  EXPECT_EQ(launchLimited(&sevenShadow), 0);
  EXPECT_EQ(fakeDriver().launched.dynamicSharedBytes, 0u);
  EXPECT_TRUE(fakeDriver().functionAttributes.empty()) << "the program would see them";
  expectNoLockOrAllocation([] { return unsigned(launchLimited(&sevenShadow)); }, 0);
  fakeDriver().residentBlocks = 7;
  ASSERT_EQ(cudaFuncSetCacheConfig(&sevenShadow, cudaFuncCachePreferL1), cudaSuccess);
  EXPECT_EQ(launchLimited(&sevenShadow), -1) << "no more find room anyway";
  fakeDriver().residentBlocks = 1;
  ASSERT_EQ(cudaFuncSetCacheConfig(&sevenShadow, cudaFuncCachePreferNone), cudaSuccess);
}

/// The fake driver allows 108 bytes of dynamic shared memory at first. Two blocks are alone in 8
/// KiB if each takes 2731 bytes.
TEST_F(LaunchPath, MaxResident_KeepsToTheLimitOfTheProgram) {
  fakeDriver().residentBlocks = 8;
  EXPECT_EQ(launchLimited(&twoShadow), -1);
  EXPECT_EQ(fakeDriver().launched.dynamicSharedBytes, 0u);
  ASSERT_EQ(cudaFuncSetAttribute(&twoShadow, cudaFuncAttributeMaxDynamicSharedMemorySize, 2000),
            cudaSuccess);
  EXPECT_EQ(launchLimited(&twoShadow), 0);
  EXPECT_EQ(fakeDriver().launched.dynamicSharedBytes, 2731u - 101 - 1024);
  ASSERT_EQ(cudaFuncSetAttribute(&twoShadow, cudaFuncAttributeMaxDynamicSharedMemorySize, 100),
            cudaSuccess);
  EXPECT_EQ(launchLimited(&twoShadow), -1);
  fakeDriver().residentBlocks = 1;
}

/// The device holds 8 blocks, and it is not known that they do not wait for each other.
TEST_F(LaunchPath, MaxResident_IsNotForBlocksThatMayNeedEachOther) {
  fakeDriver().residentBlocks = 8;
  EXPECT_EQ(launchLimited(&sevenShadow, 8), -1);
  EXPECT_EQ(launchLimited(&sevenShadow, 9), 0) << "some of them come later anyway";
  int number = 3;
  void *arguments[] = {&number};
  fakeDriver().calls.clear();
  ASSERT_EQ(
      cudaLaunchCooperativeKernel(&sevenShadow, dim3(4), dim3(threads), arguments, 0, nullptr),
      cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuLaunchCooperativeKernel"));
  fakeDriver().residentBlocks = 1;
}

/// The fake driver allows 108 bytes of dynamic shared memory at first.
TEST_F(LaunchPath, Variant_FollowsTheAttributesOfTheOriginal) {
  int number = 3;
  void *arguments[] = {&number};
  auto launchWith = [&](size_t bytes) {
    return cudaLaunchKernel(&variedShadow, dim3(16), dim3(threads), arguments, bytes, nullptr);
  };
  EXPECT_EQ(launchWith(200), cudaErrorInvalidValue);
  EXPECT_EQ(launchWith(100), cudaSuccess);
  ASSERT_EQ(cudaFuncSetAttribute(&variedShadow, cudaFuncAttributeMaxDynamicSharedMemorySize, 300),
            cudaSuccess);
  EXPECT_EQ(launchWith(200), cudaSuccess);
  EXPECT_EQ(fakeDriver().launched.grid[0], 3u);
  ASSERT_EQ(cudaFuncSetAttribute(&variedShadow, cudaFuncAttributeMaxDynamicSharedMemorySize, 100),
            cudaSuccess);
  EXPECT_EQ(launchWith(200), cudaErrorInvalidValue) << "as if it had not been launched before";
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(LaunchPath, Variant_AfterAReset_IsThatOfItsLaunch) {
  EXPECT_EQ(launchVaried(&variedShadow, 3), 3u);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(launchVaried(&variedShadow, 4), 4u);
  EXPECT_EQ(launchVaried(&variedShadow, 3), 3u);
}

class LaunchMemory : public LaunchPath {
protected:
  static constexpr unsigned blocks = 64;

  void SetUp() override {
    FakeDriver &driver = fakeDriver();
    driver.captureStatus = cudaStreamCaptureStatusNone;
    free = driver.freeBytes();
    ASSERT_EQ(launch(blocks), cudaSuccess);
    ASSERT_EQ(driver.freeBytes(), free - held);
    driver.calls.clear();
  }
  void TearDown() override { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); }

  static constexpr size_t held = blocks * lentBytes;
  size_t free = 0; ///< before the launch
};

TEST_F(LaunchMemory, IsHandedOverOnceAndCountsAsFree) {
  ASSERT_EQ(launch(blocks), cudaSuccess);
  EXPECT_FALSE(fakeDriver().called("cuMemAlloc_v2"));
  size_t said = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&said, &total), cudaSuccess);
  EXPECT_EQ(said, free);
  EXPECT_EQ(total, fakeDriver().memoryBytes);
}

TEST_F(LaunchMemory, IsTheProgramsWhereItAsksForAll) {
  void *all = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMalloc(&all, free), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuCtxSynchronize"));
  EXPECT_EQ(launch(blocks), cudaSuccess);
  EXPECT_EQ(fakeDriver().freeBytes(), 0u) << "the original ran";
  EXPECT_EQ(cudaFree(all), cudaSuccess);
  for (auto allocate : {+[](void **pointer, size_t *, size_t bytes) {
                          return cudaMallocManaged(pointer, bytes, cudaMemAttachGlobal);
                        },
                        +[](void **pointer, size_t *pitch, size_t bytes) {
                          return cudaMallocPitch(pointer, pitch, 512, bytes / 512);
                        },
                        +[](void **pointer, size_t *, size_t bytes) {
                          return cudaMallocAsync(pointer, bytes, nullptr);
                        }}) {
    ASSERT_EQ(launch(blocks), cudaSuccess);
    ASSERT_EQ(fakeDriver().freeBytes(), free - held) << "tried anew after memory came free";
    EXPECT_EQ(allocate(&all, &pitch, free), cudaSuccess);
    EXPECT_EQ(cudaFree(all), cudaSuccess);
  }
}

TEST_F(LaunchMemory, StaysWhereThereIsTooLittleWithoutIt) {
  void *more = nullptr;
  EXPECT_EQ(cudaMalloc(&more, free + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(more, nullptr);
}

TEST_F(LaunchMemory, StaysWhileACaptureIsUnderWay) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  void *all = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&all, free), cudaErrorMemoryAllocation);
  EXPECT_FALSE(fakeDriver().called("cuCtxSynchronize"));
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&all, free), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(all), cudaSuccess);
}

/// The choice of block.x=2 is for 16 blocks in one row and a number from 4 to
/// 15.
TEST_F(LaunchPath, Choice_HoldsForTheMagnitudesAndTheShapeThatWereMeasured) {
  auto launchedBlocks = [](dim3 grid, int number) {
    EXPECT_EQ(launch(grid, number), cudaSuccess);
    const unsigned *launched = fakeDriver().launched.grid;
    return launched[0] * launched[1] * launched[2];
  };
  EXPECT_EQ(launchedBlocks(16, 4), 8u);
  EXPECT_EQ(launchedBlocks(16, 15), 8u);
  for (int other : {0, 1, 3, 16, 1 << 30, -4})
    EXPECT_EQ(launchedBlocks(16, other), 16u) << other;
  EXPECT_EQ(launchedBlocks(dim3(8, 2), 7), 16u);
  EXPECT_EQ(launchedBlocks(dim3(8, 1, 2), 7), 16u);
  EXPECT_EQ(launchedBlocks(dim3(1, 16), 7), 16u);
}

TEST_F(LaunchPath, ClassWithoutAChoice_TakesNoLockAndAllocatesNothing) {
  EXPECT_EQ(launchCounted(100), 50);
  EXPECT_EQ(fakeDriver().launched.grid[0], 100u);
  EXPECT_EQ(locks, 0);
  EXPECT_EQ(allocations, 0);
}

} // namespace
