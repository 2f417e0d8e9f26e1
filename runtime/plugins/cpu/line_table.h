//===- line_table.h - The source lines of CPU code --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the line tables of DWARF 4 (section 6.2 of the standard), the version that the
// compiler's CPU target writes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace regrain::cpu {

struct SourcePlace {
  std::string file;
  uint32_t line;
};

/// Returns whether a shared object contains line tables.
[[nodiscard]] bool hasLineTables(std::span<const std::byte> object);

/// Returns the place of the instruction at `address`, counted from the load address of the
/// shared object; nothing if its tables do not say it, or are damaged.
[[nodiscard]] std::optional<SourcePlace> findPlace(std::span<const std::byte> object,
                                                   uint64_t address);

/// The same for an instruction of the running process.
[[nodiscard]] std::optional<SourcePlace> findPlaceOf(uintptr_t instruction);

} // namespace regrain::cpu
