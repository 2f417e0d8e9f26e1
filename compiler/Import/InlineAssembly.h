//===- InlineAssembly.h - What inline PTX does ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX is opaque; these read as much of its text as a grain has to know.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/InlineAsm.h"
#include <string>

namespace regrain {

/// PTX that is __syncthreads() written by hand.
[[nodiscard]] bool isBarrierAssembly(const llvm::InlineAsm &assembly);

/// Whether each instruction is one that a thread runs for itself, whichever lane
/// it is: arithmetic, moves, fences, and accesses to memory that are neither
/// volatile nor asynchronous. clang marks all assembly convergent; this is not.
[[nodiscard]] bool concernsOneThread(const llvm::InlineAsm &assembly);

/// Whether each instruction is one that the lanes of a warp run together (shuffles,
/// votes, matrix operations), or that a thread runs for itself, and no register is
/// read but of the lane, or of the time or the place, which no grain changes.
[[nodiscard]] bool concernsWarp(const llvm::InlineAsm &assembly);

/// Whether an instruction holds between the threads of one block alone.
[[nodiscard]] bool isOfBlockScope(const llvm::InlineAsm &assembly);

/// The first opcode whose effects reach beyond the memory of the device and the
/// threads of the launch (of system scope, to surfaces, a call), or are not known;
/// empty where there is none.
[[nodiscard]] std::string findForeignOpcode(const llvm::InlineAsm &assembly);

} // namespace regrain
