// What the program loads from shared memory or from another one is loaded by an instruction for that memory. LLVM would
// select a generic address.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:block.x=2' --emit=ptx %s -o - | FileCheck %s --check-prefix=GRAIN
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:branches=predicated' --emit=ptx %s -o - \
// RUN:   | FileCheck %s --check-prefix=PREDICATED

// The index of each side is computed for its load alone.
// CHECK-LABEL: .entry inside(
// CHECK: bar.sync
// CHECK-NOT: {{selp|ld\.f32|cvta(\.to)?\.shared}}
// CHECK-DAG: ld.shared.f32
// CHECK-DAG: ld.global.nc.f32
// CHECK-NOT: {{selp|ld\.f32|cvta(\.to)?\.shared}}
// CHECK: ret;
// GRAIN-LABEL: .entry inside__grain_
// GRAIN-NOT: {{ld\.f32|cvta(\.to)?\.shared}}
// GRAIN: ret;
// PREDICATED-LABEL: .entry inside__grain_
// PREDICATED: ld.f32
extern "C" __global__ void inside(float *__restrict__ out, const float *__restrict__ in, int at) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int x = at + (int)threadIdx.x;
  out[threadIdx.x] = (x >= 0 && x < 64 ? tile[x] : in[x + 100]) + 1;
}

// The other way round, in a loop.
// CHECK-LABEL: .entry outside(
// CHECK-NOT: {{ld\.u16|cvta(\.to)?\.shared}}
// CHECK: ret;
extern "C" __global__ void outside(short *__restrict__ out, const short *__restrict__ in, int n) {
  extern __shared__ short row[];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  short sum = 0;
  for (int j = 0; j < n; ++j) {
    int x = (int)threadIdx.x + j;
    if (x >= 64)
      sum += in[x];
    else
      sum += row[x];
  }
  out[threadIdx.x] = sum;
}

// Two arrays in shared memory need no branch: one load has the selected address.
// CHECK-LABEL: .entry both(
// CHECK: selp
// CHECK: ld.shared.f32
// CHECK: ret;
extern "C" __global__ void both(float *out, const float *in, int at) {
  __shared__ float left[64], right[64];
  left[threadIdx.x] = in[threadIdx.x];
  right[threadIdx.x] = in[threadIdx.x + 64];
  __syncthreads();
  out[threadIdx.x] = (threadIdx.x > at ? left : right)[63 - threadIdx.x];
}

// An access that the program calls volatile stays one.
// CHECK-LABEL: .entry observed(
// CHECK: ld.volatile.f32
// CHECK-NOT: ld.volatile
// CHECK: ret;
extern "C" __global__ void observed(float *out, float *in, int at) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  volatile float *from = threadIdx.x > at ? tile : in;
  out[threadIdx.x] = from[63 - threadIdx.x];
}

// What branches have chosen is loaded at the end of each.
// CHECK-LABEL: .entry chosen(
// CHECK-NOT: {{ld\.f32|cvta(\.to)?\.shared}}
// CHECK: ret;
extern "C" __global__ void chosen(float *out, const float *__restrict__ in, int at, int step) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int x = at + (int)threadIdx.x;
  float one;
  if (x & step)
    one = tile[x];
  else
    one = in[x * 3 + step];
  out[threadIdx.x] = one * 5;
}

// Nothing is loaded before something is stored that may lie there.
// CHECK-LABEL: .entry stored(
// CHECK: st.global
// CHECK: ld.f32
// CHECK: ret;
extern "C" __global__ void stored(float *out, float *in, int at, int step) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int x = at + (int)threadIdx.x;
  const float *from;
  if (x & step) {
    from = tile + x;
    atomicAdd(out + 3, 1);
  } else {
    from = in + x * 3 + step;
    atomicAdd(out + 4, 1);
  }
  in[step] = 3;
  out[threadIdx.x] = *from;
}
