//===- elf_images.cpp - Search for the images in a file -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything in the file is untrusted: each offset and size is checked against
// the bytes that exist before it is used.
//
//===----------------------------------------------------------------------===//
#include "runtime/image/elf_images.h"

#include <algorithm>
#include <ar.h>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>

namespace regrain {
namespace {

using Bytes = std::span<const char>;

constexpr std::string_view sectionName = ".nv_fatbin";
constexpr size_t longestName = 4096; ///< of a member; each of its images repeats the name
constexpr std::string_view thinArchiveMagic = "!<thin>\n";

std::optional<Bytes> slice(Bytes from, uint64_t offset, uint64_t size) {
  if (offset > from.size() || size > from.size() - offset)
    return std::nullopt;
  return from.subspan(offset, size);
}

template <typename T> std::optional<T> read(Bytes from, uint64_t offset) {
  auto bytes = slice(from, offset, sizeof(T));
  if (!bytes)
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes->data(), sizeof(T));
  return value;
}

bool startsWith(Bytes bytes, std::string_view prefix) {
  return bytes.size() >= prefix.size() &&
         std::memcmp(bytes.data(), prefix.data(), prefix.size()) == 0;
}

/// Adds the image at the start of `bytes`; returns the distance to the place where the
/// search continues. Of an image that is not sound, only the header is kept, and each byte
/// of a file is copied at most once: a small file may expand to a large one in memory.
uint64_t addImage(Bytes bytes, const std::string &member, std::vector<EmbeddedImage> &images) {
  EmbeddedImage found;
  found.member = member;
  uint64_t promised = promisedImageBytes(bytes.data(), bytes.size());
  bool isWhole = promised != 0 && promised <= bytes.size();
  size_t copied = isWhole ? promised : std::min(bytes.size(), imageHeaderBytes);
  found.contents = std::make_unique<uint64_t[]>(copied / 8 + 1);
  std::memcpy(found.contents.get(), bytes.data(), copied);
  // A truncated or damaged image is recognised by its header, so that no more is read.
  found.opened = openImage(found.contents.get(), isWhole ? copied : bytes.size());
  if (found.opened.status != ImageStatus::Ok)
    found.contents.reset();
  images.push_back(std::move(found));
  return isWhole ? promised : imageAlignment;
}

void addSection(Bytes section, const std::string &member, std::vector<EmbeddedImage> &images) {
  for (uint64_t at = 0; at < section.size();) {
    Bytes rest = section.subspan(at);
    uint64_t step =
        hasImageMagic(rest.data(), rest.size()) ? addImage(rest, member, images) : imageAlignment;
    at += (step + imageAlignment - 1) / imageAlignment * imageAlignment;
  }
}

/// Returns whether the table has that name at the offset. Reads no more than the name,
/// since the table may have no end.
bool isNameAt(Bytes names, uint64_t offset, std::string_view name) {
  auto there = slice(names, offset, name.size() + 1);
  return there && startsWith(*there, name) && there->back() == 0;
}

/// A section table, with the names of its sections.
struct Sections {
  Bytes file;
  uint64_t at = 0; ///< offset of the table
  uint64_t count = 0;
  Bytes names = {};

  std::optional<Elf64_Shdr> operator[](uint64_t index) const {
    return read<Elf64_Shdr>(file, at + index * sizeof(Elf64_Shdr));
  }
};

/// Returns the section table; nothing if it is damaged.
std::optional<Sections> readSections(Bytes file, const Elf64_Ehdr &header) {
  Sections sections = {file, header.e_shoff};
  auto first = sections[0];
  if (!first || header.e_shentsize != sizeof(Elf64_Shdr))
    return std::nullopt;
  // A count that does not fit the header is in section 0.
  sections.count = header.e_shnum ? header.e_shnum : first->sh_size;
  auto ofNames = sections[header.e_shstrndx == SHN_XINDEX ? first->sh_link : header.e_shstrndx];
  auto names = ofNames ? slice(file, ofNames->sh_offset, ofNames->sh_size) : std::nullopt;
  if (!names || sections.count > file.size() / sizeof(Elf64_Shdr))
    return std::nullopt;
  sections.names = *names;
  return sections;
}

void addElf(Bytes file, const std::string &member, FoundImages &found) {
  auto header = read<Elf64_Ehdr>(file, 0);
  if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB) {
    found.error = "not a 64-bit little-endian ELF file";
    return;
  }
  if (header->e_shoff == 0)
    return; // its section table is stripped
  std::optional<Sections> sections = readSections(file, *header);
  if (!sections) {
    found.error = "the ELF section table is damaged";
    return;
  }
  uint64_t unread = file.size(); // bounds overlapping sections, which could be read without end
  for (uint64_t index = 1; index < sections->count; ++index) {
    auto section = (*sections)[index];
    if (!section || !isNameAt(sections->names, section->sh_name, sectionName))
      continue;
    auto contents = slice(file, section->sh_offset, section->sh_size);
    if (section->sh_type == SHT_NOBITS || !contents) {
      found.error = "the section .nv_fatbin is cut off";
      return;
    }
    if (contents->size() > unread) {
      found.error = "sections .nv_fatbin overlap";
      return;
    }
    unread -= contents->size();
    addSection(*contents, member, found.images);
  }
}

/// Returns the name of an archive member: "name/", or "/offset" into the long
/// names.
std::string memberName(const ar_hdr &header, Bytes longNames) {
  std::string_view name(header.ar_name, sizeof(header.ar_name));
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  if (name.size() > 1 && name[0] == '/') {
    uint64_t offset = 0;
    auto [end, failed] = std::from_chars(name.data() + 1, name.data() + name.size(), offset);
    if (failed == std::errc() && offset < longNames.size()) {
      std::string_view all(longNames.data(), longNames.size());
      all = all.substr(offset, longestName);
      name = all.substr(0, all.find('\n'));
    }
  }
  return std::string(name.substr(0, name.find_last_not_of('/') + 1));
}

void addArchive(Bytes file, FoundImages &found) {
  Bytes longNames;
  for (uint64_t at = SARMAG; at < file.size();) {
    auto header = read<ar_hdr>(file, at);
    uint64_t size = 0;
    if (header)
      std::from_chars(header->ar_size, header->ar_size + sizeof(header->ar_size), size);
    auto contents = slice(file, at + sizeof(ar_hdr), size);
    if (!header || std::memcmp(header->ar_fmag, ARFMAG, 2) != 0 || !contents) {
      found.error = "the archive is damaged";
      return;
    }
    if (std::memcmp(header->ar_name, "// ", 3) == 0)
      longNames = *contents;
    else if (startsWith(*contents, ELFMAG))
      addElf(*contents, memberName(*header, longNames), found);
    at += sizeof(ar_hdr) + size + (size & 1);
  }
}

} // namespace

FoundImages findImages(std::span<const char> file) {
  FoundImages found;
  if (startsWith(file, ELFMAG))
    addElf(file, "", found);
  else if (startsWith(file, ARMAG))
    addArchive(file, found);
  else if (startsWith(file, thinArchiveMagic))
    found.error = "a thin archive holds no code of its own; name its objects";
  else if (hasImageMagic(file.data(), file.size()))
    addSection(file, "", found.images);
  else
    found.error = "neither an object, an executable, an archive nor an image";
  return found;
}

} // namespace regrain
