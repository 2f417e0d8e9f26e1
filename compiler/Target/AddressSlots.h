//===- AddressSlots.h - Variables that another module owns ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Reach.h"

#include <string>
#include <vector>

namespace regrain {

/// Rewrites every use of a variable that `module` only declares. The address is loaded from a slot,
/// which the runtime fills in after loading:
///
///   load float, ptr addrspace(1) @v
/// becomes
///   %v = load ptr addrspace(1), ptr addrspace(4) @__regrain_address_of_v
///   load float, ptr addrspace(1) %v
///
/// A constant variable is also read through global memory, with loads marked invariant. If a use of
/// a kernel cannot be rewritten (in an initialiser, or a constant's address that is kept in a phi
/// or a call), the kernel is refused.
void reachVariablesThroughSlots(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                                RefusedKernels &refused);

/// Does the same for the managed variables that `module` defines, on a target whose code has its
/// variables in memory that the host cannot access. The definitions stay, as the initial values.
/// Returns the variables. A kernel that uses one in an initialiser is refused.
std::vector<std::string> reachManagedThroughSlots(llvm::Module &module,
                                                  llvm::ArrayRef<std::string> kernels,
                                                  RefusedKernels &refused);

} // namespace regrain
