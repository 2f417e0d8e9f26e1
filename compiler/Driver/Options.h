//===- Options.h - The option table of regrain cc ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Option/OptTable.h"

namespace regrain::options {

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "compiler/Driver/Options.inc"
#undef OPTION
};

/// Returns the table that Options.td declares.
const llvm::opt::OptTable &table();

} // namespace regrain::options
