// Shared memory, barriers, vectors, atomics, module variables, printf. Loops have forms of their own
// (docs/decisions/0078).
__device__ int counter;
static __device__ float table[32];
__constant__ float weights[9];

template <typename T> __device__ T square(T x) { return x * x; }

__global__ void __launch_bounds__(256) convolve(const float *in, float *out, int width) {
  __shared__ float tile[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  float sum = weights[0] * tile[threadIdx.y][threadIdx.x];
  sum += weights[3] * tile[threadIdx.y + 1][threadIdx.x];
  sum += weights[7] * tile[threadIdx.y + 2][threadIdx.x + 1];
  if (x < width)
    out[y * width + x] = square(sum) / table[threadIdx.x];
}

__global__ void count(const float4 *values, float4 *copies, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 value = values[i];
  if (value.x > value.y)
    atomicAdd(&counter, 1);
  if (value.z < 0)
    printf("%d\n", i);
  copies[i] = value;
}

__global__ void reduce(const double *values, double *result, int n) {
  extern __shared__ double partial[];
  int i = threadIdx.x;
  partial[i] = i < n ? values[i] * values[i] : 0;
  __syncthreads();
  if (i < blockDim.x / 2)
    partial[i] += partial[i + blockDim.x / 2];
  __syncthreads();
  if (threadIdx.x == 0)
    *result = partial[0];
}
