//===- OptionHelp.h - The description of regrain cc -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Returns the description of `regrain cc`. Its options are those of Options.td that are not
/// refused.
help::Command describeCompiler();

/// Returns the description of `regrain explain`, which takes the same options.
help::Command describeExplain();

} // namespace regrain
