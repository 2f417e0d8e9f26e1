// Some launches of a kernel cannot be repeated on the same memory: these are
// the reasons, and what is not one.
//
// RUN: %regrain cc -w --targets=ptx --alternatives=1 -c %s -o %t.o 2> /dev/null
// RUN: %regrain inspect --json %t.o > %t.json
// RUN: %python %S/Inputs/reasons.py %t.json | FileCheck %s --match-full-lines
#include <cassert>
#include <cstdio>

__device__ int counter;
__device__ int *cell;

// CHECK: prints: it prints (replay.cu:[[#@LINE+1]])
__global__ void prints(int n) { if (n > 3) printf("%d\n", n); }

__device__ __noinline__ void say(int n) { printf("%d\n", n); }
__device__ __noinline__ int twice(int n) { if (n > 3) say(n); return 2 * n; }
// The position is in the kernel.
// CHECK-NEXT: printsFarDown: it prints (replay.cu:[[#@LINE+2]])
__global__ void printsFarDown(int *x) {
  *x = twice(*x);
}

// CHECK-NEXT: allocates: it allocates or frees memory on the device (replay.cu:[[#@LINE+1]])
__global__ void allocates() { cell = (int *)malloc(4); }
// CHECK-NEXT: frees: it allocates or frees memory on the device (replay.cu:[[#@LINE+1]])
__global__ void frees() { free(cell); }
// CHECK-NEXT: news: it allocates or frees memory on the device (replay.cu:[[#@LINE+1]])
__global__ void news() { cell = new int[4]; }

// CHECK-NEXT: systemFence: -
__global__ void systemFence(int *x) { x[0] = 1; __threadfence_system(); x[1] = 1; }
// CHECK-NEXT: systemAdd: -
__global__ void systemAdd(int *x) { atomicAdd_system(x, 1); }
// CHECK-NEXT: systemAssembly: it has inline assembly that may reach beyond the device: 'st.release.sys.u32' (replay.cu:[[#@LINE+1]])
__global__ void systemAssembly(int *x) { asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(x), "r"(1) : "memory"); }
// CHECK-NEXT: acquiresOfTheSystem: -
__global__ void acquiresOfTheSystem(unsigned *x) { x[1] = __nv_atomic_load_n(x, __NV_ATOMIC_ACQUIRE); }
// CHECK-NEXT: unknownAssembly: it has inline assembly that may reach beyond the device: 'brkpt' (replay.cu:[[#@LINE+1]])
__global__ void unknownAssembly(int *x) { *x = 1; asm volatile("brkpt;"); }

// CHECK-NEXT: waits: it may wait for another thread (replay.cu:[[#@LINE+2]])
__global__ void waits(volatile int *flag, int *x) {
  while (*flag == 0)
    ;
  *x = 1;
}

// Only the launch itself writes to its shared memory.
// CHECK-NEXT: waitsInBlock: -
__global__ void waitsInBlock(int *x) {
  __shared__ volatile int flag;
  if (threadIdx.x < 32)
    flag = *x;
  while (flag == 0)
    ;
  *x = 1;
}
// CHECK-NEXT: waitsThroughBlock: it may wait for another thread (replay.cu:[[#@LINE+3]])
__global__ void waitsThroughBlock(volatile int *outside, int *x) {
  __shared__ volatile int flag;
  while (flag == 0)
    if (threadIdx.x == 0)
      flag = *outside;
  *x = 1;
}
// CHECK-NEXT: waitsBesideBlock: it may wait for another thread (replay.cu:[[#@LINE+4]])
__global__ void waitsBesideBlock(volatile int *outside, int *x) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) {
    while (*outside == 0)
      ;
    flag = 1;
  }
  while (flag == 0)
    ;
  *x = 1;
}
// CHECK-NEXT: waitsAtBarrier: -
__global__ void waitsAtBarrier(int *x) {
  __shared__ unsigned long long barrier;
  unsigned address = unsigned(__cvta_generic_to_shared(&barrier)), done = 0;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address) : "memory");
  __syncthreads();
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(address) : "memory");
  *x = 1;
}
// What is behind the wait may come from elsewhere.
// CHECK-NEXT: waitsThroughAssembly: it may wait for another thread (replay.cu:[[#@LINE+4]])
__global__ void waitsThroughAssembly(volatile int *outside, int *x) {
  __shared__ int flag;
  unsigned address = unsigned(__cvta_generic_to_shared(&flag)), done = 0;
  while (!done) {
    if (threadIdx.x == 0)
      asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(*outside) : "memory");
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(done) : "r"(address) : "memory");
  }
  *x = 1;
}
// CHECK-NEXT: waitsByAssembly: it may wait for another thread (replay.cu:[[#@LINE+3]])
__global__ void waitsByAssembly(int *outside, int *x) {
  unsigned done = 0;
  while (!done)
    asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(done) : "l"(outside) : "memory");
  *x = 1;
}
// The pointer may point to either memory.
// CHECK-NEXT: waitsForEither: it may wait for another thread (replay.cu:[[#@LINE+4]])
__global__ void waitsForEither(volatile int *outside, int *x) {
  __shared__ volatile int flag;
  volatile int *either = *x > 3 ? &flag : outside;
  while (*either == 0)
    ;
  *x = 1;
}
// CHECK-NEXT: storesTime: it stores the time (replay.cu:[[#@LINE+5]])
__global__ void storesTime(long long *took, float *x, int n) {
  long long begin = clock64();
  for (int i = 0; i < n; ++i)
    x[i] += 1;
  took[threadIdx.x] = clock64() - begin;
}
// CHECK-NEXT: addsTime: it stores the time (replay.cu:[[#@LINE+1]])
__global__ void addsTime() { atomicAdd(&counter, int(clock()) & 7); }

typedef void (*Function)(int);
__device__ Function table[2] = {say, say};
// CHECK-NEXT: callsTable: it prints (replay.cu:[[#@LINE+1]])
__global__ void callsTable(int n) { table[n & 1](n); }
// The function to which a passed pointer points is not known.
// CHECK-NEXT: callsPointer: it prints (replay.cu:[[#@LINE+1]])
__global__ void callsPointer(Function f, int n) { f(n); }
// A table that no call uses does not matter.
// CHECK-NEXT: copiesPointer: -
__global__ void copiesPointer(Function *to) { to[1] = to[0]; }

// CHECK-NEXT: asserts: -
__global__ void asserts(int *x) { assert(*x > 0); *x -= 1; }
// CHECK-NEXT: traps: -
__global__ void traps(int *x) { if (*x < 0) __trap(); *x -= 1; }
// CHECK-NEXT: trapsInAssembly: -
__global__ void trapsInAssembly(int *x) { if (*x < 0) asm volatile("trap;"); *x -= 1; }
// CHECK-NEXT: atomics: -
__global__ void atomics(int *x) { atomicAdd(x, 1); atomicCAS(x + 1, 0, 1); __threadfence(); }
// CHECK-NEXT: ofTheBlock: -
__global__ void ofTheBlock(int *x) { atomicAdd_block(x, 1); __threadfence_block(); }
// CHECK-NEXT: isVolatile: -
__global__ void isVolatile(volatile int *x) { x[1] = x[0]; }
// CHECK-NEXT: deviceAssembly: -
__global__ void deviceAssembly(int *x) {
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p bra skip; // of the device alone\n"
               "/* call vprintf */ skip: st.global.u32 [%1], %0; membar.gl; }" ::"r"(*x), "l"(x) : "memory");
}
// CHECK-NEXT: sharedTime: -
__global__ void sharedTime(int *x) {
  __shared__ int times[2];
  times[threadIdx.x & 1] = clock();
  __syncthreads();
  if (times[0] > times[1])
    *x = 1;
}
// CHECK-NEXT: draws: -
__global__ void draws(int *x, int n) { while (atomicAdd(x, 1) < n) atomicAdd(x + 1, 1); }
