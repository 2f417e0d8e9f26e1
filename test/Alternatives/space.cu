// The space of a kernel has what is legal and plausible for it, in the order of the model.
// RUN: %regrain cc --emit=grain --alternatives=8 -DSTREAM %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=STREAM
// RUN: %regrain explain --alternatives=40 -DTILE %s | FileCheck %s --check-prefix=TILE
// RUN: %regrain explain --alternatives=40 -DGAPS %s | FileCheck %s --check-prefix=GAPS
// RUN: %regrain cc --targets=ptx --alternatives=1 -DTILE -Rpass-analysis=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=COUNTS

#ifdef STREAM
// Each kind of grain comes before larger factors.
// STREAM: // add({{.*}}) at original
// STREAM-DAG: at block.x=2{{$}}
// STREAM-DAG: at thread.x=4:contiguous,for.pointers=16{{$}}
// STREAM-DAG: at thread.x=4:contiguous,fuse.x=4,for.pointers=16{{$}}
// STREAM-DAG: at fuse.x=2{{$}}
// STREAM-DAG: at shape=256x1x1{{$}}
// STREAM-NOT: {{(block|thread|fuse).x=(8|16)}}
__global__ void add(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += b[i];
}
#endif

#ifdef TILE
// Blocks whose threads cooperate are not reshaped, and blocks of 256 not fused unless they become
// warps; the length of the inner loop is unknown, that of the outer one is known.
// TILE-NOT: shape=
// TILE-NOT: {{ }}fuse{{[.=]}}
// TILE: block.x=7
// COUNTS: remark: kernel 'sums(float*, int)' executes for each thread: {{[0-9]+}} + {{[0-9]+}}*n1 arithmetic operations, 16 + 8*n1 global accesses, 16 shared accesses, 8 + 8*n1 branches, 8 barriers [-Rpass-analysis=regrain]
__global__ void __launch_bounds__(256) sums(float *v, int n) {
  __shared__ float tile[256];
  for (int k = 0; k < 8; ++k) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += v[j * n + k];
    tile[threadIdx.x] = sum;
    __syncthreads();
    v[blockIdx.x * 256 + threadIdx.x] += tile[255 - threadIdx.x];
  }
}
#endif

#ifdef GAPS
// Accesses that lie apart are not made wider.
// GAPS-NOT: :contiguous
// GAPS: shape=
__global__ void gaps(float *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i * 3] = v[i * 3 + 1];
}
#endif
