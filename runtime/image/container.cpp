//===- container.cpp - The container around an image ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/container.h"

#include "runtime/image/checksum.h"
#include "runtime/image/grain.h"
#include "runtime/image/image_rule.h"
#include "runtime/image/integers.h"

#include <algorithm>
#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little);

namespace regrain {
namespace {

struct Header {
  char magic[8];
  uint16_t major;
  uint16_t minor;
  uint32_t headerBytes;
  uint64_t bodyBytes;
  uint64_t bodyChecksum;
  uint64_t headerChecksum;
};
static_assert(sizeof(Header) == imageHeaderBytes);

constexpr char magic[8] = {'R', 'G', 'R', 'A', 'I', 'N', 0, 0};
constexpr uint64_t prefixBytes = 12; // magic and version

uint64_t headerChecksum(const Header &header) {
  return checksum(&header, offsetof(Header, headerChecksum));
}

bool isCanonical(std::string_view id) {
  OrError<GrainSpec> spec = parseGrainSpec(id);
  return spec && !spec->hasTotals() && toString(spec->grain) == id;
}

/// The runtime reads integers from a launch's arguments at the places that the image
/// states.
bool isWithin(const image::IntegerArgument &integer, const image::Kernel &kernel) {
  if (!kernel.parameters() || integer.parameter() >= kernel.parameters()->size())
    return false;
  uint64_t end = uint64_t(integer.offset()) + integer.size();
  return std::has_single_bit(integer.size()) && integer.size() <= sizeof(uint64_t) &&
         end <= kernel.parameters()->Get(integer.parameter())->size();
}

/// The runtime evaluates the rule of a variant without further checks.
const char *findWrong(const image::Kernel &kernel, const image::Alternative &alternative) {
  bool isVariant = alternative.id()->string_view().starts_with("variant=");
  LaunchRule rule = ruleOf(alternative);
  if (isVariant == rule.empty())
    return "a rule belongs to a variant, and each variant has one";
  std::vector<uint32_t> bytes;
  for (uint32_t i = 0; kernel.parameters() && i < kernel.parameters()->size(); ++i)
    bytes.push_back(kernel.parameters()->Get(i)->size());
  if (isVariant && regrain::findWrong(rule, bytes))
    return "the rule of a variant is wrong";
  return nullptr;
}

const char *findWrong(const image::Kernel &kernel) {
  if (kernel.alternatives()->size() == 0)
    return "a kernel has no original";
  if (kernel.chosen() >= kernel.alternatives()->size())
    return "a kernel's choice is not among its alternatives";
  for (uint32_t i = 0; kernel.next_choices() && i < kernel.next_choices()->size(); ++i)
    if (kernel.next_choices()->Get(i) >= kernel.alternatives()->size())
      return "a kernel's choice is not among its alternatives";
  for (uint32_t i = 0; kernel.class_choices() && i < kernel.class_choices()->size(); ++i)
    if (kernel.class_choices()->Get(i)->alternative() >= kernel.alternatives()->size())
      return "a kernel's choice is not among its alternatives";
  if (kernel.integers() && kernel.integers()->size() > mostIntegers)
    return "a kernel has more integers than a class of launches can have";
  for (uint32_t i = 0; kernel.integers() && i < kernel.integers()->size(); ++i)
    if (!isWithin(*kernel.integers()->Get(i), kernel))
      return "an integer is outside of a kernel's parameters";
  for (const image::Alternative *alternative : *kernel.alternatives()) {
    if (!isCanonical(alternative->id()->string_view()))
      return "an alternative's id is not a grain";
    if (const char *wrong = findWrong(kernel, *alternative))
      return wrong;
  }
  return nullptr;
}

const char *findWrong(const image::Image &image, const image::Module &module) {
  const auto *kernels = image.kernels();
  const auto *variables = image.variables();
  if (module.entries())
    for (const image::Entry *entry : *module.entries()) {
      if (!kernels || entry->kernel() >= kernels->size())
        return "an entry names a kernel that does not exist";
      if (entry->alternative() >= kernels->Get(entry->kernel())->alternatives()->size())
        return "an entry names an alternative that does not exist";
    }
  if (module.slots())
    for (const image::Slot *slot : *module.slots())
      if (!variables || slot->variable() >= variables->size())
        return "a slot names a variable that does not exist";
  const auto &code = *module.code();
  if (module.kind() == image::CodeKind::Ptx && (code.size() == 0 || code.Get(code.size() - 1) != 0))
    return "PTX does not end in NUL";
  return nullptr;
}

/// Checks what the FlatBuffers verifier does not. Returns null if nothing is
/// wrong.
const char *findWrong(const image::Image &image) {
  if (image.kernels())
    for (const image::Kernel *kernel : *image.kernels())
      if (const char *wrong = findWrong(*kernel))
        return wrong;
  if (image.modules())
    for (const image::Module *module : *image.modules())
      if (const char *wrong = findWrong(image, *module))
        return wrong;
  return nullptr;
}

OpenedImage refuse(ImageStatus status, std::string message) {
  OpenedImage opened;
  opened.status = status;
  opened.message = std::move(message);
  return opened;
}

} // namespace

std::vector<char> wrapImage(std::span<const uint8_t> body) {
  Header header = {};
  std::memcpy(header.magic, magic, sizeof(magic));
  header.major = imageMajor;
  header.minor = imageMinor;
  header.headerBytes = sizeof(Header);
  header.bodyBytes = body.size();
  header.bodyChecksum = checksum(body.data(), body.size());
  header.headerChecksum = headerChecksum(header);
  std::vector<char> bytes(sizeof(Header) + body.size());
  std::memcpy(bytes.data(), &header, sizeof(Header));
  if (!body.empty())
    std::memcpy(bytes.data() + sizeof(Header), body.data(), body.size());
  return bytes;
}

uint64_t promisedImageBytes(const void *data, uint64_t availableBytes) {
  if (availableBytes < sizeof(Header) || !hasImageMagic(data, availableBytes))
    return 0;
  Header header = {};
  std::memcpy(&header, data, sizeof(Header));
  bool isSound = header.major <= imageMajor && header.headerBytes == sizeof(Header) &&
                 header.headerChecksum == headerChecksum(header) &&
                 header.bodyBytes < FLATBUFFERS_MAX_BUFFER_SIZE;
  return isSound ? sizeof(Header) + header.bodyBytes : 0;
}

bool hasImageMagic(const void *data, uint64_t availableBytes) {
  return availableBytes >= sizeof(magic) && std::memcmp(data, magic, sizeof(magic)) == 0;
}

OpenedImage openImage(const void *data, uint64_t availableBytes) {
  if (!hasImageMagic(data, availableBytes))
    return refuse(ImageStatus::NotAnImage, "the code is not a Regrain image");
  if (availableBytes < prefixBytes)
    return refuse(ImageStatus::Truncated, "the image ends within its header");
  Header header = {};
  std::memcpy(&header, data, std::min<uint64_t>(availableBytes, sizeof(Header)));
  if (header.major > imageMajor)
    return refuse(ImageStatus::NewerVersion,
                  "the image has format version " + std::to_string(header.major) + "." +
                      std::to_string(header.minor) + ", and this runtime reads up to " +
                      std::to_string(imageMajor) + ".x");
  if (availableBytes < sizeof(Header))
    return refuse(ImageStatus::Truncated, "the image ends within its header");
  if (header.headerChecksum != headerChecksum(header) || header.headerBytes != sizeof(Header))
    return refuse(ImageStatus::Damaged, "the image's header is damaged");
  if (header.bodyBytes > availableBytes - sizeof(Header))
    return refuse(ImageStatus::Truncated,
                  "the image is cut off: it should have " + std::to_string(header.bodyBytes) +
                      " bytes, but has " + std::to_string(availableBytes - sizeof(Header)) +
                      " of them");
  if (header.bodyBytes >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return refuse(ImageStatus::Damaged, "the image is larger than 2 GiB");
  auto *body = static_cast<const uint8_t *>(data) + sizeof(Header);
  if (header.bodyChecksum != checksum(body, header.bodyBytes))
    return refuse(ImageStatus::Damaged, "the image is damaged");
  flatbuffers::Verifier verifier(body, header.bodyBytes);
  if (!image::VerifyImageBuffer(verifier))
    return refuse(ImageStatus::Damaged, "the image's structure is damaged");
  const image::Image *image = image::GetImage(body);
  if (const char *wrong = findWrong(*image))
    return refuse(ImageStatus::Damaged, std::string("the image is inconsistent: ") + wrong);
  OpenedImage opened;
  opened.status = ImageStatus::Ok;
  opened.image = image;
  opened.totalBytes = sizeof(Header) + header.bodyBytes;
  return opened;
}

} // namespace regrain
