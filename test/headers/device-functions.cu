//===- device-functions.cu - Intrinsics become plain IR ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that clang's wrappers lack are written in terms that every target knows: there is no inline
// assembly, streaming is nontemporal, coherent loads are volatile, scopes are those of intrinsics.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --emit=llvm -o %t.ll %s
// RUN: FileCheck %s --check-prefix=WRITTEN < %t.ll
// RUN: opt -O1 -S %t.ll | FileCheck %s

// WRITTEN: load <4 x float>, {{.*}} !nontemporal

// CHECK-NOT: asm sideeffect

// CHECK-LABEL: define {{.*}}@_Z7streamsP6float4PdPi
__global__ void streams(float4 *vectors, double *doubles, int *ints) {
  // CHECK-DAG: load volatile double
  // CHECK-DAG: store double {{.*}} !nontemporal
  // CHECK-DAG: load volatile i32
  // CHECK-DAG: store volatile i32
  vectors[1] = __ldcs(vectors);
  __stcs(doubles, __ldcg(doubles + 1));
  __stwt(ints, __ldca(ints + 1) + __ldcv(ints + 2));
  __stcg(doubles + 2, 1);
}

// CHECK-LABEL: define {{.*}}@_Z7atomicsPiPjPyPfPd
__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
  // CHECK-DAG: atomicrmw add ptr {{.*}} i32
  // CHECK-DAG: atomicrmw fadd ptr {{.*}} float
  // CHECK-DAG: atomicrmw fadd ptr {{.*}} double
  // CHECK-DAG: cmpxchg ptr {{.*}} i64
  // CHECK-DAG: call {{.*}}i32 @llvm.nvvm.atomic.add.gen.i.cta.i32
  // CHECK-DAG: call {{.*}}i64 @llvm.nvvm.atomic.add.gen.i.sys.i64
  atomicAdd(i, 1);
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);
  atomicCAS(l, 1ull, 2ull);
  atomicAdd_block(i, 1);
  atomicAdd_system(l, 1ull);
  atomicSub(u, 1u);
  atomicMin((long long *)l, -1ll);
  atomicInc(u, 5u);
}

// CHECK-LABEL: define {{.*}}@_Z5warpsPj
__global__ void warps(unsigned *out) {
  out[0] = __match_any_sync(0xffffffffu, 2.0f) + __activemask();
  out[1] = __ballot_sync(0xffffffffu, threadIdx.x < 7) + __popc(out[1]);
  out[2] = unsigned(__shfl_xor_sync(0xffffffffu, 2ll, 1));
  __syncwarp();
  __nanosleep(10);
  __threadfence_system();
  out[3] = unsigned(__dp4a(1, 2, 3)) + unsigned(clock64()) + __isShared(out);
}
