// A tuning run does not measure launches of a capture, and reports that; a
// kernel that is also launched outside of it is tuned there.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 --targets=cpu --alternatives=2 %s -o %t/program
// RUN: %t/program > %t/plain
// RUN: env REGRAIN_NUM_THREADS=1 %regrain tune --budget=2 --db %t/db -- %t/program > %t/out 2> %t/err
// RUN: cmp %t/plain %t/out
// RUN: FileCheck %s --input-file %t/err --implicit-check-not='both 64 {{.*}}: it was'
// RUN: env REGRAIN_NUM_THREADS=1 %regrain tune --mode=in-place --unverified --db %t/db2 -- %t/program > %t/out
// RUN: cmp %t/plain %t/out
// CHECK: regrain tune: 2 kernels, 2 classes of launches
// CHECK-DAG: {{^}}  both {{ *}}64 waves={{.*}}
// CHECK-DAG: {{^}}  after {{ *}}64 waves={{.*}}
// CHECK: not tuned, the original runs:
// CHECK-NEXT: {{^}}  captured 64 {{.*}}: it was launched during a graph capture
// CHECK-NEXT: {{^}}  beside 64 {{.*}}: it was launched during a graph capture
// CHECK-NEXT: {{^}}  lost 64 {{.*}}: whether its stream captures is not known: asking failed with CUDA error 400 (cudaErrorInvalidResourceHandle)
#include <cstdio>

template <int By> __device__ void work(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * x[i] + 0.01f * By;
}

__global__ void both(float *x, int n) { work<1>(x, n); }
__global__ void captured(float *x, int n) { work<2>(x, n); }
__global__ void beside(float *x, int n) { work<3>(x, n); }
__global__ void lost(float *x, int n) { work<5>(x, n); }
__global__ void after(float *x, int n) { work<4>(x, n); }

int main() {
  const int n = 1 << 12;
  float *x, *other, result[2];
  cudaStream_t stream, second;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&other, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(other, 0, n * sizeof(float));
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  for (int i = 0; i < 4; ++i)
    both<<<n / 64, 64, 0, stream>>>(x, n);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  both<<<n / 64, 64, 0, stream>>>(x, n);
  captured<<<n / 64, 64, 0, stream>>>(x, n);
  // Waiting for this one would invalidate the capture.
  beside<<<n / 64, 64, 0, second>>>(other, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(executable, stream);
  for (int i = 0; i < 4; ++i)
    after<<<n / 64, 64, 0, stream>>>(x, n);
  cudaDeviceSynchronize();
  cudaMemcpy(&result[0], x, sizeof(float), cudaMemcpyDefault);
  cudaMemcpy(&result[1], other, sizeof(float), cudaMemcpyDefault);
  std::printf("%a %a %s\n", result[0], result[1], cudaGetErrorName(cudaGetLastError()));
  cudaStreamDestroy(second);
  lost<<<n / 64, 64, 0, second>>>(x, n);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
