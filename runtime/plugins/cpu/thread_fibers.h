//===- thread_fibers.h - CUDA threads for ThreadSanitizer -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block run one after the other in a worker. ThreadSanitizer sees each
// of them as a fiber. Memory is ordered between fibers of a block only where they meet at
// a barrier, and between blocks only by the begin and the end of the launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace regrain::cpu {

/// The fibers of the block that a worker runs. Without ThreadSanitizer, no member may be
/// called except leave() and end().
class ThreadFibers {
public:
  void enter(uint32_t thread);
  void leave();
  /// The thread waits at a barrier, of which it is the first one, or with the threads for
  /// which this was called before.
  void meet(uint32_t thread, bool isFirst);
  /// Ends the block; what its threads did comes before what acquires `point`.
  void end(void *point);

private:
  struct Fiber {
    void *handle = nullptr;
    char *meeting = nullptr; ///< that the thread has left, if it has not run since
  };
  Fiber &fiberOf(uint32_t thread);

  std::vector<Fiber> fibers;
  void *worker = nullptr; ///< the fiber that entered a thread
  std::array<char, 1024> meetings;
  size_t meeting = 0; ///< an index, counted up
};

} // namespace regrain::cpu
