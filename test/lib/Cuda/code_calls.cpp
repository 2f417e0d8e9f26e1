//===- code_calls.cpp - Code of the interpreting driver -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/lib/Cuda/driver_calls.h"
#include "test/lib/Interpreted/interpreted_code.h"

const char *const regrain::interpreterName = "CUDA";

static constexpr unsigned mostShared = 232448;

// The driver's handles are opaque.
static InterpretedModule &behind(CUmodule module) {
  return *reinterpret_cast<InterpretedModule *>(module);
}
static InterpretedKernel &behind(CUfunction function) {
  return *reinterpret_cast<InterpretedKernel *>(function);
}

CUresult interpreted_moduleLoadDataEx(CUmodule *module, const void *image, unsigned, int *,
                                      void **) {
  auto loaded = InterpretedModule::load(static_cast<const char *>(image));
  *module = reinterpret_cast<CUmodule>(loaded.release());
  return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

/// Launches that wait in streams keep the module.
CUresult interpreted_moduleUnload(CUmodule) { return CUDA_SUCCESS; }

CUresult interpreted_moduleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  *function = reinterpret_cast<CUfunction>(behind(module).kernel(name));
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult interpreted_moduleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                     const char *name) {
  uint64_t found = 0;
  if (!behind(module).variable(name, found, *bytes))
    return CUDA_ERROR_NOT_FOUND;
  *address = found;
  return CUDA_SUCCESS;
}

/// The attributes count from CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK.
CUresult interpreted_funcGetAttribute(int *value, int attribute, CUfunction function) {
  enum { MaxThreads, Shared, PtxVersion = 5, BinaryVersion, MaxDynamicShared = 8 };
  int shared = behind(function).staticShared();
  *value = attribute == MaxThreads                                 ? behind(function).mostThreads()
           : attribute == Shared                                   ? shared
           : attribute == PtxVersion || attribute == BinaryVersion ? 90
           : attribute == MaxDynamicShared                         ? int(mostShared) - shared
                                                                   : 0;
  return CUDA_SUCCESS;
}

CUresult interpreted_funcSetAttribute(CUfunction, int, int) { return CUDA_SUCCESS; }

CUresult interpreted_funcSetCacheConfig(CUfunction, int) { return CUDA_SUCCESS; }

CUresult interpreted_maxActiveBlocks(int *blocks, CUfunction, int threads, size_t, unsigned) {
  constexpr int mostThreads = 2048;
  *blocks = threads > 0 ? mostThreads / threads : 0;
  return CUDA_SUCCESS;
}

static CUresult launch(CUfunction function, const Launch &launch) {
  return launch.dynamicSharedBytes > mostShared
             ? CUDA_ERROR_INVALID_VALUE
             : asDriver(launchInterpreted(behind(function), launch));
}

CUresult interpreted_launchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                  unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                  unsigned dynamicSharedBytes, CUstream stream, void **parameters,
                                  void **) {
  return launch(function, {{gridX, gridY, gridZ},
                           {blockX, blockY, blockZ},
                           dynamicSharedBytes,
                           stream,
                           parameters,
                           {}});
}

CUresult interpreted_launchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                             unsigned gridZ, unsigned blockX, unsigned blockY,
                                             unsigned blockZ, unsigned dynamicSharedBytes,
                                             CUstream stream, void **parameters) {
  return launch(function, {{gridX, gridY, gridZ},
                           {blockX, blockY, blockZ},
                           dynamicSharedBytes,
                           stream,
                           parameters,
                           {},
                           /*isCooperative=*/true});
}

/// The attributes of a launch that decide what it computes are those of clusters, which are absent,
/// and of barriers over the grid.
CUresult interpreted_launchKernelEx(const DriverLaunch *described, CUfunction function,
                                    void **parameters, void **) {
  Launch asked = {{described->gridX, described->gridY, described->gridZ},
                  {described->blockX, described->blockY, described->blockZ},
                  described->dynamicSharedBytes,
                  described->stream,
                  parameters,
                  {}};
  for (unsigned i = 0; i < described->attributeCount; ++i) {
    const auto &[id, padding, value] = described->attributes[i];
    if (id == cudaLaunchAttributeCooperative)
      asked.isCooperative = value.cooperative != 0;
    else if (id == cudaLaunchAttributeClusterDimension &&
             value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1)
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return launch(function, asked);
}
