// The grain's hints are in PTX where they have an effect: on loads of data that the launch loads once,
// on all loads from global memory for the prefetch, on no volatile, atomic or shared access.
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='*:loads=streaming' --emit=ptx %s -o %t.cs.ptx
// RUN: FileCheck %s --input-file=%t.cs.ptx --check-prefix=CS
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='*:block.x=2,loads=evict-first' --emit=ptx %s -o %t.ef.ptx
// RUN: FileCheck %s --input-file=%t.ef.ptx --check-prefix=EF
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='*:loads=no-allocate,prefetch=128' --emit=ptx %s -o %t.na.ptx
// RUN: FileCheck %s --input-file=%t.na.ptx --check-prefix=NA
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='*:prefetch=256' --emit=ptx %s -o %t.l2.ptx
// RUN: FileCheck %s --input-file=%t.l2.ptx --check-prefix=FETCH
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='*:stores=nontemporal' --emit=ptx %s -o %t.st.ptx
// RUN: FileCheck %s --input-file=%t.st.ptx --check-prefix=ST

template <class T> __device__ void copyTo(T *out, const T *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

// CS-LABEL: .entry bytes__grain_loadsstreaming(
// CS: ld.global.cs.u8
// CS: st.global.u8
// EF: .version 7.4
// EF-LABEL: .entry bytes__grain_block_x2_loadsevictmfirst(
// EF-COUNT-2: ld.global.L1::evict_first.u8
// NA: .version 7.4
// NA-LABEL: .entry bytes__grain_loadsnomallocate_prefetch128(
// NA: ld.global.L1::no_allocate.L2::128B.u8
// FETCH-LABEL: .entry bytes__grain_prefetch256(
// FETCH: ld.global.L2::256B.u8
// ST-LABEL: .entry bytes__grain_storesnontemporal(
// ST: ld.global.u8
// ST: st.global.cs.u8
extern "C" __global__ void bytes(char *out, const char *in, int n) { copyTo(out, in, n); }

// CS-LABEL: .entry doubles__grain_loadsstreaming(
// CS: ld.global.cs.nc.f64
// NA-LABEL: .entry doubles__
// NA: ld.global.nc.L1::no_allocate.L2::128B.f64
// FETCH-LABEL: .entry doubles__
// FETCH: ld.global.nc.L2::256B.f64
// ST-LABEL: .entry doubles__
// ST: ld.global.nc.f64
// ST: st.global.cs.f64
extern "C" __global__ void doubles(double *__restrict__ out, const double *__restrict__ in, int n) {
  copyTo(out, in, n);
}

// CS-LABEL: .entry fours__grain_loadsstreaming(
// CS: ld.global.cs.v4.
// ST-LABEL: .entry fours__
// ST: st.global.cs.v4.
extern "C" __global__ void fours(float4 *out, const float4 *in, int n) { copyTo(out, in, n); }

// What another thread loads as well is loaded as before.

// CS-LABEL: .entry product__grain_loadsstreaming(
// CS: ld.global.cs.
// CS: ld.global.cs.
// CS: ld.global.f32
// CS: st.global.f32
// NA-LABEL: .entry product__
// NA: ld.global.L1::no_allocate.L2::128B.
// NA: ld.global.L1::no_allocate.L2::128B.
// NA: ld.global.L2::128B.f32
extern "C" __global__ void product(float *out, const int *column, const float *entry, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = entry[i] * x[column[i]];
}

// Loads through a generic address may be from shared memory; volatile and atomic accesses, the
// program's assembly and those to shared memory have no hint.

// FETCH-LABEL: .entry others__grain_prefetch256(
// FETCH-DAG: ld.volatile.global.u32
// FETCH-DAG: {{[[:space:]]}}ld.u32
// FETCH-DAG: ld.shared.u32
// FETCH-DAG: atom.global.add.u32
// FETCH-DAG: ld.global.ca.u32
// FETCH-DAG: {{^[[:space:]]+}}ld.global.L2::256B.u64
// FETCH: ret;
extern "C" __global__ void others(int *out, volatile int *seen, int **table) {
  __shared__ int part[64];
  int i = threadIdx.x, read;
  part[i] = seen[i];
  __syncthreads();
  asm("ld.global.ca.u32 %0, [%1];" : "=r"(read) : "l"(table));
  out[i] = atomicAdd(out + 64, part[63 - i]) + *table[i] + read;
}
