// There are barriers in loops, in ifs, after early returns and in called functions:
// the threads meet where the hardware lets them, on any path of the target.
// RUN: %device-ir %s -o %t.ll
// RUN: %same-on-all-paths %t.ll --kernel=loopSum --kernel=commonIf --kernel=earlyReturn --kernel=parting --kernel=called --kernel=liveAcross --kernel=breakOut --kernel=reducing --block=64
// RUN: FileCheck %s < %t.out
// RUN: %same-on-all-paths %t.ll --kernel=loopSum --kernel=commonIf --kernel=earlyReturn --kernel=parting --kernel=called --kernel=liveAcross --kernel=breakOut --kernel=reducing --block=7,3,2
// RUN: %same-on-all-paths %t.ll --kernel=loopSum --kernel=called --kernel=liveAcross --kernel=breakOut --kernel=reducing --block=1

__device__ int linear() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ int threads() { return blockDim.x * blockDim.y * blockDim.z; }

// CHECK-LABEL: loopSum:
// CHECK-NEXT: 2016 0 0
extern "C" __global__ void loopSum(int *out, const int *in, int n) {
  __shared__ int sums[64];
  int t = linear();
  sums[t] = in[t];
  __syncthreads();
  for (int reach = 1; reach < threads(); reach *= 2) {
    int beside = t + reach < threads() ? sums[t + reach] : 0;
    __syncthreads();
    sums[t] += beside;
    __syncthreads();
  }
  if (t == 0)
    out[0] = sums[0];
}

// n is the same for all threads, so all take the same side.
// CHECK-LABEL: commonIf:
// CHECK-NEXT: 63 62 61
extern "C" __global__ void commonIf(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  values[t] = in[t];
  if (n > 3) {
    __syncthreads();
    out[t] = values[threads() - 1 - t];
  } else {
    out[t] = -1;
    __syncthreads();
  }
}

// Threads that have returned do not keep the others waiting.
// CHECK-LABEL: earlyReturn:
// CHECK-NEXT: 40 0 38
extern "C" __global__ void earlyReturn(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  if (t > 40)
    return;
  values[t] = in[t];
  __syncthreads();
  if (t % 3 == 1)
    return;
  __syncthreads();
  int last = threads() - 1 < 40 ? threads() - 1 : 40;
  out[t] = values[last - t];
}

// The two sides wait at different barriers of the program, which are one barrier.
// CHECK-LABEL: parting:
// CHECK-NEXT: 1 0 3 2
extern "C" __global__ void parting(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  values[t] = in[t];
  if (t % 2) {
    __syncthreads();
    out[t] = values[t - 1];
  } else {
    __syncthreads();
    if (t + 1 < threads())
      out[t] = values[t + 1];
  }
}

__device__ int exchange(int *values, int t, int value) {
  values[t] = value;
  __syncthreads();
  int other = values[threads() - 1 - t];
  __syncthreads();
  return other;
}

// CHECK-LABEL: called:
// CHECK-NEXT: 126 126 126
extern "C" __global__ void called(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  int first = exchange(values, t, in[t]);
  out[t] = exchange(values, t, first + t) + first + t;
}

// Registers, an indexed array and a pointer live across barriers.
// CHECK-LABEL: liveAcross:
// CHECK-NEXT: 0 7 10
extern "C" __global__ void liveAcross(int *out, const int *in, int n) {
  __shared__ int values[64];
  int t = linear();
  int local[4] = {t, 2 * t, 3 * t, 4 * t};
  int *chosen = &local[t % 4];
  bool odd = t & 1;
  double half = t * 0.5;
  values[t] = t;
  __syncthreads();
  local[(t + values[t]) % 4] += in[t];
  __syncthreads();
  out[t] = *chosen + local[3 - t % 4] + odd + int(half + half) - t;
}

// The loop ends for all threads at once, by what one of them has found.
// CHECK-LABEL: breakOut:
// CHECK-NEXT: 5 5 5
extern "C" __global__ void breakOut(int *out, const int *in, int n) {
  __shared__ int found;
  int t = linear(), turns = 0;
  if (t == 0)
    found = 0;
  __syncthreads();
  while (true) {
    ++turns;
    if (t == 0 && turns == 5)
      found = 1;
    __syncthreads();
    if (found)
      break;
    __syncthreads();
  }
  out[t] = turns;
}

// CHECK-LABEL: reducing:
// CHECK-NEXT: 1048 1048
extern "C" __global__ void reducing(int *out, const int *in, int n) {
  int t = linear();
  int many = __syncthreads_count(t % 4);
  int all = __syncthreads_and(t < 10), any = __syncthreads_or(t == 0);
  out[t] = many + 100 * all + 1000 * any;
}
