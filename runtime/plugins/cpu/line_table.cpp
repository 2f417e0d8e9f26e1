//===- line_table.cpp - The source lines of CPU code ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/line_table.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace regrain::cpu {
namespace {

using Bytes = std::span<const std::byte>;

/// Reads values one after the other. After the end, all are 0 and `isDamaged` is set.
class Reader {
public:
  explicit Reader(Bytes bytes) : bytes(bytes) {}

  template <typename Number> Number read() {
    Number value = {};
    if (sizeof value > bytes.size()) {
      isDamaged = true;
      bytes = {};
      return value;
    }
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
  }

  uint64_t readUnsigned() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      auto byte = read<uint8_t>();
      if (shift < 64)
        value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return value;
    }
  }

  int64_t readSigned() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      auto byte = read<uint8_t>();
      if (shift < 64)
        value |= uint64_t(byte & 0x7f) << shift;
      shift += 7;
      if (!(byte & 0x80))
        return int64_t(byte & 0x40 && shift < 64 ? value | ~uint64_t(0) << shift : value);
    }
  }

  std::string_view readText() {
    auto *text = reinterpret_cast<const char *>(bytes.data());
    size_t length = strnlen(text, bytes.size());
    bytes = bytes.subspan(std::min(length + 1, bytes.size()));
    return {text, length};
  }

  /// Takes out the next `count` bytes.
  Bytes take(uint64_t count) {
    isDamaged |= count > bytes.size();
    Bytes taken = bytes.first(std::min<uint64_t>(count, bytes.size()));
    bytes = bytes.subspan(taken.size());
    return taken;
  }

  bool isAtEnd() const { return bytes.empty(); }
  size_t left() const { return bytes.size(); }

  bool isDamaged = false;

private:
  Bytes bytes;
};

Bytes findSection(Bytes object, std::string_view wanted) {
  auto part = [&](uint64_t offset, uint64_t size) {
    return offset <= object.size() && size <= object.size() - offset ? object.subspan(offset, size)
                                                                     : Bytes();
  };
  Elf64_Ehdr header = Reader(object).read<Elf64_Ehdr>();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return {};
  auto sectionAt = [&](unsigned index) {
    return Reader(part(header.e_shoff + index * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)))
        .read<Elf64_Shdr>();
  };
  Elf64_Shdr names = sectionAt(header.e_shstrndx);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section = sectionAt(i);
    Bytes name = part(names.sh_offset + section.sh_name, wanted.size() + 1);
    if (section.sh_type != SHT_NOBITS && !name.empty() && Reader(name).readText() == wanted)
      return part(section.sh_offset, section.sh_size);
  }
  return {};
}

/// The registers of the machine that a line program runs on.
struct Row {
  uint64_t address = 0;
  uint64_t file = 1;
  uint64_t line = 1;
};

/// The table of one compilation unit.
class Unit {
public:
  explicit Unit(Bytes bytes) : reader(bytes) {}

  std::optional<SourcePlace> find(uint64_t address);

private:
  bool readHeader();
  void execute(uint8_t opcode);
  void executeStandard(uint8_t opcode);
  void executeExtended();
  void advance(uint64_t operation);
  void emit(bool endsSequence);
  std::string nameOf(uint64_t file) const;

  struct File {
    std::string_view name;
    uint64_t folder;
  };

  Reader reader;
  uint8_t instructionBytes = 0, lineRange = 0, opcodeBase = 0;
  int8_t lineBase = 0;
  std::vector<uint8_t> operandCounts; ///< of the standard opcodes, from 1 on
  std::vector<std::string_view> folders;
  std::vector<File> files;

  uint64_t wanted = 0;
  Row row;
  std::optional<Row> before, found;
};

bool Unit::readHeader() {
  constexpr uint16_t oldest = 2, newest = 4;
  auto version = reader.read<uint16_t>();
  if (version < oldest || version > newest)
    return false;
  Reader header(reader.take(reader.read<uint32_t>()));
  instructionBytes = header.read<uint8_t>();
  if (version == newest)
    header.take(1); // operations per instruction, of other machines
  header.take(1);   // whether rows begin statements
  lineBase = header.read<int8_t>();
  lineRange = header.read<uint8_t>();
  opcodeBase = header.read<uint8_t>();
  for (unsigned opcode = 1; opcode < opcodeBase; ++opcode)
    operandCounts.push_back(header.read<uint8_t>());
  while (!header.isAtEnd()) {
    std::string_view folder = header.readText();
    if (folder.empty())
      break;
    folders.push_back(folder);
  }
  while (!header.isAtEnd()) {
    std::string_view name = header.readText();
    if (name.empty())
      break;
    uint64_t folder = header.readUnsigned();
    header.readUnsigned(); // time
    header.readUnsigned(); // length
    files.push_back({name, folder});
  }
  return !header.isDamaged && !reader.isDamaged && lineRange != 0;
}

std::optional<SourcePlace> Unit::find(uint64_t address) {
  wanted = address;
  if (!readHeader())
    return std::nullopt;
  while (!reader.isAtEnd() && !found)
    execute(reader.read<uint8_t>());
  if (!found || found->line == 0 || found->line > UINT32_MAX)
    return std::nullopt;
  return SourcePlace{nameOf(found->file), uint32_t(found->line)};
}

void Unit::execute(uint8_t opcode) {
  if (opcode == 0)
    return executeExtended();
  if (opcode < opcodeBase)
    return executeStandard(opcode);
  unsigned operation = opcode - opcodeBase;
  advance(operation / lineRange);
  row.line += uint64_t(int64_t(lineBase) + operation % lineRange);
  emit(false);
}

void Unit::executeStandard(uint8_t opcode) {
  enum { Copy = 1, AdvancePc, AdvanceLine, SetFile, ConstAddPc = 8, FixedAdvancePc };
  switch (opcode) {
  case Copy:
    return emit(false);
  case AdvancePc:
    return advance(reader.readUnsigned());
  case AdvanceLine:
    row.line += uint64_t(reader.readSigned());
    return;
  case SetFile:
    row.file = reader.readUnsigned();
    return;
  case ConstAddPc:
    return advance((UINT8_MAX - opcodeBase) / lineRange);
  case FixedAdvancePc:
    row.address += reader.read<uint16_t>();
    return;
  default:
    for (unsigned i = 0; i < operandCounts[opcode - 1]; ++i)
      reader.readUnsigned();
  }
}

void Unit::executeExtended() {
  enum { EndSequence = 1, SetAddress };
  Reader operation(reader.take(reader.readUnsigned()));
  switch (operation.read<uint8_t>()) {
  case EndSequence:
    emit(true);
    row = {};
    before.reset();
    return;
  case SetAddress:
    row.address = operation.read<uint64_t>();
    return;
  default:
    return;
  }
}

void Unit::advance(uint64_t operation) { row.address += operation * instructionBytes; }

/// A row counts from its address to that of the next one in its sequence.
void Unit::emit(bool endsSequence) {
  if (before && before->address <= wanted && wanted < row.address && !found)
    found = before;
  if (!endsSequence)
    before = row;
}

std::string Unit::nameOf(uint64_t file) const {
  if (file == 0 || file > files.size())
    return "?";
  auto [name, folder] = files[file - 1];
  if (folder == 0 || folder > folders.size() || name.starts_with('/') || folders[folder - 1] == ".")
    return std::string(name);
  return std::string(folders[folder - 1]) + "/" + std::string(name);
}

} // namespace

bool hasLineTables(Bytes object) { return !findSection(object, ".debug_line").empty(); }

std::optional<SourcePlace> findPlace(Bytes object, uint64_t address) {
  constexpr uint32_t first64BitLength = 0xfffffff0;
  Reader section(findSection(object, ".debug_line"));
  while (!section.isAtEnd()) {
    auto length = section.read<uint32_t>();
    if (length >= first64BitLength)
      return std::nullopt;
    if (std::optional<SourcePlace> place = Unit(section.take(length)).find(address))
      return place;
  }
  return std::nullopt;
}

/// The file is there as long as the loaded module (module.cpp).
std::optional<SourcePlace> findPlaceOf(uintptr_t instruction) {
  Dl_info info;
  void *entry = nullptr;
  if (!dladdr1(reinterpret_cast<void *>(instruction), &info, &entry, RTLD_DL_LINKMAP) || !entry)
    return std::nullopt;
  auto *library = static_cast<const link_map *>(entry);
  int file = open(library->l_name, O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file < 0)
    return std::nullopt;
  void *memory = fstat(file, &status) == 0 && status.st_size > 0
                     ? mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0)
                     : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED)
    return std::nullopt;
  Bytes object(static_cast<const std::byte *>(memory), size_t(status.st_size));
  std::optional<SourcePlace> place = findPlace(object, instruction - library->l_addr);
  munmap(memory, object.size());
  return place;
}

} // namespace regrain::cpu
