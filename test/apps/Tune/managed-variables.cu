// A launch may reach the program's managed variables without an argument. They are restored after a sample, and no
// launch is sampled while another thread of the program may access them.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 -w --targets=cpu --alternatives=2 %s -o %t/program
// RUN: timeout 60 %regrain tune --budget=1 --db %t/alone.db -- %t/program 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: right
// ALONE: regrain tune: 1 kernel, 1 class of launches
// RUN: timeout 60 %regrain tune --budget=1 --db %t/beside.db -- %t/program beside 2>&1 | FileCheck %s --check-prefix=BESIDE
// BESIDE: right
// BESIDE: add {{.*}}: the program has managed variables, which 1 other thread of the program may use during a measurement
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

constexpr int n = 5000, launches = 24, threads = 128, blocks = (n + threads - 1) / threads;

__managed__ int variable[n];
__global__ void add(int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    variable[i] += by;
}

static bool run() {
  for (int i = 0; i < launches; ++i) {
    add<<<blocks, threads>>>(1);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return false;
    variable[0] += 2; // the host's own access between two launches
  }
  bool isRight = variable[0] == 3 * launches;
  for (int i = 1; i < n; ++i)
    isRight &= variable[i] == launches;
  return isRight;
}

int main(int count, char **) {
  std::atomic<bool> stop{count == 1};
  std::thread other([&] {
    while (!stop)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  if (stop)
    other.join();
  std::puts(run() ? "right" : "wrong");
  stop = true;
  if (other.joinable())
    other.join();
}
