// A loop that counts through a small array of the thread is unrolled completely, so that the array
// becomes registers. LLVM's threshold alone leaves these loops.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

template <int Side> __device__ void multiply(float (&sums)[Side][Side], const float4 *left,
                                             const float4 *right) {
  float4 row[Side];
  for (int i = 0; i < Side; ++i)
    row[i] = right[i];
  for (int i = 0; i < Side; ++i) {
    float4 column = left[i];
    for (int j = 0; j < Side; ++j) {
      sums[i][j] += column.x * row[j].x;
      sums[i][j] += column.y * row[j].y;
      sums[i][j] += column.z * row[j].z;
      sums[i][j] += column.w * row[j].w;
    }
  }
}

template <int Side>
__device__ void product(float *out, const float4 *left, const float4 *right, int count) {
  float sums[Side][Side] = {};
  for (int k = 0; k < count; ++k)
    multiply(sums, left + k * Side, right + k * Side);
  for (int i = 0; i < Side; ++i)
    for (int j = 0; j < Side; ++j)
      out[i * Side + j] = sums[i][j];
}

// CHECK-LABEL: .entry _Z5tilesPfPK6float4S2_i(
// CHECK-NOT: .local
// CHECK: ret;
__global__ void tiles(float *out, const float4 *left, const float4 *right, int count) {
  product<8>(out, left, right, count);
}

// An array of 4 KiB fits into no registers.
// CHECK-LABEL: .entry _Z5largePfPKfi(
// CHECK: st.local
// CHECK: ret;
__global__ void large(float *out, const float *in, int at) {
  float array[1024];
  for (int i = 0; i < 1024; ++i)
    array[i] = in[i] * in[i + 1];
  out[threadIdx.x] = array[at];
}

// The program says that the loop stays.
// CHECK-LABEL: .entry _Z4keptPfPKf(
// CHECK: st.local
// CHECK: ret;
__global__ void kept(float *out, const float *in) {
  float array[16];
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    array[i] = in[i];
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    out[i] = array[15 - i] + array[i];
}

// Nothing is known of the number of iterations.
// CHECK-LABEL: .entry _Z7unknownPfPKfi(
// CHECK: st.local
// CHECK: ret;
__global__ void unknown(float *out, const float *in, int count) {
  float array[16];
  for (int i = 0; i < count; ++i)
    array[i] = in[i];
  for (int i = 0; i < count; ++i)
    out[i] = array[count - 1 - i];
}

// One index is not known, so the array stays in memory, and with it the loops.
// CHECK-LABEL: .entry _Z8selectedPfPKfi(
// CHECK: st.local
// CHECK: bra
// CHECK: ret;
__global__ void selected(float *out, const float *in, int at) {
  float array[64];
  for (int i = 0; i < 64; ++i)
    array[i] = in[i] * in[i + 1] + in[i + 2] * in[i + 3] + in[i + 4] * in[i + 5];
  out[threadIdx.x] = array[at];
}

// The array stays in memory, but at most three iterations are left, so the inner loop is unrolled,
// and the places in the array are constant.
// CHECK-LABEL: .entry _Z7boundedPiPKiii(
// CHECK: st.local
// CHECK: ld.local.v2.u32
// CHECK: ld.local.u32
// CHECK: ld.global
// CHECK-NOT: ld.local
// CHECK: ret;
__global__ void bounded(int *out, const int *in, int count, int flags) {
  int places[4] = {1, 2, 3, 4}, trips = flags & 3, hits = 0;
  places[flags >> 8 & 3] = 7;
#pragma unroll 1
  for (int t = 0; t < count; ++t) {
    int i = 0;
    while (i < trips && in[t * 64 + places[i]] == i)
      ++i;
    hits += i == trips;
  }
  out[threadIdx.x] = hits;
}

// Up to fifteen iterations are too many.
// CHECK-LABEL: .entry _Z11bounded_farPiPKiii(
// CHECK: st.local
// CHECK: ld.local
// CHECK-NOT: ld.local
// CHECK: ret;
__global__ void bounded_far(int *out, const int *in, int count, int flags) {
  int places[16] = {1, 2, 3, 4}, trips = flags & 15, hits = 0;
  places[flags >> 8 & 15] = 7;
#pragma unroll 1
  for (int t = 0; t < count; ++t) {
    int i = 0;
    while (i < trips && in[t * 64 + places[i]] == i)
      ++i;
    hits += i == trips;
  }
  out[threadIdx.x] = hits;
}

// The program says that the inner loop stays.
// CHECK-LABEL: .entry _Z12bounded_keptPiPKiii(
// CHECK: st.local
// CHECK: ld.local
// CHECK-NOT: ld.local
// CHECK: ret;
__global__ void bounded_kept(int *out, const int *in, int count, int flags) {
  int places[4] = {1, 2, 3, 4}, trips = flags & 3, hits = 0;
  places[flags >> 8 & 3] = 7;
#pragma unroll 1
  for (int t = 0; t < count; ++t) {
    int i = 0;
#pragma unroll 1
    for (; i < trips; ++i)
      if (in[t * 64 + places[i]] != i)
        break;
    hits += i == trips;
  }
  out[threadIdx.x] = hits;
}

// Lanes meet in the loop, so it exists once.
// CHECK-LABEL: .entry _Z15bounded_meetingPiPKiii(
// CHECK-COUNT-1: shfl
// CHECK-NOT: shfl
// CHECK: ret;
__global__ void bounded_meeting(int *out, const int *in, int count, int flags) {
  int places[4] = {1, 2, 3, 4}, trips = flags & 3, hits = 0;
  places[flags >> 8 & 3] = 7;
#pragma unroll 1
  for (int t = 0; t < count; ++t)
    for (int i = 0; i < trips; ++i)
      hits += __shfl_xor_sync(~0u, in[t * 64 + places[i]], 1);
  out[threadIdx.x] = hits;
}

// A table of constants says which element it is, and a sine calls its slow path only for large numbers.
// CHECK-LABEL: .entry _Z8permutedPdPKd(
// CHECK-NOT: {{(st|ld)}}.local
// CHECK: ret;
__global__ void permuted(double *out, const double *in) {
  const int order[] = {0, 4, 2, 6, 1, 5, 3, 7};
  double array[8];
  for (int i = 0; i < 8; ++i)
    array[i] = in[i];
  for (int i = 1; i < 8; ++i)
    array[i] *= sin(array[i] + order[i]);
  for (int i = 0; i < 8; ++i)
    out[i] = array[order[i]];
}

// A table that the host may change says nothing.
__constant__ int changeable[8];
// CHECK-LABEL: .entry _Z8changingPfPKf(
// CHECK: st.local
// CHECK: ret;
__global__ void changing(float *out, const float *in) {
  float array[64];
  for (int i = 0; i < 64; ++i)
    array[i] = in[i] * in[i + 1] + in[i + 2] * in[i + 3] + in[i + 4] * in[i + 5];
  for (int i = 0; i < 8; ++i)
    out[i] = array[changeable[i] & 63];
}

// The elements that a loop changes are in registers while it runs, however many they are, although a later loop finds
// its element by a number.
// CHECK-LABEL: .entry _Z8promotedPfPKfi(
// CHECK: .pragma "nounroll"
// CHECK-NOT: .local
// CHECK: bar.sync
// CHECK-NOT: .local
// CHECK: @%p{{[0-9]+}} bra
// CHECK: .pragma "nounroll"
// CHECK: ld.local
// CHECK: ret;
__global__ void promoted(float *out, const float *in, int count) {
  float sums[64], copies[64];
  for (int i = 0; i < 64; ++i)
    sums[i] = 0;
#pragma unroll 1
  for (int c = 0; c < count; ++c) {
    float x = in[c];
    for (int i = 0; i < 64; ++i)
      sums[i] = sums[i] * x + in[i];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      copies[i] = sums[i] + x;
  }
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    out[i] = copies[i] * sums[i];
}

// Assembly, which is no call of a function, keeps no array in memory, also where it has effects.
// CHECK-LABEL: .entry _Z8assemblyPfPKfi(
// CHECK-NOT: .local
// CHECK: ret;
__global__ void assembly(float *out, const float *in, int count) {
  float sums[8][8] = {};
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        asm volatile("{ .reg .f32 t; mul.f32 t, %1, %2; mul.f32 t, t, %1; mul.f32 t, t, %2;\n"
                     "mul.f32 t, t, %1; mul.f32 t, t, %2; mul.f32 t, t, %1; mul.f32 t, t, %2;\n"
                     "add.f32 %0, %0, t; }"
                     : "+f"(sums[i][j])
                     : "f"(in[k * 16 + i]), "f"(in[k * 16 + 8 + j]));
  for (int i = 0; i < 64; ++i)
    out[i] = sums[i / 8][i % 8];
}

// LLVM leaves no sum of the counter of a loop with two iterations, and steps from element to element by a pointer.
// CHECK-LABEL: .entry _Z6halvedPfPKfi(
// CHECK-NOT: .local
// CHECK: ret;
__global__ void halved(float *out, const float *in, int count) {
  float sums[2][16] = {}, most[2][2] = {};
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 16; ++j) {
        sums[i][j] += in[j * 4 + i] * in[j * 4 + i + k] + in[j * 8 + i + k] * in[j * 8 + k];
        most[i][j & 1] = fmaxf(most[i][j & 1], sums[i][j]);
      }
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 16; ++j)
        sums[i][j] -= most[i][0] * most[i][1] * in[j * 4 + i] * in[j * 4 + i + k];
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 16; ++j)
      out[i * 16 + j] = sums[i][j] + most[i][j & 1];
}

// What becomes registers counts as nothing in a loop around that: two steps of 16 products each.
// CHECK-LABEL: .entry _Z5stepsPfPKfi(
// CHECK-COUNT-32: {{^[[:space:]]*}}fma.rn.f32{{.*}}// four
// CHECK: ret;
__global__ void steps(float *out, const float *in, int count) {
  float sums[16][4] = {};
  for (int k = 0; k < count; ++k)
    for (int step = 0; step < 2; ++step)
      for (int i = 0; i < 16; ++i)
        asm volatile("fma.rn.f32 %0, %4, %5, %0; // four"
                     : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3])
                     : "f"(in[k * 64 + step * 32 + i]), "f"(in[k * 64 + step * 32 + 16 + i]));
  for (int i = 0; i < 64; ++i)
    out[i] = sums[i / 4][i % 4];
}

// LLVM computes both places of a loop with two iterations in front of it, so that no index changes.
// CHECK-LABEL: .entry _Z4rowsPfPKf(
// CHECK-NOT: .local
// CHECK-COUNT-16: ex2.approx
// CHECK-NOT: .local
// CHECK: ret;
struct alignas(32) Row {
  float data[8];
};
__global__ void rows(float *out, const float *in) {
  Row read[2], result[2];
  for (int k = 0; k < 2; ++k)
    read[k] = reinterpret_cast<const Row *>(in)[k * 512 + threadIdx.x];
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 8; ++i)
      result[k].data[i] = read[k].data[i] * erff(read[k].data[i]);
  for (int k = 0; k < 2; ++k)
    reinterpret_cast<Row *>(out)[k * 512 + threadIdx.x] = result[k];
}
