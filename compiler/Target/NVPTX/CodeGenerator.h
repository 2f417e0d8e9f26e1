//===- CodeGenerator.h - Device LLVM IR to PTX ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/PtxText/CacheHints.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>
#include <vector>

namespace regrain::nvptx {

/// Settings of the code generator for one module.
struct MachineSettings {
  std::string chip = "sm_70"; ///< for which LLVM generates code
  unsigned ptxVersion = 0;    ///< times ten; 0: the lowest that the chip allows
  unsigned optLevel = 3;
  /// Fuse every multiply and add; otherwise only those whose flags allow it.
  bool fuseMultiplyAdd = true;
  /// Order the instructions of a block so that few values are live together; otherwise as in the
  /// program.
  bool sparesRegisters = false;
};

/// Returns the newest chip for which LLVM generates code and whose PTX runs on `arch` ("sm_120"
/// gives "sm_90"); empty if `arch` is not the name of a chip.
std::string chipFor(llvm::StringRef arch);

std::unique_ptr<llvm::TargetMachine> createMachine(const MachineSettings &settings);

/// How loops form addresses (docs/decisions/0024).
enum class LoopAddresses {
  Reduced, ///< by incremented pointers, where LLVM considers them cheaper
  Indexed, ///< from the index in each iteration
  Wide,    ///< from an index of 64 bits, or by incremented pointers
};

/// Writes PTX, NUL-terminated. The module is then what instructions were selected for. If it
/// `sparesRegisters`, what is computed for a later block stays where its operands are.
llvm::Expected<std::vector<char>> emitPtx(llvm::Module &module, llvm::TargetMachine &machine,
                                          LoopAddresses addresses, const CacheHints &hints = {},
                                          bool sparesRegisters = false);

/// Removes debug information except what `.loc` directives need, or all of it.
void reduceDebugInfo(llvm::Module &module, bool keepLines);

} // namespace regrain::nvptx
