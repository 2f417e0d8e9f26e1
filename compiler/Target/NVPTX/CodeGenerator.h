//===- CodeGenerator.h - Device LLVM IR to PTX ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>
#include <vector>

namespace regrain::nvptx {

/// Settings of the code generator for one module.
struct MachineSettings {
  std::string chip = "sm_70"; ///< that LLVM generates for
  unsigned ptxVersion = 0;    ///< times ten; 0: the lowest that the chip allows
  unsigned optLevel = 3;
  /// Fuse every multiply and add; else only those whose flags allow it.
  bool fuseMultiplyAdd = true;
};

/// The newest chip that LLVM generates for and whose PTX runs on `arch`
/// ("sm_120" gives "sm_90"); empty where `arch` is no chip's name.
std::string chipFor(llvm::StringRef arch);

std::unique_ptr<llvm::TargetMachine> createMachine(const MachineSettings &settings);

/// Runs clang's pipeline for device code at the machine's level.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level,
              Addresses addresses);

/// Notes at each access of shared memory what follows from the variable's alignment,
/// which the pipeline does not see: it knows shared memory by a general address.
/// Accesses of neighbours are joined by the code generator where they are aligned.
void inferSharedAlignment(llvm::Module &module, llvm::TargetMachine &machine);

/// Writes PTX, NUL-terminated. The module is used up.
llvm::Expected<std::vector<char>> emitPtx(llvm::Module &module, llvm::TargetMachine &machine,
                                          Addresses addresses);

/// Keeps nothing of the debug information but what `.loc` directives need, or
/// nothing at all.
void reduceDebugInfo(llvm::Module &module, bool keepLines);

} // namespace regrain::nvptx
