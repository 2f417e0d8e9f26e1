//===- regrain-nvcc.cpp - regrain cc under an nvcc-like name --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under the name regrain-link it links for build systems that call the host compiler themselves: what
// it does not know goes to the host compiler.
//
//===----------------------------------------------------------------------===//

#include "apps/Compile/Compile.h"

#include <string>
#include <string_view>
#include <vector>

int main(int argc, char **argv) {
  std::vector<char *> arguments(argv, argv + argc);
  std::string forwards = "-forward-unknown-to-host-compiler";
  if (std::string_view(argv[0]).ends_with("regrain-link"))
    arguments.insert(arguments.begin() + 1, forwards.data());
  return regrain::runCompiler(static_cast<int>(arguments.size()), arguments.data());
}
