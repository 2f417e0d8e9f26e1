//===- interpreted_code.cpp - A libamdhip64.so that interprets ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules are LLVM IR for amdgcn; memory, streams, events and graphs are those of the stand-in.
// HIP_INTERPRETER_CHIP is the GPU that the library reports (gfx90a).
//
//===----------------------------------------------------------------------===//
#include "test/lib/Interpreted/interpreted_code.h"
#include "unittests/runtime/plugins/hip/stand_in_calls.h"

using namespace regrain;

const char *const regrain::interpreterName = "HIP";

static constexpr unsigned localBytes = 65536;

/// The device is queried before anything else.
static const bool isChipSet = [] {
  hipStandIn().chip = interpreterSetting("CHIP", "gfx90a");
  return true;
}();

// The library's handles are opaque.
static InterpretedModule &behind(HipModuleHandle module) {
  return *reinterpret_cast<InterpretedModule *>(module);
}
static InterpretedKernel &behind(HipFunctionHandle function) {
  return *reinterpret_cast<InterpretedKernel *>(function);
}

HipResult standIn_moduleLoadData(HipModuleHandle *module, const void *image) {
  return answer("hipModuleLoadData", [&] {
    auto loaded = InterpretedModule::load(static_cast<const char *>(image));
    *module = reinterpret_cast<HipModuleHandle>(loaded.release());
    return *module ? cudaSuccess : cudaErrorInvalidKernelImage;
  });
}

/// Launches that wait in streams keep the module.
HipResult standIn_moduleUnload(HipModuleHandle) {
  return answer("hipModuleUnload", [] { return cudaSuccess; });
}

HipResult standIn_moduleGetFunction(HipFunctionHandle *function, HipModuleHandle module,
                                    const char *name) {
  return answer("hipModuleGetFunction", [&] {
    *function = reinterpret_cast<HipFunctionHandle>(behind(module).kernel(name));
    return *function ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

HipResult standIn_moduleGetGlobal(void **address, size_t *bytes, HipModuleHandle module,
                                  const char *name) {
  return answer("hipModuleGetGlobal", [&] {
    uint64_t found = 0;
    if (!behind(module).variable(name, found, *bytes))
      return cudaErrorSymbolNotFound;
    *address = reinterpret_cast<void *>(found);
    return cudaSuccess;
  });
}

HipResult standIn_funcGetAttribute(int *value, int attribute, HipFunctionHandle function) {
  return answer("hipFuncGetAttribute", [&] {
    enum { MaxThreads, Shared, MaxDynamicShared = 8 };
    int shared = behind(function).staticShared();
    *value = attribute == MaxThreads         ? behind(function).mostThreads()
             : attribute == Shared           ? shared
             : attribute == MaxDynamicShared ? int(localBytes) - shared
                                             : 0;
    return cudaSuccess;
  });
}

HipResult standIn_maxActiveBlocks(int *blocks, HipFunctionHandle, int, size_t, unsigned) {
  return answer("hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] {
    *blocks = 1;
    return cudaSuccess;
  });
}

static HipResult launch(const char *symbol, HipFunctionHandle function, Extent grid, Extent block,
                        unsigned dynamicSharedBytes, HipStream stream, void **parameters,
                        bool isCooperative) {
  return answerOn(stream, symbol, [&](cudaStream_t on) {
    if (dynamicSharedBytes > localBytes)
      return cudaErrorInvalidValue;
    return launchInterpreted(behind(function),
                             {grid, block, dynamicSharedBytes, on, parameters, {}, isCooperative});
  });
}

HipResult standIn_launchKernel(HipFunctionHandle function, unsigned gridX, unsigned gridY,
                               unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                               unsigned dynamicSharedBytes, HipStream stream, void **parameters,
                               void **) {
  return launch("hipModuleLaunchKernel", function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                dynamicSharedBytes, stream, parameters, /*isCooperative=*/false);
}

HipResult standIn_launchCooperativeKernel(HipFunctionHandle function, unsigned gridX,
                                          unsigned gridY, unsigned gridZ, unsigned blockX,
                                          unsigned blockY, unsigned blockZ,
                                          unsigned dynamicSharedBytes, HipStream stream,
                                          void **parameters) {
  return launch("hipModuleLaunchCooperativeKernel", function, {gridX, gridY, gridZ},
                {blockX, blockY, blockZ}, dynamicSharedBytes, stream, parameters,
                /*isCooperative=*/true);
}
