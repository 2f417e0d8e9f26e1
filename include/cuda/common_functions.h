//===- common_functions.h - clock, printf, malloc ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// regrain_prelude.h includes these already.
//
//===----------------------------------------------------------------------===//
#ifndef __COMMON_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__
#pragma GCC system_header

#include "crt/host_defines.h"

#endif
