// The elements of an array that differ by constants have one address and an offset each, also if each is guarded and
// an index subtracts.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s

// CHECK-LABEL: .entry diagonals(
// CHECK: sub.s32 [[BASE:%r[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NOT: {{sub|mul|mad|shl}}.{{[sub]}}
// CHECK: ld.shared.u32 %r{{[0-9]+}}, {{.}}[[BASE]]+136];
// CHECK-NOT: {{sub|mul|mad|shl}}.{{[sub]}}
// CHECK: st.shared.u32 {{.}}[[BASE]]+140], %r{{[0-9]+}};
// CHECK-NOT: {{sub|mul|mad|shl}}.{{[sub]}}
// CHECK: st.shared.u32 {{.}}[[BASE]]+1092], %r{{[0-9]+}};
// CHECK: ret;
extern "C" __global__ void diagonals(int *p) {
  __shared__ int tile[17][17];
  int t = threadIdx.x;
  for (int row = 0; row < 17; ++row)
    tile[row][t] = p[row * 17 + t];
  __syncthreads();
  for (int m = 0; m < 16; ++m) {
    if (t <= m)
      tile[m - t + 1][t + 1] = max(tile[m - t + 1][t], 7);
    __syncthreads();
  }
  p[t] = tile[3][t];
}

// Numbers that may wrap in 32 bits have addresses that do not differ by constants.
// CHECK-LABEL: .entry unsigned_indices(
// CHECK: bar.sync
// CHECK-COUNT-4: sub.s32
// CHECK: ret;
extern "C" __global__ void unsigned_indices(int *p, unsigned n) {
  __shared__ int tile[2048];
  unsigned t = threadIdx.x;
  tile[t] = p[t];
  __syncthreads();
  if (n & 1)
    p[0] = tile[10 - n];
  if (n & 2)
    p[1] = tile[12 - n];
  if (n & 4)
    p[2] = tile[14 - n];
  if (n & 8)
    p[3] = tile[16 - n];
}

// CHECK-LABEL: .entry wrapping(
// CHECK: bar.sync
// CHECK-COUNT-4: sub.s32
// CHECK: ret;
extern "C" __global__ void wrapping(int *p, unsigned n) {
  __shared__ int tile[2048];
  unsigned t = threadIdx.x;
  tile[t] = p[t];
  __syncthreads();
  if (n & 1)
    p[0] = tile[static_cast<int>(10 - n)];
  if (n & 2)
    p[1] = tile[static_cast<int>(12 - n)];
  if (n & 4)
    p[2] = tile[static_cast<int>(14 - n)];
  if (n & 8)
    p[3] = tile[static_cast<int>(16 - n)];
}
