//===- plugins/cpu/LineTableTest.cpp - The source lines of CPU code -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/line_table.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace regrain::cpu;

namespace {

template <typename Number> void append(std::string &bytes, const Number &number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}

/// The opcodes of a program whose line base is -3, whose line range is 12 and whose opcode base
/// is 13.
std::string special(int lines, int bytes) {
  return std::string(1, char(13 + (lines + 3) + 12 * bytes));
}
std::string startAt(uint64_t address) {
  std::string text("\0\x09\x02", 3);
  append(text, address);
  return text;
}
const std::string advanceLine100("\x03\xe4\x00", 3), negativeLine("\x03\x9c\x7f", 3),
    file2("\x04\x02", 2), add200("\x02\xc8\x01", 3), end("\0\x01\x01", 3);

std::string unitOf(const std::string &program, uint16_t version = 4) {
  std::string header("\x01\x01\x01\xfd\x0c\x0d", 6); // one byte per instruction, ...
  header += std::string("\0\1\1\1\1\0\0\0\1\0\0\1", 12);
  header += std::string("lib\0\0", 5);
  header += std::string("app.cu\0\0\0\0", 10) + std::string("part.h\0\1\0\0\0", 11);
  std::string unit;
  append(unit, version);
  append(unit, uint32_t(header.size()));
  unit += header + program;
  std::string text;
  append(text, uint32_t(unit.size()));
  return text + unit;
}

/// A file with the given .debug_line section.
std::vector<std::byte> objectWith(const std::string &lines) {
  const std::string names("\0.debug_line\0.names\0", 20);
  Elf64_Ehdr header = {};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_shoff = sizeof header;
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof header + sizeof sections;
  sections[1].sh_size = lines.size();
  sections[2].sh_name = 13;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sections[1].sh_offset + lines.size();
  sections[2].sh_size = names.size();
  std::string text;
  append(text, header);
  append(text, sections);
  text += lines + names;
  auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  return {bytes, bytes + text.size()};
}

std::string placeIn(const std::string &lines, uint64_t address) {
  std::optional<SourcePlace> place = findPlace(objectWith(lines), address);
  return place ? place->file + ":" + std::to_string(place->line) : "none";
}

/// Lines 3 at 0x100, 5 at 0x104, 105 of the header at 0x10c, 5 again until 0x1d5.
const std::string program = startAt(0x100) + special(2, 0) + special(2, 4) + advanceLine100 +
                            file2 + special(0, 8) + negativeLine + special(0, 1) + add200 + end;

TEST(LineTable, FindsTheRowThatContainsTheAddress) {
  std::string lines = unitOf(program);
  EXPECT_EQ(placeIn(lines, 0xff), "none");
  EXPECT_EQ(placeIn(lines, 0x100), "app.cu:3");
  EXPECT_EQ(placeIn(lines, 0x103), "app.cu:3");
  EXPECT_EQ(placeIn(lines, 0x104), "app.cu:5");
  EXPECT_EQ(placeIn(lines, 0x10c), "lib/part.h:105");
  EXPECT_EQ(placeIn(lines, 0x10d), "lib/part.h:5");
  EXPECT_EQ(placeIn(lines, 0x1d4), "lib/part.h:5");
  EXPECT_EQ(placeIn(lines, 0x1d5), "none");
}

TEST(LineTable, SearchesAllUnitsAndSequences) {
  std::string other = startAt(0x1000) + special(6, 0) + special(1, 2) + end;
  std::string lines = unitOf(program) + unitOf(end + other);
  EXPECT_EQ(placeIn(lines, 0x104), "app.cu:5");
  EXPECT_EQ(placeIn(lines, 0x1001), "app.cu:7");
  EXPECT_EQ(placeIn(lines, 0x800), "none");
}

TEST(LineTable, DoesNotReadOtherVersions) {
  EXPECT_EQ(placeIn(unitOf(program, 5), 0x100), "none");
  EXPECT_EQ(placeIn(unitOf(program, 1), 0x100), "none");
}

TEST(LineTable, TellsWhetherThereIsOne) {
  EXPECT_TRUE(hasLineTables(objectWith(unitOf(program))));
  EXPECT_FALSE(hasLineTables(objectWith("")));
  EXPECT_FALSE(hasLineTables({}));
}

TEST(LineTable, OfADamagedFileIsNotRead) {
  std::vector<std::byte> object = objectWith(unitOf(program));
  for (size_t size = 0; size < object.size(); ++size) {
    std::optional<SourcePlace> place = findPlace(std::span(object).first(size), 0x10d);
    EXPECT_EQ(place ? place->line : 5, 5u);
  }
  for (size_t at = 0; at < object.size(); ++at)
    for (int value : {0x00, 0x7f, 0xff}) {
      std::vector<std::byte> damaged = object;
      damaged[at] = std::byte(value);
      std::optional<SourcePlace> place = findPlace(damaged, 0x10d);
      if (place)
        EXPECT_FALSE(place->file.empty());
    }
}

} // namespace
