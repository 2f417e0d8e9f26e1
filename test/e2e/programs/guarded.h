//===- guarded.h - Memory between pages that cannot be read -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

/// Numbers beside a page that cannot be read.
template <class T> class Guarded {
public:
  Guarded(const std::vector<T> &data, bool atEnd) {
    size_t page = sysconf(_SC_PAGESIZE), bytes = data.size() * sizeof(T);
    size_t room = (bytes + page - 1) / page * page;
    size = room + 2 * page;
    start = static_cast<char *>(
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start, page, PROT_NONE);
    mprotect(start + page + room, page, PROT_NONE);
    pointer = reinterpret_cast<T *>(start + page + (atEnd ? room - bytes : 0));
    std::copy(data.begin(), data.end(), pointer);
  }
  ~Guarded() { munmap(start, size); }
  operator T *() const { return pointer; }

private:
  char *start;
  size_t size;
  T *pointer;
};
