// One thread captures while another's launches are measured: neither disturbs the other.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 --targets=cpu --alternatives=2 %s -o %t/program
// RUN: timeout 60 %t/program
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %regrain tune --budget=4 --db %t/db -- %t/program 2> %t/err
// RUN: FileCheck %s --input-file %t/err
// CHECK: regrain tune: 1 kernel, {{[0-9]+}} class{{(es)?}} of launches
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

__global__ void step(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 0.5f + 0.25f;
}

static std::atomic<bool> isDone = false;

static int capture() {
  cudaStream_t stream;
  cudaGraph_t graph;
  int spoilt = 0;
  void *pointer = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  while (!isDone) {
    spoilt += cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess;
    spoilt += cudaMemsetAsync(&pointer, 0, sizeof pointer, stream) != cudaSuccess;
    std::this_thread::yield();
    spoilt += cudaStreamEndCapture(stream, &graph) != cudaSuccess;
    if (graph)
      cudaGraphDestroy(graph);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  cudaStreamDestroy(stream);
  return spoilt;
}

int main() {
  const int n = 1 << 12;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  step<<<n / 512, 512>>>(x, n);
  cudaDeviceSynchronize();
  int spoilt = 0;
  std::thread other([&] { spoilt = capture(); });
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  // There are many classes, so that many launches are measured while no capture is in progress.
  for (int threads = 32; threads <= 256; threads += 32)
    for (int i = 0; i < 20; ++i)
      step<<<(n + threads - 1) / threads, threads, 0, stream>>>(x, n);
  cudaError_t left = cudaGetLastError();
  isDone = true;
  other.join();
  if (spoilt || left)
    std::printf("%d calls failed, %s\n", spoilt, cudaGetErrorName(left));
  return spoilt || left || cudaDeviceSynchronize();
}
