//===- AttributeOrder.h - Attributes behind __device__ ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes `__host__ __device__ [[nodiscard]] int f();`, where its own words are attributes too.
// clang takes standard attributes in classes and in namespaces only in front of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source with each list of standard attributes in front of the words
/// `__device__`, `__host__`, `__global__` and `__noinline__` that it follows, or nothing if there
/// is none. Lists in another line than the words stay. The text ends with a zero.
std::optional<std::string> moveStandardAttributes(llvm::StringRef text);

} // namespace regrain
