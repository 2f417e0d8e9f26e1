// Where neighbours divide their numbers, the grain for launches in which they have one quotient comes before the others:
// one factor of each divisor is a multiple, the one that most have in common.
// RUN: %regrain explain --targets=ptx --alternatives=16 -DPRODUCTS %s | FileCheck %s --check-prefix=PRODUCTS
// RUN: %regrain explain --targets=ptx --alternatives=16 -DLOOP %s | FileCheck %s --check-prefix=LOOP
// RUN: %regrain explain --targets=ptx --alternatives=40 -DOTHER %s | FileCheck %s --check-prefix=OTHER

#ifdef PRODUCTS
// PRODUCTS: kept: {{.*}}thread.x=8,shape=1024x1x1,staging=transposed,for.arg4=32n,{{.*}}thread.x=4:contiguous,fuse.x=4,for.arg4=4n,for.pointers=16,{{.*}} thread.x=4:contiguous,for.arg4=4n,for.pointers=16, {{.*}}thread.x=4:contiguous,for.pointers=16
__global__ void permute(const float *in, float *out, int height, int depth, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < height * depth * width) {
    int z = i / (height * width), y = i / width % height, x = i % width;
    out[(x * depth + z) * height + y] = in[i];
  }
}
#endif

#ifdef LOOP
// LOOP: kept: {{.*}}thread.x=4:contiguous,for.arg3=4n,for.pointers=16
__global__ void add(float *out, const float *row, int count, int width) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    out[i] += row[i % width];
}
#endif

#ifdef OTHER
// Each thread divides by a number of its own, and all of them divide by a constant.
// OTHER-NOT: for.arg
// OTHER: kept: {{.*}}contiguous,for.pointers
// OTHER-NOT: for.arg
__global__ void other(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i / in[i] + i / 12;
}
#endif
