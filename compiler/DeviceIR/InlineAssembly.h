//===- InlineAssembly.h - What inline PTX does ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX is opaque; these functions read as much of its text as a grain has to know.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/InlineAsm.h"
#include <string>

namespace regrain {

/// Returns whether the PTX is a hand-written __syncthreads().
[[nodiscard]] bool isBarrierAssembly(const llvm::InlineAsm &assembly);

/// Returns whether a thread runs each instruction by itself, whichever lane it is: arithmetic,
/// moves, fences, and accesses to memory that are neither volatile nor asynchronous. clang marks
/// all assembly convergent; this kind is not.
[[nodiscard]] bool concernsOneThread(const llvm::InlineAsm &assembly);

/// Returns whether the results depend on the operands alone: arithmetic and moves, without memory,
/// special registers, effects, and carries that another text may have left.
[[nodiscard]] bool onlyComputes(const llvm::InlineAsm &assembly);

/// Returns whether the text accesses no memory and only computes, also by carries of other texts.
[[nodiscard]] bool staysFromMemory(const llvm::InlineAsm &assembly);

/// Returns whether the text takes a carry that another text has left, or leaves one.
[[nodiscard]] bool sharesCarries(const llvm::InlineAsm &assembly);

/// Returns whether each instruction is one that the lanes of a warp run together (shuffles, votes,
/// matrix operations) or that a thread runs by itself, and the only special registers that are read
/// are those of the lane, the time or the multiprocessor, which no grain changes.
[[nodiscard]] bool concernsWarp(const llvm::InlineAsm &assembly);

/// Returns whether the text computes, and hands values from lane to lane (shuffles, votes), without
/// touching memory. It does not say so itself either: `volatile` alone orders no accesses.
[[nodiscard]] bool staysInRegisters(const llvm::InlineAsm &assembly);

/// Returns whether an instruction is effective only between the threads of one block.
[[nodiscard]] bool isOfBlockScope(const llvm::InlineAsm &assembly);

/// Returns whether each instruction is a read through a texture, which nothing writes during the
/// launch. Its object is a handle, and no address of memory that the program can write.
[[nodiscard]] bool onlyReadsTextures(const llvm::InlineAsm &assembly);

/// Returns whether the text jumps and reads memory that other blocks can write. Such a loop may
/// wait for what runs outside the block; one around an `mbarrier` waits for the block or its
/// cluster.
[[nodiscard]] bool mayWaitForOutside(const llvm::InlineAsm &assembly);

/// Returns whether an instruction writes through a surface, to memory that has no address.
[[nodiscard]] bool writesSurface(const llvm::InlineAsm &assembly);

/// Returns whether the text is of the matrix products of a warpgroup (wgmma), which read the
/// block's shared memory where their descriptors say and write registers, of computations, and of
/// fences that let such products see what the block wrote. At least one instruction is no
/// computation.
[[nodiscard]] bool multipliesFromSharedMemory(const llvm::InlineAsm &assembly);

/// Returns whether the text accesses no memory but shared memory: that of the block, or of other
/// blocks of its cluster. It does more than compute with its operands.
[[nodiscard]] bool staysInSharedMemory(const llvm::InlineAsm &assembly);

/// Returns whether the text is of instructions that give the address in a block's shared memory of
/// what another block of the cluster has at an address (mapa).
[[nodiscard]] bool mapsToCluster(const llvm::InlineAsm &assembly);

/// Returns whether the text is one asynchronous copy (cp.async), which reads at most 16 bytes at
/// its second operand and writes the block's shared memory. Hints for caches change nothing of
/// that.
[[nodiscard]] bool copiesAsynchronously(const llvm::InlineAsm &assembly);

/// Returns whether the text is the wait for the launch in front of the kernel's, and nothing else.
[[nodiscard]] bool waitsForLaunch(const llvm::InlineAsm &assembly);

/// Returns whether the text lets the launch behind the kernel's begin, and does nothing else. When
/// that happens changes no result, because that launch waits where it has to.
[[nodiscard]] bool letsNextLaunchBegin(const llvm::InlineAsm &assembly);

/// Returns whether each instruction is a hint that changes no result: to a cache, or to the launch
/// behind.
[[nodiscard]] bool onlyHints(const llvm::InlineAsm &assembly);

/// Returns the first opcode that is not known, or whose effects reach beyond the memory of the
/// device and the threads of the launch (system scope, calls); empty if there is none.
[[nodiscard]] std::string findForeignOpcode(const llvm::InlineAsm &assembly);

} // namespace regrain
