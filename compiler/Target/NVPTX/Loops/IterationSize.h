//===- IterationSize.h - The size of an iteration of a loop -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
} // namespace llvm

namespace regrain::nvptx {

/// Returns the size of one iteration of a loop that is unrolled in part, in instructions, about as
/// nvcc counts them. Addresses count, because most of them do not become constants; the loop's
/// counter does not. Nothing is returned if the loop calls functions.
std::optional<uint64_t> sizeOfIteration(const llvm::Loop &loop);

} // namespace regrain::nvptx
