//===- Textures.cpp - Textures and surfaces -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define ENTRY extern "C" __attribute__((always_inline))
#define HELPER static inline __attribute__((always_inline))
#define TRAP() __builtin_trap()
#include "compiler/Target/Library/Textures.inc"
