//===- DeviceLaunches.h - Kernels that device code starts -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang has several errors for kernel<<<grid, block>>>() in device code, none of which names the
// reason. One error takes their place.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"
#include <memory>

namespace regrain {

/// Returns a consumer that passes on everything else.
std::unique_ptr<clang::DiagnosticConsumer>
withDeviceLaunches(std::unique_ptr<clang::DiagnosticConsumer> consumer);

} // namespace regrain
