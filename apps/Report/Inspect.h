//===- Inspect.h - regrain inspect ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// `inspect [--json] [--candidates] [--extract=DIR] FILE`: shows what the images in FILE hold.
/// argv[0] is the subcommand's name. Returns the exit code: 1 where the command line is wrong, the
/// file cannot be read, holds no image, or holds a damaged one.
int runInspect(int argc, char **argv);

} // namespace regrain
