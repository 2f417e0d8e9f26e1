//===- ObjectCodeTests.cpp - What makes object code the same --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ObjectCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace regrain;

namespace {

/// An ELF file with the code of one kernel, data, a note, and a relocation in the code.
struct Object {
  std::string symbol = "k__a", code = "C0FFEE00", data = "0102", note = "AA", target = "g";
  unsigned info = 0, addend = 4;

  std::vector<char> bytes() const {
    std::string yaml = R"(--- !ELF
FileHeader:
  Class: ELFCLASS64
  Data: ELFDATA2LSB
  Type: ET_REL
  Machine: EM_X86_64
Sections:
  - Name: .text.)" + symbol +
                       R"(
    Type: SHT_PROGBITS
    Flags: [ SHF_ALLOC, SHF_EXECINSTR ]
    Info: )" + std::to_string(info << 24) +
                       R"(
    Content: )" + code +
                       R"(
  - Name: .data
    Type: SHT_PROGBITS
    Flags: [ SHF_ALLOC ]
    Content: )" + data +
                       R"(
  - Name: .bss
    Type: SHT_NOBITS
    Flags: [ SHF_ALLOC ]
    Size: 64
  - Name: .comment
    Type: SHT_PROGBITS
    Content: )" + note +
                       R"(
  - Name: .rela.text.)" +
                       symbol + R"(
    Type: SHT_RELA
    Info: .text.)" + symbol +
                       R"(
    Relocations:
      - { Offset: 1, Symbol: )" +
                       target + R"(, Type: R_X86_64_PC32, Addend: )" + std::to_string(addend) +
                       R"( }
Symbols:
  - { Name: )" + symbol +
                       R"(, Section: .text.)" + symbol + R"(, Binding: STB_GLOBAL }
  - { Name: g, Binding: STB_GLOBAL }
  - { Name: h, Binding: STB_GLOBAL }
)";
    llvm::SmallString<1024> storage;
    llvm::raw_svector_ostream stream(storage);
    llvm::yaml::Input input(yaml);
    EXPECT_TRUE(llvm::yaml::convertYAML(
        input, stream, [](const llvm::Twine &message) { ADD_FAILURE() << message.str(); }));
    return std::vector<char>(storage.begin(), storage.end());
  }
};

std::string sections(const Object &object, llvm::StringRef own = "") {
  llvm::Expected<std::string> found =
      sectionsOf(object.bytes(), object.symbol,
                 [&](llvm::StringRef name) { return !own.empty() && name.starts_with(own); });
  if (found)
    return *found;
  ADD_FAILURE() << llvm::toString(found.takeError());
  return "";
}

TEST(ObjectCode, TheKernelsNameIsNoPart) { EXPECT_EQ(sections({}), sections({.symbol = "k__bb"})); }

TEST(ObjectCode, BytesRegistersAndRelocationsAre) {
  EXPECT_NE(sections({}), sections({.code = "C0FFEE01"}));
  EXPECT_NE(sections({}), sections({.code = "C0FFEE0000"}));
  EXPECT_NE(sections({}), sections({.data = "0103"}));
  EXPECT_NE(sections({}), sections({.info = 32}));
  EXPECT_NE(sections({}), sections({.addend = 8}));
  EXPECT_NE(sections({}), sections({.target = "h"}));
}

TEST(ObjectCode, WhatIsNotLoadedIsNoPart) { EXPECT_EQ(sections({}), sections({.note = "BB"})); }

TEST(ObjectCode, OnlyOwnSectionsCountIfThereAreAny) {
  EXPECT_EQ(sections({}, ".text"), sections({.data = "0103"}, ".text"));
  EXPECT_NE(sections({}, ".text"), sections({.code = "C0FFEE01"}, ".text"));
  EXPECT_NE(sections({}, ".text"), sections({.target = "h"}, ".text"));
  EXPECT_NE(sections({}, ".none"), sections({.data = "0103"}, ".none")) << "all count";
}

TEST(ObjectCode, ADamagedFileIsAnError) {
  std::vector<char> bytes = Object().bytes();
  auto isBad = [](llvm::ArrayRef<char> bytes) {
    llvm::Expected<std::string> found =
        sectionsOf(bytes, "k__a", [](llvm::StringRef) { return false; });
    bool failed = !found;
    llvm::consumeError(found.takeError());
    return failed;
  };
  EXPECT_FALSE(isBad(bytes));
  for (size_t size : {size_t(0), size_t(3), size_t(64), bytes.size() / 2})
    EXPECT_TRUE(isBad(llvm::ArrayRef(bytes).take_front(size))) << size;
}

TEST(ObjectCode, EachNameIsReplaced) {
  EXPECT_EQ(withoutName("k__a", "k__a"), "@");
  EXPECT_EQ(withoutName(".text.k__a.k__a_param", "k__a"), ".text.@.@_param");
  EXPECT_EQ(withoutName("other", "k__a"), "other");
  EXPECT_EQ(withoutName("", "k__a"), "");
}

} // namespace
