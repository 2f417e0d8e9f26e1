//===- Values.h - What a register of the interpreter holds ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of any type is a row of scalars: vectors, arrays and structures are
// flattened, and so is a wide integer, of more than 64 bits: into words of 64, the
// lowest first, the last of what is left. Each scalar knows which of its bits are undefined. Poison
// has all bits undefined, and whatever is computed from it is poison again: no mask makes it
// defined. Memory keeps no poison, only undefined bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include <cstdint>

namespace regrain {

/// Up to 64 bits; those above the type's width are 0 in both fields.
struct Scalar {
  uint64_t bits = 0;
  uint64_t undefined = 0;
  bool isPoison = false; ///< then all bits are undefined
};

inline uint64_t maskOf(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

inline int64_t signExtend(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

inline Scalar poison(unsigned width) { return {0, maskOf(width), true}; }

/// Nothing is known of it; poison where what it is computed from is.
inline Scalar unknown(unsigned width, bool isPoison = false) {
  return {0, maskOf(width), isPoison};
}

/// One scalar of a type, and where it lies in memory.
struct Leaf {
  llvm::Type *type;
  unsigned width;
  uint64_t offset;
};

/// The scalars of `type` in order; false where one is not an integer, a pointer, or a half, bfloat,
/// float or double.
[[nodiscard]] bool flatten(llvm::Type *type, const llvm::DataLayout &layout,
                           llvm::SmallVectorImpl<Leaf> &leaves, uint64_t offset = 0);

/// How many scalars a type that flatten() accepts has.
unsigned scalarCount(llvm::Type *type);

/// Whether `type` is an integer of several words.
inline bool isWide(llvm::Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 64;
}

/// The bit width of a scalar type; of a pointer, that of the widest.
unsigned widthOf(llvm::Type *scalar);

/// A floating-point scalar as a double, exactly; and back, rounded to nearest.
double toDouble(llvm::Type *type, uint64_t bits);
uint64_t fromDouble(llvm::Type *type, double value);

} // namespace regrain
