//===- image/ElfImagesTest.cpp - Finding images in files ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/elf_images.h"
#include "unittests/runtime/image/ImageBytes.h"

#include <ar.h>
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

using namespace regrain;
using namespace regrain::test;

namespace {

template <typename T> void append(std::vector<char> &to, const T &value) {
  auto *bytes = reinterpret_cast<const char *>(&value);
  to.insert(to.end(), bytes, bytes + sizeof(T));
}

/// Returns an ELF file with the sections .nv_fatbin and .shstrtab.
std::vector<char> elfWith(const std::vector<char> &section) {
  const char names[] = "\0.nv_fatbin\0.shstrtab";
  std::vector<char> file(sizeof(Elf64_Ehdr));
  uint64_t sectionAt = file.size();
  file.insert(file.end(), section.begin(), section.end());
  uint64_t namesAt = file.size();
  file.insert(file.end(), names, names + sizeof(names));
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shoff = file.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  std::memcpy(file.data(), &header, sizeof(header));
  Elf64_Shdr code = {}, strings = {};
  code.sh_name = 1;
  code.sh_type = SHT_PROGBITS;
  code.sh_offset = sectionAt;
  code.sh_size = section.size();
  strings.sh_name = 12;
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = namesAt;
  strings.sh_size = sizeof(names);
  append(file, Elf64_Shdr{});
  append(file, code);
  append(file, strings);
  return file;
}

void addMember(std::vector<char> &archive, const std::string &name,
               const std::vector<char> &contents) {
  ar_hdr header;
  std::memset(&header, ' ', sizeof(header));
  std::memcpy(header.ar_name, name.data(), name.size());
  std::string size = std::to_string(contents.size());
  std::memcpy(header.ar_size, size.data(), size.size());
  std::memcpy(header.ar_fmag, ARFMAG, 2);
  append(archive, header);
  archive.insert(archive.end(), contents.begin(), contents.end());
  if (contents.size() & 1)
    archive.push_back('\n');
}

std::vector<char> twoImages(size_t alignment) {
  std::vector<char> image = wrapImage(sampleBody()), section = image;
  section.resize((section.size() + alignment - 1) / alignment * alignment);
  section.insert(section.end(), image.begin(), image.end());
  return section;
}

TEST(FindImages, SeveralInOneSection) {
  for (size_t alignment : {8, 16, 64}) {
    auto [images, error] = findImages(elfWith(twoImages(alignment)));
    EXPECT_EQ(error, "");
    ASSERT_EQ(images.size(), 2u) << alignment;
    for (auto &image : images)
      EXPECT_EQ(image.opened.status, ImageStatus::Ok) << image.opened.message;
  }
}

TEST(FindImages, ForeignCodeInTheSection_IsPassedOver) {
  std::vector<char> section(48, '\x50');
  std::vector<char> image = wrapImage(sampleBody());
  section.insert(section.end(), image.begin(), image.end());
  EXPECT_EQ(findImages(elfWith(section)).images.size(), 1u);
}

TEST(FindImages, DamagedImage_IsListedAndTheNextIsFound) {
  std::vector<char> section = twoImages(16);
  section[30] ^= 1;
  auto [images, error] = findImages(elfWith(section));
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].opened.status, ImageStatus::Damaged);
  EXPECT_EQ(images[1].opened.status, ImageStatus::Ok);
}

TEST(FindImages, Archive_NamesMembers) {
  std::vector<char> object = elfWith(wrapImage(sampleBody()));
  std::vector<char> archive(&ARMAG[0], &ARMAG[SARMAG]);
  std::string longNames = "a_name_longer_than_the_field.o/\n";
  addMember(archive, "//", {longNames.begin(), longNames.end()});
  addMember(archive, "short.o/", object);
  addMember(archive, "/0", object);
  addMember(archive, "readme/", {'t', 'e', 'x'});
  auto [images, error] = findImages(archive);
  EXPECT_EQ(error, "");
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].member, "short.o");
  EXPECT_EQ(images[1].member, "a_name_longer_than_the_field.o");
}

TEST(FindImages, BareImage) { EXPECT_EQ(findImages(wrapImage(sampleBody())).images.size(), 1u); }

TEST(FindImages, OtherFiles_AreErrors) {
  std::string text = "#!/bin/sh\n", thin = "!<thin>\n";
  for (const std::string &other : {text, thin, std::string()}) {
    EXPECT_TRUE(findImages(other).images.empty());
    EXPECT_NE(findImages(other).error, "");
  }
  EXPECT_NE(findImages(thin).error.find("thin"), std::string::npos);
}

// Each header claims everything that follows, which must not be read, or kept,
// once for each.
TEST(FindImages, ManyDamagedImages_KeepNothing) {
  std::vector<char> image = wrapImage(sampleBody()), section;
  for (int i = 0; i < 100; ++i)
    section.insert(section.end(), image.begin(), image.begin() + imageHeaderBytes);
  auto [images, error] = findImages(elfWith(section));
  EXPECT_FALSE(images.empty());
  for (auto &found : images) {
    EXPECT_NE(found.opened.status, ImageStatus::Ok);
    EXPECT_EQ(found.contents, nullptr);
    EXPECT_FALSE(found.opened.message.empty());
  }
}

TEST(FindImages, DamagedBody_IsPassedOverAtOnce) {
  std::vector<char> section = twoImages(16);
  section[imageHeaderBytes + 8] ^= 1;
  auto [images, error] = findImages(elfWith(section));
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].opened.status, ImageStatus::Damaged);
  EXPECT_EQ(images[1].opened.status, ImageStatus::Ok);
}

TEST(FindImages, SectionsThatOverlap_AreRefused) {
  std::vector<char> file = elfWith(wrapImage(sampleBody()));
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  Elf64_Shdr code;
  std::memcpy(&code, file.data() + header.e_shoff + sizeof(code), sizeof(code));
  for (int i = 0; i < 200; ++i)
    append(file, code);
  header.e_shnum += 200;
  std::memcpy(file.data(), &header, sizeof(header));
  auto [images, error] = findImages(file);
  EXPECT_EQ(error, "sections .nv_fatbin overlap");
  EXPECT_LT(images.size(), 200u);
}

// A member's name is repeated by each of its images.
TEST(FindImages, NameWithoutEnd_IsCut) {
  std::vector<char> archive(&ARMAG[0], &ARMAG[SARMAG]);
  addMember(archive, "//", std::vector<char>(1 << 16, 'a'));
  addMember(archive, "/0", elfWith(wrapImage(sampleBody())));
  auto [images, error] = findImages(archive);
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].member.size(), 4096u);
}

TEST(FindImages, EveryTruncationAndFlip_DoesNotCrash) {
  std::vector<char> file = elfWith(twoImages(8));
  for (size_t size = 0; size < file.size(); ++size) {
    std::vector<char> cut(file.begin(), file.begin() + size);
    for (const FoundImages found = findImages(cut); const EmbeddedImage &image : found.images)
      EXPECT_EQ(image.opened.image != nullptr, image.opened.status == ImageStatus::Ok);
  }
  for (size_t at = 0; at < file.size(); ++at) {
    std::vector<char> changed = file;
    changed[at] ^= 0xff;
    for (const FoundImages found = findImages(changed); const EmbeddedImage &image : found.images)
      EXPECT_EQ(image.opened.image != nullptr, image.opened.status == ImageStatus::Ok);
  }
}

} // namespace
