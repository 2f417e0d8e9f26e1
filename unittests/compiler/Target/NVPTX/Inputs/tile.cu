// Shared memory, barriers, a loop, vectors, atomics, module variables, printf.
__device__ int counter;
static __device__ float table[32];
__constant__ float weights[9];

template <typename T> __device__ T square(T x) { return x * x; }

__global__ void __launch_bounds__(256) convolve(const float *in, float *out, int width) {
  __shared__ float tile[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      sum += weights[dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
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
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += values[i] * values[i];
  partial[threadIdx.x] = sum;
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step)
      partial[threadIdx.x] += partial[threadIdx.x + step];
  }
  if (threadIdx.x == 0)
    *result = partial[0];
}
