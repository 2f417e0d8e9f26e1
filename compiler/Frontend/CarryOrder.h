//===- CarryOrder.h - Carries between texts of assembly ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's carry flag goes from one instruction to the next, and programs write the two in statements
// of their own: asm("add.cc.u32 ...") and asm("addc.u32 ..."). Without `volatile`, LLVM takes each
// for a function of its operands, and merges two of the same operands. nvcc keeps all of them in
// their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Makes every text that takes a carry from another one, or leaves one, assembly with effects. What
/// only computes has none on memory that others reach, also if the program writes `volatile`.
void orderCarries(llvm::Module &device);

} // namespace regrain
