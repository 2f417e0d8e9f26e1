// A launch is sampled only if its reach is proved; and nothing else in the program uses the device meanwhile.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 -w --targets=cpu --alternatives=2 %s -o %t/program
//
// Copies, fills and frees of another thread wait.
// RUN: timeout 60 %regrain tune --budget=2 --db %t/threads.db -- %t/program threads 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: threads: right
// THREADS: regrain tune: 1 kernel, 1 class of launches
//
// The kernel reaches page-locked memory and device memory by addresses in a structure.
// RUN: timeout 60 %regrain tune --budget=1 --db %t/pinned.db -- %t/program pinned 2>&1 | FileCheck %s --check-prefix=PINNED
// PINNED: pinned: right
// PINNED: inStructure {{.*}}: argument 0 holds an address of page-locked host memory, which the program may change during a measurement
// RUN: timeout 60 %regrain tune --budget=1 --db %t/device.db -- %t/program device 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: device: right
// DEVICE: regrain tune: 1 kernel, 1 class of launches
//
// The kernel reaches unregistered memory of the host, which kernels of the CPU device can access.
// RUN: timeout 60 %regrain tune --budget=1 --db %t/foreign.db -- %t/program foreign 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: foreign: right
// FOREIGN: inStructure {{.*}}: argument 0 holds an address of memory that Regrain's runtime did not allocate, and cannot restore
//
// Managed memory is used while the launching thread is the only one, and while it is not.
// RUN: timeout 60 %regrain tune --budget=1 --db %t/managed.db -- %t/program managed 2>&1 | FileCheck %s --check-prefix=MANAGED
// MANAGED: managed: right
// MANAGED: regrain tune: 1 kernel, 1 class of launches
// RUN: timeout 60 %regrain tune --budget=1 --db %t/shared.db -- %t/program shared 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: shared: right
// SHARED: add {{.*}}: argument 0 points to managed memory, which 1 other thread of the program may use during a measurement
//
// Nodes on the device heap are in no list.
// RUN: timeout 60 %regrain tune --budget=1 --db %t/heap.db -- %t/program heap 2>&1 | FileCheck %s --check-prefix=HEAP
// HEAP: heap: right
// HEAP: visit {{.*}}: the kernel may use more memory than its arguments point to, and kernels have allocated memory on the device
//
// A child that was forked while another thread was at a sample ends.
// RUN: timeout 60 %regrain tune --budget=2 --db %t/fork.db -- %t/program fork 2>&1 | FileCheck %s --check-prefix=FORK
// FORK: fork: right
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

constexpr int n = 5000, launches = 24, threads = 128, blocks = (n + threads - 1) / threads;

__global__ void add(int *x, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}
struct Arguments {
  int *x;
  int by;
};
__global__ void inStructure(Arguments a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a.x[i] += a.by;
}
struct Node {
  Node *next;
  int value;
};
__device__ Node *lists[n];
__global__ void build() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    lists[i] = (Node *)malloc(sizeof(Node));
    lists[i]->next = nullptr;
    lists[i]->value = 0;
  }
}
__global__ void visit(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  if (i < n) {
    for (Node *node = lists[i]; node; node = node->next)
      sum += ++node->value;
    out[i] = sum;
  }
}

static int *onDevice() {
  int *x = nullptr;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  return x;
}
static bool isRight(const int *x) {
  int back[n];
  cudaMemcpy(back, x, sizeof back, cudaMemcpyDefault);
  for (int value : back)
    if (value != launches)
      return false;
  return cudaDeviceSynchronize() == cudaSuccess;
}
static bool runAdd(int *x) {
  for (int i = 0; i < launches; ++i)
    add<<<blocks, threads>>>(x, 1);
  return isRight(x);
}
static bool runInStructure(int *x) {
  for (int i = 0; i < launches; ++i)
    inStructure<<<blocks, threads>>>({x, 1});
  cudaDeviceSynchronize();
  return isRight(x);
}

/// Copies to its own memory and back, and allocates and frees, until it is stopped.
static bool copyMeanwhile(const std::atomic<bool> &stop) {
  bool isSame = true;
  for (int round = 1; !stop; ++round) {
    int *own = nullptr, out = 0;
    isSame &= cudaMalloc(&own, (1 + round % 3) << 16) == cudaSuccess;
    isSame &= cudaMemcpy(own, &round, sizeof round, cudaMemcpyHostToDevice) == cudaSuccess;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    isSame &= cudaMemcpy(&out, own, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess;
    isSame &= cudaFree(own) == cudaSuccess && out == round;
  }
  return isSame;
}
static bool runBeside(bool (*main)(int *), int *x) {
  std::atomic<bool> stop{false};
  bool isSame = true;
  std::thread other([&] { isSame = copyMeanwhile(stop); });
  bool isRight = main(x);
  stop = true;
  other.join();
  return isRight && isSame;
}
static bool runHeap() {
  int *out = onDevice();
  build<<<blocks, threads>>>();
  for (int i = 0; i < launches; ++i)
    visit<<<blocks, threads>>>(out);
  return isRight(out);
}
static bool runFork() {
  bool isRight = true;
  std::thread launching([&] { isRight = runAdd(onDevice()); });
  for (int i = 0; isRight && i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    pid_t child = fork();
    if (child == 0)
      std::exit(0);
    int status = -1;
    for (int wait = 0; wait < 5000 && waitpid(child, &status, WNOHANG) == 0; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    isRight &= status == 0;
  }
  launching.join();
  return isRight;
}

int main(int, char **argv) {
  bool isGood = false;
  int *x = nullptr;
  if (!std::strcmp(argv[1], "threads"))
    isGood = runBeside(runAdd, onDevice());
  if (!std::strcmp(argv[1], "device"))
    isGood = runInStructure(onDevice());
  if (!std::strcmp(argv[1], "pinned")) {
    cudaMallocHost(&x, n * sizeof(int));
    std::memset(x, 0, n * sizeof(int));
    isGood = runInStructure(x);
  }
  if (!std::strcmp(argv[1], "foreign"))
    isGood = runInStructure((int *)std::calloc(n, sizeof(int)));
  if (!std::strcmp(argv[1], "managed") || !std::strcmp(argv[1], "shared")) {
    cudaMallocManaged(&x, n * sizeof(int));
    std::memset(x, 0, n * sizeof(int));
    isGood = *argv[1] == 's' ? runBeside(runAdd, x) : runAdd(x);
  }
  if (!std::strcmp(argv[1], "heap"))
    isGood = runHeap();
  if (!std::strcmp(argv[1], "fork"))
    isGood = runFork();
  std::printf("%s: %s\n", argv[1], isGood ? "right" : "wrong");
  return !isGood;
}
