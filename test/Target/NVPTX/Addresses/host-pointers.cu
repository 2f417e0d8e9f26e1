// A pointer in constant memory comes from the host or from an initial value, so it points to global memory.
//
// RUN: %regrain cc -O2 --targets=compute_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

struct Lists {
  float *values;
  int n;
};
__device__ float cells[8];
__constant__ float *totals[4];
__constant__ Lists lists;
__constant__ float *fixed[2] = {cells, cells + 4};

// CHECK-LABEL: .entry {{.*}}adds
// CHECK-NOT: atom.add
// CHECK: {{atom|red}}.global.add.f32
// CHECK: ret;
__global__ void adds(float x, int n) { atomicAdd(totals[n] + threadIdx.x, x); }

// CHECK-LABEL: .entry {{.*}}accesses
// CHECK-NOT: ld.f32
// CHECK-NOT: st.f32
// CHECK: ld.global.f32
// CHECK: st.global.f32
// CHECK: ret;
__global__ void accesses(int n) {
  fixed[n & 1][threadIdx.x & 3] = lists.n > n ? lists.values[threadIdx.x] : 0;
}

// A pointer that either comes from the host or points to shared memory is generic, and has two loads.
// CHECK-LABEL: .entry {{.*}}either
// CHECK-NOT: ld.f32
// CHECK-DAG: ld.shared.f32
// CHECK-DAG: ld.global.f32
// CHECK: st.{{[fub]}}32
// CHECK: ret;
__global__ void either(float *out, int n) {
  __shared__ float seen[32];
  seen[threadIdx.x] = n;
  __syncthreads();
  float *from = n > 3 ? totals[0] : seen;
  out[threadIdx.x] = from[threadIdx.x ^ 1];
  from[threadIdx.x] = 0;
}

// So is what a pointer of the host points to, if it is a pointer.
__constant__ float **rows;
// CHECK-LABEL: .entry {{.*}}reads
// CHECK: ld.global.u64
// CHECK: ld.f32
// CHECK: ret;
__global__ void reads(float *out) { out[threadIdx.x] = rows[1][threadIdx.x]; }

// The initial value has the address of constant memory.
__constant__ float table[4];
__constant__ float *tables[2] = {table, cells};
// CHECK-LABEL: .entry {{.*}}readsTable
// CHECK: ld.f32
// CHECK: ret;
__global__ void readsTable(float *out, int n) { out[threadIdx.x] = tables[n][threadIdx.x & 3]; }
