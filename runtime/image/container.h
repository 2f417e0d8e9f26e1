//===- container.h - The container around an image --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header of 40 bytes, then the FlatBuffers body of image.fbs:
//
//    0  magic "RGRAIN\0\0"      16  body bytes, u64
//    8  major, minor, u16 each  24  checksum of the body, u64
//   12  header bytes, u32       32  checksum of the 32 bytes before, u64
//
// All little-endian. The first 12 bytes keep this form for ever, so that an old
// reader can name the version it refuses.
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
  NotAnImage,   ///< the magic is not there
  NewerVersion, ///< written by a newer major version
  Truncated,    ///< more bytes promised than there are
  Damaged,      ///< a checksum or the contents are wrong
};

/// What openImage found. `image` points into the bytes that were given.
struct OpenedImage {
  ImageStatus status = ImageStatus::NotAnImage;
  const image::Image *image = nullptr; ///< null unless status is Ok
  uint64_t totalBytes = 0;             ///< header and body; 0 unless Ok
  std::string message;                 ///< one sentence unless Ok
};

/// Puts the header in front of a finished FlatBuffers body. The same body gives
/// the same bytes.
[[nodiscard]] std::vector<char> wrapImage(std::span<const uint8_t> body);

/// Checks everything that readers rely on: the header before its size is used,
/// the body's checksum, its structure, and that indices and factors are in
/// range. Reads at most `availableBytes`; `data` is aligned to imageAlignment.
[[nodiscard]] OpenedImage openImage(const void *data, uint64_t availableBytes);

/// Whether an image may begin here.
/// The size of the image whose header stands at `data`, its header included; 0 where the
/// header is not sound. Reads nothing behind the header.
[[nodiscard]] uint64_t promisedImageBytes(const void *data, uint64_t availableBytes);

[[nodiscard]] bool hasImageMagic(const void *data, uint64_t availableBytes);

} // namespace regrain
