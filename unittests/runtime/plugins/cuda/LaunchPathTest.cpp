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
#include "image_generated.h"
#include "include/cuda/cuda.h"
#include "runtime/cudart/registration.h"
#include "runtime/image/container.h"
#include "runtime/image/launch_rule.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <algorithm>
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

namespace {

bool isCounting = false;
int locks = 0, allocations = 0;

} // namespace

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

constexpr unsigned threads = 64, lentBytes = 512;
/// The microseconds exceed every budget of the watch.
constexpr float tooMuch = 1e9f;

/// Returns five kernels. One has a pointer and an integer; five classes of its launches,
/// which fill a device of one multiprocessor and one resident block, have a choice. The other has
/// two pointers, and a choice for launches in which they point into different allocations. The
/// third has an integer, and a variant of so many blocks. The others have an integer, and a choice
/// of at most 7 and 2 blocks on a multiprocessor.
std::vector<char> makeImage() {
  flatbuffers::FlatBufferBuilder builder;
  image::Dim3 one(1, 1, 1), two(2, 1, 1), three(3, 1, 1);
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true),
      image::CreateParameter(builder, 8, 4)};
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "block.x=2", &two, &one, false, true, 12),
      image::CreateAlternativeDirect(builder, "block.x=3:remainder", &three, &one, false, true, 12),
      image::CreateAlternativeDirect(builder, "shared=global", &one, &one, false, false, 24, false,
                                     lentBytes, 16)};
  auto classOf = [&](const char *waves, uint32_t alternative, float originalTime = 0) {
    std::string text =
        std::string("block=64x1x1,shared=0,align=16,waves=") + waves + ",grid=*x1x1,integers=4";
    return image::CreateClassChoiceDirect(builder, text.c_str(), alternative, nullptr, nullptr, 0,
                                          originalTime);
  };
  std::vector<flatbuffers::Offset<image::ClassChoice>> choices = {
      classOf("8", 0), classOf("16", 1), classOf("32", 2, tooMuch), classOf("64", 3, tooMuch),
      classOf("256", 1)};
  std::vector<image::IntegerArgument> integers = {{1, 0, 4}};
  std::vector<flatbuffers::Offset<image::Kernel>> kernels = {image::CreateKernelDirect(
      builder, "kernel", "kernel()", "kernel.cu", 1, &parameters, 0, false, &alternatives, 0,
      nullptr, nullptr, nullptr, &choices, 0, 16, false, &integers)};
  std::vector<flatbuffers::Offset<image::Parameter>> pointers = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true),
      image::CreateParameter(builder, 8, 8, /*pointer=*/true)};
  std::vector<flatbuffers::Offset<image::Alternative>> ofPointers = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "block.x=2,for.aliases=none", &two, &one, false, true,
                                     16)};
  kernels.push_back(image::CreateKernelDirect(builder, "pair", "pair()", "kernel.cu", 2, &pointers,
                                              0, false, &ofPointers, /*chosen=*/1));
  std::vector<flatbuffers::Offset<image::Parameter>> integer = {
      image::CreateParameter(builder, 0, 4)};
  std::vector<image::RuleStep> rule = {{uint8_t(RuleOp::Argument), 32, 0, 0, 0, 0},
                                       {uint8_t(RuleOp::Constant), 64, 0, 0, 0, 1},
                                       {uint8_t(RuleOp::Given), 64, 3, 0, 0, 0}};
  std::vector<uint32_t> results = {0, 1, 1, 2, 1, 1, 1};
  std::vector<flatbuffers::Offset<image::Alternative>> ofVariant = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "variant=other", &one, &one, false, false, 0, false,
                                     0, 0, &rule, &results)};
  kernels.push_back(image::CreateKernelDirect(builder, "varied", "varied()", "kernel.cu", 3,
                                              &integer, 0, false, &ofVariant, /*chosen=*/1));
  for (auto [symbol, id] : {std::pair("seven", "max-resident=7"), {"two", "max-resident=2"}}) {
    std::vector<flatbuffers::Offset<image::Alternative>> limited = {
        image::CreateAlternativeDirect(builder, "original"),
        image::CreateAlternativeDirect(builder, id, &one, &one)};
    kernels.push_back(image::CreateKernelDirect(builder, symbol, symbol, "kernel.cu", 4, &integer,
                                                0, false, &limited, /*chosen=*/1));
  }
  std::vector<flatbuffers::Offset<image::Entry>> base = {
      image::CreateEntryDirect(builder, 0, 0, "kernel"),
      image::CreateEntryDirect(builder, 1, 0, "pair"),
      image::CreateEntryDirect(builder, 2, 0, "varied"),
      image::CreateEntryDirect(builder, 3, 0, "seven"),
      image::CreateEntryDirect(builder, 4, 0, "two")};
  std::vector<flatbuffers::Offset<image::Entry>> grains = {
      image::CreateEntryDirect(builder, 0, 1, "kernel2"),
      image::CreateEntryDirect(builder, 0, 2, "kernel3"),
      image::CreateEntryDirect(builder, 0, 2, "rest3", nullptr, /*remainder=*/true),
      image::CreateEntryDirect(builder, 0, 3, "kernelGlobal"),
      image::CreateEntryDirect(builder, 1, 1, "pairApart"),
      image::CreateEntryDirect(builder, 2, 1, "other")};
  std::vector<uint8_t> code = {1, 2, 3};
  std::vector<flatbuffers::Offset<image::Module>> modules = {
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", /*base=*/true, &code,
                                &base),
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", /*base=*/false, &code,
                                &grains)};
  std::vector<flatbuffers::Offset<image::Variable>> variables;
  builder.Finish(
      image::CreateImageDirect(builder, "test", "kernel.cu", &kernels, &variables, &modules),
      image::ImageIdentifier());
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}

class LaunchPath : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("REGRAIN_DEVICE", "cuda", /*overwrite=*/1);
    setenv("REGRAIN_DB", "off", /*overwrite=*/1);
    FakeDriver &driver = fakeDriver();
    driver.version = 12080;
    for (auto [attribute, value] : {std::pair(cudaDevAttrMaxThreadsPerBlock, 1024),
                                    {cudaDevAttrMaxBlockDimX, 1024},
                                    {cudaDevAttrMaxBlockDimY, 1024},
                                    {cudaDevAttrMaxBlockDimZ, 64},
                                    {cudaDevAttrMaxGridDimX, 65535},
                                    {cudaDevAttrMaxGridDimY, 65535},
                                    {cudaDevAttrMaxGridDimZ, 65535},
                                    {cudaDevAttrMultiProcessorCount, 1},
                                    {cudaDevAttrMaxSharedMemoryPerBlockOptin, 1 << 16},
                                    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 << 10},
                                    {cudaDevAttrReservedSharedMemoryPerBlock, 1 << 10}})
      driver.attributes[attribute] = value;
    static std::vector<char> bytes = makeImage();
    static std::vector<uint64_t> image(bytes.size() / 8 + 1);
    std::memcpy(image.data(), bytes.data(), bytes.size());
    static FatBinaryWrapper wrapper = {.data = image.data()};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &shadow, nullptr, "kernel", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    for (auto [function, name] : {std::pair(&pairShadow, "pair"),
                                  {&variedShadow, "varied"},
                                  {&sevenShadow, "seven"},
                                  {&twoShadow, "two"}})
      __cudaRegisterFunction(handle, function, nullptr, name, -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    driver.calls.reserve(100000); // records of the fake driver are not counted
  }

  /// Launches as clang's stub does.
  static cudaError_t launch(dim3 grid, int number = 7) {
    alignas(16) static int data;
    void *pointer = &data;
    void *arguments[] = {&pointer, &number};
    dim3 blocks, block;
    size_t shared = 0;
    cudaStream_t stream = nullptr;
    if (__cudaPushCallConfiguration(grid, dim3(threads), 0, nullptr) != 0)
      return cudaErrorUnknown;
    cudaError_t status = __cudaPopCallConfiguration(&blocks, &block, &shared, &stream);
    return status == cudaSuccess
               ? cudaLaunchKernel(&shadow, blocks, block, arguments, shared, stream)
               : status;
  }

  /// Returns the number of launches that reached the driver, of 50 with `grid`
  /// blocks.
  static long launchCounted(unsigned grid) {
    EXPECT_EQ(launch(grid), cudaSuccess); // makes the plan, and what the choice needs
    std::vector<std::string> &calls = fakeDriver().calls;
    calls.clear();
    locks = allocations = 0;
    isCounting = true;
    for (int i = 0; i < 50; ++i)
      if (launch(grid) != cudaSuccess)
        break;
    isCounting = false;
    return std::count(calls.begin(), calls.end(), "cuLaunchKernel");
  }

  static char shadow, pairShadow, variedShadow, sevenShadow, twoShadow;
};

char LaunchPath::shadow, LaunchPath::pairShadow, LaunchPath::variedShadow, LaunchPath::sevenShadow,
    LaunchPath::twoShadow;

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

/// Launches a kernel that may begin before the one in front of it has ended, and returns the calls
/// that made launches.
std::vector<std::string> launchEarly(const void *kernel, unsigned grid, void **arguments,
                                     int isAllowed = 1) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = isAllowed;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  fakeDriver().calls.clear();
  fakeDriver().launchAttributes.clear();
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernel, arguments), cudaSuccess);
  std::vector<std::string> launches;
  for (const std::string &call : fakeDriver().calls)
    if (call.starts_with("cuLaunchKernel"))
      launches.push_back(call);
  return launches;
}

const std::vector<std::string> early = {"cuLaunchKernelEx"}, inOrder = {"cuLaunchKernel"};

TEST_F(LaunchPath, EarlyLaunch_IsTheDriversPermission) {
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  EXPECT_EQ(launchEarly(&shadow, 8, arguments), early) << "at the original";
  ASSERT_EQ(fakeDriver().launchAttributes.size(), 1u);
  EXPECT_EQ(fakeDriver().launchAttributes[0].id,
            cudaLaunchAttributeProgrammaticStreamSerialization);
  EXPECT_EQ(fakeDriver().launchAttributes[0].val.programmaticStreamSerializationAllowed, 1);
  EXPECT_EQ(launchEarly(&shadow, 16, arguments), early) << "at a grain";
  EXPECT_EQ(fakeDriver().launched.grid[0], 8u);
  EXPECT_EQ(launchEarly(&shadow, 8, arguments, /*isAllowed=*/0), inOrder);
}

/// A launch behind that waits for the remainder must not find other blocks at work.
TEST_F(LaunchPath, RemainderOfAnEarlyLaunch_BeginsBehindTheOtherBlocks) {
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  EXPECT_EQ(launchEarly(&shadow, 32, arguments),
            (std::vector<std::string>{"cuLaunchKernelEx", "cuLaunchKernel"}));
}

TEST_F(LaunchPath, LaunchWithLentMemory_DoesNotBeginEarly) {
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  EXPECT_EQ(launchEarly(&shadow, 64, arguments), early) << "a capture has no such memory";
  fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  EXPECT_EQ(launchEarly(&shadow, 64, arguments), inOrder);
  fakeDriver().captureStatus = cudaStreamCaptureStatusActive;
}

/// In code for older devices, the calls that wait are nothing.
TEST_F(LaunchPath, CodeForOlderDevices_DoesNotBeginEarly) {
  const char *ptx =
      ".version 7.8\n.target sm_80\n.visible .entry scale(.param .u64 out) { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  void *pointer = nullptr;
  void *arguments[] = {&pointer};
  for (auto [version, calls] : {std::pair(80, &inOrder), {90, &early}}) {
    fakeDriver().ptxVersion = version;
    ASSERT_EQ(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0),
              cudaSuccess);
    ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "scale"), cudaSuccess);
    EXPECT_EQ(launchEarly(kernel, 5, arguments), *calls) << version;
    EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  }
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
