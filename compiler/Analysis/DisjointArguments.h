//===- DisjointArguments.h - Arguments in different memory ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch may be known to have pointer arguments that point into different allocations. This says
// what follows for a kernel.
//
// Legality. In C++ a pointer that is derived from an argument points into the same allocation. So
// the accesses through two parameters are to different memory, whichever threads run them, if each
// access of the kernel to memory that outlives the launch is made through a parameter, or to a
// module variable by its name: variables are no allocations. That is not proved of pointers that
// are loaded, made from numbers or returned by calls, nor of assembly and of calls that may access
// memory by themselves. `__restrict__` promises less: it restricts one thread.
//
// Besides that, nothing but the kernel must write what it reads. A kernel that sees what other
// threads do, by the result of an atomic operation or by a volatile load, may have waited for
// another launch, or for the host. So it may read only the memory of its block in that way.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace regrain {

/// Says of a parameter that its argument points into another allocation than those of all other
/// parameters that have the attribute. Export drops it.
inline constexpr llvm::StringLiteral disjointAttribute = "grain.disjoint";

/// Why nothing follows for a kernel.
struct DisjointObjection {
  mlir::Operation *op; ///< at fault
  const char *reason;  ///< one clause
};

/// Returns nothing if accesses through different parameters are to different memory when the
/// arguments are. A kernel for which nothing would change is objected to as well.
[[nodiscard]] std::optional<DisjointObjection> objectToDisjoint(grain::KernelOp kernel);

/// Returns true if the launch passes an address in the parameter. A structure is passed by value,
/// whatever is in it.
[[nodiscard]] bool isPointerParameter(grain::KernelOp kernel, unsigned index);

/// Returns the parameters that can be `noalias` for LLVM, for a kernel without an objection. LLVM
/// considers one thread, for which nobody else writes memory that is reached only through a
/// `noalias` pointer. So a parameter through which the kernel writes is one only if the threads
/// never order their accesses.
[[nodiscard]] llvm::SmallVector<unsigned> exclusiveParameters(grain::KernelOp kernel);

/// Returns true if the kernel reads and writes through two parameters that may point to the same
/// memory, and nothing objects to the assumption that they do not.
[[nodiscard]] bool mayMeetInMemory(grain::KernelOp kernel);

} // namespace regrain
