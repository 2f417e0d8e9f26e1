//===- fat_binary.h - Code of another compiler ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object that NVIDIA's compiler made registers a fat binary, code for one or more NVIDIA GPUs
// from which the driver chooses. Such an object may be linked with Regrain's runtime.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/container.h"

#include <span>
#include <string>

namespace regrain {

[[nodiscard]] bool isFatBinary(const void *data);

/// Returns an image whose only module has the code, with the originals of `kernels` and with
/// `variables`; these are symbols. The layout of the kernels' parameters is not known, and no
/// launch of them can be repeated. The size of a variable is not known either.
[[nodiscard]] std::vector<uint8_t> describeCode(std::span<const uint8_t> code,
                                                std::span<const std::string> kernels,
                                                std::span<const std::string> variables);

/// Returns an image whose only module has the fat binary at `data` for its code, with the originals
/// of `kernels`; these are symbols. The layout of their parameters is not known, and no launch of
/// them can be repeated.
[[nodiscard]] std::vector<uint8_t> describeFatBinary(const void *data,
                                                     std::span<const char *const> kernels);

} // namespace regrain
