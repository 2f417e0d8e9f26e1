//===- container.h - The container around an image --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The container is a header of 40 bytes, followed by the FlatBuffers body of
// image.fbs:
//
//    0  magic "RGRAIN\0\0"      16  body bytes, u64
//    8  major, minor, u16 each  24  checksum of the body, u64
//   12  header bytes, u32       32  checksum of the 32 bytes before, u64
//
// All numbers are little-endian. The first 12 bytes keep this form for ever, so
// that an old reader can name the version that it refuses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace regrain {

inline constexpr uint16_t imageMajor = 1;
inline constexpr uint16_t imageMinor = 0;
inline constexpr size_t imageHeaderBytes = 40;
inline constexpr size_t imageAlignment = 8;

enum class ImageStatus {
  Ok,
  NotAnImage,   ///< the magic is missing
  NewerVersion, ///< written by a newer major version
  Truncated,    ///< the header states more bytes than there are
  Damaged,      ///< a checksum or the contents are wrong
};

/// The result of openImage. `image` points into the bytes that were given.
struct OpenedImage {
  ImageStatus status = ImageStatus::NotAnImage;
  const image::Image *image = nullptr; ///< null unless status is Ok
  uint64_t totalBytes = 0;             ///< header and body; 0 unless Ok
  std::string message;                 ///< one sentence unless Ok
};

/// Puts the header in front of a finished FlatBuffers body. The same body
/// always gives the same bytes.
[[nodiscard]] std::vector<char> wrapImage(std::span<const uint8_t> body);

/// Checks everything on which readers rely: the header before its size is used,
/// the body's checksum, its structure, and the ranges of indices and factors.
/// Reads at most `availableBytes`; `data` is aligned to imageAlignment.
[[nodiscard]] OpenedImage openImage(const void *data, uint64_t availableBytes);

/// Returns the size that the header at `data` states, including the header; 0 if the
/// header is not sound, so that no image begins here. Reads nothing beyond the header.
[[nodiscard]] uint64_t promisedImageBytes(const void *data, uint64_t availableBytes);

[[nodiscard]] bool hasImageMagic(const void *data, uint64_t availableBytes);

} // namespace regrain
