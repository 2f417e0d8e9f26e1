// Rows in registers are proposed for the launches that are seen, with the arguments that matter, and for pointers in different
// allocations only where that is needed.
// RUN: %regrain explain --targets=compute_80 --alternatives=24 %s | FileCheck %s

// CHECK-LABEL: promised(
// CHECK: kept:{{.*}} rows=registers,for.block=128x1x1,for.arg3=1024,{{ .*}}thread.x=4:contiguous,rows=registers,for.block=128x1x1,for.arg3=1024,for.pointers=16,
__global__ void promised(float *__restrict__ out, const float *__restrict__ in, int other, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = in[blockIdx.x * n + i] / sum + other;
}

// CHECK-LABEL: observed(
// CHECK-NOT: rows=registers,for.block=128x1x1,for.arg2=1024,{{ }}
// CHECK: kept:{{.*}} rows=registers,for.block=128x1x1,for.arg2=1024,for.aliases=none,
__global__ void observed(float *out, float *in, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i] *= 2;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] / sum;
}

// Warps that exchange in registers are proposed together with rows in registers.
// CHECK-LABEL: exchanged(
// CHECK: kept:{{.*}} thread.x=4:contiguous,exchange=levels,rows=registers,for.block=1024x1x1,for.arg2=16384,for.pointers=16,
__global__ void exchanged(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float held[1024];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  held[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      held[threadIdx.x] += held[threadIdx.x + s];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = in[blockIdx.x * n + i] / held[0];
}

// Rows are read by structures, behind a test whether they are aligned. Joined neighbours may take
// the same alignment.
// CHECK-LABEL: tested(
// CHECK: kept:{{.*}} rows=registers,for.block=256x1x1,for.arg2=16384,for.pointers=32,for.aliases=none,
struct alignas(32) Pack {
  short at[16];
};
__global__ void tested(short *__restrict__ out, const short *__restrict__ in, int n) {
  const short *row = in + size_t(blockIdx.x) * n;
  int most = 0;
  bool isAligned = (size_t(row) & 31) == 0 && n % 16 == 0;
  if (isAligned)
    for (int i = threadIdx.x; i < n / 16; i += blockDim.x) {
      Pack pack = reinterpret_cast<const Pack *>(row)[i];
      for (short x : pack.at)
        most = max(most, x);
    }
  else
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      most = max(most, row[i]);
  __syncthreads();
  short *to = out + size_t(blockIdx.x) * n;
  if (isAligned)
    for (int i = threadIdx.x; i < n / 16; i += blockDim.x) {
      Pack pack = reinterpret_cast<const Pack *>(row)[i];
      for (short &x : pack.at)
        x -= most;
      reinterpret_cast<Pack *>(to)[i] = pack;
    }
  else
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      to[i] = row[i] - most;
}

// The row has a length that 128 does not divide.
// CHECK-LABEL: uneven(
// CHECK-NOT: rows=
__global__ void uneven(float *__restrict__ out, const float *__restrict__ in, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] / sum;
}

void run(float *a, float *b, short *c) {
  promised<<<64, 128>>>(a, b, 7, 1024);
  observed<<<64, 128>>>(a, b, 1024);
  exchanged<<<64, 1024>>>(a, b, 16384);
  tested<<<64, 256>>>(c, c, 16384);
  uneven<<<64, 128>>>(a, b, 1000);
}
