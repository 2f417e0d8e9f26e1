//===- processor.cpp - Properties of the CPU ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/launch_limits.h"
#include "runtime/plugins/cpu/cpu_device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace regrain::cpu {

/// Kernels and the host use the same memory by the same instructions, so an operation of a kernel
/// is atomic for the host in each width that kernels have. None has atomic minima of floats.
static unsigned hostAtomicsOf(cudaAtomicOperation operation) {
  constexpr unsigned integer = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned;
  constexpr unsigned reduces = cudaAtomicCapabilityReduction;
  constexpr unsigned words = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
  switch (operation) {
  case cudaAtomicOperationIntegerAdd:
  case cudaAtomicOperationIntegerMin:
  case cudaAtomicOperationIntegerMax:
  case cudaAtomicOperationAnd:
  case cudaAtomicOperationOr:
  case cudaAtomicOperationXOR:
    return integer | reduces | words;
  case cudaAtomicOperationIntegerIncrement:
  case cudaAtomicOperationIntegerDecrement:
    return cudaAtomicCapabilityUnsigned | reduces | cudaAtomicCapabilityScalar32;
  case cudaAtomicOperationExchange:
  case cudaAtomicOperationCAS:
    return integer | words | cudaAtomicCapabilityScalar128;
  case cudaAtomicOperationFloatAdd:
    return cudaAtomicCapabilitySigned | reduces | words;
  case cudaAtomicOperationFloatMin:
  case cudaAtomicOperationFloatMax:
    return 0;
  }
  return 0;
}

cudaError_t CpuDevice::hostAtomics(std::span<const cudaAtomicOperation> operations,
                                   unsigned *capabilities) {
  std::transform(operations.begin(), operations.end(), capabilities, hostAtomicsOf);
  return cudaSuccess;
}
namespace {

/// Returns the value of the first line of /proc/cpuinfo that begins with `key`.
std::string processorInfo(const char *key) {
  FILE *file = std::fopen("/proc/cpuinfo", "re");
  if (!file)
    return {};
  std::string value;
  char line[512];
  while (value.empty() && std::fgets(line, sizeof(line), file)) {
    const char *colon = std::strchr(line, ':');
    if (colon && std::strncmp(line, key, std::strlen(key)) == 0)
      value = colon + 1;
  }
  std::fclose(file);
  value.erase(std::remove(value.begin(), value.end(), '\n'), value.end());
  return value.substr(std::min(value.find_first_not_of(' '), value.size()));
}

int clockKilohertz() {
  double megahertz = 0;
  return std::sscanf(processorInfo("cpu MHz").c_str(), "%lf", &megahertz) == 1
             ? int(megahertz * 1000)
             : 0;
}

size_t physicalBytes() {
  long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0 ? size_t(pages) * size_t(pageBytes) : 0;
}

/// Sets the limits of a GPU of compute capability 7.0 (CUDA C++ Programming Guide), which programs
/// compare their sizes with. The CPU itself has none.
void setTextureLimits(cudaDeviceProp &p) {
  constexpr int line = 131072, linear = 1 << 28, plane = 65536, layered = 32768, mipmap = 32768,
                volume = 16384, layers = 2048, cubeLayers = 2046;
  p.maxTexture1D = p.maxTexture2D[0] = line;
  p.maxTexture1DLinear = linear;
  p.maxTexture2D[1] = plane;
  p.maxTexture1DMipmap = p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = mipmap;
  p.maxTexture2DLinear[0] = line;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture1DLayered[0] = p.maxSurface1DLayered[0] = layered;
  p.maxTexture1DLayered[1] = p.maxSurface1DLayered[1] = layers;
  p.maxSurface1D = layered;
  p.maxSurface2D[0] = line;
  p.maxSurface2D[1] = plane;
  for (int i = 0; i < 2; ++i) {
    p.maxTexture2DGather[i] = p.maxTexture2DLayered[i] = p.maxSurface2DLayered[i] = layered;
    p.maxTextureCubemapLayered[i] = p.maxSurfaceCubemapLayered[i] = i ? cubeLayers : layered;
  }
  p.maxTexture2DLayered[2] = p.maxSurface2DLayered[2] = layers;
  std::fill(p.maxTexture3D, p.maxTexture3D + 3, volume);
  std::fill(p.maxSurface3D, p.maxSurface3D + 3, volume);
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = 8192;
  p.maxTexture3DAlt[2] = layered;
  p.maxTextureCubemap = p.maxSurfaceCubemap = layered;
  p.surfaceAlignment = 512;
}

/// CUDA programs of the architecture and of newer ones rely on these limits.
void setLaunchLimits(cudaDeviceProp &p) {
  p.warpSize = warpThreads;
  p.maxThreadsPerBlock = maxBlockThreads;
  std::copy(maxBlockSize.begin(), maxBlockSize.end(), p.maxThreadsDim);
  std::copy(maxGridSize.begin(), maxGridSize.end(), p.maxGridSize);
  p.sharedMemPerBlock = 48 << 10;
  p.sharedMemPerBlockOptin = 227 << 10;
  p.sharedMemPerMultiprocessor = 228 << 10;
  p.reservedSharedMemPerBlock = 1 << 10;
  p.regsPerBlock = p.regsPerMultiprocessor = 64 << 10;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.totalConstMem = 64 << 10;
  p.memPitch = 0x7fffffff;
  p.textureAlignment = 512; // that of allocations
  p.texturePitchAlignment = 32;
}

} // namespace

cudaDeviceProp describeProcessor(int threads) {
  cudaDeviceProp properties;
  std::memset(&properties, 0, sizeof(properties));
  std::string name = processorInfo("model name");
  if (name.empty())
    name = "CPU";
  std::snprintf(properties.name, sizeof(properties.name), "%s", name.c_str());
  // This is the architecture of the device code from which CPU code is
  // compiled.
  properties.major = 7;
  properties.minor = 0;
  setLaunchLimits(properties);
  setTextureLimits(properties);
  properties.multiProcessorCount = threads;
  properties.clockRate = properties.memoryClockRate = clockKilohertz();
  properties.memoryBusWidth = 64;
  properties.totalGlobalMem = physicalBytes();
  properties.l2CacheSize = int(std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE)));
  properties.singleToDoublePrecisionPerfRatio = 2;
  properties.asyncEngineCount = 1;
  for (int *yes : {&properties.deviceOverlap, &properties.integrated, &properties.canMapHostMemory,
                   &properties.concurrentKernels, &properties.cooperativeLaunch,
                   &properties.clusterLaunch, &properties.unifiedAddressing,
                   &properties.managedMemory, &properties.hostNativeAtomicSupported,
                   &properties.pageableMemoryAccess, &properties.concurrentManagedAccess,
                   &properties.hostRegisterSupported, &properties.canUseHostPointerForRegisteredMem,
                   &properties.pageableMemoryAccessUsesHostPageTables,
                   &properties.directManagedMemAccessFromHost, &properties.globalL1CacheSupported,
                   &properties.localL1CacheSupported, &properties.memoryPoolsSupported})
    *yes = 1;
  return properties;
}

cudaError_t readAttribute(const cudaDeviceProp &properties, cudaDeviceAttr attribute, int &value) {
  struct Field {
    cudaDeviceAttr attribute;
    size_t value;
  };
  const cudaDeviceProp &p = properties;
  const Field fields[] = {
      {cudaDevAttrMaxThreadsPerBlock, size_t(p.maxThreadsPerBlock)},
      {cudaDevAttrMaxBlockDimX, size_t(p.maxThreadsDim[0])},
      {cudaDevAttrMaxBlockDimY, size_t(p.maxThreadsDim[1])},
      {cudaDevAttrMaxBlockDimZ, size_t(p.maxThreadsDim[2])},
      {cudaDevAttrMaxGridDimX, size_t(p.maxGridSize[0])},
      {cudaDevAttrMaxGridDimY, size_t(p.maxGridSize[1])},
      {cudaDevAttrMaxGridDimZ, size_t(p.maxGridSize[2])},
      {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, p.totalConstMem},
      {cudaDevAttrWarpSize, size_t(p.warpSize)},
      {cudaDevAttrMaxPitch, p.memPitch},
      {cudaDevAttrMaxRegistersPerBlock, size_t(p.regsPerBlock)},
      {cudaDevAttrClockRate, size_t(p.clockRate)},
      {cudaDevAttrTextureAlignment, p.textureAlignment},
      {cudaDevAttrGpuOverlap, size_t(p.deviceOverlap)},
      {cudaDevAttrMultiProcessorCount, size_t(p.multiProcessorCount)},
      {cudaDevAttrIntegrated, size_t(p.integrated)},
      {cudaDevAttrCanMapHostMemory, size_t(p.canMapHostMemory)},
      {cudaDevAttrConcurrentKernels, size_t(p.concurrentKernels)},
      {cudaDevAttrMemoryClockRate, size_t(p.memoryClockRate)},
      {cudaDevAttrGlobalMemoryBusWidth, size_t(p.memoryBusWidth)},
      {cudaDevAttrL2CacheSize, size_t(p.l2CacheSize)},
      {cudaDevAttrMaxThreadsPerMultiProcessor, size_t(p.maxThreadsPerMultiProcessor)},
      {cudaDevAttrAsyncEngineCount, size_t(p.asyncEngineCount)},
      {cudaDevAttrUnifiedAddressing, size_t(p.unifiedAddressing)},
      {cudaDevAttrComputeCapabilityMajor, size_t(p.major)},
      {cudaDevAttrComputeCapabilityMinor, size_t(p.minor)},
      {cudaDevAttrGlobalL1CacheSupported, size_t(p.globalL1CacheSupported)},
      {cudaDevAttrLocalL1CacheSupported, size_t(p.localL1CacheSupported)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, size_t(p.regsPerMultiprocessor)},
      {cudaDevAttrManagedMemory, size_t(p.managedMemory)},
      {cudaDevAttrHostNativeAtomicSupported, size_t(p.hostNativeAtomicSupported)},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, size_t(p.singleToDoublePrecisionPerfRatio)},
      {cudaDevAttrPageableMemoryAccess, size_t(p.pageableMemoryAccess)},
      {cudaDevAttrConcurrentManagedAccess, size_t(p.concurrentManagedAccess)},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, size_t(p.canUseHostPointerForRegisteredMem)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
      {cudaDevAttrHostRegisterSupported, size_t(p.hostRegisterSupported)},
      {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
       size_t(p.pageableMemoryAccessUsesHostPageTables)},
      {cudaDevAttrDirectManagedMemAccessFromHost, size_t(p.directManagedMemAccessFromHost)},
      {cudaDevAttrCooperativeLaunch, size_t(p.cooperativeLaunch)},
      {cudaDevAttrClusterLaunch, size_t(p.clusterLaunch)},
      {cudaDevAttrMaxBlocksPerMultiprocessor, size_t(p.maxBlocksPerMultiProcessor)},
      {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
      {cudaDevAttrMaxTexture1DWidth, size_t(p.maxTexture1D)},
      {cudaDevAttrMaxTexture1DMipmappedWidth, size_t(p.maxTexture1DMipmap)},
      {cudaDevAttrMaxTexture1DLinearWidth, size_t(p.maxTexture1DLinear)},
      {cudaDevAttrMaxTexture2DWidth, size_t(p.maxTexture2D[0])},
      {cudaDevAttrMaxTexture2DHeight, size_t(p.maxTexture2D[1])},
      {cudaDevAttrMaxTexture2DMipmappedWidth, size_t(p.maxTexture2DMipmap[0])},
      {cudaDevAttrMaxTexture2DMipmappedHeight, size_t(p.maxTexture2DMipmap[1])},
      {cudaDevAttrMaxTexture2DLinearWidth, size_t(p.maxTexture2DLinear[0])},
      {cudaDevAttrMaxTexture2DLinearHeight, size_t(p.maxTexture2DLinear[1])},
      {cudaDevAttrMaxTexture2DLinearPitch, size_t(p.maxTexture2DLinear[2])},
      {cudaDevAttrMaxTexture2DGatherWidth, size_t(p.maxTexture2DGather[0])},
      {cudaDevAttrMaxTexture2DGatherHeight, size_t(p.maxTexture2DGather[1])},
      {cudaDevAttrMaxTexture3DWidth, size_t(p.maxTexture3D[0])},
      {cudaDevAttrMaxTexture3DHeight, size_t(p.maxTexture3D[1])},
      {cudaDevAttrMaxTexture3DDepth, size_t(p.maxTexture3D[2])},
      {cudaDevAttrMaxTexture3DWidthAlt, size_t(p.maxTexture3DAlt[0])},
      {cudaDevAttrMaxTexture3DHeightAlt, size_t(p.maxTexture3DAlt[1])},
      {cudaDevAttrMaxTexture3DDepthAlt, size_t(p.maxTexture3DAlt[2])},
      {cudaDevAttrMaxTextureCubemapWidth, size_t(p.maxTextureCubemap)},
      {cudaDevAttrMaxTexture1DLayeredWidth, size_t(p.maxTexture1DLayered[0])},
      {cudaDevAttrMaxTexture1DLayeredLayers, size_t(p.maxTexture1DLayered[1])},
      {cudaDevAttrMaxTexture2DLayeredWidth, size_t(p.maxTexture2DLayered[0])},
      {cudaDevAttrMaxTexture2DLayeredHeight, size_t(p.maxTexture2DLayered[1])},
      {cudaDevAttrMaxTexture2DLayeredLayers, size_t(p.maxTexture2DLayered[2])},
      {cudaDevAttrMaxTextureCubemapLayeredWidth, size_t(p.maxTextureCubemapLayered[0])},
      {cudaDevAttrMaxTextureCubemapLayeredLayers, size_t(p.maxTextureCubemapLayered[1])},
      {cudaDevAttrMaxSurface1DWidth, size_t(p.maxSurface1D)},
      {cudaDevAttrMaxSurface2DWidth, size_t(p.maxSurface2D[0])},
      {cudaDevAttrMaxSurface2DHeight, size_t(p.maxSurface2D[1])},
      {cudaDevAttrMaxSurface3DWidth, size_t(p.maxSurface3D[0])},
      {cudaDevAttrMaxSurface3DHeight, size_t(p.maxSurface3D[1])},
      {cudaDevAttrMaxSurface3DDepth, size_t(p.maxSurface3D[2])},
      {cudaDevAttrMaxSurface1DLayeredWidth, size_t(p.maxSurface1DLayered[0])},
      {cudaDevAttrMaxSurface1DLayeredLayers, size_t(p.maxSurface1DLayered[1])},
      {cudaDevAttrMaxSurface2DLayeredWidth, size_t(p.maxSurface2DLayered[0])},
      {cudaDevAttrMaxSurface2DLayeredHeight, size_t(p.maxSurface2DLayered[1])},
      {cudaDevAttrMaxSurface2DLayeredLayers, size_t(p.maxSurface2DLayered[2])},
      {cudaDevAttrMaxSurfaceCubemapWidth, size_t(p.maxSurfaceCubemap)},
      {cudaDevAttrMaxSurfaceCubemapLayeredWidth, size_t(p.maxSurfaceCubemapLayered[0])},
      {cudaDevAttrMaxSurfaceCubemapLayeredLayers, size_t(p.maxSurfaceCubemapLayered[1])},
      {cudaDevAttrTexturePitchAlignment, size_t(p.texturePitchAlignment)},
      {cudaDevAttrSurfaceAlignment, size_t(p.surfaceAlignment)},
      {cudaDevAttrMemoryPoolsSupported, size_t(p.memoryPoolsSupported)},
  };
  if (attribute <= 0 || attribute >= cudaDevAttrMax)
    return cudaErrorInvalidValue;
  auto *found = std::find_if(std::begin(fields), std::end(fields),
                             [&](auto &field) { return field.attribute == attribute; });
  value = found == std::end(fields) ? 0 : int(found->value);
  return cudaSuccess;
}

} // namespace regrain::cpu
