//===- regrain_symbol.h - The symbols of the runtime's entries --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_SYMBOL
/* An entry NAME is the symbol regrain_NAME, so NVIDIA's libraries may be in the same process. */
#define REGRAIN_SYMBOL(NAME) __asm__("regrain_" NAME)
#endif
