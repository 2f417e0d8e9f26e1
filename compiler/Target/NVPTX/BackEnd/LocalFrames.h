//===- LocalFrames.h - Local addresses of a thread's arrays -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM forms the address of a thread's array as a generic one and converts it to local memory. It
// drops both conversions only where local addresses have 64 bits, and they have 32 here. ptxas then
// computes the beginning of local memory minus itself, and holds the sum in a register; from the
// frame's own address, it has the stack pointer and an offset in each access, as in nvcc's code.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class MachineFunctionPass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions whose frame is laid out. Local addresses of 32 bits are
/// formed from the local address of the frame.
llvm::MachineFunctionPass *createUseLocalFrames();

} // namespace regrain::nvptx
