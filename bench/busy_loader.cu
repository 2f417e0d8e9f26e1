// usage: busy_loader SECONDS
// One thread copies without a break while another launches, which measures the cost of
// `regrain tune` to it. Prints the round trips of the loader, its longest one, and the launches,
// over the whole time.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>

using Clock = std::chrono::steady_clock;
static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

__global__ void work(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] * 0.5f + x[i];
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  constexpr int n = 1 << 18, own = 1 << 16;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  std::atomic<bool> stop{false};
  long trips = 0;
  double longest = 0;
  std::thread loader([&] {
    cudaStream_t s;
    int *there, *here;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc(&there, own * sizeof(int));
    cudaMallocHost(&here, own * sizeof(int));
    for (; !stop; ++trips) {
      Clock::time_point begin = Clock::now();
      cudaMemcpyAsync(there, here, own * sizeof(int), cudaMemcpyHostToDevice, s);
      cudaMemcpyAsync(here, there, own * sizeof(int), cudaMemcpyDeviceToHost, s);
      cudaStreamSynchronize(s);
      longest = std::max(longest, since(begin));
    }
  });
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  long launches = 0;
  for (Clock::time_point begin = Clock::now(); since(begin) < seconds; ++launches) {
    work<<<(n + 127) / 128, 128, 0, s>>>(y, x, n);
    cudaStreamSynchronize(s);
  }
  stop = true;
  loader.join();
  std::printf("{\"seconds\": %g, \"roundTrips\": %ld, \"longestMilliseconds\": %.2f, \"launches\": %ld}\n", seconds, trips,
              longest * 1000, launches);
  return cudaDeviceSynchronize();
}
