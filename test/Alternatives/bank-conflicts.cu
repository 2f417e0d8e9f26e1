// Padded rows are proposed for kernels whose warps wait for banks, if padding helps; the statistics name the worst access.
// RUN: %regrain explain --targets=compute_80 --alternatives=40 -DONLY_COLUMNS %s | FileCheck %s --check-prefix=COLUMNS
// RUN: %regrain explain --targets=gfx90a --alternatives=40 -DONLY_COLUMNS %s | FileCheck %s --check-prefix=COLUMNS
// RUN: %regrain cc --emit=grain --targets=compute_80 --alternatives=40 -DONLY_ROWS %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=ROWS --implicit-check-not=banks=
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=40 -DONLY_COLUMNS %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=ROWS --implicit-check-not=banks=
// RUN: %regrain cc --targets=ptx --alternatives=4 -Rpass-analysis=regrain -DONLY_COLUMNS -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=REMARK

// COLUMNS: banks=padded
// ROWS: turn
// REMARK: executes for each thread: {{.*}} barriers; 32-way bank conflicts of shared memory in line [[#@LINE+6]] [-Rpass-analysis=regrain]
extern "C" __global__ void turn(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
#ifdef ONLY_COLUMNS
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
#else
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y ^ 1][threadIdx.x];
#endif
}
