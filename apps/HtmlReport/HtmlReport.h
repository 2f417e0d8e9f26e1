//===- HtmlReport.h - regrain report ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Runs `regrain report` with its own arguments (argv[0] is "report") and
/// returns its exit code.
int runHtmlReport(int argc, char **argv);

help::Command describeHtmlReport();

} // namespace regrain
