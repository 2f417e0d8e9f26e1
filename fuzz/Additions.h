//===- Additions.h - Rare constructs in a random kernel ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records, exchanges of cooperative groups, additions of vectors and numbers of 16 bits are drawn
// from numbers of their own, and added to a kernel that is drawn without them. So a kernel without
// additions does not depend on what there is to add.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

/// Returns a kernel that has no fault, with statements that its seed adds to it.
Kernel withAdditions(Kernel kernel);

} // namespace regrain::fuzz
