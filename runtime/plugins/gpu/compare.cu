//===- compare.cu - Comparing device memory ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block compares one page. The kernel is built to PTX and to AMD code objects,
// which the plugins contain, without any vendor's headers.
//
//===----------------------------------------------------------------------===//
typedef unsigned long long Size;

#ifdef __AMDGCN__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
static __device__ Size threadIndex() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ Size threadCount() { return __builtin_amdgcn_workgroup_size_x(); }
static __device__ Size blockIndex() { return __builtin_amdgcn_workgroup_id_x(); }
static __device__ Size blockCount() { return __builtin_amdgcn_grid_size_x() / threadCount(); }
#else
static __device__ Size threadIndex() { return threadIdx.x; }
static __device__ Size threadCount() { return blockDim.x; }
static __device__ Size blockIndex() { return blockIdx.x; }
static __device__ Size blockCount() { return gridDim.x; }
#endif

/// Returns whether the calling thread finds a difference in [begin, end), which the
/// block compares in words.
template <class Word>
static __device__ bool differ(const char *left, const char *right, Size begin, Size end) {
  unsigned found = 0;
  for (Size at = begin + threadIndex() * sizeof(Word); at + sizeof(Word) <= end;
       at += threadCount() * sizeof(Word))
    found |=
        *reinterpret_cast<const Word *>(left + at) != *reinterpret_cast<const Word *>(right + at);
  return found;
}

/// Sets differs[page] to 1 if `left` and `right` differ in the page; it was 0
/// before.
extern "C" __global__ void regrain_compare_pages(const char *left, const char *right, Size bytes,
                                                 Size pageBytes, unsigned char *differs) {
  for (Size page = blockIndex(); page * pageBytes < bytes; page += blockCount()) {
    Size begin = page * pageBytes;
    Size end = begin + pageBytes < bytes ? begin + pageBytes : bytes;
    bool isAligned = ((reinterpret_cast<Size>(left) | reinterpret_cast<Size>(right)) & 7) == 0;
    Size words = isAligned ? begin + (end - begin) / 8 * 8 : begin;
    if (differ<Size>(left, right, begin, words) || differ<unsigned char>(left, right, words, end))
      differs[page] = 1;
  }
}
