//===- Fault.h - Reasons why the interpreter ends a run ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <string>

namespace regrain {

enum class FaultKind {
  OutOfBounds,      ///< an access outside of every live object, or a write of constant memory
  Misaligned,       ///< an access at an address that is not a multiple of its alignment
  UndefinedValue,   ///< control, an address or a divisor depends on undef or poison
  DivisionByZero,   ///< including the overflow of a signed division
  DivergentBarrier, ///< threads of a block wait at a barrier that the others do not reach
  Deadlock,         ///< no thread can continue
  Race,             ///< unsynchronised conflicting accesses
  Trap,             ///< the kernel ended itself: trap, failed assertion, unreachable
  StackOverflow,    ///< calls are nested too deeply
  Unsupported,      ///< an instruction, function or type that the interpreter lacks
  StepLimit,        ///< too many instructions
  BadLaunch,        ///< no such kernel, arguments that do not fit, a variable without memory
};

/// Returns "out of bounds", ...
llvm::StringRef toString(FaultKind kind);

/// The place of the running thread.
struct FaultPlace {
  std::array<uint32_t, 3> block = {}, thread = {};
  std::string function, instruction;
  std::string file; ///< empty without debug information
  unsigned line = 0;
};

/// The error of a run; a bad launch has no place.
class Fault : public llvm::ErrorInfo<Fault> {
public:
  static char ID;

  Fault(FaultKind kind, std::string what) : kind(kind), what(std::move(what)) {}

  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::operation_not_permitted);
  }

  FaultKind kind;
  std::string what; ///< one clause
  std::optional<FaultPlace> place;
};

/// Makes an error that contains a Fault.
llvm::Error makeFault(FaultKind kind, const llvm::Twine &what);

} // namespace regrain
