//===- ManagedVariables.h - Variables of device and host --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang 19 has __managed__ for HIP only. Our headers make it a section (crt/host_defines.h), by
// which the IR of both sides shows the managed variables, also those that it only declares.
//
// The device side defines the variable. The host side has a pointer of the same name, which is
// registered as any other module variable. Each access of the host calls the runtime, which sets
// the pointer to the variable's memory when it is first asked (runtime/cudart/registration.cpp).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Annotates the managed variables of a device module, and takes them out of the section.
void markManagedVariables(llvm::Module &device);

/// Lets the host side reach its managed variables through the runtime. A host variable whose
/// initialiser has the address of a managed one gets it before main(). A use that cannot be
/// rewritten is an error of the module's context.
void reachManagedVariables(llvm::Module &host);

} // namespace regrain
