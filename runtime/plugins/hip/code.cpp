//===- code.cpp - An AMD GPU: modules, kernels, launches ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/store_address.h"
#include "runtime/plugins/hip/device.h"

#include "runtime/image/grid_workspace.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace regrain::hip {
namespace {

/// HIP cannot set attributes of a kernel: its call accepts only host functions and does
/// nothing. This class therefore stores what CUDA would store.
class HipFunction final : public Function {
public:
  HipFunction(const Library &library, HipFunctionHandle handle, bool takesGridWorkspace)
      : takesGridWorkspace(takesGridWorkspace), library(library), handle(handle) {}

  /// The last parameter is the address of the launch's workspace.
  const bool takesGridWorkspace;

  cudaError_t attributes(cudaFuncAttributes &out) override;
  cudaError_t setAttribute(cudaFuncAttribute attribute, int value) override;

  /// This is a hint, and there is nothing to configure.
  cudaError_t setCacheConfig(cudaFuncCache config) override {
    return config > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess;
  }
  cudaError_t maxActiveBlocks(int threads, size_t dynamicSharedBytes, unsigned flags,
                              int &blocks) override {
    return toRuntime(library.maxActiveBlocks(&blocks, handle, threads, dynamicSharedBytes, flags));
  }

  HipFunctionHandle libraryHandle() const { return handle; }

private:
  static constexpr int notSet = -1;

  const Library &library;
  HipFunctionHandle handle;
  int dynamicSharedBytes = notSet;
  int carveout = cudaSharedmemCarveoutDefault;
};

cudaError_t HipFunction::attributes(cudaFuncAttributes &out) {
  // This is hipFunction_attribute, whose numbers are CUDA's. The versions are omitted,
  // because HIP's values for them are not compute capabilities.
  enum { MaxThreads, Shared, Constant, Local, Registers, MaxDynamicShared = 8, Count };
  int values[Count] = {};
  for (int attribute : {MaxThreads, Shared, Constant, Local, Registers, MaxDynamicShared})
    if (HipResult result = library.funcGetAttribute(&values[attribute], attribute, handle);
        result != HipResult::Success)
      return toRuntime(result);
  out = {};
  out.maxThreadsPerBlock = values[MaxThreads];
  out.sharedSizeBytes = values[Shared];
  out.constSizeBytes = values[Constant];
  out.localSizeBytes = values[Local];
  out.numRegs = values[Registers];
  out.ptxVersion = out.binaryVersion = 10 * capabilityMajor + capabilityMinor;
  out.maxDynamicSharedSizeBytes =
      dynamicSharedBytes == notSet ? values[MaxDynamicShared] : dynamicSharedBytes;
  out.preferredShmemCarveout = carveout;
  return cudaSuccess;
}

cudaError_t HipFunction::setAttribute(cudaFuncAttribute attribute, int value) {
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize: {
    int most = 0;
    HipResult result = library.funcGetAttribute(&most, attribute, handle);
    if (result != HipResult::Success)
      return toRuntime(result);
    if (value < 0 || value > most)
      return cudaErrorInvalidValue;
    dynamicSharedBytes = value;
    return cudaSuccess;
  }
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
      return cudaErrorInvalidValue;
    carveout = value;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

/// The module owns a copy of its code: the library may read the code as long as the module
/// lives, and needs an aligned ELF file. A zero follows the code, for code that is text.
class HipModule final : public Module {
public:
  HipModule(Device &device, const Library &library, std::span<const char> code)
      : device(device), library(library), code(code.size() / sizeof(Word) + 1) {
    std::memcpy(this->code.data(), code.data(), code.size());
  }
  ~HipModule() override {
    // This fails only if the device was reset, and then the module is gone.
    if (handle)
      static_cast<void>(library.moduleUnload(handle));
  }

  HipResult load() {
    HipResult result = library.moduleLoadData(&handle, code.data());
    if (result != HipResult::Success)
      handle = nullptr;
    return result;
  }

  /// Learns what the program's code asks of its launches.
  void findMarkers() {
    void *address = nullptr;
    size_t bytes = 0;
    takesGridWorkspace = variable(gridWorkspaceMarker, address, bytes) == cudaSuccess;
  }

  cudaError_t function(const char *symbol, std::unique_ptr<Function> &out) override;
  cudaError_t variable(const char *symbol, void *&address, size_t &bytes) override;
  cudaError_t writeSlot(const char *slot, void *address) override;

private:
  struct alignas(16) Word {
    char bytes[16];
  };

  Device &device;
  const Library &library;
  std::vector<Word> code;
  HipModuleHandle handle = nullptr;
  bool takesGridWorkspace = false;
};

cudaError_t HipModule::function(const char *symbol, std::unique_ptr<Function> &out) {
  HipFunctionHandle found = nullptr;
  HipResult result = library.moduleGetFunction(&found, handle, symbol);
  if (result == HipResult::NotFound)
    return cudaErrorInvalidDeviceFunction;
  if (result == HipResult::Success)
    out = std::make_unique<HipFunction>(library, found, takesGridWorkspace);
  return toRuntime(result);
}

cudaError_t HipModule::variable(const char *symbol, void *&address, size_t &bytes) {
  HipResult result = library.moduleGetGlobal(&address, &bytes, handle, symbol);
  return result == HipResult::NotFound ? cudaErrorInvalidSymbol : toRuntime(result);
}

cudaError_t HipModule::writeSlot(const char *slot, void *address) {
  void *place = nullptr;
  size_t bytes = 0;
  cudaError_t status = variable(slot, place, bytes);
  return status == cudaSuccess ? storeAddress(device, place, address) : status;
}

/// Removes the text up to the next colon from `text`, and returns it.
std::string_view nextPart(std::string_view &text) {
  std::string_view part = text.substr(0, text.find(':'));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

bool hasPart(std::string_view text, std::string_view wanted) {
  while (!text.empty())
    if (nextPart(text) == wanted)
      return true;
  return false;
}

} // namespace

bool runsOn(std::string_view arch, std::string_view chip) {
  if (arch.empty() || nextPart(arch) != nextPart(chip))
    return false;
  while (!arch.empty())
    if (!hasPart(chip, nextPart(arch)))
      return false;
  return true;
}

/// Code for the chip's settings precedes code for any settings.
int HipDevice::codeRank(const image::Module &module) {
  std::string_view arch = module.arch()->string_view();
  if (module.kind() != image::CodeKind::Hsaco || !runsOn(arch, chip))
    return -1;
  return int(std::count(arch.begin(), arch.end(), ':'));
}

/// Loads code as a module of `device`; if this fails, `reason` says why.
static cudaError_t loadCode(Device &device, const Library &library, std::span<const char> code,
                            std::unique_ptr<HipModule> &out, std::string &reason) {
  auto module = std::make_unique<HipModule>(device, library, code);
  HipResult result = module->load();
  if (result == HipResult::Success)
    out = std::move(module);
  else
    reason = describe(library, "hipModuleLoadData", result);
  return toRuntime(result);
}

cudaError_t HipDevice::loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                                  std::string &reason) {
  const auto *bytes = reinterpret_cast<const char *>(module.code()->data());
  std::unique_ptr<HipModule> loaded;
  cudaError_t status = loadCode(*this, library, {bytes, module.code()->size()}, loaded, reason);
  if (status != cudaSuccess) {
    reason =
        "the code for " + module.arch()->str() + " cannot be loaded on " + chip + ": " + reason;
    return status;
  }
  loaded->findMarkers();
  out = std::move(loaded);
  return cudaSuccess;
}

cudaError_t HipDevice::loadComparison(std::unique_ptr<Module> &out) {
  std::span<const char> code = comparisonCode(chip);
  std::string reason; // only the tuner needs the comparison, and works without it
  if (code.empty())
    return cudaErrorNoKernelImageForDevice;
  std::unique_ptr<HipModule> loaded;
  cudaError_t status = loadCode(*this, library, code, loaded, reason);
  out = std::move(loaded);
  return status;
}

/// A workspace serves again when all others have served. More launches than that are never on the
/// device at once, because each has a block there.
cudaError_t HipDevice::nextGridWorkspace(uint64_t &address) {
  constexpr size_t count = 65536;
  std::lock_guard lock(makingWorkspaces);
  if (!gridWorkspaces) {
    constexpr size_t bytes = count * sizeof(GridWorkspaceLayout);
    cudaError_t status = toRuntime(library.malloc(&gridWorkspaces, bytes));
    if (status == cudaSuccess)
      status = toRuntime(library.memset(gridWorkspaces, 0, bytes));
    if (status != cudaSuccess)
      return status;
  }
  address = reinterpret_cast<uintptr_t>(static_cast<GridWorkspaceLayout *>(gridWorkspaces) +
                                        usedWorkspaces++ % count);
  return cudaSuccess;
}

cudaError_t HipDevice::launch(Function &function, const Launch &launch) {
  const auto &[gridX, gridY, gridZ] = launch.grid;
  const auto &[blockX, blockY, blockZ] = launch.block;
  // The hardware counts threads, not blocks. Other dimensions cannot reach the limit,
  // because their grid is bounded as in CUDA.
  if (uint64_t(gridX) * blockX > std::numeric_limits<uint32_t>::max())
    return cudaErrorInvalidConfiguration;
  auto &kernel = static_cast<HipFunction &>(function);
  HipFunctionHandle handle = kernel.libraryHandle();
  HipStream stream = toHip(launch.stream);
  void **values = launch.values;
  uint64_t workspace = 0;
  std::vector<void *> withWorkspace;
  if (kernel.takesGridWorkspace) {
    if (launch.isCooperative)
      if (cudaError_t status = nextGridWorkspace(workspace); status != cudaSuccess)
        return status;
    withWorkspace.assign(launch.values, launch.values + launch.parameters.size());
    withWorkspace.push_back(&workspace);
    values = withWorkspace.data();
  }
  if (launch.isCooperative)
    return toRuntime(library.launchCooperativeKernel(handle, gridX, gridY, gridZ, blockX, blockY,
                                                     blockZ, launch.dynamicSharedBytes, stream,
                                                     values));
  return toRuntime(library.launchKernel(handle, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                        launch.dynamicSharedBytes, stream, values, nullptr));
}

} // namespace regrain::hip
