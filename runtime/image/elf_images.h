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

/// The images of a file.
struct FoundImages {
  std::vector<EmbeddedImage> images; ///< up to the place of the error
  std::string error;                 ///< one sentence; empty if the whole file could be read
};

/// Finds the images in the `.nv_fatbin` sections of an x86-64 object, shared
/// object, executable, or archive of objects; a bare image counts, too. Damaged
/// images are listed with their status. Code of other compilers in such a
/// section is skipped. It is an error if the file cannot be read as one of these.
[[nodiscard]] FoundImages findImages(std::span<const char> file);

} // namespace regrain
