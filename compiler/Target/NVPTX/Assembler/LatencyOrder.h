//===- LatencyOrder.h - Code that waits less for its loads ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a limit of registers, ptxas chooses one by itself, and then orders instructions so that
// few values are live: loads stand behind the first use of others. With a limit (.maxnreg) it
// uses all registers up to this, and lets more loads be under way together. A warp's registers are
// allocated in units, so the code with the limit often needs no more of them, and as many warps
// are resident. Neither order is better for all kernels. So where loads matter, both are assembled,
// and the issue times of the code decide (docs/decisions/0156).
//
// A limit below what ptxas chose makes more warps resident, and often costs a warp next to nothing
// (docs/decisions/0165).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/Assembler/IssueTimes.h"
#include "runtime/image/resources.h"

namespace regrain::nvptx {

/// Returns whether ptxas takes long for so much code.
[[nodiscard]] bool isLarge(const KernelTimes &times);

/// Returns whether the kernel waits for so many results that their order may matter: in an
/// innermost loop, around one in a loop, or in code without loops.
[[nodiscard]] bool waitsForResults(const KernelTimes &times);

/// What ptxas made of a kernel.
struct OrderedCode {
  int32_t registers = 0, stackBytes = 0, spilledBytes = 0;
  int32_t occupancy = 0; ///< percent; -1: not known
  KernelTimes times;
};

/// Returns the registers of a thread as they are allocated.
[[nodiscard]] unsigned allocatedRegisters(int32_t registers);

enum class Order {
  NoBetter,
  TakesMore, ///< better, but for the registers
  Better,
};

/// Returns the limit of registers that lets more of the kernel's results be under way together: the
/// next unit; or if no innermost loop waits for several results, the highest limit up to that of
/// the largest blocks with which as many threads are resident as with the next unit. A block has
/// `threads` threads.
[[nodiscard]] unsigned limitForResults(unsigned capability, const Resources &resources,
                                       unsigned threads, const KernelTimes &times);

/// Returns whether the kernel may be replaced by `candidate`: each loop, and all of the code, take
/// a warp no longer, a loop takes it less time, and as many registers are allocated. A unit more
/// may be, if a multiprocessor then ends more iterations of each innermost loop that waits. If none
/// does, more may be, if it ends clearly more of the loops around them, or of code without loops,
/// where data is far, and no fewer of anything.
[[nodiscard]] Order compareOrders(const OrderedCode &candidate, const OrderedCode &original);

/// Returns the highest limit of registers with which more threads of the kernel are resident than
/// with those that it takes; 0 if that is more than two units lower. A block has `threads` threads,
/// or fewer: the next unit is also returned if small blocks gain by it.
[[nodiscard]] unsigned limitForMoreWarps(unsigned capability, const Resources &resources,
                                         unsigned threads);

/// Returns whether the kernel may be replaced by `candidate`, which takes fewer registers: next to
/// no instructions are added, a warp takes little longer for each loop and for all of the code, and
/// a multiprocessor ends more of them, or is busy in all loops anyway.
[[nodiscard]] bool gainsWarps(const OrderedCode &candidate, const OrderedCode &original);

} // namespace regrain::nvptx
