"""Programs for isolation.py: host threads, streams and all kinds of memory at once, made from a seed.

Each program runs several workers, each with memory, streams and kernels of its own, in threads of their own or one
after the other, while other threads copy, allocate and free. What a worker prints follows from integers alone, so it
is the same in every run that is right. A launch adds to what was there: one that is repeated, lost or taken back shows.
"""
import random

PRELUDE = r"""
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <vector>
#define OK(call)                                                                                                       \
  do {                                                                                                                 \
    cudaError_t status_ = (call);                                                                                      \
    if (status_ != cudaSuccess) {                                                                                      \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorName(status_));                                      \
      std::_Exit(3);                                                                                                   \
    }                                                                                                                  \
  } while (0)
using Sum = unsigned long long;
constexpr int n = 6000, threads = 128, blocks = (n + threads - 1) / threads;
static Sum sumOf(const unsigned *x, int count) {
  Sum sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 1000003 + x[i];
  return sum;
}
static Sum sumOnDevice(const unsigned *x, cudaStream_t stream) {
  std::vector<unsigned> back(n);
  OK(cudaMemcpyAsync(back.data(), x, n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  return sumOf(back.data(), n);
}
static std::atomic<bool> stop{false};
struct Arguments { unsigned *x; int count; unsigned add; };
template <int W> __global__ void step(unsigned *x, int count, unsigned add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = x[i] * 1664525u + add + i;
}
template <int W> __global__ void stepOf(Arguments a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.count) a.x[i] += a.add + i % 7;
}
template <int W> __global__ void stepRows(unsigned *const *rows, int row, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) rows[row][i] = rows[row][i] * 3 + row;
}
template <int W> __global__ void tally(unsigned *bins, const unsigned *x, int count) {
  __shared__ unsigned own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&own[x[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
struct Node { Node *next; unsigned value; };
template <int W> __device__ Node *list;
template <int W> __device__ unsigned counts[n];
template <int W> __global__ void build() {
  if (threadIdx.x || blockIdx.x) return;
  list<W> = nullptr;
  for (unsigned i = 0; i < 16; ++i) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    node->next = list<W>;
    node->value = i;
    list<W> = node;
  }
}
template <int W> __global__ void visit(unsigned *out) {
  if (threadIdx.x || blockIdx.x) return;
  unsigned sum = 0;
  for (Node *node = list<W>; node; node = node->next) sum = sum * 31 + ++node->value;
  *out += sum;
}
template <int W> __global__ void count(int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) counts<W>[i] += i % 5 + 1;
}
template <typename T> T *onDevice(size_t number) {
  T *memory = nullptr;
  OK(cudaMalloc(&memory, number * sizeof(T)));
  return memory;
}
struct Stream {
  cudaStream_t stream;
  Stream() { OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { OK(cudaStreamDestroy(stream)); }
  operator cudaStream_t() const { return stream; }
};
"""

ZEROES = "  unsigned *x = onDevice<unsigned>(n);\n  OK(cudaMemsetAsync(x, 0, n * sizeof(unsigned), s));\n"

# These are the bodies of workers, with number W and L launches. Each ends by
# returning its sum.
KINDS = {
    "device": ZEROES + """
  for (int i = 0; i < L; ++i) {
    step<W><<<blocks, threads, 0, s>>>(x, n, i);
    if (i % 8 == 5) OK(cudaStreamSynchronize(s));
  }
  Sum sum = sumOnDevice(x, s);
  OK(cudaFree(x));
  return sum;""",
    "structure": ZEROES + """
  for (int i = 0; i < L; ++i) stepOf<W><<<blocks, threads, 0, s>>>({x, n, unsigned(i)});
  Sum sum = sumOnDevice(x, s);
  OK(cudaFree(x));
  return sum;""",
    "pinned": """
  unsigned *x;
  OK(cudaMallocHost(&x, n * sizeof(unsigned)));
  std::memset(x, 0, n * sizeof(unsigned));
  for (int i = 0; i < L; ++i) stepOf<W><<<blocks, threads, 0, s>>>({x, n, unsigned(i)});
  OK(cudaStreamSynchronize(s));
  Sum sum = sumOf(x, n);
  OK(cudaFreeHost(x));
  return sum;""",
    "registered": """
  size_t bytes = (n * sizeof(unsigned) + 4095) / 4096 * 4096;
  unsigned *x = static_cast<unsigned *>(std::aligned_alloc(4096, bytes)), *there;
  std::memset(x, 0, bytes);
  OK(cudaHostRegister(x, bytes, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&there), x, 0));
  for (int i = 0; i < L; ++i) {
    stepOf<W><<<blocks, threads, 0, s>>>({there, n / 2, unsigned(i)});
    for (int j = n / 2; j < n; ++j) x[j] += j; // the host writes the rest meanwhile
  }
  OK(cudaStreamSynchronize(s));
  Sum sum = sumOf(x, n);
  OK(cudaHostUnregister(x));
  std::free(x);
  return sum;""",
    "managed": """
  unsigned *x;
  OK(cudaMallocManaged(&x, n * sizeof(unsigned)));
  for (int i = 0; i < n; ++i) x[i] = i;
  for (int i = 0; i < L; ++i) {
    step<W><<<blocks, threads, 0, s>>>(x, n, i);
    if (i % 4 == 3) {
      OK(cudaStreamSynchronize(s));
      for (int j = 0; j < n; j += 11) x[j] += i;
    }
  }
  OK(cudaStreamSynchronize(s));
  Sum sum = sumOf(x, n);
  OK(cudaFree(x));
  return sum;""",
    "foreign": """
  int device, reaches;
  OK(cudaGetDevice(&device));
  OK(cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, device));
  std::vector<unsigned> own(n);
  unsigned *x = own.data();
  if (!reaches) {
    OK(cudaMallocManaged(&x, n * sizeof(unsigned)));
    std::memset(x, 0, n * sizeof(unsigned));
  }
  for (int i = 0; i < L; ++i) stepOf<W><<<blocks, threads, 0, s>>>({x, n, unsigned(i)});
  OK(cudaStreamSynchronize(s));
  Sum sum = sumOf(x, n);
  if (!reaches) OK(cudaFree(x));
  return sum;""",
    "rows": """
  unsigned *rows[4], **table = onDevice<unsigned *>(4);
  for (unsigned *&row : rows) {
    row = onDevice<unsigned>(n);
    OK(cudaMemsetAsync(row, 0, n * sizeof(unsigned), s));
  }
  OK(cudaMemcpyAsync(table, rows, sizeof rows, cudaMemcpyHostToDevice, s));
  for (int i = 0; i < L; ++i) stepRows<W><<<blocks, threads, 0, s>>>(table, i % 4, n);
  Sum sum = 0;
  for (unsigned *row : rows) {
    sum = sum * 31 + sumOnDevice(row, s);
    OK(cudaFree(row));
  }
  OK(cudaFree(table));
  return sum;""",
    "variable": """
  std::vector<unsigned> back(n);
  for (int i = 0; i < L; ++i) count<W><<<blocks, threads, 0, s>>>(n - i);
  OK(cudaStreamSynchronize(s));
  OK(cudaMemcpyFromSymbol(back.data(), counts<W>, n * sizeof(unsigned)));
  return sumOf(back.data(), n);""",
    "heap": """
  unsigned *out = onDevice<unsigned>(1), sum = 0;
  OK(cudaMemsetAsync(out, 0, sizeof sum, s));
  build<W><<<1, 32, 0, s>>>();
  for (int i = 0; i < L; ++i) visit<W><<<1, 32, 0, s>>>(out);
  OK(cudaMemcpyAsync(&sum, out, sizeof sum, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaFree(out));
  return sum;""",
    "two streams": ZEROES + """
  Stream other;
  cudaEvent_t event, back;
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaEventCreateWithFlags(&back, cudaEventDisableTiming));
  unsigned *bins = onDevice<unsigned>(n);
  OK(cudaMemsetAsync(bins, 0, n * sizeof(unsigned), s));
  for (int i = 0; i < L; ++i) {
    step<W><<<blocks, threads, 0, s>>>(x, n, i);
    OK(cudaEventRecord(event, s));
    OK(cudaStreamWaitEvent(other, event, 0));
    tally<W><<<blocks, threads, 0, other>>>(bins, x, n);
    // Into the same allocation, beside what the kernel writes.
    OK(cudaMemcpyAsync(bins + 64 + i % 64, x + i, sizeof(unsigned), cudaMemcpyDeviceToDevice, other));
    OK(cudaEventRecord(back, other));
    OK(cudaStreamWaitEvent(s, back, 0));
  }
  OK(cudaStreamSynchronize(other));
  Sum sum = sumOnDevice(bins, s) * 31 + sumOnDevice(x, s);
  OK(cudaEventDestroy(event));
  OK(cudaEventDestroy(back));
  OK(cudaFree(bins));
  OK(cudaFree(x));
  return sum;""",
    "halves": ZEROES + """
  OK(cudaStreamSynchronize(s));
  Stream other; // works on the other half of the allocation, without any order between the two
  for (int i = 0; i < L; ++i) {
    step<W><<<blocks / 2, threads, 0, s>>>(x, n / 2, i);
    OK(cudaMemsetAsync(x + n / 2 + i * 16, i + 1, 16 * sizeof(unsigned), other));
  }
  OK(cudaStreamSynchronize(other));
  Sum sum = sumOnDevice(x, s);
  OK(cudaFree(x));
  return sum;""",
    "graph": ZEROES + """
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  OK(cudaStreamSynchronize(s));
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  step<W><<<blocks, threads, 0, s>>>(x, n, 5);
  OK(cudaStreamEndCapture(s, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < L; ++i) {
    OK(cudaGraphLaunch(executable, s));
    step<W><<<blocks, threads, 0, s>>>(x, n, i);
  }
  Sum sum = sumOnDevice(x, s);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaFree(x));
  return sum;""",
    "host functions": ZEROES + """
  int calls = 0;
  for (int i = 0; i < L; ++i) {
    step<W><<<blocks, threads, 0, s>>>(x, n, i);
    if (i % 3 == 0) OK(cudaLaunchHostFunc(s, [](void *data) { ++*static_cast<int *>(data); }, &calls));
  }
  Sum sum = sumOnDevice(x, s) + calls;
  OK(cudaFree(x));
  return sum;""",
}

BACKGROUND = {
    "loader": """
  Stream s;
  constexpr int own = 1 << 14;
  int *there = onDevice<int>(own), *in, *out;
  OK(cudaMallocHost(&in, own * sizeof(int)));
  OK(cudaMallocHost(&out, own * sizeof(int)));
  for (int round = 1; !stop; ++round) {
    for (int i = 0; i < own; ++i) in[i] = round * 1000003 + i;
    OK(cudaMemcpyAsync(there, in, own * sizeof(int), cudaMemcpyHostToDevice, s));
    OK(cudaStreamSynchronize(s));
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    OK(cudaMemcpyAsync(out, there, own * sizeof(int), cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    if (std::memcmp(in, out, own * sizeof(int))) {
      std::printf("the loader's memory was changed under it\\n");
      std::_Exit(4);
    }
  }
  OK(cudaFree(there));
  OK(cudaFreeHost(in));
  OK(cudaFreeHost(out));""",
    "allocator": """
  for (int i = 0; !stop; ++i) {
    char *p = onDevice<char>((1 + i % 5) << 18), first = 0;
    OK(cudaMemset(p, i, 1 << 16));
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    OK(cudaMemcpy(&first, p, 1, cudaMemcpyDeviceToHost));
    if (first != char(i)) {
      std::printf("the allocator's memory was changed under it\\n");
      std::_Exit(4);
    }
    OK(cudaFree(p));
  }""",
}


def make_program(seed: int) -> tuple[str, dict]:
    """Returns the source, and its contents. Every third program has one thread."""
    rng = random.Random(seed)
    has_threads = seed % 3 != 0
    kinds = [rng.choice(list(KINDS)) for _ in range(rng.randint(2, 4))]
    # With one thread, managed memory is tuned, so the program uses it.
    if not has_threads and "managed" not in kinds:
        kinds[0] = "managed"
    background = [name for name in BACKGROUND if has_threads and rng.random() < 0.7]
    source = [PRELUDE]
    for index, kind in enumerate(kinds):
        source.append(f"static Sum worker{index}() {{\n  constexpr int W = {index}, L = {rng.randint(24, 70)};\n"
                      f"  Stream s;\n{KINDS[kind]}\n}}")
    for name in background:
        source.append(f"static void {name}() {{{BACKGROUND[name]}\n}}")
    source.append("int main() {\n  OK(cudaFree(nullptr));\n  std::vector<Sum> sums(%d);" % len(kinds))
    if background:
        source.append("  std::vector<std::thread> others;")
        source += [f"  others.emplace_back({name});" for name in background]
    if has_threads:
        source.append("  std::vector<std::thread> workers;")
        source += [f"  workers.emplace_back([&] {{ sums[{i}] = worker{i}(); }});" for i in range(len(kinds))]
        source.append("  for (std::thread &worker : workers) worker.join();")
    else:
        source += [f"  sums[{i}] = worker{i}();" for i in range(len(kinds))]
    source.append("  stop = true;")
    if background:
        source.append("  for (std::thread &other : others) other.join();")
    source.append('  for (Sum sum : sums) std::printf("%llu\\n", sum);\n  return cudaDeviceSynchronize() != cudaSuccess;\n}')
    return "\n".join(source) + "\n", {"seed": seed, "workers": kinds, "background": background, "threads": has_threads}
