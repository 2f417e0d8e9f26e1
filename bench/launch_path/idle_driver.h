//===- idle_driver.h - The idle driver's entry points ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cuda/driver.h"

using namespace regrain::cuda;

#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  __attribute__((visibility("default"))) CUresult idle_##name parameters asm(symbol);
#include "runtime/plugins/cuda/driver_api.def"
