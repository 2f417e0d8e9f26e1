//===- code.cpp - An NVIDIA GPU: modules, kernels, launches ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"
#include "runtime/plugins/gpu/store_address.h"

#include <charconv>
#include <string_view>
#include <vector>

asm(".section .rodata.regrain_compare,\"a\",@progbits\n"
    "regrainComparePtx:\n"
    ".incbin \"" REGRAIN_COMPARE_PTX "\"\n"
    ".byte 0\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden"))) const char regrainComparePtx[];

namespace regrain::cuda {
namespace {

/// Calls the body with the driver's description of a launch, with its attributes.
template <typename Body> cudaError_t withAttributes(const Launch &launch, Body body) {
  cudaLaunchAttribute attributes[4] = {};
  unsigned count = 0;
  if (launch.sharedPercent) {
    attributes[count].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attributes[count++].val.sharedMemCarveout = *launch.sharedPercent;
  }
  if (launch.mayBeginEarly) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (launch.clusterBlocks() > 1 || count == 0) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    auto &[x, y, z] = attributes[count++].val.clusterDim;
    x = launch.cluster[0];
    y = launch.cluster[1];
    z = launch.cluster[2];
  }
  if (launch.isCooperative) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  const auto &[gridX, gridY, gridZ] = launch.grid;
  const auto &[blockX, blockY, blockZ] = launch.block;
  DriverLaunch described = {
      gridX,         gridY,      gridZ, blockX, blockY, blockZ, launch.dynamicSharedBytes,
      launch.stream, attributes, count};
  return toRuntime(body(described));
}

class CudaFunction final : public Function {
public:
  CudaFunction(const Driver &driver, CUfunction handle) : driver(driver), handle(handle) {}

  cudaError_t attributes(cudaFuncAttributes &out) override;

  cudaError_t setAttribute(cudaFuncAttribute attribute, int value) override {
    return toRuntime(driver.funcSetAttribute(handle, attribute, value));
  }
  cudaError_t setCacheConfig(cudaFuncCache config) override {
    return toRuntime(driver.funcSetCacheConfig(handle, config));
  }
  cudaError_t maxActiveBlocks(int threads, size_t dynamicSharedBytes, unsigned flags,
                              int &blocks) override {
    return toRuntime(driver.maxActiveBlocks(&blocks, handle, threads, dynamicSharedBytes, flags));
  }

  cudaError_t maxActiveClusters(const Launch &launch, int &clusters) override {
    return driver.maxActiveClusters
               ? withAttributes(launch,
                                [&](const DriverLaunch &described) {
                                  return driver.maxActiveClusters(&clusters, handle, &described);
                                })
               : cudaErrorNotSupported;
  }
  cudaError_t maxClusterBlocks(const Launch &launch, int &blocks) override {
    return driver.maxPotentialClusterSize ? withAttributes(launch,
                                                           [&](const DriverLaunch &described) {
                                                             return driver.maxPotentialClusterSize(
                                                                 &blocks, handle, &described);
                                                           })
                                          : cudaErrorNotSupported;
  }

  CUfunction driverHandle() override { return handle; }

private:
  const Driver &driver;
  CUfunction handle;
};

cudaError_t CudaFunction::attributes(cudaFuncAttributes &out) {
  // This is CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, with those that follow it.
  constexpr int count = 10;
  int values[count] = {};
  for (int attribute = 0; attribute < count; ++attribute)
    if (CUresult result = driver.funcGetAttribute(&values[attribute], attribute, handle);
        result != CUDA_SUCCESS)
      return toRuntime(result);
  out = {};
  out.maxThreadsPerBlock = values[0];
  out.sharedSizeBytes = values[1];
  out.constSizeBytes = values[2];
  out.localSizeBytes = values[3];
  out.numRegs = values[4];
  out.ptxVersion = values[5];
  out.binaryVersion = values[6];
  out.cacheModeCA = values[7];
  out.maxDynamicSharedSizeBytes = values[8];
  out.preferredShmemCarveout = values[9];
  return cudaSuccess;
}

class CudaModule final : public Module {
public:
  CudaModule(Device &device, const Driver &driver, CUmodule handle)
      : device(device), driver(driver), handle(handle) {}
  ~CudaModule() override {
    // This fails only if the context is gone, and then the module is gone, too.
    static_cast<void>(driver.moduleUnload(handle));
  }

  cudaError_t function(const char *symbol, std::unique_ptr<Function> &out) override;
  cudaError_t variable(const char *symbol, void *&address, size_t &bytes) override;
  cudaError_t writeSlot(const char *slot, void *address) override;

private:
  Device &device;
  const Driver &driver;
  CUmodule handle;
};

cudaError_t CudaModule::function(const char *symbol, std::unique_ptr<Function> &out) {
  CUfunction found = nullptr;
  CUresult result = driver.moduleGetFunction(&found, handle, symbol);
  if (result == CUDA_ERROR_NOT_FOUND)
    return cudaErrorInvalidDeviceFunction;
  if (result == CUDA_SUCCESS)
    out = std::make_unique<CudaFunction>(driver, found);
  return toRuntime(result);
}

cudaError_t CudaModule::variable(const char *symbol, void *&address, size_t &bytes) {
  CUdeviceptr found = 0;
  CUresult result = driver.moduleGetGlobal(&found, &bytes, handle, symbol);
  if (result == CUDA_ERROR_NOT_FOUND)
    return cudaErrorInvalidSymbol;
  address = reinterpret_cast<void *>(found);
  return toRuntime(result);
}

cudaError_t CudaModule::writeSlot(const char *slot, void *address) {
  void *place = nullptr;
  size_t bytes = 0;
  cudaError_t status = variable(slot, place, bytes);
  return status == cudaSuccess ? storeAddress(device, place, address) : status;
}

/// Returns the compute capability times ten of "sm_90", "sm_90a" or
/// "compute_70"; 0 for a name without a number.
int capabilityOf(std::string_view arch) {
  size_t digits = arch.find_first_of("0123456789");
  int capability = 0;
  if (digits != std::string_view::npos)
    std::from_chars(arch.data() + digits, arch.data() + arch.size(), capability);
  return capability;
}

/// Returns the first line of the driver's log that is not blank.
std::string firstLine(const std::vector<char> &log) {
  std::string_view text(log.data(), strnlen(log.data(), log.size()));
  size_t start = text.find_first_not_of(" \n\t");
  if (start == std::string_view::npos)
    return {};
  text.remove_prefix(start);
  return std::string(text.substr(0, text.find('\n')));
}

} // namespace

int CudaDevice::codeRank(const image::Module &module) {
  std::string_view arch = module.arch()->string_view();
  bool isCubin = module.kind() == image::CodeKind::Cubin;
  if (!isCubin && module.kind() != image::CodeKind::Ptx)
    return -1;
  int major = 0, minor = 0;
  if (attribute(cudaDevAttrComputeCapabilityMajor, major) != cudaSuccess ||
      attribute(cudaDevAttrComputeCapabilityMinor, minor) != cudaSuccess)
    return -1;
  int here = major * 10 + minor, built = capabilityOf(arch);
  // Code for an "a" or "f" chip runs only on that chip.
  bool isSpecific = !arch.empty() && (arch.back() == 'a' || arch.back() == 'f');
  if (built > here || (isSpecific && built != here))
    return -1;
  if (!isCubin)
    return built;
  constexpr int aboveAnyPtx = 1000;
  return built / 10 == major ? aboveAnyPtx + built : -1;
}

cudaError_t CudaDevice::loadCode(const char *code, const std::string &name, CUmodule &out,
                                 std::string &reason) {
  // These are CU_JIT_INFO_LOG_BUFFER and its size, CU_JIT_ERROR_LOG_BUFFER and
  // its size.
  int options[] = {3, 4, 5, 6};
  std::vector<char> info(4096), errors(4096);
  void *values[] = {info.data(), reinterpret_cast<void *>(info.size()), errors.data(),
                    reinterpret_cast<void *>(errors.size())};
  CUresult result = driver.moduleLoadDataEx(&out, code, 4, options, values);
  if (result == CUDA_SUCCESS)
    return cudaSuccess;
  const char *text = nullptr;
  bool hasText = driver.getErrorString(result, &text) == CUDA_SUCCESS && text;
  std::string line = firstLine(errors);
  reason = "the driver refused the code for " + name + ": " +
           (hasText ? text : "error " + std::to_string(result)) +
           (line.empty() ? "" : " (" + line + ")");
  return toRuntime(result);
}

cudaError_t CudaDevice::loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                                   std::string &reason) {
  std::vector<char> code(module.code()->begin(), module.code()->end());
  code.push_back('\0'); // ends PTX; the driver reads no further than a cubin's own size
  CUmodule handle = nullptr;
  cudaError_t status = loadCode(code.data(), module.arch()->str(), handle, reason);
  if (status == cudaSuccess)
    out = std::make_unique<CudaModule>(*this, driver, handle);
  return status;
}

cudaError_t CudaDevice::loadComparison(std::unique_ptr<Module> &out) {
  CUmodule handle = nullptr;
  CUresult result = driver.moduleLoadDataEx(&handle, regrainComparePtx, 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS)
    out = std::make_unique<CudaModule>(*this, driver, handle);
  return toRuntime(result);
}

cudaError_t CudaDevice::launch(Function &function, const Launch &launch) {
  CUfunction handle = static_cast<CudaFunction &>(function).driverHandle();
  const auto &[gridX, gridY, gridZ] = launch.grid;
  const auto &[blockX, blockY, blockZ] = launch.block;
  bool needsAttributes = launch.clusterBlocks() > 1 || launch.sharedPercent;
  if (needsAttributes || (launch.mayBeginEarly && driver.launchKernelEx))
    return driver.launchKernelEx ? withAttributes(launch,
                                                  [&](const DriverLaunch &described) {
                                                    return driver.launchKernelEx(
                                                        &described, handle, launch.values, nullptr);
                                                  })
                                 : cudaErrorNotSupported;
  if (launch.isCooperative)
    return toRuntime(driver.launchCooperativeKernel(handle, gridX, gridY, gridZ, blockX, blockY,
                                                    blockZ, launch.dynamicSharedBytes,
                                                    launch.stream, launch.values));
  return toRuntime(driver.launchKernel(handle, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                       launch.dynamicSharedBytes, launch.stream, launch.values,
                                       nullptr));
}

} // namespace regrain::cuda
