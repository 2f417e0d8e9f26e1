//===- Chip.cpp - The supported AMD GPUs ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Chip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regrain::amdgpu {

static constexpr Chip chips[] = {
    {"gfx90a", 9, 0, 10, 64, 8, 512, 8, 800, 16, 64 << 10, MatrixCores::FlushSubnormals},
    {"gfx942", 9, 4, 2, 64, 8, 512, 8, 800, 16, 64 << 10, MatrixCores::KeepSubnormals},
    {"gfx1030", 10, 3, 0, 32, 16, 1024, 16, 0, 0, 128 << 10, MatrixCores::None},
    {"gfx1100", 11, 0, 0, 32, 16, 1536, 24, 0, 0, 128 << 10, MatrixCores::None},
};

const Chip *findChip(StringRef name) {
  const Chip *found = find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  return found == std::end(chips) ? nullptr : found;
}

std::string chipNames() {
  return join(map_range(chips, [](const Chip &chip) { return chip.name; }), ", ");
}

Error checkChip(StringRef name) {
  if (findChip(name))
    return Error::success();
  return createStringError("'" + name + "' is not a known AMD GPU; known are " + chipNames());
}

} // namespace regrain::amdgpu
