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

/// The headings under which the help lists options, as flags of the table. LLVM's own flags take
/// the lowest four bits. An option without a heading is not listed.
enum HelpHeading : unsigned {
  InOutput = 1 << 4,
  InGrains = 1 << 5,
  InExplanations = 1 << 6,
  InTargets = 1 << 7,
  InCode = 1 << 8,
  InHeaders = 1 << 9,
  InDependencies = 1 << 10,
  InLinking = 1 << 11,
  InOtherTools = 1 << 12,
  InInformation = 1 << 13,
  InIgnored = 1 << 14,
};

/// Marks the options that objects with relocatable device code carry to the device link.
inline constexpr unsigned AtDeviceLink = 1 << 15;

/// Returns the table that Options.td declares.
const llvm::opt::OptTable &table();

/// Returns the entries of the table, one for each name of an option.
llvm::ArrayRef<llvm::opt::OptTable::Info> entries();

} // namespace regrain::options
