//===- StandardOutput.cpp - Output that was not written -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/StandardOutput.h"

#include <iostream>

int regrain::terminal::endOutput(const std::string &tool, int status) {
  if (std::cout.flush())
    return status;
  std::cout.clear();
  std::cerr << tool << ": error: standard output could not be written in full\n";
  return status == 0 ? 1 : status;
}
