//===- ByteProducts.h - Sums of products of bytes ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w` for bytes is one instruction (dp4a) from
// compute capability 6.1 on. Programs write it as such a sum, and so does Regrain's __dp4a, because
// every target and every analysis knows arithmetic. LLVM 19 does not know the instruction.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Replaces the products of all four bytes of one word with those of another, in one sum of 32
/// bits, by that instruction. Bytes are extended with or without their sign, alike for all bytes of
/// a word. Sums wrap around in both forms. Returns whether the function has changed.
bool joinByteProducts(llvm::Function &function, unsigned capability);

/// Returns a pass over LLVM IR that does so, for behind LLVM's load-store vectoriser, which makes
/// words of bytes that are loaded one by one.
llvm::FunctionPass *createJoinByteProducts(unsigned capability);

} // namespace regrain::nvptx
