//===- X86.h - The machine code of the CPU ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"

#include <string_view>

namespace regrain::listing {

/// Returns the meaning of one instruction in Intel's syntax, as LLVM prints it. An instruction that
/// reads and writes the same memory counts as a store.
[[nodiscard]] Meaning meaningInX86(std::string_view instruction);

} // namespace regrain::listing
