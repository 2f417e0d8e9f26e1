//===- waits.h - Ways to wait -----------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each returns when the word that it gets is not 0. Its own writes leave the
// word 0 until then.
//
//===----------------------------------------------------------------------===//
#pragma once

#define POLL(NAME, READ)                                                                           \
  struct NAME {                                                                                    \
    static __device__ void wait(int *word) {                                                       \
      while ((READ) == 0) {                                                                        \
      }                                                                                            \
    }                                                                                              \
  };

POLL(ByVolatile, *(volatile int *)word)
POLL(ByAdd, atomicAdd(word, 0))
POLL(ByBlockAdd, atomicAdd_block(word, 0))
POLL(BySystemAdd, atomicAdd_system(word, 0))
POLL(BySub, atomicSub(word, 0))
POLL(ByMax, atomicMax(word, 0))
POLL(ByMin, atomicMin(word, 1000))
POLL(ByOr, atomicOr(word, 0))
POLL(ByAnd, atomicAnd(word, -1))
POLL(ByXor, atomicXor_block(word, 0))
POLL(ByCas, atomicCAS(word, 0, 0))
POLL(BySystemCas, atomicCAS_system(word, 0, 0))
POLL(ByInc, atomicInc((unsigned *)word, 0))
POLL(ByDec, atomicDec_block((unsigned *)word, 0))

/// Takes the word and puts it back, until it is not 0.
struct ByExchange {
  static __device__ void wait(int *word) {
    int taken;
    while ((taken = atomicExch(word, 0)) == 0) {
    }
    atomicExch(word, taken);
  }
};

/// The read is plain, and the fence makes it read again.
struct ByFence {
  static __device__ void wait(int *word) {
    while (*word == 0)
      __threadfence();
  }
};

struct Sleeping {
  static __device__ void wait(int *word) {
    for (unsigned nanoseconds = 8; *(volatile int *)word == 0; nanoseconds *= 2)
      __nanosleep(nanoseconds);
  }
};

/// The read is in a function of its own.
__device__ __noinline__ int peek(int *word) { return atomicMax(word, 0); }
struct ByCall {
  static __device__ void wait(int *word) {
    while (!peek(word)) {
    }
  }
};

__device__ __noinline__ void waitElsewhere(int *word) {
  while (atomicOr(word, 0) == 0) {
  }
}
struct NotInlined {
  static __device__ void wait(int *word) { waitElsewhere(word); }
};

/// The pointer differs in each iteration.
struct ByStrides {
  static __device__ void wait(int *word) {
    int *ways[2] = {word, word};
    for (unsigned i = 0; atomicAdd(ways[i % 2], 0) == 0; ++i) {
    }
  }
};

struct ByGoto {
  static __device__ void wait(int *word) {
    int turn = 0;
    if (*(volatile int *)word > 5)
      goto second;
  first:
    ++turn;
    if (atomicAdd(word, 0) != 0)
      goto out;
  second:
    if (turn % 3 == 2)
      ++turn;
    if (*(volatile int *)word == 0)
      goto first;
    if (turn < 0)
      goto second;
  out:
    return;
  }
};

/// A variable that is set after a successful read ends the loop.
struct ByState {
  static __device__ void wait(int *word) {
    bool done = false;
    int turns = 0;
    do {
      if (atomicCAS(word, 0, 0) != 0)
        done = true;
      else
        ++turns;
    } while (!done);
  }
};

/// Compares with the value read before and succeeds only if that was not 0.
struct ByTaking {
  static __device__ void wait(int *word) {
    while (true) {
      int seen = *(volatile int *)word;
      if (seen != 0 && atomicCAS(word, seen, seen) == seen)
        return;
    }
  }
};

/// The loop is bounded, but far beyond the time that the other thread needs.
struct Bounded {
  static __device__ void wait(int *word) {
    for (int i = 0; i < 1 << 20; ++i)
      if (atomicAdd_system(word, 0) != 0)
        return;
  }
};

/// The loop is in a function that calls itself.
__device__ __noinline__ int descend(int *word, int depth) {
  if (depth > 0)
    return descend(word, depth - 1) + 1;
  while (atomicMax(word, 0) == 0) {
  }
  return 0;
}
struct BelowRecursion {
  static __device__ void wait(int *word) { descend(word, *(volatile int *)word * 0 + 6); }
};

/// Each call polls once, and calls itself if there is nothing.
__device__ __noinline__ int again(int *word, int depth) {
  if (atomicAdd(word, 0) != 0)
    return depth;
  int deeper = again(word, depth + 1);
  return deeper + (deeper > 2);
}
struct ByRecursion {
  static __device__ void wait(int *word) { again(word, 0); }
};

/// Two functions that call each other.
__device__ __noinline__ int even(int *word, int depth);
__device__ __noinline__ int odd(int *word, int depth) {
  while (atomicExch(word, atomicAdd(word, 0)) == 0) {
  }
  return depth > 0 ? even(word, depth - 1) + 1 : 0;
}
__device__ __noinline__ int even(int *word, int depth) {
  return depth > 0 ? odd(word, depth - 1) + 2 : 0;
}
struct ByTurns {
  static __device__ void wait(int *word) { odd(word, 4); }
};

/// A lambda is behind a pointer in shared memory.
struct ByPointer {
  static __device__ void wait(int *word) {
    __shared__ void (*poll[32])(int *);
    poll[threadIdx.x % 32] = [](int *flag) {
      while (atomicAdd(flag, 0) == 0) {
      }
    };
    __threadfence_block();
    ((void (*volatile *)(int *))poll)[threadIdx.x % 32](word);
  }
};

/// The loop is here, the read is behind a pointer.
struct ByPointedRead {
  static __device__ void wait(int *word) {
    __shared__ int (*read)(int *);
    read = [](int *flag) { return atomicOr(flag, 0); };
    __threadfence_block();
    while (!(*(int (*volatile *)(int *))&read)(word)) {
    }
  }
};

/// A virtual function.
struct Poller {
  __device__ virtual int read(int *word) const { return *(volatile int *)word; }
};
struct AtomicPoller : Poller {
  __device__ int read(int *word) const override { return atomicMax(word, 0); }
};
__device__ __noinline__ void waitWith(const Poller &poller, int *word) {
  while (poller.read(word) == 0) {
  }
}
struct ByVirtual {
  static __device__ void wait(int *word) {
    AtomicPoller atomic;
    Poller plain;
    if (threadIdx.x % 2)
      waitWith(plain, word);
    else
      waitWith(atomic, word);
  }
};

#define FOR_EACH_WAIT(X)                                                                           \
  X(ByVolatile)                                                                                    \
  X(ByAdd)                                                                                         \
  X(ByBlockAdd)                                                                                    \
  X(BySystemAdd)                                                                                   \
  X(BySub)                                                                                         \
  X(ByMax)                                                                                         \
  X(ByMin)                                                                                         \
  X(ByOr)                                                                                          \
  X(ByAnd)                                                                                         \
  X(ByXor)                                                                                         \
  X(ByCas)                                                                                         \
  X(BySystemCas)                                                                                   \
  X(ByInc)                                                                                         \
  X(ByDec)                                                                                         \
  X(ByExchange)                                                                                    \
  X(ByFence)                                                                                       \
  X(Sleeping)                                                                                      \
  X(ByCall)                                                                                        \
  X(NotInlined)                                                                                    \
  X(ByStrides)                                                                                     \
  X(ByGoto)                                                                                        \
  X(ByState)                                                                                       \
  X(ByTaking)                                                                                      \
  X(Bounded)                                                                                       \
  X(BelowRecursion)                                                                                \
  X(ByRecursion)                                                                                   \
  X(ByTurns)                                                                                       \
  X(ByPointer)                                                                                     \
  X(ByPointedRead)                                                                                 \
  X(ByVirtual)
