//===- StandardOutput.h - Output that was not written -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A full disk shows only when the last bytes are written, behind the work of a command.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace regrain::terminal {

/// Writes what std::cout still holds. Returns the exit code of a command that ends with `status`:
/// if some of its output could not be written, it has failed, and a message of `tool` says so.
[[nodiscard]] int endOutput(const std::string &tool, int status);

} // namespace regrain::terminal
