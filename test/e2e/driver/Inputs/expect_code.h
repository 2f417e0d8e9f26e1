//===- expect_code.h - Checks of the codes that calls return ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdio>

inline int wrong = 0; ///< calls that returned another code than expected

#define EXPECT(code, call) expect(int(call), int(code), #call, __LINE__)
#define CHECK(call) EXPECT(0, call)

inline void expect(int got, int wanted, const char *what, int line) {
  if (got == wanted)
    return;
  std::printf("line %d: %s: %d, expected %d\n", line, what, got, wanted);
  ++wrong;
}
