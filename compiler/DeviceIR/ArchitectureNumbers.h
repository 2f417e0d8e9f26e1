//===- ArchitectureNumbers.h - The known NVIDIA GPUs ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header needs no LLVM, because nvrtc has none.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// The architectures for which code can be generated, as 90 for compute capability 9.0, ascending.
inline constexpr int architectureNumbers[] = {50, 52, 53, 60, 61,  62,  70,  72,  75,  80, 86,
                                              87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

} // namespace regrain
