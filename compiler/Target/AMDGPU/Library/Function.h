//===- Function.h - Definition of device library functions ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library is compiled for no chip in particular. Its functions are named by libraryNameFor
// (compiler/Target/LibraryCalls.h) and are inlined where they are called.
//
//===----------------------------------------------------------------------===//
#pragma once

using u32 = unsigned;
using i32 = int;
using u64 = unsigned long long;
using i64 = long long;

#define REGRAIN_FUNCTION extern "C" __attribute__((always_inline))
