//===- Amdgcn.h - The machine code of AMD's GPUs ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"

#include <string_view>

namespace regrain::listing {

/// Returns the meaning of one instruction of GCN, CDNA or RDNA, as LLVM prints it. Buffer
/// instructions access a thread's own memory: the code generator uses them for nothing else. What
/// reads two addresses (ds_read2_b32) moves the bits of both.
[[nodiscard]] Meaning meaningInAmdgcn(std::string_view instruction);

} // namespace regrain::listing
