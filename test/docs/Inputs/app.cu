#include <cstdio>

// The program "app.cu" of the pages of docs/.

__global__ void scale(float *data, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // docs/debugging.md stops in these lines.
  float value = data[i];
  data[i] = value * factor;
}

__global__ void stencil(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i] + in[i + 1];
}

int main() {
  const int n = 1 << 16;
  static float values[n];
  for (int i = 0; i < n; ++i)
    values[i] = i % 10;
  float *in, *out;
  if (cudaMalloc(&in, sizeof values) || cudaMalloc(&out, sizeof values))
    return 2;
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  for (int step = 0; step < 100; ++step) {
    scale<<<n / 256, 256>>>(in, 1);
    stencil<<<n / 256, 256>>>(out, in, n);
  }
  if (cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost))
    return 2;
  printf("out[1] is %g\n", values[1]);
}
