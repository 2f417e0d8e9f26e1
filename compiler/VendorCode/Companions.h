//===- Companions.h - Kernels of the vendor's compiler ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/PtxModule.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Target/Companion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace regrain {

/// A kernel that is to be taken from the vendor's code.
struct WantedCompanion {
  const DeviceKernel *kernel;
  std::string symbol;     ///< its name in the base module
  unsigned registers = 0; ///< the most that a thread may have; 0: any number
};

struct Companions {
  CompanionCode code;
  std::map<std::string, std::string> refused; ///< one clause, by CompanionKernel::symbol
};

/// Takes kernels from `vendor` with everything that they reach, under names that the base module
/// does not have. Names are compared as they are demangled, because the compilers mangle internal
/// ones differently.
///
/// A variable in `variables` is the base module's own. Of read-only data, whose demangled names are
/// in `constants`, and of what the vendor's compiler has added, the companions have their own
/// copies. A kernel is refused if it
/// - has no counterpart, or other parameters;
/// - reaches a variable that is none of these, is managed, or is of another size or state space;
/// - calls functions by pointers, or functions that the driver does not define;
/// - needs the state of a cooperative launch, or clusters.
[[nodiscard]] Companions takeCompanions(const PtxModule &vendor,
                                        llvm::ArrayRef<WantedCompanion> wanted,
                                        llvm::ArrayRef<DeviceVariable> variables,
                                        const llvm::StringSet<> &constants);

/// Returns the demangled name, without what compilers add to tell translation units apart.
[[nodiscard]] std::string plainName(llvm::StringRef symbol);

} // namespace regrain
