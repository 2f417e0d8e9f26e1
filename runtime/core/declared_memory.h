//===- declared_memory.h - Memory that the program declares -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <optional>

namespace regrain {

/// Adds or removes one of the calling thread's declarations.
void declareMemory(const MemoryExtent &extent);
void withdrawMemory(const MemoryExtent &extent);

/// Returns the declared memory of the calling thread that contains the address, joined with
/// declarations that overlap it; nothing if there is none.
[[nodiscard]] std::optional<MemoryExtent> declaredAround(uintptr_t address);

} // namespace regrain
