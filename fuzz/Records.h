//===- Records.h - Structures that threads copy -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of mixed types, from 8 to 272 bytes. None has padding, because what a copy does to
// padding is not defined.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace regrain::fuzz {

struct RecordPart {
  const char *type;
  const char *place;
};

struct RecordForm {
  const char *attribute;
  const char *fields;
  uint32_t bytes;                ///< a multiple of 4, and of the alignment
  uint32_t mostThreads;          ///< in a block, whose shared memory has a record of each thread
  std::vector<RecordPart> parts; ///< that are written and read one by one
};

const std::vector<RecordForm> &recordForms();

/// The ways in which threads exchange records.
enum class RecordCopy : uint8_t {
  Through, ///< global, shared, global memory
  Swap,    ///< two threads' records in shared memory
  Rotate,  ///< shared memory, registers, the same shared memory
  Local,   ///< through a local array
};
inline constexpr uint32_t recordCopies = 4;

} // namespace regrain::fuzz
