// Equal warp operations that stand one behind the other are one exchange; everything whose order
// matters keeps them apart. The number behind a call is that of the values of the group, and the
// kinds are 12 (xor), 11 (down) and 16 (ballot).
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=four --kernel=steps --kernel=wide --kernel=votes --kernel=most | FileCheck %s --check-prefix=GROUP
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=chain --kernel=stores --kernel=loads --kernel=polls --kernel=adds --kernel=barrier --kernel=warpSync --kernel=divides --kernel=calls --kernel=masks --kernel=operands --kernel=widths --kernel=kinds --kernel=dropped --kernel=open | FileCheck %s --check-prefix=APART
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=mixed | FileCheck %s --check-prefix=STATES

// A transform with 320 shuffles has as few regions as steps need.
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=transform | FileCheck %s --check-prefix=BOUND
// Shuffles that cannot be grouped do not copy the code of the exchange.
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=longChain | FileCheck %s --check-prefix=COPIES
// Many small regions stay functions; few are inlined.
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=chain --kernel=many | FileCheck %s --check-prefix=MANY

// RUN: %same-on-all-paths %t.ll --kernel=four --kernel=steps --kernel=wide --kernel=votes --kernel=most --kernel=mixed --kernel=transform --block=64
// RUN: FileCheck %s < %t.out
// RUN: %same-on-all-paths %t.ll --kernel=chain --kernel=stores --kernel=loads --kernel=polls --kernel=adds --kernel=barrier --kernel=warpSync --kernel=divides --kernel=calls --kernel=masks --kernel=operands --kernel=widths --kernel=kinds --kernel=longChain --block=64
// RUN: %same-on-all-paths %t.ll --kernel=four --kernel=steps --kernel=wide --kernel=votes --kernel=most --kernel=mixed --kernel=transform --block=40
#define KERNEL extern "C" __global__ void
constexpr unsigned all = 0xffffffffu;
__device__ int other(int value) { return __shfl_xor_sync(all, value, 1); }

// What is handed over is computed before the first, and what uses a result after the last.
// GROUP-LABEL: define internal void @four.run
// GROUP: call void @regrain_exchange.12({{.*}}, i32 4)
// GROUP-NOT: call void @regrain_exchange
// CHECK-LABEL: four:
// CHECK-NEXT: -56 -64 -40
KERNEL four(int *out, const int *in, int n) {
  int t = threadIdx.x;
  int a = other(t) * 3, b = other(t * 5 + n), c = other(t ^ n), d = other(blockDim.x - t);
  out[t] = a + (b ^ c) - d;
}

// Each step needs the results of the one before it.
// GROUP-LABEL: define internal void @steps.run
// GROUP: call void @regrain_exchange.12({{.*}}, i32 3)
// GROUP: call void @regrain_exchange.12({{.*}}, i32 3)
// GROUP-NOT: call void @regrain_exchange
KERNEL steps(int *out, const int *in, int n) {
  int x[3] = {int(threadIdx.x), int(threadIdx.x) * 7, n};
#pragma unroll
  for (int reach = 1; reach < 4; reach *= 2)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      x[i] += 3 * __shfl_xor_sync(all, x[i], reach);
  out[threadIdx.x] = x[0] ^ x[1] ^ x[2];
}

// The two halves of a wide value.
// GROUP-LABEL: define internal void @wide.run
// GROUP: call void @regrain_exchange.11({{.*}}, i32 2)
// GROUP-NOT: call void @regrain_exchange
KERNEL wide(int *out, const int *in, int n) {
  out[threadIdx.x] = int(__shfl_down_sync(all, threadIdx.x * 0.5, 3) * 2);
}

// GROUP-LABEL: define internal void @votes.run
// GROUP: call void @regrain_exchange.16({{.*}}, i32 2)
// GROUP-NOT: call void @regrain_exchange
KERNEL votes(int *out, const int *in, int n) {
  int t = threadIdx.x;
  out[t] = __ballot_sync(all, t % 3 == 0) - __ballot_sync(all, t % 5 == 1);
}

// GROUP-LABEL: define internal void @most.run
// GROUP: call void @regrain_exchange.12({{.*}}, i32 16)
// GROUP: call void @regrain_exchange.12({{.*}}, i32 4)
// GROUP-NOT: call void @regrain_exchange
KERNEL most(int *out, const int *in, int n) {
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 20; ++i)
    sum = sum * 3 + other(threadIdx.x * i + n);
  out[threadIdx.x] = sum;
}

// APART-NOT: i32 2)
// APART-LABEL: define internal void @chain.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL chain(int *out, const int *in, int n) {
  out[threadIdx.x] = other(other(threadIdx.x) * 3 + n);
}

// APART-LABEL: define internal void @stores.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL stores(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  out[t] = t;
  out[t] += a + other(n - t);
}

// APART-LABEL: define internal void @loads.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL loads(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  out[t] = a + other(in[t]);
}

// APART-LABEL: define internal void @polls.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL polls(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t), seen = *(const volatile int *)in;
  out[t] = a + other(n - t) + seen;
}

// APART-LABEL: define internal void @adds.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL adds(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  atomicAdd(out + t, 1);
  atomicAdd(out + t, a + other(n - t));
}

// APART-LABEL: define internal void @barrier.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL barrier(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  __syncthreads();
  out[t] = a + other(n - t);
}

// APART-LABEL: define internal void @warpSync.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL warpSync(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  __syncwarp();
  out[t] = a + other(n - t);
}

// A division may trap.
// APART-LABEL: define internal void @divides.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL divides(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  out[t] = a + other(t * 7 / (n + t));
}

// APART-LABEL: define internal void @calls.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
extern "C" __device__ float __nv_erff(float);
KERNEL calls(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  out[t] = a + other(int(__nv_erff(t) * 1000));
}

// APART-LABEL: define internal void @masks.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL masks(int *out, const int *in, int n) {
  int t = threadIdx.x;
  unsigned half = t % 32 < 16 ? 0xffffu : 0xffff0000u;
  out[t] = other(t) + __shfl_xor_sync(half, n - t, 1);
}

// APART-LABEL: define internal void @operands.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL operands(int *out, const int *in, int n) {
  out[threadIdx.x] = other(threadIdx.x) + __shfl_xor_sync(all, n - threadIdx.x, 2);
}

// APART-LABEL: define internal void @widths.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL widths(int *out, const int *in, int n) {
  out[threadIdx.x] = other(threadIdx.x) + __shfl_xor_sync(all, n - threadIdx.x, 1, 8);
}

// APART-LABEL: define internal void @kinds.run
// APART: call void @regrain_exchange.11({{.*}}, i32 1)
// APART: call void @regrain_exchange.10({{.*}}, i32 1)
KERNEL kinds(int *out, const int *in, int n) {
  int t = threadIdx.x;
  out[t] = __shfl_down_sync(all, t, 1) - __shfl_up_sync(all, t * 3, 1);
}

// A result that nothing uses is not fetched.
// APART-LABEL: define internal void @dropped.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART-NOT: call void @regrain_exchange
KERNEL dropped(int *out, const int *in, int n) {
  int t = threadIdx.x, a = other(t);
  other(n - t);
  out[t] = a;
}

// Without a mask, the lanes are those that are there.
// APART-LABEL: define internal void @open.run
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
// APART: call void @regrain_exchange.12({{.*}}, i32 1)
KERNEL open(int *out, const int *in, int n) {
  out[threadIdx.x] =
      __shfl_xor_sync(0u, threadIdx.x, 1) + __shfl_xor_sync(0u, n - threadIdx.x, 1);
}

// The two sides of the branch meet at each shuffle: one side has a group of three, the other one
// of two and a shuffle behind a store.
// STATES-LABEL: define internal void @mixed.run
// STATES: call{{.*}}@regrain_release
// STATES-LABEL: define internal void @mixed.region.0(
// STATES: store i32 2, ptr
// STATES: store i32 3, ptr
// CHECK-LABEL: mixed:
// CHECK-NEXT: 201 0 583
KERNEL mixed(int *out, const int *in, int n) {
  int t = threadIdx.x, a, b, c;
  if (t % 2) {
    a = other(t), b = other(t * 10), c = other(t * 100);
    a = b - c * 2 + a;
  } else {
    a = other(t + 1), b = other(t * 10 + 1);
    out[t] = n;
    c = other(t * 100 + 1);
    a = c * 2 + a - b + out[t] - n + 10;
  }
  out[t] = a;
}

// BOUND-LABEL: define internal void @transform.run
// BOUND-COUNT-20: call void @regrain_exchange.12({{.*}}, i32 16)
// BOUND-NOT: call void @regrain_exchange
// BOUND: define internal void @transform.region.20(
// BOUND-NOT: @transform.region.21
KERNEL transform(int *out, const int *in, int n) {
  int x[64], sum = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i)
    x[i] = in[(threadIdx.x + i) % 40];
#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2)
#pragma unroll
    for (int i = 0; i < 64; ++i)
      x[i] = (threadIdx.x & reach ? -x[i] : x[i]) + __shfl_xor_sync(all, x[i], reach);
#pragma unroll
  for (int i = 0; i < 64; ++i)
    sum = sum * 3 + x[i];
  out[threadIdx.x] = sum;
}

// COPIES-LABEL: define internal void @longChain.run
// COPIES-COUNT-200: call {{.*}}void @regrain_exchange.12(
// COPIES: ret void
// COPIES: define internal {{.*}}void @regrain_exchange.12(
KERNEL longChain(int *out, const int *in, int n) {
  int sum = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 200; ++i)
    sum = other(sum * 3 + i);
  out[threadIdx.x] = sum;
}

// MANY-LABEL: define internal void @chain.run
// MANY-NOT: @chain.region
// MANY-LABEL: define internal void @many.run
// MANY: call {{.*}}void @many.region.1(
KERNEL many(int *out, const int *in, int n) {
  int sum = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 33; ++i)
    sum = other(sum * 3 + i);
  out[threadIdx.x] = sum;
}
