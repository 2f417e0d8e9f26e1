// A structure whose type promises its alignment is copied by the widest accesses, and all parts are
// read before one is written. A temporary of such copies has no local memory. Also at other grains.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='swap:block.x=2' --emit=ptx %s | FileCheck %s --check-prefix=COARSE

// CHECK-LABEL: .entry _Z4swapP6float4
// CHECK-NOT: .local
// CHECK: ld.global.v4
// CHECK: st.shared.v4
// CHECK: ld.shared.v4
// CHECK: ld.shared.v4
// CHECK: st.shared.v4
// CHECK: st.shared.v4
// CHECK: ld.shared.v4
// CHECK: st.global.v4
// CHECK: ret;
// COARSE-LABEL: .entry _Z4swapP6float4
// COARSE-NOT: .local
// COARSE-COUNT-2: ld.global.v4
// COARSE: ret;
__global__ void swap(float4 *data) {
  __shared__ float4 part[256];
  int i = threadIdx.x;
  part[i] = data[blockIdx.x * 256 + i];
  __syncthreads();
  if (i < 128) {
    float4 kept = part[i];
    part[i] = part[255 - i];
    part[255 - i] = kept;
  }
  __syncthreads();
  data[blockIdx.x * 256 + i] = part[i];
}

struct alignas(8) Pair {
  int key;
  short low, high;
  double value;
};

// CHECK-LABEL: .entry _Z5pairsPK4PairPS_
// CHECK-COUNT-2: ld.global.v2
// CHECK-COUNT-2: st.global.v2
// CHECK: ret;
__global__ void pairs(const Pair *from, Pair *to) { to[threadIdx.x] = from[blockIdx.x]; }

struct Three {
  float x, y, z;
};

// CHECK-LABEL: .entry _Z6threesPK5ThreePS_
// CHECK-COUNT-3: ld.global.u32
// CHECK-COUNT-3: st.global.u32
// CHECK: ret;
__global__ void threes(const Three *from, Three *to) { to[threadIdx.x] = from[blockIdx.x]; }

struct Large {
  double4 rows[4];
};

// Four accesses of 16 bytes are in registers at a time.
// CHECK-LABEL: .entry _Z6largesPK5LargePS_
// CHECK-COUNT-4: ld.global.v4
// CHECK-COUNT-4: st.global.v4
// CHECK-COUNT-4: ld.global.v4
// CHECK-COUNT-4: st.global.v4
// CHECK: ret;
__global__ void larges(const Large *from, Large *to) { to[threadIdx.x] = from[blockIdx.x]; }

// A fill of an array with indices that are not known.
// CHECK-LABEL: .entry _Z6countsPiPKii
// CHECK-COUNT-16: st.local.v4
// CHECK-NOT: st.local.u8
// CHECK: ret;
__global__ void counts(int *to, const int *digits, int n) {
  int count[64] = {};
  for (int i = 0; i < n; ++i)
    ++count[digits[i] & 63];
  to[threadIdx.x] = count[threadIdx.x & 63];
}

// Of a structure that is also accessed by parts, SROA leaves 12 bytes.
// CHECK-LABEL: .entry _Z4sortP6float4i
// CHECK-NOT: .local
// CHECK: ld.global.v4
// CHECK: ld.global.v4
// CHECK: st.global.v4
// CHECK: st.global.v4
// CHECK: ret;
__global__ void sort(float4 *data, int distance) {
  int i = threadIdx.x;
  float4 x = data[i], y = data[i + distance];
  if (x.w > y.w) {
    data[i] = y;
    data[i + distance] = x;
  }
}
