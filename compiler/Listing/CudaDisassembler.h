//===- CudaDisassembler.h - NVIDIA's disassemblers --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"

#include <span>
#include <string>

namespace regrain::listing {

/// A program that disassembles cubins.
struct CudaDisassembler {
  enum class Kind { Nvdisasm, Cuobjdump };
  Kind kind;
  std::string file;
  /// Only nvdisasm tells lines.
  bool tellsLines() const { return kind == Kind::Nvdisasm; }
};

/// Returns nvdisasm, otherwise cuobjdump: of the first toolkit that has one, in the order in which
/// the compiler searches them, or on PATH. The error says how to get one.
[[nodiscard]] OrError<CudaDisassembler> findCudaDisassembler();

/// Returns what the program prints for a cubin.
[[nodiscard]] OrError<std::string> disassemble(const CudaDisassembler &disassembler,
                                               std::span<const char> cubin);

} // namespace regrain::listing
