//===- array_table.cpp - Arrays, textures and surfaces in use -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/array_table.h"

namespace regrain {

ArrayTable &ArrayTable::get() {
  static ArrayTable *table = new ArrayTable; // outlives the program's own statics
  return *table;
}

void ArrayTable::forget(const OpenDevice &device) {
  auto isOfDevice = [&](const auto &known) { return known.device == &device; };
  arrays.removeIf(isOfDevice);
  mipmaps.removeIf(isOfDevice);
  textures.removeIf(isOfDevice);
  surfaces.removeIf(isOfDevice);
}

} // namespace regrain
