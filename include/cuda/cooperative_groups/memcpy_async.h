//===- memcpy_async.h - Copies by a group -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group's threads copy at the call, which CUDA allows: copied data may be read
// after the wait, and is present even earlier. All stages are therefore complete at
// every wait.
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
#pragma GCC system_header

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

/* Copies `shape` bytes. */
template <class Group, class T, class Shape>
__device__ inline void memcpy_async(const Group &group, T *__restrict__ target,
                                    const T *__restrict__ source, const Shape &shape) {
  size_t bytes = shape, whole = bytes / sizeof(T), threads = group.num_threads();
  for (size_t i = group.thread_rank(); i < whole; i += threads)
    target[i] = source[i];
  for (size_t i = whole * sizeof(T) + group.thread_rank(); i < bytes; i += threads)
    reinterpret_cast<char *>(target)[i] = reinterpret_cast<const char *>(source)[i];
}

template <class Group, class Shape>
__device__ inline void memcpy_async(const Group &group, void *__restrict__ target,
                                    const void *__restrict__ source, const Shape &shape) {
  memcpy_async(group, static_cast<char *>(target), static_cast<const char *>(source), shape);
}

/* Copies as many elements as both arrays have. */
template <class Group, class T, class TargetShape, class SourceShape>
__device__ inline void memcpy_async(const Group &group, T *__restrict__ target,
                                    const TargetShape &targetCount, const T *__restrict__ source,
                                    const SourceShape &sourceCount) {
  size_t room = targetCount, there = sourceCount;
  memcpy_async(group, target, source, (room < there ? room : there) * sizeof(T));
}

template <class Group> __device__ inline void wait(const Group &group) { group.sync(); }
template <unsigned int Stages, class Group> __device__ inline void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif

#endif
