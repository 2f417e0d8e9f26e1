// RUN: %regrain-nvcc --targets=cpu '--coarsen=*:block.x=2' %s -o %t.exe
// RUN: env REGRAIN_ALTERNATIVE='*:original' %t.exe > %t.original
// RUN: env REGRAIN_VERBOSE=1 %t.exe > %t.raised 2> %t.log
// RUN: diff %t.original %t.raised
// RUN: FileCheck %s < %t.original
// RUN: %regrain-nvcc --targets=cpu '--coarsen=*:thread.x=2' %s -o %t.thread.exe
// RUN: %t.thread.exe > %t.thread
// RUN: diff %t.original %t.thread
// RUN: FileCheck %s --check-prefix=RAN < %t.log
// Control flow computes the same before and after it is structured and its
// loops are raised.
// CHECK-COUNT-10: {{^[a-zA-Z]+ [0-9]+$}}
// RAN: block.x=2
#include <climits>
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned mix(unsigned h, unsigned v) { return (h ^ v) * 16777619u; }

__global__ void fallThrough(unsigned *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = 1;
  switch (in[i] % 9) {
  case 0: h = mix(h, 3);
  case 1: h = mix(h, i);
  case 3: h = mix(h, 7); break;
  case 4: h = mix(h, 11);
  case 5: if (i % 3 == 0) break; h = mix(h, 13);
  case 7: h = mix(h, 17);
  default: h = mix(h, 19);
  }
  out[i] = h;
}

__global__ void leaving(unsigned *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = in[i] % 40;
  unsigned h = 2;
  for (int a = 0; a < n; ++a) {
    if (in[a] % 7 == 3) continue;
    if (in[a] % 31 == 5) break;
    for (int b = n; b > 0; b -= 3) {
      if (mix(h, b) % 101 == 0) goto out;
      if (in[b] % 13 == 6) { h = mix(h, b); continue; }
      h = mix(h, a + b);
    }
    if (h % 211 == 0) return;
  }
out:
  out[i] = mix(h, 5);
}

__global__ void twoEntries(unsigned *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = in[i] % 20;
  unsigned h = 3;
  if (k & 1) goto middle;
top:
  h = mix(h, k);
  if (h % 97 == 0) goto end;
middle:
  h = mix(h, in[k]);
  if (--k > 0) goto top;
end:
  out[i] = h;
}

__global__ void counting(unsigned *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = in[i] % 33;
  unsigned h = 4;
  for (int a = n; a >= 0; --a) h = mix(h, a);
  for (int a = -n; a <= n; a += 3) h = mix(h, a);
  for (unsigned a = 0; a < (unsigned)n; ++a) h = mix(h, a);
  for (int a = 0; a != 12; a += 4) h = mix(h, a);
  for (long long a = n; a > -n; a -= 2) h = mix(h, (unsigned)a);
  for (int a = 1; a < 1 << 20; a *= 3) h = mix(h, a);
  int last;
  for (last = -5; last < n; ++last) h = mix(h, last);
  int down;
  for (down = n; down > 7; --down) h = mix(h, down);
  out[i] = mix(mix(h, last), down);
}

// The bounds are at the ends of the integers.
__global__ void extremes(unsigned *out, const int *in, int largest, int smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = in[i] % 9;
  unsigned h = 5;
  for (int a = largest - n; a < largest; ++a) h = mix(h, a);
  for (int a = smallest + n; a > smallest; --a) h = mix(h, a);
  for (int a = largest; a < smallest; ++a) h = mix(h, a);
  for (int a = smallest; a > largest; --a) h = mix(h, a);
  for (int a = smallest; a < smallest + n; ++a) h = mix(h, a);
  for (unsigned a = UINT_MAX - n; a < UINT_MAX; ++a) h = mix(h, a);
  for (unsigned char a = 250; a >= 250; ++a) h = mix(h, a);
  out[i] = h;
}

__global__ void strided(unsigned *out, const int *in, int n) {
  unsigned h = 6;
  for (int a = blockIdx.x * blockDim.x + threadIdx.x; a < n; a += blockDim.x * gridDim.x)
    h = mix(h, in[a]);
  for (int a = threadIdx.x; a < n; a += blockDim.x) h = mix(h, in[a] + a);
  out[blockIdx.x * blockDim.x + threadIdx.x] = h;
}

__global__ void doWhile(unsigned *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = in[i] % 11 - 2;
  unsigned h = 7;
  int a = 0;
  do { h = mix(h, a); } while (++a < n);
  do {
    int b = 0;
    do { h = mix(h, b + in[a]); if (h % 17 == 1) break; } while (++b < a);
  } while (--a > 0);
  while (true) { h = mix(h, 1); if (h % 5 == 0) break; if (h % 7 == 2) return; }
  out[i] = h;
}

__global__ void shortCircuit(unsigned *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = 8;
  if ((in[i] % 3 == 0 && in[i + 1] % 2) || (in[i] % 5 == 1 && (in[i + 1] % 3 || in[i + 2] % 4 == 2)))
    h = mix(h, 1);
  else if (in[i] % 7 == 0 || in[i + 1] % 5 == 0)
    h = mix(h, 2);
  out[i] = (in[i] & 1) && h % 2 ? mix(h, 3) : h;
}

__global__ void barriers(unsigned *out, const int *in, int rounds) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = in[i];
  __syncthreads();
  for (int stride = 32; stride > 0; stride >>= 1) {
    if (t < stride) tile[t] = mix(tile[t], tile[t + stride]);
    __syncthreads();
  }
  for (int r = 0; r < rounds; ++r) {
    if (r % 2 == 0) { tile[t] = mix(tile[t], r); __syncthreads(); }
    else { __syncthreads(); tile[t] = mix(tile[t], t); }
    if (__syncthreads_or(r == rounds - 2)) break;
  }
  int positive = __syncthreads_count(tile[63 - t] > 1000u);
  out[i] = mix(tile[t], positive);
}

struct alignas(16) Packet { float x[4]; int n; };
__global__ void aggregates(unsigned *out, Packet p, const Packet *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Packet r = q[i % 4];
  r.n += p.n;
  unsigned h = 9;
  float local[8];
  for (int a = 0; a < 8; ++a) local[a] = r.x[a & 3] + p.x[a >> 1];
  for (int a = 0; a < 8; ++a) h = mix(h, (unsigned)(int)local[(a * 5 + i) & 7]);
  out[i] = mix(h, r.n);
}

static unsigned *result;
static void print(const char *name) {
  cudaDeviceSynchronize();
  unsigned h = 0;
  for (int i = 0; i < 64 * 7; ++i) { h = h * 31 + result[i]; result[i] = 0; }
  printf("%s %u\n", name, h);
}

int main() {
  const int blocks = 7, threads = 64, n = 1000;
  int *in;
  Packet *packets;
  cudaMallocManaged(&result, blocks * threads * sizeof(unsigned));
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&packets, 4 * sizeof(Packet));
  for (int i = 0; i < blocks * threads; ++i) result[i] = 0;
  for (int i = 0; i < n; ++i) in[i] = (i * 7919 + i * i * 31) % 10007;
  for (int i = 0; i < 4; ++i) packets[i] = {{i + 1.f, i * 2.f, i * 3.f, 7.f}, i * 100};
  fallThrough<<<blocks, threads>>>(result, in); print("fallThrough");
  leaving<<<blocks, threads>>>(result, in); print("leaving");
  twoEntries<<<blocks, threads>>>(result, in); print("twoEntries");
  counting<<<blocks, threads>>>(result, in); print("counting");
  extremes<<<blocks, threads>>>(result, in, INT_MAX, INT_MIN); print("extremes");
  strided<<<blocks, threads>>>(result, in, n); print("strided");
  doWhile<<<blocks, threads>>>(result, in); print("doWhile");
  shortCircuit<<<blocks, threads>>>(result, in); print("shortCircuit");
  barriers<<<blocks, threads>>>(result, in, 9); print("barriers");
  aggregates<<<blocks, threads>>>(result, packets[1], packets); print("aggregates");
  return 0;
}
