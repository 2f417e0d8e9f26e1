//===- elf_images.h - Search for the images in a file -----------*- C++ -*-===//
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
  std::string member;                   ///< of an archive, otherwise empty
  std::unique_ptr<uint64_t[]> contents; ///< an aligned copy, into which `opened` points
  OpenedImage opened;
};

/// Finds the images in the `.nv_fatbin` sections of an x86-64 object, shared
/// object, executable, or archive of objects; a bare image counts, too. Damaged
/// images are listed with their status. Code of other compilers in such a
/// section is skipped. If the file cannot be read as one of these, `error`
/// becomes one sentence.
[[nodiscard]] std::vector<EmbeddedImage> findImages(std::span<const char> file, std::string &error);

} // namespace regrain
