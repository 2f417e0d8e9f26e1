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

#include <cstdint>
#include <memory>
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
    std::shared_ptr<char> meeting; ///< that the thread has left, if it has not run since
  };
  Fiber &fiberOf(uint32_t thread);

  std::vector<Fiber> fibers;
  void *worker = nullptr; ///< the fiber that entered a thread
  /// The last meeting. ThreadSanitizer forgets a place of the heap that is freed; a place that is
  /// used twice would order the threads of both meetings.
  std::shared_ptr<char> meeting;
  /// Each thread releases here when it begins to run, and nothing acquires it. ThreadSanitizer has
  /// fewer slots than a block may have threads, and a fiber that lost its slot gets a new one at an
  /// acquire. Only a release writes the slot to the fiber's history, and races of accesses that are
  /// not in the history are not reported.
  char recorded = 0;
};

} // namespace regrain::cpu
