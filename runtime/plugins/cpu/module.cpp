//===- module.cpp - Code of the CPU device --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/module.h"

#include "runtime/image/or_error.h"
#include "runtime/plugins/cpu/line_table.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace regrain::cpu {
namespace {

tl::unexpected<std::string> failure(const std::string &what) {
  return tl::unexpected(what + ": " + std::strerror(errno));
}

/// Returns a path to the open file that was never used before. For a known
/// path, the loader returns the loaded library, even if it is another file now. A
/// debugger can open the file by this path.
std::string uniquePath(int file, uint32_t serial) {
  std::string path = "/proc/" + std::to_string(getpid()) + "/fd";
  for (uint32_t bit = 0; bit < 32; ++bit)
    path += serial >> bit & 1 ? "//" : "/.";
  return path + "/" + std::to_string(file);
}

/// Creates a file in the folder that REGRAIN_CODE_DIR names; returns -1 without one. A profiler
/// that looks for symbols when the program has ended finds them there.
int createInFolder(std::string &path, uint32_t serial) {
  const char *folder = std::getenv("REGRAIN_CODE_DIR");
  if (!folder || !*folder)
    return -1;
  path = std::string(folder) + "/regrain-" + std::to_string(getpid()) + "-" +
         std::to_string(serial) + ".so";
  if (path.front() != '/') // else the loader might search for it
    path = "./" + path;
  int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0)
    std::fprintf(stderr, "regrain: REGRAIN_CODE_DIR: cannot write %s: %s; profilers see no names\n",
                 path.c_str(), std::strerror(errno));
  return file;
}

/// Creates an empty file, whose path was never used before.
OrError<int> createFile(std::string &path) {
  static std::atomic<uint32_t> count = 0;
  uint32_t serial = count.fetch_add(1);
  int file = createInFolder(path, serial);
  if (file >= 0)
    return file;
  file = memfd_create("regrain-code", MFD_CLOEXEC);
  if (file < 0)
    return failure("memfd_create");
  path = uniquePath(file, serial);
  return file;
}

/// Returns the descriptor of a file that contains the code.
OrError<int> writeToFile(const image::Module &module, std::string &path) {
  OrError<int> created = createFile(path);
  if (!created)
    return created;
  int file = *created;
  const uint8_t *data = module.code()->data();
  size_t left = module.code()->size();
  while (left > 0) {
    ssize_t written = write(file, data, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      tl::unexpected<std::string> reason = failure("writing code to " + path);
      close(file);
      return reason;
    }
    data += written;
    left -= size_t(written);
  }
  return file;
}

int levelOf(std::string_view arch) {
  if (arch == "x86-64")
    return 1;
  if (arch == "x86-64-v2")
    return __builtin_cpu_supports("x86-64-v2") ? 2 : -1;
  if (arch == "x86-64-v3")
    return __builtin_cpu_supports("x86-64-v3") ? 3 : -1;
  if (arch == "x86-64-v4")
    return __builtin_cpu_supports("x86-64-v4") ? 4 : -1;
  return -1;
}

// This is the number of vector registers of x86-64 code; there is no count per
// thread as on a GPU.
constexpr int vectorRegisters = 16;

} // namespace

int CpuModule::rank(const image::Module &module) {
  return module.kind() == image::CodeKind::CpuSharedObject ? levelOf(module.arch()->string_view())
                                                           : -1;
}

cudaError_t CpuModule::load(const image::Module &module, const cudaDeviceProp &limits,
                            std::unique_ptr<Module> &out, std::string &reason) {
  if (rank(module) < 0) {
    reason = "the processor does not have " + module.arch()->str();
    return cudaErrorNoKernelImageForDevice;
  }
  std::string path;
  OrError<int> file = writeToFile(module, path);
  if (!file) {
    reason = std::move(file.error());
    return cudaErrorMemoryAllocation;
  }
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    reason = dlerror();
  if (!library ||
      !hasLineTables(std::as_bytes(std::span(module.code()->data(), module.code()->size())))) {
    close(*file);
    file = -1;
  }
  if (!library)
    return cudaErrorInvalidKernelImage;
  out.reset(new CpuModule(library, *file, limits));
  return cudaSuccess;
}

CpuModule::~CpuModule() {
  dlclose(library);
  if (file >= 0)
    close(file);
}

cudaError_t CpuModule::function(const char *symbol, std::unique_ptr<Function> &out) {
  auto *kernel = static_cast<const RegrainCpuKernel *>(dlsym(library, symbol));
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  if (kernel->abiVersion < REGRAIN_CPU_OLDEST_ABI_VERSION ||
      kernel->abiVersion > REGRAIN_CPU_ABI_VERSION)
    return cudaErrorInvalidKernelImage;
  out = std::make_unique<CpuFunction>(*kernel, limits);
  return cudaSuccess;
}

cudaError_t CpuModule::variable(const char *symbol, void *&address, size_t &bytes) {
  void *found = dlsym(library, symbol);
  Dl_info info;
  void *entry = nullptr;
  if (!found || !dladdr1(found, &info, &entry, RTLD_DL_SYMENT) || !entry)
    return cudaErrorInvalidSymbol;
  address = found;
  bytes = static_cast<const ElfW(Sym) *>(entry)->st_size;
  return cudaSuccess;
}

cudaError_t CpuModule::writeSlot(const char *slot, void *address) {
  void *found = dlsym(library, slot);
  if (!found)
    return cudaErrorInvalidSymbol;
  std::memcpy(found, &address, sizeof(address));
  return cudaSuccess;
}

CpuFunction::CpuFunction(const RegrainCpuKernel &kernel, const cudaDeviceProp &limits)
    : kernel(kernel), limits(limits),
      maxDynamicSharedBytes(
          int(limits.sharedMemPerBlock -
              std::min<size_t>(limits.sharedMemPerBlock, kernel.staticSharedBytes))) {}

cudaError_t CpuFunction::attributes(cudaFuncAttributes &out) {
  out = {};
  out.sharedSizeBytes = kernel.staticSharedBytes;
  out.localSizeBytes = kernel.arenaBytesPerThread;
  out.maxThreadsPerBlock = limits.maxThreadsPerBlock;
  out.numRegs = vectorRegisters;
  out.ptxVersion = out.binaryVersion = limits.major * 10 + limits.minor;
  out.maxDynamicSharedSizeBytes = maxDynamicSharedBytes;
  out.preferredShmemCarveout = carveout;
  return cudaSuccess;
}

cudaError_t CpuFunction::setAttribute(cudaFuncAttribute attribute, int value) {
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || size_t(value) + kernel.staticSharedBytes > limits.sharedMemPerBlockOptin)
      return cudaErrorInvalidValue;
    maxDynamicSharedBytes = value;
    return cudaSuccess;
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
      return cudaErrorInvalidValue;
    carveout = value;
    return cudaSuccess;
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    allowsLargeClusters = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference: // a hint
    return value < cudaClusterSchedulingPolicyDefault ||
                   value > cudaClusterSchedulingPolicyLoadBalancing
               ? cudaErrorInvalidValue
               : cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t CpuFunction::setCacheConfig(cudaFuncCache config) {
  return config > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t CpuFunction::maxActiveBlocks(int threads, size_t dynamicSharedBytes, unsigned flags,
                                         int &blocks) {
  size_t shared = kernel.staticSharedBytes + dynamicSharedBytes;
  if (threads > limits.maxThreadsPerBlock || shared > limits.sharedMemPerBlockOptin) {
    blocks = 0;
    return cudaSuccess;
  }
  int warps = (threads + limits.warpSize - 1) / limits.warpSize;
  int byThreads = limits.maxThreadsPerMultiProcessor / (warps * limits.warpSize);
  int byShared =
      int(limits.sharedMemPerMultiprocessor / (shared + limits.reservedSharedMemPerBlock));
  blocks = std::min({byThreads, byShared, limits.maxBlocksPerMultiProcessor});
  return cudaSuccess;
}

cudaError_t CpuFunction::maxActiveClusters(const Launch &launch, int &clusters) {
  const auto &[x, y, z] = launch.block;
  int perProcessor = 0;
  cudaError_t status = maxActiveBlocks(int(x * y * z), launch.dynamicSharedBytes,
                                       cudaOccupancyDefault, perProcessor);
  clusters = perProcessor * limits.multiProcessorCount / int(launch.clusterBlocks());
  return status;
}

cudaError_t CpuFunction::maxClusterBlocks(const Launch &, int &blocks) {
  constexpr int portable = 8, most = 16; // as on NVIDIA's GPUs
  blocks = allowsLargeClusters ? most : portable;
  return cudaSuccess;
}

} // namespace regrain::cpu
