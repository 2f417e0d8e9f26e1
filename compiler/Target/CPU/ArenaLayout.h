//===- ArenaLayout.h - Per-thread arrays in the arena -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Alignment.h"
#include <vector>

namespace regrain::cpu {

/// Arrays with one element per thread of the block, one after the other, in order of decreasing
/// alignment: array i starts at threads * (element bytes of the arrays before it).
class ArenaLayout {
public:
  /// Adds an array and returns its number. Elements are padded to their alignment, which is at most
  /// 64.
  unsigned add(uint64_t bytes, llvm::Align align) {
    align = std::min(align, llvm::Align(64));
    arrays.push_back({llvm::alignTo(std::max<uint64_t>(bytes, 1), align), align, 0});
    return arrays.size() - 1;
  }

  /// Fixes the order; nothing may be added afterwards.
  void finish() {
    std::vector<unsigned> order(arrays.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return arrays[a].align != arrays[b].align ? arrays[a].align > arrays[b].align : a < b;
    });
    for (unsigned index : order) {
      arrays[index].offset = total;
      total += arrays[index].bytes;
    }
  }

  uint64_t bytesPerThread() const { return total; }
  /// Returns the bytes per thread before an array.
  uint64_t offset(unsigned array) const { return arrays[array].offset; }
  uint64_t elementBytes(unsigned array) const { return arrays[array].bytes; }

  /// Returns the first element of an array; `threads` is 64 bits wide.
  llvm::Value *base(llvm::IRBuilder<> &builder, llvm::Value *arena, llvm::Value *threads,
                    unsigned array) const {
    llvm::Value *offset = builder.CreateMul(threads, builder.getInt64(arrays[array].offset));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), arena, offset);
  }

private:
  struct Array {
    uint64_t bytes;
    llvm::Align align;
    uint64_t offset; ///< bytes per thread before it
  };
  std::vector<Array> arrays;
  uint64_t total = 0;
};

} // namespace regrain::cpu
