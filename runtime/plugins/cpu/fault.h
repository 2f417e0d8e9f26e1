//===- fault.h - Faults of kernels ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that accesses memory that is not there, overflows its stack or divides by
// zero raises a signal in the thread that runs it. The handler leaves the kernel by a
// jump to the worker's frame, and the launch ends with an error, as on a GPU.
//
// The handler acts only in a thread that has said where it expects faults. Every other
// signal goes to the handler that the program had installed, or has its default effect.
// In a process with a sanitizer nothing is caught: the sanitizer reports the fault.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <csetjmp>
#include <cstdint>
#include <optional>
#include <string>

namespace regrain::cpu {

struct Fault {
  enum class Kind : uint8_t { Access, StackOverflow, Arithmetic, Instruction };
  Kind kind;
  /// The address that was accessed; none if the processor does not report it.
  std::optional<uintptr_t> address;
  uintptr_t instruction;
};

/// Returns what CUDA reports for such a fault.
[[nodiscard]] cudaError_t errorOf(const Fault &fault);
/// Returns a clause for the user.
[[nodiscard]] std::string describe(const Fault &fault);

/// The place at which a thread goes on after a fault.
struct FaultPoint {
  std::jmp_buf exit;        ///< set by _setjmp
  uintptr_t stackBegin = 0; ///< the lowest address of the thread's stack
  std::optional<Fault> fault;
};

/// Makes faults of the calling thread jump to `point`, until the first fault or the next
/// call; with null, they are the program's. No frame that is left may own anything.
void expectFaults(FaultPoint *point);

/// Faults are the program's during the lifetime of this object: the thread may hold locks
/// of the C library.
class NoFaults {
public:
  NoFaults();
  ~NoFaults();
  NoFaults(const NoFaults &) = delete;
  NoFaults &operator=(const NoFaults &) = delete;

private:
  FaultPoint *point;
};

/// The stack on which the calling thread handles signals, so that it can handle an
/// overflow of its own; the thread keeps one that it has already.
class FaultStack {
public:
  FaultStack();
  ~FaultStack();
  FaultStack(const FaultStack &) = delete;
  FaultStack &operator=(const FaultStack &) = delete;

private:
  void *memory = nullptr;
};

/// Installs the handlers, again if the program has installed its own since.
void catchFaults();

} // namespace regrain::cpu
