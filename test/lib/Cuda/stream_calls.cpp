//===- stream_calls.cpp - Streams of the interpreting driver --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/lib/Cuda/driver_calls.h"

CUresult interpreted_streamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return asDriver(backend().createStream(flags, priority, *stream));
}

CUresult interpreted_streamDestroy(CUstream stream) {
  return asDriver(stream ? backend().destroyStream(stream) : cudaErrorInvalidResourceHandle);
}

CUresult interpreted_streamSynchronize(CUstream stream) {
  return asDriver(backend().synchronizeStream(stream));
}

CUresult interpreted_streamQuery(CUstream stream) {
  return asDriver(backend().queryStream(stream));
}

CUresult interpreted_streamIsCapturing(CUstream stream, int *status) {
  CaptureInfo info;
  cudaError_t result = backend().captureInfo(stream, info);
  *status = info.status;
  return asDriver(result);
}

CUresult interpreted_streamGetFlags(CUstream stream, unsigned *flags) {
  return asDriver(backend().streamFlags(stream, *flags));
}

CUresult interpreted_streamGetPriority(CUstream stream, int *priority) {
  return asDriver(backend().streamPriority(stream, *priority));
}

CUresult interpreted_streamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return asDriver(backend().streamWaitEvent(stream, event, flags));
}

CUresult interpreted_launchHostFunc(CUstream stream, void (*function)(void *), void *data) {
  return asDriver(backend().launchHostFunction(stream, function, data));
}

CUresult interpreted_eventCreate(CUevent *event, unsigned flags) {
  return asDriver(backend().createEvent(flags, *event));
}

CUresult interpreted_eventDestroy(CUevent event) { return asDriver(backend().destroyEvent(event)); }

CUresult interpreted_eventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return asDriver(backend().recordEvent(event, stream, flags));
}

CUresult interpreted_eventSynchronize(CUevent event) {
  return asDriver(backend().synchronizeEvent(event));
}

CUresult interpreted_eventQuery(CUevent event) { return asDriver(backend().queryEvent(event)); }

CUresult interpreted_eventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return asDriver(backend().elapsedTime(start, end, *milliseconds));
}

//===--- Capture and graphs ----------------------------------------------===//

CUresult interpreted_streamBeginCapture(CUstream stream, int mode) {
  return asDriver(backend().beginCapture(stream, cudaStreamCaptureMode(mode)));
}

CUresult interpreted_streamEndCapture(CUstream stream, CUgraph *graph) {
  return asDriver(backend().endCapture(stream, *graph));
}

CUresult interpreted_streamGetCaptureInfo(CUstream stream, int *status, cuuint64_t *id,
                                          CUgraph *graph, const CUgraphNode **dependencies,
                                          size_t *dependencyCount) {
  CaptureInfo info;
  cudaError_t result = backend().captureInfo(stream, info);
  *status = info.status;
  if (info.status == cudaStreamCaptureStatusActive) {
    *id = info.id;
    *graph = info.graph;
    *dependencies = info.dependencies.data();
    *dependencyCount = info.dependencies.size();
  }
  return asDriver(result);
}

CUresult interpreted_threadExchangeStreamCaptureMode(int *mode) {
  auto swapped = cudaStreamCaptureMode(*mode);
  cudaError_t status = backend().exchangeCaptureMode(swapped);
  *mode = swapped;
  return asDriver(status);
}

CUresult interpreted_graphCreate(CUgraph *graph, unsigned) {
  return asDriver(backend().createGraph(*graph));
}

CUresult interpreted_graphClone(CUgraph *clone, CUgraph original) {
  return asDriver(backend().cloneGraph(original, *clone));
}

CUresult interpreted_graphDestroy(CUgraph graph) { return asDriver(backend().destroyGraph(graph)); }

CUresult interpreted_graphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return asDriver(backend().graphNodes(graph, nodes, *count));
}

CUresult interpreted_graphNodeGetType(CUgraphNode node, int *type) {
  cudaGraphNodeType found = {};
  cudaError_t status = backend().nodeType(node, found);
  *type = found;
  return asDriver(status);
}

CUresult interpreted_updateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                               size_t count, unsigned flags) {
  return asDriver(backend().updateDependencies(stream, {dependencies, count}, flags == 1));
}

CUresult interpreted_graphInstantiate(CUgraphExec *executable, CUgraph graph,
                                      unsigned long long flags) {
  return asDriver(backend().instantiate(graph, flags, *executable));
}

CUresult interpreted_graphExecUpdate(CUgraphExec executable, CUgraph graph,
                                     cudaGraphExecUpdateResultInfo *result) {
  return asDriver(backend().updateExecutable(executable, graph, *result));
}

CUresult interpreted_graphUpload(CUgraphExec executable, CUstream stream) {
  return asDriver(backend().uploadExecutable(executable, stream));
}

CUresult interpreted_graphLaunch(CUgraphExec executable, CUstream stream) {
  return asDriver(backend().launchExecutable(executable, stream));
}

CUresult interpreted_graphExecDestroy(CUgraphExec executable) {
  return asDriver(backend().destroyExecutable(executable));
}
