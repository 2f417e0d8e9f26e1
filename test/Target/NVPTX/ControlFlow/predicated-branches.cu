// Short guarded code runs without its branch if it cannot fault, and its results are selected.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:branches=predicated,unroll=none' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:unroll=none' --emit=ptx %s | FileCheck %s --check-prefix=BRANCHES
// RUN: %regrain explain --targets=ptx --alternatives=40 %s | FileCheck %s --check-prefix=SPACE

__constant__ unsigned table[32];

// SPACE: steps
// SPACE: branches=predicated

// An index that counts to a constant below the size of the array.
// CHECK-LABEL: .entry _Z5steps{{.*}}__grain_
// CHECK: ld.global
// CHECK: @%p{{[0-9]+}} bra
// CHECK-NOT: @%p
// CHECK: ret;
// BRANCHES-LABEL: .entry _Z5steps{{.*}}__grain_
// BRANCHES-COUNT-2: @%p{{[0-9]+}} bra
// BRANCHES: ret;
__global__ void steps(unsigned *out, unsigned data) {
  unsigned result = 0;
  data ^= threadIdx.x;
  for (int bit = 0; bit < 31; ++bit, data >>= 1)
    if (data & 1)
      result ^= table[bit];
  out[threadIdx.x] = result;
}

// The loop is one iteration longer than the array: the guard may be what keeps the load inside.
// CHECK-LABEL: .entry _Z4past{{.*}}__grain_
// CHECK-COUNT-2: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void past(unsigned *out, unsigned data) {
  unsigned result = 0;
  data ^= threadIdx.x;
  for (int bit = 0; bit < 33; ++bit)
    if (data >> (bit & 15) & 1)
      result ^= table[bit];
  out[threadIdx.x] = result;
}

// A masked index is known in shared memory.
// CHECK-LABEL: .entry _Z6masked{{.*}}__grain_
// CHECK-COUNT-2: @%p{{[0-9]+}} bra
// CHECK-NOT: @%p
// CHECK: ret;
__global__ void masked(unsigned *out, unsigned data, int count) {
  __shared__ unsigned tile[64];
  tile[threadIdx.x & 63] = data;
  __syncthreads();
  unsigned result = 0;
  for (int i = 0; i < count; ++i) {
    data = data * 5 + 1;
    if (data & 1)
      result += tile[data & 63] * data;
  }
  out[threadIdx.x] = result;
}

// Nothing is known of memory that a parameter points to.
// CHECK-LABEL: .entry _Z7pointer{{.*}}__grain_
// CHECK-COUNT-3: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void pointer(unsigned *out, const unsigned *in, unsigned data, int count) {
  unsigned result = 0;
  for (int i = 0; i < count; ++i) {
    data = data * 5 + 1;
    if (data & 1)
      result += in[data & 63] * data;
  }
  out[threadIdx.x] = result;
}

// The guard excludes an index that overflows.
// CHECK-LABEL: .entry _Z7guarded{{.*}}__grain_
// CHECK-COUNT-3: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void guarded(unsigned *out, int data, int count) {
  unsigned result = 0;
  for (int i = 0; i < count; ++i) {
    data = data * 5 + 1;
    if (data > 0 && data < 32)
      result += table[data];
  }
  out[threadIdx.x] = result;
}

// A division by zero may be what the guard prevents, stores are seen, and long code is worth a branch.
// CHECK-LABEL: .entry _Z7effects{{.*}}__grain_
// CHECK-COUNT-4: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void effects(unsigned *out, unsigned data, int count) {
  unsigned result = 0;
  for (int i = 0; i < count; ++i) {
    data = data * 5 + 1;
    if (data & 7)
      result += 1000 / (data & 7);
    if (data & 64)
      out[i] = data;
  }
  out[threadIdx.x] = result;
}
