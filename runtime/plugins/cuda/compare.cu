//===- compare.cu - Comparing device memory ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block compares one page. Built to PTX that the plugin carries.
//
//===----------------------------------------------------------------------===//
typedef unsigned long long Size;

/// Whether the block finds a difference in [begin, end), which it walks in words; the
/// answer is the thread's own.
template <class Word>
static __device__ bool differ(const char *left, const char *right, Size begin, Size end) {
  unsigned found = 0;
  for (Size at = begin + threadIdx.x * sizeof(Word); at + sizeof(Word) <= end;
       at += blockDim.x * sizeof(Word))
    found |=
        *reinterpret_cast<const Word *>(left + at) != *reinterpret_cast<const Word *>(right + at);
  return found;
}

/// differs[page] becomes 1 where `left` and `right` differ in it; it was 0 before.
extern "C" __global__ void regrain_compare_pages(const char *left, const char *right, Size bytes,
                                                 Size pageBytes, unsigned char *differs) {
  for (Size page = blockIdx.x; page * pageBytes < bytes; page += gridDim.x) {
    Size begin = page * pageBytes;
    Size end = begin + pageBytes < bytes ? begin + pageBytes : bytes;
    bool isAligned = ((reinterpret_cast<Size>(left) | reinterpret_cast<Size>(right)) & 7) == 0;
    Size words = isAligned ? begin + (end - begin) / 8 * 8 : begin;
    if (differ<Size>(left, right, begin, words) || differ<unsigned char>(left, right, words, end))
      differs[page] = 1;
  }
}
