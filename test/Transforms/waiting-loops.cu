// Loops that wait for another thread or block are refused, in any form; loops
// that make progress by themselves are not.
//
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:block.x=2' %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t.remarks

__device__ float sink;

// CHECK-DAG: kernel 'spinExchange(int*)' is built without block.x=2: a loop may wait
__global__ void spinExchange(int *lock) {
  while (atomicExch(lock, 1)) {
  }
  sink += 1;
  atomicExch(lock, 0);
}

// CHECK-DAG: kernel 'spinExpected(int*)' is built without block.x=2: a loop may wait
__global__ void spinExpected(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0)
    __nanosleep(20);
  sink += 1;
  atomicExch(lock, 0);
}

// The value for the comparison is made from the one seen: another thread must
// first clear the bit.
// CHECK-DAG: kernel 'spinBit(unsigned int*)' is built without block.x=2: a loop may wait
__global__ void spinBit(unsigned *word) {
  unsigned seen = *word, expected;
  do {
    expected = seen & ~1u;
    seen = atomicCAS(word, expected, expected | 1u);
  } while (seen != expected);
  sink += 1;
  atomicAnd(word, ~1u);
}

// It only tries when the lock looks free.
// CHECK-DAG: kernel 'testAndSet(int*)' is built without block.x=2: a loop may wait
__global__ void testAndSet(int *lock) {
  for (;;) {
    int seen = *(volatile int *)lock;
    if (seen == 0 && atomicCAS(lock, seen, 1) == seen)
      break;
  }
  sink += 1;
  atomicExch(lock, 0);
}

// Assembly makes the compiler read again.
// CHECK-DAG: kernel 'spinClobber(int*)' is built without block.x=2: a loop may wait
__global__ void spinClobber(int *flag) {
  while (*flag == 0)
    asm volatile("" ::: "memory");
}

// CHECK-DAG: kernel 'spinAcquire(int*)' is built without block.x=2: a loop may wait
__global__ void spinAcquire(int *flag) {
  int seen;
  do
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  while (seen == 0);
}

// CHECK-DAG: kernel 'spinAdd(int*)' is built without block.x=2: a loop may wait
__global__ void spinAdd(int *lock) {
  while (atomicAdd(lock, 1) != 0) {
  }
  sink += 1;
  atomicExch(lock, 0);
}

// CHECK-DAG: kernel 'semaphore(int*)' is built without block.x=2: a loop may wait
__global__ void semaphore(int *free) {
  while (atomicSub(free, 1) <= 0)
    atomicAdd(free, 1);
  sink += 1;
  atomicAdd(free, 1);
}

// One thread takes the lock; the others see that in shared memory.
// CHECK-DAG: kernel 'blockLock(int*, float*)' is built without block.x=2: a loop may wait
__global__ void blockLock(int *lock, float *out) {
  __shared__ int taken;
  if (threadIdx.x == 0)
    taken = 0;
  __syncthreads();
  while (!taken) {
    if (threadIdx.x == 0)
      taken = atomicCAS(lock, 0, 1) == 0;
    __syncthreads();
  }
  out[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(lock, 0);
}

// CHECK-DAG: kernel 'fencedFlag(int*, int*)' is built without block.x=2: a loop may wait
__global__ void fencedFlag(int *flag, int *out) {
  while (flag[blockIdx.x] == 0)
    __threadfence();
  out[blockIdx.x] = 1;
  flag[blockIdx.x + 1] = 1;
}

// This is a decoupled look-back: the place changes, and yet it waits.
// CHECK-DAG: kernel 'lookBack(int volatile*, int*)' is built without block.x=2: a loop may wait
__global__ void lookBack(volatile int *status, int *out) {
  int at = int(blockIdx.x) - 1, sum = 0;
  while (at >= 0) {
    int seen = status[at];
    if (seen == 0)
      continue;
    sum += seen >> 2;
    if (seen & 2)
      break;
    --at;
  }
  out[blockIdx.x] = sum;
  status[blockIdx.x] = sum << 2 | 2;
}

// CHECK-DAG: kernel 'gridBarrier(unsigned int*, int*)' is built without block.x=2: a loop may wait
__global__ void gridBarrier(unsigned *arrived, int *out) {
  out[blockIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
  }
  __syncthreads();
  out[blockIdx.x] += out[(blockIdx.x + 1) % gridDim.x];
}

// CHECK-DAG: kernel 'chain(int volatile*)' is built without block.x=2: a loop may wait
__global__ void chain(volatile int *turn) {
again:
  if (*turn != blockIdx.x)
    goto again;
  __threadfence();
  *turn = blockIdx.x + 1;
}

// CHECK-DAG: kernel 'otherLane()' is built without block.x=2: a loop may wait
__global__ void otherLane() {
  __shared__ volatile int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 7)
    flag = 1;
  else if (threadIdx.x == 3)
    while (flag == 0) {
    }
}

// CHECK-DAG: kernel 'recursiveWait(int*)' is built without block.x=2: an operation may synchronise
__device__ int wait(volatile int *flag, int depth) {
  return *flag ? depth : wait(flag, depth ^ 1);
}
__global__ void recursiveWait(int *flag) { sink = wait(flag, 0); }

// CHECK-DAG: kernel 'ticketLock(unsigned int*, unsigned int*)' is built without block.x=2: a loop may wait
__global__ void ticketLock(unsigned *next, unsigned *serving) {
  unsigned own = atomicAdd(next, 1);
  while (atomicOr(serving, 0) != own) {
  }
  sink += 1;
  atomicAdd(serving, 1);
}

__device__ __noinline__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}

// CHECK-DAG: kernel 'waitInFunction(int*)' is built without block.x=2:
__global__ void waitInFunction(int *lock) {
  take(lock);
  sink += 1;
  atomicExch(lock, 0);
}

// CHECK-NOT: kernel 'makesProgress

__global__ void makesProgressMax(float *to, const float *from) {
  int *bits = (int *)to;
  int seen = *bits, expected;
  float own = from[blockIdx.x * blockDim.x + threadIdx.x];
  while (own > __int_as_float(seen)) {
    expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(own));
    if (seen == expected)
      break;
  }
}

__global__ void makesProgressAdd(double *to, const double *from) {
  unsigned long long *bits = (unsigned long long *)to;
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected,
                     __double_as_longlong(from[threadIdx.x] + __longlong_as_double(expected)));
  } while (seen != expected);
}

__global__ void makesProgressGuarded(int *parent, const int *from, int *out, int bit, int me) {
  int neighbor = from[blockIdx.x * blockDim.x + threadIdx.x], val, hash;
  do {
    val = parent[neighbor];
    hash = (val ^ 77) * 31;
  } while ((val < 0 || ((val & 3) == bit && (hash < me || (hash == me && val < me)))) &&
           atomicCAS(&parent[neighbor], val, me) != val);
  out[neighbor] = val;
}

// Results go to a parameter, which cannot point into the stack of the search.
__global__ void makesProgressSearch(unsigned long long *results) {
  __shared__ int stack[64];
  __shared__ int top;
  top = 1;
  stack[0] = threadIdx.x;
  while (top != 0) {
    int item = stack[--top];
    if (item == 7)
      results[1 + atomicAdd(results, 1ull)] = item;
    else if (item < 40)
      stack[top++] = item * 2 + 1;
  }
}

__global__ void makesProgressQueue(int *next, int *out, int n) {
  int item;
  while ((item = atomicAdd(next, 1)) < n)
    out[item] = item;
}

__global__ void makesProgressTree(int *visits, const int *parent, int *out) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  while (node > 0 && atomicAdd(&visits[node], 1) != 0) {
    out[node] = 1;
    node = parent[node];
  }
}

__global__ void makesProgressLastBlock(unsigned *arrived, int *out) {
  __shared__ bool isLast;
  out[blockIdx.x] = 1;
  __threadfence();
  if (threadIdx.x == 0)
    isLast = atomicInc(arrived, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i)
      sum += out[i];
    out[0] = sum;
  }
}
