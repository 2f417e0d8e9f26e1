//===- GenerationDigest.cpp - How a target's code is generated ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/GenerationDigest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

using namespace regrain;

std::string regrain::digestOf(std::vector<CodeInput> inputs) {
  llvm::sort(inputs);
  llvm::BLAKE3 hasher;
  auto add = [&](llvm::StringRef text) {
    uint8_t size[4]; // so that two different lists never give the same bytes
    llvm::support::endian::write32le(size, text.size());
    hasher.update(size);
    hasher.update(text);
  };
  for (const CodeInput &input : inputs) {
    add(input.name);
    add(input.value);
  }
  return llvm::toHex(hasher.final<16>(), /*LowerCase=*/true);
}
