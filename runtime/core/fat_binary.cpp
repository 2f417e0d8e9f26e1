//===- fat_binary.cpp - Code of another compiler --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/fat_binary.h"

#include <cstring>

namespace regrain {
namespace {

/// What a fat binary begins with; `bodyBytes` follow it.
struct Header {
  uint32_t magic;
  uint16_t version;
  uint16_t headerBytes;
  uint64_t bodyBytes;
};

constexpr uint32_t fatBinaryMagic = 0xba55ed50;

/// The driver accepts a fat binary or a cubin in the place of PTX, and decides whether it has code
/// for the device. A name without a number excludes none.
constexpr image::CodeKind kind = image::CodeKind::Ptx;
constexpr const char *architecture = "any";

} // namespace

bool isFatBinary(const void *data) {
  uint32_t magic = 0;
  if (data)
    std::memcpy(&magic, data, sizeof(magic));
  return magic == fatBinaryMagic;
}

std::vector<uint8_t> describeCode(std::span<const uint8_t> code,
                                  std::span<const std::string> kernels,
                                  std::span<const std::string> variables) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<image::Kernel>> described;
  std::vector<flatbuffers::Offset<image::Entry>> entries;
  std::vector<flatbuffers::Offset<image::Variable>> describedVariables;
  for (const std::string &symbol : kernels) {
    std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
        image::CreateAlternativeDirect(builder, "original")};
    entries.push_back(
        image::CreateEntryDirect(builder, uint32_t(described.size()), 0, symbol.c_str()));
    described.push_back(
        image::CreateKernelDirect(builder, symbol.c_str(), symbol.c_str(), nullptr, 0, nullptr, 0,
                                  /*uses_dynamic_shared=*/true, &alternatives, 0, nullptr, nullptr,
                                  "it was compiled by another compiler"));
  }
  for (const std::string &symbol : variables)
    describedVariables.push_back(image::CreateVariableDirect(
        builder, symbol.c_str(), image::VariableKind::Device, /*size=*/1, /*align=*/1));
  std::vector<uint8_t> bytes(code.begin(), code.end());
  std::vector<flatbuffers::Offset<image::Module>> modules = {
      image::CreateModuleDirect(builder, kind, architecture, /*base=*/true, &bytes, &entries)};
  builder.Finish(image::CreateImageDirect(builder, nullptr, nullptr, &described,
                                          &describedVariables, &modules),
                 image::ImageIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

std::vector<uint8_t> describeFatBinary(const void *data, std::span<const char *const> kernels) {
  Header header = {};
  std::memcpy(&header, data, sizeof(header));
  std::vector<std::string> symbols(kernels.begin(), kernels.end());
  return describeCode({static_cast<const uint8_t *>(data), header.headerBytes + header.bodyBytes},
                      symbols, {});
}

} // namespace regrain
