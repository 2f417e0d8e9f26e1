//===- KeptParameters.h - Parameters in their place -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target copies a parameter in memory into local memory if its address is used for
// more than to load. That is needless if nobody writes to the parameter, as to one with
// __grid_constant__: then the address is that of the parameter (cvta.param), as in nvcc's code.
// LLVM 19 also knows `grid_constant` in nvvm.annotations, but it remembers the annotations of a
// function from when a pass first asked for them, and one address in a phi makes all loads generic.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Replaces the addresses of parameters that `readonly` says nobody writes to, where they are not
/// just loaded from, by generic addresses of these parameters. With `cachesLoads`, those loads of
/// such parameters and of constant variables whose addresses differ between the lanes of a warp
/// also use generic addresses (GenericAddresses.h). The kernels keep their names afterwards. Chips
/// before sm_70 have no such addresses of parameters; there all stays as it is.
void keepParameters(llvm::Module &module, unsigned capability, bool cachesLoads);

} // namespace regrain::nvptx
