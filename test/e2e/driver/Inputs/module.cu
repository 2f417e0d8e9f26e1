__constant__ int offset = 5;
__device__ int launches;
static __constant__ int hidden = 2;
namespace {
__device__ int unnamed;
}

extern "C" __global__ void scale(int *values, int count, int factor) {
  extern __shared__ int shared[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i < count ? values[i] : 0;
  __syncthreads();
  if (i < count)
    values[i] = shared[threadIdx.x] * factor + offset;
  if (i == 0)
    ++launches;
}

/// Reads variables with internal linkage that the program may have written.
extern "C" __global__ void readHidden(int *out) {
  static __device__ int calls;
  out[0] = hidden;
  out[1] = unnamed;
  out[2] = ++calls;
}

/// Reads the third row of a texture.
extern "C" __global__ void sample(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 2);
}
