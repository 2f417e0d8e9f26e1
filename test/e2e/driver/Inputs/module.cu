__constant__ int offset = 5;
__device__ int launches;

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

/// Reads the third row of a texture.
extern "C" __global__ void sample(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 2);
}
