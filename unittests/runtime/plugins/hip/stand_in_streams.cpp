//===- stand_in_streams.cpp - A libamdhip64.so on the CPU: streams --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/hip/stand_in_calls.h"

#include <functional>
#include <set>

using namespace regrain;

HipResult standIn_streamCreateWithPriority(HipStream *stream, unsigned flags, int priority) {
  return answerCounted("hipStreamCreateWithPriority", "hipStreamCreate", 1, [&] {
    cudaStream_t made = nullptr;
    cudaError_t status = backend().createStream(flags, priority, made);
    *stream = reinterpret_cast<HipStream>(made);
    return status;
  });
}

HipResult standIn_streamDestroy(HipStream stream) {
  return answerCounted("hipStreamDestroy", "hipStreamCreate", -1, [&] {
    return stream ? backend().destroyStream(reinterpret_cast<cudaStream_t>(stream))
                  : cudaErrorInvalidResourceHandle;
  });
}

HipResult standIn_streamSynchronize(HipStream stream) {
  return answerOn(stream, "hipStreamSynchronize",
                  [](cudaStream_t on) { return backend().synchronizeStream(on); });
}

HipResult standIn_streamQuery(HipStream stream) {
  return answerOn(stream, "hipStreamQuery",
                  [](cudaStream_t on) { return backend().queryStream(on); });
}

/// HIP does not report it for the null stream.
HipResult standIn_streamGetFlags(HipStream stream, unsigned *flags) {
  return answerOn(stream, "hipStreamGetFlags", [&](cudaStream_t on) {
    return on ? backend().streamFlags(on, *flags) : cudaErrorInvalidValue;
  });
}

HipResult standIn_streamGetPriority(HipStream stream, int *priority) {
  return answerOn(stream, "hipStreamGetPriority",
                  [&](cudaStream_t on) { return backend().streamPriority(on, *priority); });
}

HipResult standIn_streamWaitEvent(HipStream stream, cudaEvent_t event, unsigned flags) {
  return answerOn(stream, "hipStreamWaitEvent",
                  [&](cudaStream_t on) { return backend().streamWaitEvent(on, event, flags); });
}

#if REGRAIN_STAND_IN_VERSION >= 503
HipResult standIn_launchHostFunc(HipStream stream, void (*function)(void *), void *data) {
  return answerOn(stream, "hipLaunchHostFunc", [&](cudaStream_t on) {
    return backend().launchHostFunction(on, function, data);
  });
}
#endif

namespace {

struct Callback {
  void (*function)(HipStream, HipResult, void *);
  HipStream stream;
  void *data;

  static void run(void *self) {
    std::unique_ptr<Callback> owned(static_cast<Callback *>(self));
    owned->function(owned->stream, HipResult::Success, owned->data);
  }
};

} // namespace

/// The call runs beside a capture, which does not include it.
HipResult standIn_streamAddCallback(HipStream stream,
                                    void (*function)(HipStream, HipResult, void *), void *data,
                                    unsigned) {
  return answerOn(stream, "hipStreamAddCallback", [&](cudaStream_t on) {
    CaptureInfo capture;
    if (cudaError_t status = backend().captureInfo(on, capture); status != cudaSuccess)
      return status;
    auto callback = std::make_unique<Callback>(Callback{function, stream, data});
    if (capture.status != cudaStreamCaptureStatusNone) {
      Callback::run(callback.release());
      return cudaSuccess;
    }
    cudaError_t status = backend().launchHostFunction(on, Callback::run, callback.get());
    if (status == cudaSuccess)
      static_cast<void>(callback.release());
    return status;
  });
}

HipResult standIn_eventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return answerCounted("hipEventCreateWithFlags", "hipEventCreate", 1,
                       [&] { return backend().createEvent(flags, *event); });
}

HipResult standIn_eventDestroy(cudaEvent_t event) {
  return answerCounted("hipEventDestroy", "hipEventCreate", -1,
                       [&] { return backend().destroyEvent(event); });
}

HipResult standIn_eventRecord(cudaEvent_t event, HipStream stream) {
  return answerOn(stream, "hipEventRecord",
                  [&](cudaStream_t on) { return backend().recordEvent(event, on, 0); });
}

#if REGRAIN_STAND_IN_VERSION >= 604
HipResult standIn_eventRecordWithFlags(cudaEvent_t event, HipStream stream, unsigned flags) {
  return answerOn(stream, "hipEventRecordWithFlags",
                  [&](cudaStream_t on) { return backend().recordEvent(event, on, flags); });
}
#endif

HipResult standIn_eventSynchronize(cudaEvent_t event) {
  return answer("hipEventSynchronize", [&] { return backend().synchronizeEvent(event); });
}

HipResult standIn_eventQuery(cudaEvent_t event) {
  return answer("hipEventQuery", [&] { return backend().queryEvent(event); });
}

HipResult standIn_eventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return answer("hipEventElapsedTime",
                [&] { return backend().elapsedTime(start, end, *milliseconds); });
}

//===--- Capture and graphs ----------------------------------------------===//

HipResult standIn_streamBeginCapture(HipStream stream, int mode) {
  return answerOn(stream, "hipStreamBeginCapture", [&](cudaStream_t on) {
    return backend().beginCapture(on, cudaStreamCaptureMode(mode));
  });
}

HipResult standIn_streamEndCapture(HipStream stream, cudaGraph_t *graph) {
  HipResult result = answerOn(stream, "hipStreamEndCapture",
                              [&](cudaStream_t on) { return backend().endCapture(on, *graph); });
  std::lock_guard lock(recordLock());
  hipStandIn().live["hipGraphCreate"] += result == HipResult::Success;
  return result;
}

HipResult standIn_streamGetCaptureInfo(HipStream stream, int *status, unsigned long long *id,
                                       cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                                       size_t *dependencyCount) {
  return answerOn(stream, "hipStreamGetCaptureInfo_v2", [&](cudaStream_t on) {
    CaptureInfo info;
    cudaError_t result = backend().captureInfo(on, info);
    *status = info.status;
    if (info.status == cudaStreamCaptureStatusActive) {
      *id = info.id;
      *graph = info.graph;
      *dependencies = info.dependencies.data();
      *dependencyCount = info.dependencies.size();
    }
    return result;
  });
}

HipResult standIn_threadExchangeStreamCaptureMode(int *mode) {
  return answer("hipThreadExchangeStreamCaptureMode", [&] {
    auto swapped = cudaStreamCaptureMode(*mode);
    cudaError_t status = backend().exchangeCaptureMode(swapped);
    *mode = swapped;
    return status;
  });
}

HipResult standIn_graphCreate(cudaGraph_t *graph, unsigned) {
  return answerCounted("hipGraphCreate", "hipGraphCreate", 1,
                       [&] { return backend().createGraph(*graph); });
}

HipResult standIn_graphDestroy(cudaGraph_t graph) {
  return answerCounted("hipGraphDestroy", "hipGraphCreate", -1,
                       [&] { return backend().destroyGraph(graph); });
}

HipResult standIn_graphClone(cudaGraph_t *clone, cudaGraph_t original) {
  return answerCounted("hipGraphClone", "hipGraphCreate", 1,
                       [&] { return backend().cloneGraph(original, *clone); });
}

/// The CPU device makes nodes only in captures, so a node that is added is what to do with the
/// stream until a capture takes it.
using AddedNode = std::function<cudaError_t(cudaStream_t stream)>;

std::set<cudaGraphNode_t> &addedNodes() {
  static std::set<cudaGraphNode_t> nodes;
  return nodes;
}

cudaGraphNode_t addNode(AddedNode node) {
  auto handle = reinterpret_cast<cudaGraphNode_t>(new AddedNode(std::move(node)));
  std::lock_guard lock(recordLock());
  addedNodes().insert(handle);
  return handle;
}

HipResult standIn_graphAddHostNode(cudaGraphNode_t *node, cudaGraph_t, const cudaGraphNode_t *,
                                   size_t, const HipHostNode *parameters) {
  return answerCounted("hipGraphAddHostNode", "added node", 1, [&] {
    *node = addNode([call = *parameters](cudaStream_t stream) {
      return backend().launchHostFunction(stream, call.function, call.data);
    });
    return cudaSuccess;
  });
}

HipResult standIn_graphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t,
                                         const cudaGraphNode_t *, size_t, cudaGraph_t child) {
  return answerCounted("hipGraphAddChildGraphNode", "added node", 1, [&] {
    *node = addNode([child](cudaStream_t stream) { return backend().captureGraph(stream, child); });
    return cudaSuccess;
  });
}

HipResult standIn_updateCaptureDependencies(HipStream stream, cudaGraphNode_t *dependencies,
                                            size_t count, unsigned flags) {
  return answerOn(stream, "hipStreamUpdateCaptureDependencies", [&](cudaStream_t on) {
    std::unique_ptr<AddedNode> added;
    {
      std::lock_guard lock(recordLock());
      if (count == 1 && flags == 1 && addedNodes().erase(*dependencies)) {
        added.reset(reinterpret_cast<AddedNode *>(*dependencies));
        --hipStandIn().live["added node"];
      }
    }
    return added ? (*added)(on)
                 : backend().updateDependencies(on, {dependencies, count}, flags == 1);
  });
}

HipResult standIn_graphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return answer("hipGraphGetNodes", [&] { return backend().graphNodes(graph, nodes, *count); });
}

HipResult standIn_graphNodeGetType(cudaGraphNode_t node, int *type) {
  return answer("hipGraphNodeGetType", [&] {
    cudaGraphNodeType found = {};
    cudaError_t status = backend().nodeType(node, found);
    *type = found;
    return status;
  });
}

HipResult standIn_graphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                   unsigned long long flags) {
  return answerCounted("hipGraphInstantiateWithFlags", "hipGraphInstantiate", 1,
                       [&] { return backend().instantiate(graph, flags, *executable); });
}

HipResult standIn_graphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                  cudaGraphNode_t *errorNode, int *result) {
  return answer("hipGraphExecUpdate", [&] {
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t status = backend().updateExecutable(executable, graph, info);
    *errorNode = info.errorNode;
    *result = info.result;
    return status;
  });
}

#if REGRAIN_STAND_IN_VERSION >= 503
HipResult standIn_graphUpload(cudaGraphExec_t executable, HipStream stream) {
  return answerOn(stream, "hipGraphUpload",
                  [&](cudaStream_t on) { return backend().uploadExecutable(executable, on); });
}
#endif

HipResult standIn_graphLaunch(cudaGraphExec_t executable, HipStream stream) {
  return answerOn(stream, "hipGraphLaunch",
                  [&](cudaStream_t on) { return backend().launchExecutable(executable, on); });
}

HipResult standIn_graphExecDestroy(cudaGraphExec_t executable) {
  return answerCounted("hipGraphExecDestroy", "hipGraphInstantiate", -1,
                       [&] { return backend().destroyExecutable(executable); });
}
