//===- properties.cpp - cudaDeviceProp from attributes --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/properties.h"

namespace regrain {

void addAttributes(Device &device, cudaDeviceProp &out) {
  auto read = [&](cudaDeviceAttr which) {
    int value = 0;
    return device.attribute(which, value) == cudaSuccess ? value : 0;
  };
#define REGRAIN_PROPERTY(field, name) out.field = read(cudaDevAttr##name);
#include "runtime/plugins/gpu/properties.def"
}

} // namespace regrain
