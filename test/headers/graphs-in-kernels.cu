//===- graphs-in-kernels.cu - Calls on graphs in kernels --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --emit=ptx -o - %s | FileCheck %s
// RUN: not %regrain cc --targets=cpu -c -DCHANGE -o %t.o %s 2>&1 | FileCheck --check-prefix=CHANGE %s

// A condition is set by a store.
// CHECK: .visible .entry _Z4stopyj(
// CHECK: st.{{(global\.)?}}u32
__global__ void stop(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

// CHANGE: graphs-in-kernels.cu:[[#@LINE+3]]:{{.*}}error: 'cudaGraphKernelNodeSetParam{{.*}}kernels cannot change nodes of graphs; the host can, with cudaGraphExecKernelNodeSetParams and cudaGraphNodeSetEnabled
#ifdef CHANGE
__global__ void change(void *node) {
  cudaGraphKernelNodeSetParam(node, 0, 1);
}
#endif
