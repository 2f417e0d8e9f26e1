//===- conditional.cpp - An NVIDIA GPU: conditional nodes -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's kernels write a value in memory. The driver has a handle of its own for each node,
// which exists only when the node is captured. A kernel before the node, and at the end of a loop's
// body, reads the value and sets the driver's handle.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {
namespace {

/// The driver's compiler links cudaGraphSetConditional, which CUDA's device runtime declares.
constexpr const char *setterPtx = R"(
.version 6.0
.target sm_50
.address_size 64

.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);

.visible .entry regrain_set_condition(.param .u64 handle, .param .u64 address)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  .param .b64 to;
  .param .b32 given;
  ld.param.u64 %rd1, [handle];
  ld.param.u64 %rd2, [address];
  cvta.to.global.u64 %rd3, %rd2;
  ld.global.u32 %r1, [%rd3];
  st.param.b64 [to], %rd1;
  st.param.b32 [given], %r1;
  call.uni cudaGraphSetConditional, (to, given);
  ret;
}
)";

constexpr int conditionalNode = 13; ///< CU_GRAPH_NODE_TYPE_CONDITIONAL

bool meansUnusableCode(cudaError_t status) {
  return status == cudaErrorInvalidPtx || status == cudaErrorInvalidKernelImage ||
         status == cudaErrorUnsupportedPtxVersion || status == cudaErrorNoKernelImageForDevice ||
         status == cudaErrorSharedObjectSymbolNotFound || status == cudaErrorSymbolNotFound;
}

} // namespace

cudaError_t CudaDevice::loadSetter(std::string &reason) {
  if (setter)
    return cudaSuccess;
  if (!driver.graphConditionalHandleCreate || !driver.graphAddNode ||
      !driver.streamBeginCaptureToGraph) {
    reason = "the NVIDIA driver is too old for conditional nodes, which need CUDA 12.3";
    return cudaErrorNotSupported;
  }
  CUmodule module = nullptr;
  cudaError_t status = loadCode(setterPtx, "conditional nodes", module, reason);
  if (status == cudaSuccess)
    status = toRuntime(driver.moduleGetFunction(&setter, module, "regrain_set_condition"));
  return meansUnusableCode(status) ? cudaErrorNotSupported : status;
}

cudaError_t CudaDevice::makeConditionValue(std::shared_ptr<unsigned> &value, std::string &reason) {
  std::lock_guard lock(conditionLock);
  if (cudaError_t status = loadSetter(reason); status != cudaSuccess)
    return status;
  if (!conditionValues)
    conditionValues = std::make_shared<ConditionValues>();
  std::lock_guard valuesLock(conditionValues->mutex);
  std::vector<unsigned *> &unused = conditionValues->unused;
  if (unused.empty()) {
    constexpr size_t count = 256;
    CUdeviceptr block = 0;
    if (CUresult result = driver.memAlloc(&block, count * sizeof(unsigned)); result != CUDA_SUCCESS)
      return toRuntime(result);
    for (size_t i = count; i-- > 0;)
      unused.push_back(reinterpret_cast<unsigned *>(block) + i);
  }
  unsigned *place = unused.back();
  unused.pop_back();
  // Launches that use a value run one after the other, so it can be used again at once.
  value = std::shared_ptr<unsigned>(place, [values = conditionValues](unsigned *unneeded) {
    std::lock_guard lock(values->mutex);
    values->unused.push_back(unneeded);
  });
  return cudaSuccess;
}

cudaError_t CudaDevice::assignConditionValue(unsigned *value, unsigned to, cudaStream_t stream) {
  return toRuntime(driver.memsetD32Async(toDriver(value), to, 1, stream));
}

cudaError_t CudaDevice::captureSetter(cudaStream_t stream, const Conditional &node) {
  uint64_t handle = node.handle;
  CUdeviceptr address = toDriver(node.value.get());
  void *parameters[] = {&handle, &address};
  return toRuntime(driver.launchKernel(setter, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

cudaError_t CudaDevice::captureConditional(cudaStream_t stream, Conditional &node) {
  CaptureInfo info;
  cudaError_t status = activeCapture(stream, info);
  uint64_t handle = 0;
  if (status == cudaSuccess)
    status = toRuntime(driver.graphConditionalHandleCreate(&handle, info.graph, context, 0, 0));
  node.handle = handle;
  if (status == cudaSuccess)
    status = captureSetter(stream, node);
  if (status == cudaSuccess)
    status = activeCapture(stream, info);
  if (status != cudaSuccess)
    return status;
  DriverConditionalNode parameters = {};
  parameters.type = conditionalNode;
  parameters.handle = handle;
  parameters.kind = node.type;
  parameters.size = static_cast<unsigned>(node.bodyCount);
  parameters.context = context;
  CUgraphNode added = nullptr;
  status = toRuntime(driver.graphAddNode(&added, info.graph, info.dependencies.data(), nullptr,
                                         info.dependencies.size(), &parameters));
  if (status != cudaSuccess)
    return status;
  node.bodies.assign(parameters.bodies, parameters.bodies + node.bodyCount);
  return updateDependencies(stream, {&added, 1}, /*replaces=*/true);
}

cudaError_t CudaDevice::beginBody(cudaStream_t stream, const Conditional &node, size_t body) {
  return toRuntime(driver.streamBeginCaptureToGraph(stream, node.bodies[body], nullptr, nullptr, 0,
                                                    cudaStreamCaptureModeRelaxed));
}

// The loop is decided again after each run of its body.
cudaError_t CudaDevice::endBody(cudaStream_t stream, const Conditional &node, size_t) {
  cudaError_t status =
      node.type == cudaGraphCondTypeWhile ? captureSetter(stream, node) : cudaSuccess;
  CUgraph graph = nullptr;
  cudaError_t ended = toRuntime(driver.streamEndCapture(stream, &graph));
  return status == cudaSuccess ? ended : status;
}

} // namespace regrain::cuda
