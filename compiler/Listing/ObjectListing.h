//===- ObjectListing.h - The instructions in an ELF file --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"
#include "runtime/image/or_error.h"

#include <span>
#include <string_view>

namespace regrain::listing {

/// Disassembles those functions of an AMD code object for `chip` ("gfx90a") that have one of the
/// symbols. Positions are those of the debug information.
[[nodiscard]] OrError<Listings> listAmdgcn(std::span<const char> object, const std::string &chip,
                                           const std::set<std::string> &symbols);

/// The same for a shared object for x86-64.
[[nodiscard]] OrError<Listings> listX86(std::span<const char> object,
                                        const std::set<std::string> &symbols);

} // namespace regrain::listing
