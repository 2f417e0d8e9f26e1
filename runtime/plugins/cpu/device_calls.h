/*===- device_calls.h - What CPU code calls back ------------------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The device functions that compiled code leaves to the plugin. They may be
|* called only while a block runs. Beside them the code may use libm, the memory
|* functions of libc, and SLEEF.
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_PLUGINS_CPU_DEVICE_CALLS_H
#define REGRAIN_PLUGINS_CPU_DEVICE_CALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* This is CUDA's vprintf: `args` is the packed buffer, each argument aligned to its size, float
   as double. Returns the number of arguments, -1 for a null format. */
int regrain_cpu_vprintf(const char *format, const void *args);

/* These are malloc and free of device code: memory lives until it is freed, even across
   launches. cudaLimitMallocHeapSize limits its amount. */
void *regrain_cpu_malloc(size_t bytes);
void regrain_cpu_free(void *pointer);

/* Returns whether the address is in a thread's own memory: the stack of the machine, or the
   arena. Memory that alloca returns in code that waits for other threads is on the device's heap,
   and does not count. */
int regrain_cpu_is_local(const void *pointer);

/* Handles a failed assert: prints it as CUDA does and ends the launch with cudaErrorAssert,
   which stays on the device. Does not return. */
void regrain_cpu_assertfail(const char *message, const char *file, unsigned line,
                            const char *function, size_t charSize);

/* Handles __trap() (with a null message), or a launch that cannot continue (with one sentence):
   prints the kernel, the block and what is known of the thread, and ends the launch with
   cudaErrorLaunchFailure, which stays on the device. Does not return. */
void regrain_cpu_trap(const char *message);

/* Handles __brkpt(): stops in the debugger that the process runs in. Without one it ends the launch
   as __trap() does. */
void regrain_cpu_breakpoint(void);

/* Returns the address of the workspace of a cooperative launch (GridWorkspace), and 0 for another
   launch. */
unsigned long regrain_cpu_grid_workspace(void);

/* These are about the block's cluster: what RegrainClusterSpecial names (cluster_special.h); where
   the variable of shared memory at `pointer` is in the block of that rank; and the rank of the
   block to whose shared memory `pointer` points, REGRAIN_NO_CLUSTER_RANK if it points elsewhere. */
uint32_t regrain_cpu_cluster_special(uint32_t which);
void *regrain_cpu_cluster_map(const void *pointer, uint32_t rank);
uint32_t regrain_cpu_cluster_rank(const void *pointer);

/* The barrier of the cluster. The code calls each of these for all threads of the block, when all
   of them have arrived, or wait. */
void regrain_cpu_cluster_arrive(void);
void regrain_cpu_cluster_wait(void);

/* Code that ThreadSanitizer checks calls these around what one thread of the block does, and for
   each thread that a barrier releases; `isFirst` is set for the first one. */
void regrain_cpu_enter_thread(uint32_t thread);
void regrain_cpu_leave_thread(void);
void regrain_cpu_meet(uint32_t thread, int isFirst);

/* Compiled code calls this when every thread of a block that can run waits for something outside
   of the block. Does not return if the launch is abandoned meanwhile. */
void regrain_cpu_pause(void);

#ifdef __cplusplus
}
#endif

#endif
