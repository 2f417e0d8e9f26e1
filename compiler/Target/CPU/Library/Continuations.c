/*===- Continuations.c - The general path ------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Each thread of the block is a continuation whose frames lie in the thread's
|* part of the arena. All that can run are resumed in turn, until each waits or
|* has exited; then what can be released is.
|*
|* A recursion may be deeper than the thread's part has room for: the frames that find
|* none there are memory of their own, up to a limit.
|*
|* Arena: operand arrays (40 bytes a thread), padding to 64, then for each thread
|* a RegrainThread and its stack of frames.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Machine.h"

/* A switched-resume continuation starts with its resume function, null when done. */
typedef void (*Resume)(void *);
typedef void *(*Start)(RegrainThread *, void *const *args);

enum { FRAME_ALIGNMENT = 64, BEYOND_LIMIT = 1 << 20 };

/* The header of a frame that is allocated separately. */
typedef struct {
  void *memory;
  uint64_t bytes;
} OwnFrame;

static void *pushOwn(RegrainThread *thread, uint64_t bytes) {
  bytes += 2 * FRAME_ALIGNMENT;
  char *memory = thread->beyond + bytes > BEYOND_LIMIT ? 0 : regrain_cpu_malloc(bytes);
  if (!memory)
    regrain_cpu_trap("the stack of a device thread is exhausted: a recursion that may wait "
                     "for other threads is too deep");
  thread->beyond += bytes;
  char *frame = (char *)(((uint64_t)memory + 2 * FRAME_ALIGNMENT - 1) & -(uint64_t)FRAME_ALIGNMENT);
  ((OwnFrame *)frame)[-1] = (OwnFrame){memory, bytes};
  return frame;
}

static void popOwn(RegrainThread *thread, void *frame) {
  OwnFrame own = ((OwnFrame *)frame)[-1];
  thread->beyond -= own.bytes;
  regrain_cpu_free(own.memory);
}

REGRAIN_INLINE void *regrain_frame_push(RegrainThread *thread, uint64_t bytes) {
  char *frame = thread->top;
  bytes = (bytes + FRAME_ALIGNMENT - 1) & -(uint64_t)FRAME_ALIGNMENT;
  if ((uint64_t)(thread->limit - frame) < bytes)
    return pushOwn(thread, bytes);
  thread->top = frame + bytes;
  return frame;
}

REGRAIN_INLINE void regrain_frame_pop(RegrainThread *thread, void *frame) {
  if ((char *)frame >= (char *)thread && (char *)frame < thread->limit)
    thread->top = frame;
  else
    popOwn(thread, frame);
}

/* The header of a stack allocation of dynamic size, until its function returns. */
typedef struct OwnMemory {
  struct OwnMemory *before;
  void *memory;
} OwnMemory;

void *regrain_alloca_push(void **last, uint64_t bytes, uint64_t alignment) {
  alignment = alignment < sizeof(OwnMemory) ? sizeof(OwnMemory) : alignment;
  uint64_t room = sizeof(OwnMemory) + alignment - 1;
  char *memory = bytes + room < bytes ? 0 : regrain_cpu_malloc(bytes + room);
  if (!memory)
    regrain_cpu_trap("the stack of a device thread is exhausted: there is no memory for alloca");
  OwnMemory *own = (OwnMemory *)(((uint64_t)memory + room) & -alignment) - 1;
  *own = (OwnMemory){*last, memory};
  *last = own;
  return own + 1;
}

void regrain_alloca_pop(void **last, void *until) {
  while (*last != until) {
    OwnMemory *own = *last;
    *last = own->before;
    regrain_cpu_free(own->memory);
  }
}

REGRAIN_INLINE void regrain_thread_wait(RegrainThread *thread, uint32_t wait, uint32_t mask,
                                        uint64_t a, uint32_t b, uint32_t c) {
  RegrainThreads *threads = thread->threads;
  uint32_t i = thread->linear;
  threads->wait[i] = wait;
  threads->mask[i] = mask;
  threads->a[i] = a;
  threads->b[i] = wait < REGRAIN_WARP_SYNC && b != REGRAIN_CLUSTER_BARRIER ? b & 15 : b;
  threads->c[i] = c;
}

REGRAIN_INLINE uint64_t regrain_thread_result(RegrainThread *thread) {
  return thread->threads->result[thread->linear];
}

REGRAIN_INLINE void regrain_thread_arrive(RegrainThread *thread, uint32_t barrier,
                                          uint32_t expected) {
  thread->threads->arrivals[barrier & 15] += 1;
}

REGRAIN_INLINE uint32_t regrain_thread_special(RegrainThread *thread, uint32_t which) {
  RegrainCpuBlock *block = thread->block;
  if (which == REGRAIN_DYNAMIC_SHARED_BYTES)
    return block->dynamicSharedBytes;
  if (which == REGRAIN_STATIC_SHARED_BYTES)
    return block->staticSharedBytes;
  if (which == REGRAIN_LINEAR_THREAD)
    return thread->linear;
  if (which < REGRAIN_BLOCK_SIZE)
    return thread->index[which];
  if (which < REGRAIN_BLOCK_INDEX)
    return block->blockDim[which - REGRAIN_BLOCK_SIZE];
  if (which < REGRAIN_GRID_SIZE)
    return block->blockIdx[which - REGRAIN_BLOCK_INDEX];
  return block->gridDim[which - REGRAIN_GRID_SIZE];
}

REGRAIN_INLINE char *regrain_thread_shared_base(RegrainThread *thread) {
  return thread->block->shared;
}

/* The stores are volatile, because the plugin may read the coordinates at any instruction. */
static void noteThread(const RegrainThread *thread) {
  volatile uint32_t *threadIdx = thread->block->threadIdx;
  for (int d = 0; d < 3; ++d)
    threadIdx[d] = thread->index[d];
}

static void runThread(RegrainThread *thread, Start start, void *const *args) {
  noteThread(thread);
  uint32_t observed = thread->threads->observed;
  if (observed)
    regrain_cpu_enter_thread(thread->linear);
  uint32_t *wait = &thread->threads->wait[thread->linear];
  if (!thread->frame)
    thread->frame = start(thread, args);
  else
    (*(Resume *)thread->frame)(thread->frame);
  if (observed)
    regrain_cpu_leave_thread();
  if (!*(Resume *)thread->frame)
    *wait = REGRAIN_EXITED;
}

static RegrainThread *threadAt(char *records, uint64_t bytesPerThread, uint32_t i) {
  return (RegrainThread *)(records + i * bytesPerThread);
}

static void startThread(RegrainThread *thread, RegrainCpuBlock *block, RegrainThreads *threads,
                        uint32_t i, uint64_t bytesPerThread) {
  thread->block = block;
  thread->threads = threads;
  thread->linear = i;
  thread->index[0] = i % block->blockDim[0];
  thread->index[1] = i / block->blockDim[0] % block->blockDim[1];
  thread->index[2] = i / block->blockDim[0] / block->blockDim[1];
  thread->top = (char *)thread + ((sizeof(RegrainThread) + 63) & ~63ull);
  thread->limit = (char *)thread + bytesPerThread;
  thread->frame = 0;
  thread->beyond = 0;
  threads->wait[i] = REGRAIN_RUNNING;
}

/* Runs a block; each thread has `bytesPerThread` bytes besides the operand arrays. */
REGRAIN_INLINE void regrain_run_threads(void *const *args, RegrainCpuBlock *block,
                                        uint64_t bytesPerThread, Start start, uint32_t observed) {
  uint64_t n = (uint64_t)block->blockDim[0] * block->blockDim[1] * block->blockDim[2];
  char *arena = block->arena;
  RegrainThreads threads = {.count = (uint32_t)n,
                            .observed = observed,
                            .a = (uint64_t *)arena,
                            .result = (uint64_t *)(arena + 8 * n),
                            .wait = (uint32_t *)(arena + 16 * n),
                            .mask = (uint32_t *)(arena + 20 * n),
                            .b = (uint32_t *)(arena + 24 * n),
                            .c = (uint32_t *)(arena + 28 * n)};
  char *records = arena + ((40 * n + 63) & ~63ull);
  for (uint32_t i = 0; i < n; ++i)
    startThread(threadAt(records, bytesPerThread, i), block, &threads, i, bytesPerThread);
  do {
    for (uint32_t i = 0; i < n; ++i)
      if (threads.wait[i] == REGRAIN_RUNNING)
        runThread(threadAt(records, bytesPerThread, i), start, args);
  } while (regrain_release(&threads));
}
