//===- BitFields.h - Fields of bits that are no bytes -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's selection of instructions makes one `bfe.u32` of a shift and a mask. From sm_90 on, ptxas
// makes two instructions of it, a shift and one that clears the upper bits, unless the field
// consists of bytes: then it selects bytes in one instruction, or in the conversion that reads the
// field. Of a shift and a mask it makes two instructions as well, or joins one of them with what
// uses the field: a sum, a comparison with zero or another operation on bits. A field longer than
// half a word is usually no field, but the number of iterations of an unrolled loop.
//
// Of `bfe.s32`, ptxas makes a shift and an extension of the sign, both by the unit for integers. Of
// a shift to the left and one to the right, it makes a product by a power of two, which the unit
// for products computes at the same time, and a shift.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Pass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions in SSA form that shifts and masks fields of 32-bit
/// words with constant bounds, up to 16 bits long, unless both bounds are multiples of 8. Signed
/// fields are shifted twice.
llvm::Pass *createShiftAndMaskFields();

} // namespace regrain::nvptx
