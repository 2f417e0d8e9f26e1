// The bytes that a block asks for, and those that it touches.
// RUN: %regrain cc -O3 --targets=ptx --alternatives=2 -c %s -o %t.o
// RUN: %regrain inspect --footprint %t.o | FileCheck %s --match-full-lines
// RUN: %regrain inspect --footprint --kernel=stencil --block=64 %t.o | FileCheck %s --check-prefix=SMALL
// RUN: %regrain inspect --footprint --kernel=sums --block=32x8 --trips=64 %t.o | FileCheck %s --check-prefix=TRIPS
// RUN: %regrain inspect --footprint --kernel=sums --launch=for.block=64x1x1,for.arg2=100 %t.o | FileCheck %s --check-prefix=LAUNCH
// RUN: not %regrain inspect --footprint --launch=for.what=1 %t.o 2>&1 | FileCheck %s --check-prefix=WHAT
// WHAT: error: option '--launch': {{.*}}for.what
// RUN: %regrain inspect --footprint --json %t.o | FileCheck %s --check-prefix=JSON
// Without grains the image does not know.
// RUN: %regrain cc -O3 --targets=ptx -c %s -o %t.plain.o
// RUN: %regrain inspect --footprint %t.plain.o | FileCheck %s --check-prefix=PLAIN
// PLAIN: stencil({{.*}}: unknown, because no grain was requested or possible

// CHECK: stencil(float*, float const*, int): bytes of global memory that the original asks for, and touches in sectors of 32 bytes
// CHECK-NEXT: for a block of 256x1x1 threads
// CHECK-NEXT: conditions count as if they held
// CHECK-NEXT: memory {{ *}}access {{ *}}places {{ *}}bytes/thread {{ *}}asked {{ *}}touched {{ *}}asked/touched
// CHECK-NEXT: parameter 1 {{ *}}load {{ *}}3 {{ *}}12 {{ *}}3072 {{ *}}1088 {{ *}}2.82
// CHECK-NEXT: parameter 0 {{ *}}store {{ *}}1 {{ *}}4 {{ *}}1024 {{ *}}1024 {{ *}}1.00
// CHECK-NEXT: in all {{ *}}4096 {{ *}}2112 {{ *}}1.94
// CHECK-NEXT: floating-point operations of a thread: 2 on 32 bits
// SMALL: for a block of 64x1x1 threads
// SMALL: parameter 1 {{ *}}load {{ *}}3 {{ *}}12 {{ *}}768 {{ *}}320 {{ *}}2.40
__global__ void stencil(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    out[i] = in[i - 1] + in[i] + in[i + 1];
}

// CHECK: gather(float*, float const*, int const*): {{.*}}
// CHECK: parameter 1 {{ *}}load {{ *}}1 {{ *}}4 {{ *}}1024 {{ *}}unknown {{ *}}unknown
// CHECK: in all {{ *}}3072 {{ *}}unknown {{ *}}unknown
// CHECK-NEXT: {{.*}}footprint.cu:[[#@LINE+3]]: parameter 1: unknown, because its address depends on the thread in another way than linearly
__global__ void gather(float *out, const float *in, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}

// Each thread sums a row; the rows are apart.
// TRIPS: for a block of 32x8x1 threads, and 64 trips of each loop of unknown length
// TRIPS: parameter 1 {{ *}}load {{ *}}1 {{ *}}4*n1 {{ *}}65536 {{ *}}65536 {{ *}}1.00
// TRIPS: floating-point operations of a thread: 1*n1 on 32 bits
// LAUNCH: {{^}}  for a block of 64x1x1 threads{{$}}
// LAUNCH: parameter 1 {{ *}}load {{ *}}1 {{ *}}400 {{ *}}25600
// LAUNCH: floating-point operations of a thread: 100 on 32 bits
// JSON: "trips_given": false
// JSON: "touched_bytes": 1088
// JSON: "arithmetic"
// JSON: "conditional": true
// JSON-NEXT: "per_thread": "2"
// JSON-NEXT: "of_block": 512
__global__ void sums(float *out, const float *in, int n) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum;
}
