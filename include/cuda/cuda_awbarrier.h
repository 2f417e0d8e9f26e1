//===- cuda_awbarrier.h - The class of barriers in memory -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_
#pragma GCC system_header

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace nvcuda {
namespace experimental {

class awbarrier {
public:
  class arrival_token {
  public:
    arrival_token() = default;
    __device__ uint32_t pending_count() const { return __mbarrier_token_pending_count(token); }

  private:
    __device__ explicit arrival_token(uint64_t token) : token(token) {}
    uint64_t token;
    friend awbarrier;
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  __device__ arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier)); }
  __device__ arrival_token arrive_and_drop() {
    return arrival_token(__mbarrier_arrive_and_drop(&barrier));
  }
  __device__ bool timed_wait(arrival_token token, uint32_t cycles) {
    long long start = clock64();
    do {
      if (__mbarrier_test_wait(&barrier, token.token))
        return true;
    } while (clock64() - start < (long long)cycles);
    return false;
  }
  __device__ bool timed_wait_parity(bool phase, uint32_t cycles) {
    long long start = clock64();
    do {
      if (__mbarrier_test_wait_parity(&barrier, phase))
        return true;
    } while (clock64() - start < (long long)cycles);
    return false;
  }
  __device__ bool try_wait(arrival_token token, uint32_t nanoseconds) {
    return __mbarrier_try_wait(&barrier, token.token, nanoseconds);
  }
  __device__ bool try_wait_parity(bool phase, uint32_t nanoseconds) {
    return __mbarrier_try_wait_parity(&barrier, phase, nanoseconds);
  }
  __device__ void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&barrier, token.token)) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  static __host__ __device__ constexpr uint32_t max() { return (1u << 20) - 1; }

private:
  uint64_t barrier;
  friend __device__ void init(awbarrier *barrier, uint32_t expected);
  friend __device__ void inval(awbarrier *barrier);
  friend class pipeline;
};

__device__ inline void init(awbarrier *barrier, uint32_t expected) {
  __mbarrier_init(&barrier->barrier, expected);
}
__device__ inline void inval(awbarrier *barrier) { __mbarrier_inval(&barrier->barrier); }

} // namespace experimental
} // namespace nvcuda

#endif

#endif
