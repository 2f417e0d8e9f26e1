// Grains for aligned pointers are proposed early if accesses of neighbours can then be joined, for targets that align
// accesses, and with the strides that decide about the alignment of rows.
// RUN: %regrain explain --targets=ptx --alternatives=12 -DADD %s | FileCheck %s --check-prefix=ADD
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=12 -DADD %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU
// RUN: %regrain explain --targets=ptx --alternatives=12 -DROWS %s | FileCheck %s --check-prefix=ROWS
// RUN: %regrain explain --targets=ptx --alternatives=12 -DOWN %s | FileCheck %s --check-prefix=OWN
// RUN: %regrain explain --targets=ptx --alternatives=40 -DNONE %s | FileCheck %s --check-prefix=NONE

#ifdef ADD
// ADD: kept: {{.*}}thread.x=4:contiguous,for.pointers=16
// CPU: :contiguous
// CPU-NOT: for.pointers
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
#endif

#ifdef ROWS
// The width is a stride; the number of rows and the padding of 64 elements are not.
// ROWS: kept: {{.*}}thread.x=4:contiguous,for.arg2=4n,for.pointers=16
__global__ void rows(const float *a, float *c, int width, int height, int padding) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int y = 0; y < height; ++y)
    c[y * width + 64 * padding + x] = a[y * width + x] + 1;
}
#endif

#ifdef OWN
// Each thread has four neighbours of its own.
// OWN: kept: {{.*}}for.pointers=16,
__global__ void norms(const float *a, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i * 4] * a[i * 4 + 1] + a[i * 4 + 2] * a[i * 4 + 3];
}
#endif

#ifdef NONE
// Types promise all that is needed, which shows in equal code, or a structure holds the pointer.
// NONE-NOT: contiguous,for.pointers
// NONE: for.pointers=16 for ptx: the same code as control
// NONE-NOT: contiguous,for.pointers
struct Holder {
  const float *a;
};
__global__ void copy(Holder holder, float4 *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = make_float4(holder.a[i], 0, 0, 0);
}
#endif
