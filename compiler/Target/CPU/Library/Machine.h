/*===- Machine.h - Threads of a block on the CPU ------------------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The device library is compiled to bitcode when the compiler is built and is
|* linked into each module that the CPU target compiles. This header declares
|* what the code generators know of it by name.
|*
|* A thread that waits has an entry in RegrainThreads: what it waits for and the
|* operands of the operation. Threads of one warp (or block) are released
|* together, and each finds its result.
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_CPU_LIBRARY_MACHINE_H
#define REGRAIN_CPU_LIBRARY_MACHINE_H

#include "runtime/plugins/cpu/abi.h"
#include "runtime/plugins/cpu/cluster_special.h"

/* What a thread waits for. The compiler knows the values (Suspension.h). */
enum RegrainWait {
  REGRAIN_RUNNING = 0,
  REGRAIN_EXITED = 1,
  REGRAIN_YIELDED = 2,
  /* All threads of the block, or as many as the operation names. */
  REGRAIN_BARRIER = 3,
  REGRAIN_BARRIER_AND = 4,
  REGRAIN_BARRIER_OR = 5,
  REGRAIN_BARRIER_COUNT = 6,
  /* The lanes of a warp that the member mask names; a mask of 0 stands for
     the lanes that have arrived when no other thread can run; at a vote, only for
     those at the same place of the program. A synchronisation with a mask of 0 is a step of
     lanes that access memory in lockstep: those at the first place of the program go on. */
  REGRAIN_WARP_SYNC = 8,
  REGRAIN_SHUFFLE_INDEX = 9,
  REGRAIN_SHUFFLE_UP = 10,
  REGRAIN_SHUFFLE_DOWN = 11,
  REGRAIN_SHUFFLE_XOR = 12,
  REGRAIN_VOTE_ALL = 13,
  REGRAIN_VOTE_ANY = 14,
  REGRAIN_VOTE_UNIFORM = 15,
  REGRAIN_VOTE_BALLOT = 16,
  REGRAIN_MATCH_ANY = 17,
  REGRAIN_MATCH_ALL = 18,
  REGRAIN_REDUCE_ADD = 19,
  REGRAIN_REDUCE_MIN = 20,
  REGRAIN_REDUCE_MAX = 21,
  REGRAIN_REDUCE_UMIN = 22,
  REGRAIN_REDUCE_UMAX = 23,
  REGRAIN_REDUCE_AND = 24,
  REGRAIN_REDUCE_OR = 25,
  REGRAIN_REDUCE_XOR = 26
};

/* Barriers of a block: those that PTX numbers, and one for the threads that meet at a barrier of
   their cluster. */
#define REGRAIN_CLUSTER_BARRIER 16
#define REGRAIN_BARRIERS 17

/* What regrain_special reads. The compiler knows the values (Suspension.h). */
enum RegrainSpecial {
  REGRAIN_THREAD_INDEX = 0, /* + dimension */
  REGRAIN_BLOCK_SIZE = 3,
  REGRAIN_BLOCK_INDEX = 6,
  REGRAIN_GRID_SIZE = 9,
  REGRAIN_DYNAMIC_SHARED_BYTES = 12,
  REGRAIN_LINEAR_THREAD = 13,
  REGRAIN_STATIC_SHARED_BYTES = 14 /* padded: dynamic shared memory starts at their end */
};

/* The waiting threads of a block: arrays over the linear thread index. A thread may hand over the
   values of a group of equal warp operations at once (WaitGroups.h): value i and its result are at
   i * count + the thread's index. */
typedef struct RegrainThreads {
  uint32_t count;
  uint32_t observed; /* the plugin is told which thread runs, and which threads meet */
  uint32_t *wait;    /* a RegrainWait */
  uint32_t *mask;    /* member mask */
  uint32_t *b; /* shuffle: lane operand; barrier: id; vote or step without a mask: its place */
  uint32_t *c; /* shuffle: clamp and segment; barrier: threads expected, 0: all; step: how often
                  the thread has waited */
  uint64_t *a; /* the value handed in */
  uint64_t *result; /* low half: value; high half: predicate, where there is one */
  uint32_t *steps;  /* where a thread stands in its group of operations; null: no groups */
  uint32_t arrivals[REGRAIN_BARRIERS]; /* threads that arrived at a barrier without waiting */
} RegrainThreads;

/* An element of RegrainThreads::steps: of how many operations the group consists, and how many of
   them the thread has been through. */
#define REGRAIN_STEPS(values, done) ((uint32_t)(values) | (uint32_t)(done) << 16)
#define REGRAIN_STEP_VALUES(steps) ((steps) & 0xffff)
#define REGRAIN_STEP_DONE(steps) ((steps) >> 16)

/* A thread on the general path: the context that device functions receive. */
typedef struct RegrainThread {
  RegrainCpuBlock *block;
  RegrainThreads *threads;
  uint32_t linear;
  uint32_t index[3];
  char *top, *limit; /* of the thread's stack of continuation frames */
  void *frame;       /* the kernel's continuation */
  uint64_t beyond;   /* bytes of frames for which there was no space */
} RegrainThread;

#define REGRAIN_INLINE __attribute__((always_inline))
#define REGRAIN_CONST __attribute__((const))
#define REGRAIN_CONVERGENT __attribute__((convergent))

/* Replaced by the code generators. */
REGRAIN_CONST uint32_t regrain_special(uint32_t which);
REGRAIN_CONST char *regrain_shared_base(void);
REGRAIN_CONVERGENT uint64_t regrain_wait(uint32_t wait, uint32_t mask, uint64_t a, uint32_t b,
                                         uint32_t c);
void regrain_arrive(uint32_t barrier, uint32_t expected);

/* Defined by the plugin (device_calls.h). */
__attribute__((noreturn)) void regrain_cpu_trap(const char *message);
void regrain_cpu_breakpoint(void);
void regrain_cpu_pause(void);
void *regrain_cpu_malloc(uint64_t bytes);
void regrain_cpu_free(void *memory);
int regrain_cpu_is_local(const void *pointer);
REGRAIN_CONST unsigned long regrain_cpu_grid_workspace(void);
REGRAIN_CONST uint32_t regrain_cpu_cluster_special(uint32_t which);
REGRAIN_CONST void *regrain_cpu_cluster_map(const void *pointer, uint32_t rank);
REGRAIN_CONST uint32_t regrain_cpu_cluster_rank(const void *pointer);
void regrain_cpu_cluster_arrive(void);
void regrain_cpu_cluster_wait(void);
void regrain_cpu_enter_thread(uint32_t thread);
void regrain_cpu_leave_thread(void);
void regrain_cpu_meet(uint32_t thread, int isFirst);

/* Releases the threads that can go on; returns false when every thread has exited. */
int regrain_release(RegrainThreads *threads);
/* Carries out the barrier or the group of `values` equal warp operations at which all threads of
   the block wait. */
void regrain_exchange(RegrainThreads *threads, uint32_t wait, uint32_t values);

#endif
