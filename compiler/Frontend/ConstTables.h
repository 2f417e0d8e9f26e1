//===- ConstTables.h - Where const variables lie ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace regrain {

/// Returns a consumer that leaves `__device__ const` variables at namespace scope in global memory,
/// as nvcc does. clang puts them into constant memory, which serves one address at a time, so that
/// lanes that look up different elements of a table wait for each other. It must precede the
/// consumer that generates code.
std::unique_ptr<clang::ASTConsumer> leaveConstTablesInGlobalMemory();

} // namespace regrain
