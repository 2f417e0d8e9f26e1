//===- Values.h - Values in registers of the interpreter --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of any type is a sequence of scalars: vectors, arrays and structures are flattened, and
// so is a wide integer, of more than 64 bits: into words of 64 bits, the lowest first, and a last
// word of the remaining bits. Each scalar has a mask of its undefined bits. Poison has all bits
// undefined, and every result computed from it is poison again: no mask makes it defined. Memory
// contains no poison, only undefined bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include <cstdint>

namespace regrain {

/// A scalar has up to 64 bits; those above the type's width are 0 in both
/// fields.
struct Scalar {
  uint64_t bits = 0;
  uint64_t undefined = 0;
  bool isPoison = false; ///< if so, all bits are undefined
};

inline uint64_t maskOf(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

inline int64_t signExtend(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

inline Scalar poison(unsigned width) { return {0, maskOf(width), true}; }

/// Returns a scalar with all bits undefined; it is poison if an operand is.
inline Scalar unknown(unsigned width, bool isPoison = false) {
  return {0, maskOf(width), isPoison};
}

/// One scalar of a type, and its place in memory.
struct Leaf {
  llvm::Type *type;
  unsigned width;
  uint64_t offset;
};

/// Lists the scalars of `type` in order; returns false if one is not an integer, a pointer, or a
/// half, bfloat, float or double.
[[nodiscard]] bool flatten(llvm::Type *type, const llvm::DataLayout &layout,
                           llvm::SmallVectorImpl<Leaf> &leaves, uint64_t offset = 0);

/// Returns the number of scalars of a type that flatten() accepts.
unsigned scalarCount(llvm::Type *type);

/// Returns whether `type` is an integer of several words.
inline bool isWide(llvm::Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 64;
}

/// Returns the bit width of a scalar type; for a pointer, that of the widest
/// one.
unsigned widthOf(llvm::Type *scalar);

/// Convert a floating-point scalar to a double, exactly, and back, rounded to
/// nearest.
double toDouble(llvm::Type *type, uint64_t bits);
uint64_t fromDouble(llvm::Type *type, double value);

} // namespace regrain
