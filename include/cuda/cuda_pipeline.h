//===- cuda_pipeline.h - The class of asynchronous copies -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#pragma GCC system_header

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace nvcuda {
namespace experimental {

template <size_t N, class T> static __inline__ __device__ auto segment(T *pointer) -> T (*)[N] {
  return (T(*)[N])pointer;
}

class pipeline {
public:
  __device__ pipeline() : batches(0) {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;

  __device__ size_t commit() {
    __pipeline_commit();
    return batches++;
  }
  __device__ void commit_and_wait() {
    commit();
    wait_prior<0>();
  }
  /* The batches that may still be under way are those after `batch`. */
  __device__ void wait(size_t batch) {
    __pipeline_wait_prior(batches > batch + 1 ? batches - batch - 1 : 0);
  }
  template <unsigned N> __device__ void wait_prior() { __pipeline_wait_prior(N); }
  __device__ void arrive_on(awbarrier &barrier) { __pipeline_arrive_on(&barrier.barrier); }

private:
  size_t batches;
};

/* Any size and alignment are allowed; those of 4, 8 and 16 bytes are asynchronous. */
template <class T>
static __inline__ __device__ void memcpy_async(T &destination, const T &source, pipeline &) {
  constexpr size_t step = alignof(T) >= 16 ? 16 : alignof(T);
  if (step < 4) {
    destination = source;
    return;
  }
  for (size_t at = 0; at < sizeof(T); at += step)
    __pipeline_memcpy_async((char *)&destination + at, (const char *)&source + at, step);
}

/* What the source lacks is filled with zeros. */
template <class T, size_t TO, size_t FROM>
static __inline__ __device__ void memcpy_async(T (*destination)[TO], const T (*source)[FROM],
                                               pipeline &) {
  static_assert(sizeof(T) * TO == 4 || sizeof(T) * TO == 8 || sizeof(T) * TO == 16,
                "A copy has 4, 8 or 16 bytes.");
  static_assert(FROM <= TO, "The source is no larger than the destination.");
  __pipeline_memcpy_async(*destination, *source, sizeof(T) * TO, sizeof(T) * (TO - FROM));
}

} // namespace experimental
} // namespace nvcuda

#endif

#endif
