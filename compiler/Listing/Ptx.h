//===- Ptx.h - The instructions in PTX text ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"

#include <string_view>

namespace regrain::listing {

/// Returns the meaning of one statement, without its semicolon.
[[nodiscard]] Meaning meaningInPtx(std::string_view statement);

/// Returns the functions that have a body. Positions are those of .loc directives.
[[nodiscard]] Listings parsePtx(std::string_view text);

} // namespace regrain::listing
