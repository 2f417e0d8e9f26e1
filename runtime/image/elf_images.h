//===- elf_images.h - The images in a file ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/container.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace regrain {

/// One image of a file, with its own copy of the bytes.
struct EmbeddedImage {
  std::string member;                   ///< of an archive, else empty
  std::unique_ptr<uint64_t[]> contents; ///< aligned copy that `opened` points into
  OpenedImage opened;
};

/// Finds the images in the `.nv_fatbin` sections of an x86-64 object, shared
/// object, executable, or archive of objects; a bare image counts too. Damaged
/// images are listed with their status. Foreign code in such a section (of
/// another compiler) is passed over. On a file that cannot be read as one of
/// these, `error` becomes one sentence.
[[nodiscard]] std::vector<EmbeddedImage> findImages(std::span<const char> file, std::string &error);

} // namespace regrain
