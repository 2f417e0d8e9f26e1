//===- cpu_backend.h - The CPU device behind stand-ins ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

/// Returns the device that does the work of a library that stands in for a driver.
regrain::Device &backend();
