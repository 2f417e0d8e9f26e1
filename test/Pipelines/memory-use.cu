// Words of a kernel that are numbers of one type may differ in their last places for the tuner, if
// the kernel computes them. The test also shows whether the kernel accesses more than its arguments.
//
// RUN: %regrain cc -w --targets=ptx --alternatives=1 -c %s -o %t.o 2> /dev/null
// RUN: %regrain inspect --json %t.o > %t.json
// RUN: %python %S/Inputs/stores.py %t.json | FileCheck %s --match-full-lines

#include <cassert>
#include <cuda_fp16.h>

__device__ float sums[16];
__device__ float *somewhere;
struct Vectors { float *x; int n; };

// This is arithmetic through selections, loops, lanes, and the memory of the
// block. A boundary that the same store copies is a number, too.
// CHECK: computes: 0:float stays
__global__ void computes(float *out, const float *in, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i] * 2.f + expf(in[i]);
  __syncthreads();
  float x = tile[threadIdx.x ^ 1];
  for (int j = 0; j < n; ++j)
    x = x * in[j] + tile[j & 63];
  x += __shfl_down_sync(~0u, x, 1);
  out[i] = i > 0 && i < n - 1 ? -x : in[i];
}
// CHECK-NEXT: doubles: 0:double stays
__global__ void doubles(double *out, const float *in) { out[threadIdx.x] = sqrt((double)in[threadIdx.x]); }
// CHECK-NEXT: atomically: 0:float stays
__global__ void atomically(float *out, const float *in) { atomicAdd(out, in[threadIdx.x]); }
// A fence orders accesses, and has none.
// CHECK-NEXT: fenced: 0:float 2:other stays
__global__ void fenced(float *out, const float *in, unsigned *arrived) {
  out[threadIdx.x] = in[threadIdx.x] * 2;
  __threadfence();
  __syncwarp();
  atomicAdd(arrived, 1);
}
// CHECK-NEXT: several: 0:float 1:other 2:double stays
__global__ void several(float *a, int *b, double *c, float x) {
  a[threadIdx.x] = x * x;
  b[threadIdx.x] = (int)x;
  c[threadIdx.x] = x * 0.1;
}
// CHECK-NEXT: variable: variables:float stays
__global__ void variable(float x) { sums[threadIdx.x & 15] = x + 1; }

// Copies are exact by any route that is Regrain's, and constants cannot differ.
// CHECK-NEXT: copies: 0:float|copied stays
__global__ void copies(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x ^ 1]; }
// CHECK-NEXT: copiesByShared: 0:float|copied stays
__global__ void copiesByShared(float *out, const float *in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
// Structures are copied in one piece, and cleared.
struct alignas(16) Complex { double re, im; };
// CHECK-NEXT: structures: 0:double|copied stays
__global__ void structures(Complex *out, int n) {
  Complex local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = out[threadIdx.x + i * 64];
  for (int i = 0; i < n; ++i) {
    local[i & 7].re *= local[i & 3].im;
    local[i & 7].im += 1;
  }
  for (int i = 0; i < n; ++i)
    out[threadIdx.x + i * 64] = local[(i * 5) & 7];
}
// A copy between global memories is one of bits.
// CHECK-NEXT: fromMemory: 0:other stays
__global__ void fromMemory(Complex *out, const Complex *in) { out[threadIdx.x] = in[threadIdx.x ^ 1]; }
// The copy of a structure with an integer, and one that is not aligned as numbers are.
struct Pair { double value; long long index; };
// CHECK-NEXT: pairsInOne: 0:other stays
__global__ void pairsInOne(Pair *out, int n) {
  Pair local[4];
  for (int i = 0; i < n; ++i) {
    local[i & 3].value = out[i].value * 2;
    local[i & 3].index = i;
  }
  for (int i = 0; i < n; ++i)
    out[i] = local[(i * 3) & 3];
}
struct __attribute__((packed)) Tagged { char tag[4]; double a, b; };
// CHECK-NEXT: unaligned: 0:other stays
__global__ void unaligned(Tagged *out, int n) {
  struct __attribute__((packed)) { double a, b; } local[4];
  for (int i = 0; i < n; ++i)
    local[i & 3].a = local[i & 3].b = i * 0.5 * n;
  for (int i = 0; i < n; ++i)
    __builtin_memcpy(&out[i].a, &local[(i * 3) & 3], 16);
}
// What a union holds is not known, nor is what is copied by bytes into an array of numbers.
union Either { double number[2]; long long key[2]; };
// CHECK-NEXT: either: 0:other stays
__global__ void either(Either *out, const Either *in, int n) {
  Either local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = in[i];
  for (int i = 0; i < n; ++i)
    local[i & 7].number[0] *= 1.5;
  for (int i = 0; i < n; ++i)
    out[i] = local[(i * 5) & 7];
}
// CHECK-NEXT: fromBytes: 0:other stays
__global__ void fromBytes(float *out, const float *in, const int *words, int n) {
  float local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = in[i] * n;
  if (n & 1)
    memcpy(local, words, 32);
  out[threadIdx.x] = local[threadIdx.x & 7];
}
// CHECK-NEXT: between: 0:other stays
__global__ void between(float *out, const char *bytes, int n) {
  float local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = i * 0.3f * n;
  memcpy((char *)local + n, bytes, 7);
  out[threadIdx.x] = local[threadIdx.x & 7];
}
// A largest number is one of the numbers.
// CHECK-NEXT: largest: 0:float|copied stays
__global__ void largest(float *out, const float *in, int n) {
  float most = 0;
  for (int i = 0; i < n; ++i)
    most = fmaxf(most, in[i]);
  out[threadIdx.x] = most;
}
// CHECK-NEXT: clears: stays
__global__ void clears(float *out) { out[threadIdx.x] = 0; }
// A pair has a value and its index: the array contains both.
// CHECK-NEXT: pairs: 0:float|other stays
__global__ void pairs(float2 *out, const float *in) {
  out[threadIdx.x].x = in[threadIdx.x] * 3;
  out[threadIdx.x].y = __int_as_float(threadIdx.x);
}

// These are integers with the type of a number.
// CHECK-NEXT: bits: 0:other stays
__global__ void bits(float *out, const int *in) { out[threadIdx.x] = __int_as_float(in[threadIdx.x] + 1); }
// CHECK-NEXT: negatedBits: 0:other stays
__global__ void negatedBits(float *out, int n) { out[threadIdx.x] = -__int_as_float(n); }
// CHECK-NEXT: bitsByShared: 0:other stays
__global__ void bitsByShared(float *out, const float *in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x] * 2;
  tile[threadIdx.x ^ 1] = __int_as_float(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
// CHECK-NEXT: casts: 0:other stays
__global__ void casts(float *out, int n) { out[threadIdx.x] = (float)(n + threadIdx.x); }
// CHECK-NEXT: exchanges: 0:other stays
__global__ void exchanges(float *out, float x) { atomicExch(out, x * 2); }

// The origin of the value is unknown, but it has the type of a number.
__device__ __noinline__ float pun(float x) { return __int_as_float(__float_as_int(x) + 1); }
// CHECK-NEXT: calls: 0:float|copied elsewhere:other
__global__ void calls(float *out, float x) { out[threadIdx.x] = pun(x); }
// CHECK-NEXT: assembly: 0:other stays
__global__ void assembly(float *out, float x) {
  float y;
  asm("add.s32 %0, %1, 1;" : "=f"(y) : "f"(x));
  out[threadIdx.x] = y;
}

// Pointers in structures count as arguments, too, however they are selected or passed on.
// CHECK-NEXT: structure: elsewhere:float stays
__global__ void structure(Vectors v) { v.x[threadIdx.x] *= 2; }
struct Rows { float *rows[4]; };
// CHECK-NEXT: rowOf: elsewhere:float stays
__global__ void rowOf(Rows r, int row) { r.rows[row & 3][threadIdx.x] *= 2; }
// CHECK-NEXT: chosen: elsewhere:float stays
__global__ void chosen(float *a, float *b, int which) { (which ? a : b)[threadIdx.x] *= 2; }
// CHECK-NEXT: walks: elsewhere:float stays
__global__ void walks(float *out, int stride, int n) {
  float *end = out + n;
  for (float *p = out + threadIdx.x; p < end; p += stride)
    *p *= 2;
}
// CHECK-NEXT: swaps: elsewhere:float stays
__global__ void swaps(float *from, float *to, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    to[threadIdx.x] = from[threadIdx.x] * 2;
    float *other = from;
    from = to;
    to = other;
  }
}
// CHECK-NEXT: bySharedMemory: elsewhere:float stays
__global__ void bySharedMemory(float *a, float *b) {
  __shared__ float *rows[2];
  if (threadIdx.x == 0) {
    rows[0] = a;
    rows[1] = b;
  }
  __syncthreads();
  rows[threadIdx.x & 1][threadIdx.x] *= 2;
}

// These addresses are not arguments.
// CHECK-NEXT: loadedIntoShared: elsewhere:float
__global__ void loadedIntoShared(float *const *from) {
  __shared__ float *row;
  if (threadIdx.x == 0)
    row = from[blockIdx.x];
  __syncthreads();
  row[threadIdx.x] *= 2;
}
struct __attribute__((packed)) Packed { char tag; float *x; };
// CHECK-NEXT: packed: elsewhere:float
__global__ void packed(Packed p) { p.x[threadIdx.x] *= 2; }
// CHECK-NEXT: number: elsewhere:float
__global__ void number(unsigned long long address) { ((float *)address)[threadIdx.x] *= 2; }
struct Node { Node *next; float value; };
// CHECK-NEXT: list: elsewhere:float
__global__ void list(Node *node) {
  for (; node; node = node->next)
    node->value *= 2;
}
// CHECK-NEXT: byAssembly: 0:other
__global__ void byAssembly(float *out, float *const *rows) {
  float x;
  asm("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(rows[0]));
  out[threadIdx.x] = x;
}
// CHECK-NEXT: loaded: elsewhere:float
__global__ void loaded() { somewhere[threadIdx.x] *= 2; }
// CHECK-NEXT: reads: 0:float
__global__ void reads(float *out, float *const *rows) { out[threadIdx.x] = rows[threadIdx.x][0] * 2; }
__device__ __noinline__ void put(float *out, float x) { *out = x * x; }
// CHECK-NEXT: hands: elsewhere:other
__global__ void hands(float *out, float x) { put(out + threadIdx.x, x); }
// An assertion reads its texts, which are variables of the module.
// CHECK-NEXT: asserts: 0:float stays
__global__ void asserts(float *out) {
  assert(out[0] > 0);
  out[threadIdx.x + 1] *= 2;
}
// CHECK-NEXT: assertsElsewhere: 0:float elsewhere:other
__global__ void assertsElsewhere(float *out, const char *const *texts) {
  if (out[0] < 0)
    __assertfail(texts[0], "file", 1, "function", 1);
  out[threadIdx.x + 1] *= 2;
}
