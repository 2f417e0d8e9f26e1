//===- texture_reference.h - Texture references of CUDA 11 ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// Notes a texture or surface reference of the program, and whether it reads integers as
/// normalized floats.
void addReference(const void *hostVariable, bool readsNormalized);

} // namespace regrain
