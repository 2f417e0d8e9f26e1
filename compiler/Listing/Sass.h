//===- Sass.h - The machine code of NVIDIA's GPUs ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA documents no encoding, so its own tools disassemble (CUDA Binary Utilities).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"

#include <string_view>

namespace regrain::listing {

/// Returns the meaning of one instruction, without its semicolon.
[[nodiscard]] Meaning meaningInSass(std::string_view instruction);

/// Reads what `nvdisasm` or `cuobjdump -sass` prints. The loop and the empty instructions behind
/// the end of a function, which fill its last line of the cache, are left out.
[[nodiscard]] Listings parseSass(std::string_view text);

} // namespace regrain::listing
