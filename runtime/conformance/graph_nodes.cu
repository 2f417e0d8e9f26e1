//===- graph_nodes.cu - Graphs that are built node by node --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__global__ void add(int *data, int value) { *data += value; }
__global__ void multiply(int *data, int value) { *data *= value; }

void addOne(void *value) { ++*static_cast<int *>(value); }

cudaError_t depend(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}

/// A launch of one thread, with its arguments.
struct Kernel {
  Kernel(void (*function)(int *, int), int *data, int value) : data(data), value(value) {
    parameters.func = reinterpret_cast<void *>(function);
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
  }
  Kernel(const Kernel &) = delete;
  int *data, value;
  void *arguments[2] = {&data, &value};
  cudaKernelNodeParams parameters = {};
};

cudaMemsetParams fillOf(int *data, unsigned value) {
  cudaMemsetParams fill = {};
  fill.dst = data;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  fill.value = value;
  return fill;
}

cudaError_t run(cudaGraphExec_t executable) {
  cudaError_t status = cudaGraphLaunch(executable, nullptr);
  return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
}

void kinds() {
  Buffer<int> data(1);
  int host = -1, calls = 0;
  cudaGraph_t graph = nullptr, child = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t clear = nullptr, first = nullptr, nested = nullptr, inner = nullptr,
                  empty = nullptr, copy = nullptr, call = nullptr;
  cudaMemsetParams fill = fillOf(data.data, 1);
  cudaHostNodeParams function = {addOne, &calls};
  Kernel five(add, data.data, 5), seven(add, data.data, 7);
  answer("make a graph", cudaGraphCreate(&graph, 0));
  answer("make a child", cudaGraphCreate(&child, 0));
  answer("fill", cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
  answer("kernel", cudaGraphAddKernelNode(&first, graph, &clear, 1, &five.parameters));
  answer("kernel of the child",
         cudaGraphAddKernelNode(&inner, child, nullptr, 0, &five.parameters));
  answer("child", cudaGraphAddChildGraphNode(&nested, graph, &first, 1, child));
  answer("empty", cudaGraphAddEmptyNode(&empty, graph, &nested, 1));
  answer("copy", cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, &host, data.data, sizeof host,
                                          cudaMemcpyDeviceToHost));
  answer("function", cudaGraphAddHostNode(&call, graph, &copy, 1, &function));
  answer("dependency", depend(graph, empty, copy));
  const struct {
    const char *name;
    cudaGraphNode_t node;
  } nodes[] = {{"type of fill", clear},  {"type of kernel", first}, {"type of child", nested},
               {"type of empty", empty}, {"type of copy", copy},    {"type of function", call}};
  for (auto &each : nodes) {
    cudaGraphNodeType type = cudaGraphNodeTypeCount;
    if (cudaGraphNodeGetType(each.node, &type) != cudaSuccess)
      type = cudaGraphNodeTypeCount;
    answer(each.name, int(type));
  }
  size_t count = 0;
  answer("count", cudaGraphGetNodes(graph, nullptr, &count));
  answer("nodes", (long long)count);
  answer("instantiate", cudaGraphInstantiate(&executable, graph, 0));
  answer("run", run(executable));
  answer("value", host);
  answer("calls", calls);
  answer("change the executable",
         cudaGraphExecKernelNodeSetParams(executable, first, &seven.parameters));
  answer("run changed", run(executable));
  answer("value changed", host);
  answer("change the graph", cudaGraphKernelNodeSetParams(first, &seven.parameters));
  cudaKernelNodeParams asked = {};
  answer("ask for a kernel", cudaGraphKernelNodeGetParams(first, &asked));
  answer("it is as changed", asked.func == five.parameters.func && asked.gridDim.x == 1 &&
                                 asked.kernelParams &&
                                 *static_cast<int *>(asked.kernelParams[1]) == 7);
  answer("ask a copy for a kernel", cudaGraphKernelNodeGetParams(copy, &asked));
  answer("destroy the executable", cudaGraphExecDestroy(executable));
  answer("destroy the child", cudaGraphDestroy(child));
  answer("destroy the graph", cudaGraphDestroy(graph));
}

/// Arguments are read when the node is added, and only dependencies order the work.
void order() {
  Buffer<int> data(1);
  cudaGraph_t graph = nullptr, clone = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t nodes[3] = {};
  cudaMemsetParams fill = fillOf(data.data, 2);
  Kernel plus(add, data.data, 3), times(multiply, data.data, 10);
  answer("make an ordered graph", cudaGraphCreate(&graph, 0));
  answer("last", cudaGraphAddKernelNode(&nodes[2], graph, nullptr, 0, &times.parameters));
  answer("middle", cudaGraphAddKernelNode(&nodes[1], graph, nullptr, 0, &plus.parameters));
  answer("first", cudaGraphAddMemsetNode(&nodes[0], graph, nullptr, 0, &fill));
  times.value = plus.value = 1000;
  answer("first before middle", depend(graph, nodes[0], nodes[1]));
  answer("middle before last", depend(graph, nodes[1], nodes[2]));
  answer("instantiate the order", cudaGraphInstantiate(&executable, graph, 0));
  answer("run in order", run(executable));
  answer("value in order", read(data.data));
  answer("clone", cudaGraphClone(&clone, graph));
  answer("destroy the original", cudaGraphDestroy(graph));
  answer("destroy its executable", cudaGraphExecDestroy(executable));
  answer("instantiate the clone", cudaGraphInstantiate(&executable, clone, 0));
  answer("run the clone", run(executable));
  answer("value of the clone", read(data.data));
  answer("destroy the clone's executable", cudaGraphExecDestroy(executable));
  answer("destroy the clone", cudaGraphDestroy(clone));
}

void cycles() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr;
  answer("make a graph for a cycle", cudaGraphCreate(&graph, 0));
  answer("one", cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  answer("two", cudaGraphAddEmptyNode(&second, graph, &first, 1));
  answer("a dependency twice", depend(graph, first, second));
  answer("on itself", depend(graph, first, first));
  cudaError_t back = depend(graph, second, first);
  cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
  answer("a cycle is refused", back != cudaSuccess || made != cudaSuccess);
  static_cast<void>(cudaGetLastError());
  answer("destroy the cycle", cudaGraphDestroy(graph));
}

/// A captured graph's launches have nodes that can be queried and changed, too.
void captured() {
  Buffer<int> data(1);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  size_t count = 1;
  answer("make a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  answer("clear", cudaMemset(data.data, 0, sizeof(int)));
  answer("begin", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(data.data, 6);
  answer("end", cudaStreamEndCapture(stream, &graph));
  answer("its node", cudaGraphGetNodes(graph, &node, &count));
  answer("its type", cudaGraphNodeGetType(node, &type));
  answer("it is a kernel", type == cudaGraphNodeTypeKernel);
  answer("instantiate what was captured", cudaGraphInstantiate(&executable, graph, 0));
  answer("run what was captured", run(executable));
  answer("value of what was captured", read(data.data));
  answer("destroy what was captured", cudaGraphDestroy(graph));
  answer("destroy its executable too", cudaGraphExecDestroy(executable));
  answer("destroy the stream", cudaStreamDestroy(stream));
}

void errors() {
  Buffer<int> data(1);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  Kernel kernel(add, data.data, 1), large(add, data.data, 1);
  large.parameters.blockDim = dim3(2048);
  answer("graph to null", cudaGraphCreate(nullptr, 0));
  answer("graph with flags", cudaGraphCreate(&graph, 1));
  answer("make a graph for errors", cudaGraphCreate(&graph, 0));
  answer("node to null", cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  answer("dependencies that are null", cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
  answer("block that is too large",
         cudaGraphAddKernelNode(&node, graph, nullptr, 0, &large.parameters));
  cudaMemsetParams fill = fillOf(data.data, 1);
  fill.elementSize = 3;
  answer("fill of three bytes", cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  answer("child that is null", cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, nullptr));
  answer("destroy the graph for errors", cudaGraphDestroy(graph));
  answer("destroy null", cudaGraphDestroy(nullptr));
}

} // namespace

AREA(graph_nodes) {
  kinds();
  order();
  cycles();
  captured();
  errors();
}
