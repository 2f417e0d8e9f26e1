//===- Prune.cpp - Which compiled grains are not worth keeping ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Prune.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace regrain;
using ELF = llvm::object::ELF64LE;
using ELFFile = llvm::object::ELFFile<ELF>;

/// Returns the bytes stored and loaded by spills; a register is spilled as a whole.
static int64_t spilledBytes(const Resources &resources) {
  constexpr int64_t bytesOfRegister = 4;
  return std::max(0, resources.spillStoreBytes) + std::max(0, resources.spillLoadBytes) +
         2 * bytesOfRegister * std::max(0, resources.vectorSpills);
}

static bool countsSpills(const Resources &resources) {
  return resources.spillStoreBytes >= 0 || resources.vectorSpills >= 0;
}

/// Returns the number of the program's threads that one launched thread stands for.
static int64_t copiesOf(const Grain &grain) {
  int64_t copies = 1;
  for (unsigned d = 0; d < 3; ++d)
    copies *= int64_t(grain.block[d]) * grain.thread[d];
  return copies;
}

std::string regrain::findExcess(const Grain &grain, const Resources &candidate,
                                const Resources &original) {
  int64_t spilled = spilledBytes(candidate), before = spilledBytes(original);
  if (countsSpills(original) && spilled > before * copiesOf(grain))
    return "new spills: " + std::to_string(spilled) + " bytes per launched thread, the original " +
           std::to_string(before);
  if (candidate.scalarRegisters >= 0 && original.stackBytes >= 0 &&
      candidate.stackBytes > original.stackBytes * copiesOf(grain))
    return "new scratch: " + std::to_string(candidate.stackBytes) +
           " bytes per launched thread, the original " + std::to_string(original.stackBytes);
  int32_t occupancy = candidate.occupancyPercent;
  bool isPaidBySpills = spilled < before;
  if (!isPaidBySpills && occupancy >= 0 && occupancy < collapsedOccupancyPercent &&
      2 * occupancy * copiesOf(grain) < original.occupancyPercent)
    return "occupancy collapse: " + std::to_string(occupancy) + "% of the threads, the original " +
           std::to_string(original.occupancyPercent) + "%";
  return "";
}

std::string regrain::findGrowth(uint64_t instructions, uint64_t original) {
  if (!original || instructions <= mostGrowth * original)
    return "";
  return "code growth: " + std::to_string(instructions) + " instructions, the original " +
         std::to_string(original);
}

bool regrain::launchesAlike(const Grain &earlier, const Grain &grain) {
  return earlier.block == grain.block && earlier.thread == grain.thread &&
         earlier.fuse == grain.fuse && earlier.shape == grain.shape &&
         earlier.remainder == grain.remainder && earlier.takesScratch() == grain.takesScratch() &&
         (!earlier.bound || (grain.bound && grain.bound <= earlier.bound)) &&
         (earlier.known.empty() || earlier.known == grain.known);
}

namespace {

/// Returns `text` with each `symbol` replaced, so that the name does not matter.
std::string nameless(llvm::StringRef text, llvm::StringRef symbol) {
  std::string result;
  for (size_t at; (at = text.find(symbol)) != llvm::StringRef::npos;) {
    result += text.take_front(at).str() + "@";
    text = text.drop_front(at + symbol.size());
  }
  return result + text.str();
}

/// The part of an object file that is hashed: the bytes and relocations of the sections that are
/// loaded; if sections are named after the kernel, only of those.
class ObjectCode {
public:
  ObjectCode(const ELFFile &file, llvm::StringRef symbol) : file(file), symbol(symbol) {}

  /// Returns the text to hash; fails if the file is damaged.
  llvm::Expected<std::string> read() {
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    llvm::SmallVector<const ELF::Shdr *> chosen;
    for (const ELF::Shdr &section : *sections)
      if ((section.sh_flags & llvm::ELF::SHF_ALLOC) && isOwn(section))
        chosen.push_back(&section);
    if (chosen.empty())
      for (const ELF::Shdr &section : *sections)
        if (section.sh_flags & llvm::ELF::SHF_ALLOC)
          chosen.push_back(&section);
    for (const ELF::Shdr *section : chosen)
      if (llvm::Error error = addSection(*section, *sections))
        return std::move(error);
    if (isAMD())
      if (llvm::Error error = addDescriptor(*sections))
        return std::move(error);
    return contents;
  }

private:
  bool isAMD() const { return file.getHeader().e_machine == llvm::ELF::EM_AMDGPU; }

  /// Returns whether a section is the kernel's own section of a cubin, or the code of an AMD
  /// object, whose other sections depend on names.
  bool isOwn(const ELF::Shdr &section) {
    auto name = file.getSectionName(section);
    if (!name) {
      llvm::consumeError(name.takeError());
      return false;
    }
    if (isAMD())
      return *name == ".text";
    return name->consume_front(".text.") && *name == symbol;
  }

  /// Adds the kernel descriptor of an AMD object, except the offset of its code (LLVM, "User Guide
  /// for AMDGPU Backend", "Kernel Descriptor").
  llvm::Error addDescriptor(ELF::ShdrRange sections) {
    constexpr size_t size = 64, entry = 16, entrySize = 8;
    for (const ELF::Shdr &table : sections) {
      if (table.sh_type != llvm::ELF::SHT_DYNSYM)
        continue;
      auto names = file.getStringTableForSymtab(table);
      auto symbols = file.symbols(&table);
      if (!names || !symbols)
        return llvm::joinErrors(names.takeError(), symbols.takeError());
      for (const ELF::Sym &candidate : *symbols) {
        auto name = candidate.getName(*names);
        if (!name)
          return name.takeError();
        if (*name != (symbol + ".kd").str() || candidate.st_size != size)
          continue;
        auto bytes = file.toMappedAddr(candidate.st_value);
        if (!bytes)
          return bytes.takeError();
        llvm::StringRef descriptor(reinterpret_cast<const char *>(*bytes), size);
        contents +=
            descriptor.take_front(entry).str() + descriptor.drop_front(entry + entrySize).str();
      }
    }
    return llvm::Error::success();
  }

  llvm::Error addSection(const ELF::Shdr &section, ELF::ShdrRange sections) {
    auto name = file.getSectionName(section);
    if (!name)
      return name.takeError();
    // In a cubin, sh_info contains the number of registers that a kernel takes.
    contents += nameless(*name, symbol) + ":" + llvm::utostr(section.sh_size) + ":" +
                llvm::utostr(section.sh_info >> 24) + ":";
    if (section.sh_type != llvm::ELF::SHT_NOBITS) {
      auto bytes = file.getSectionContents(section);
      if (!bytes)
        return bytes.takeError();
      contents += llvm::toStringRef(*bytes);
    }
    for (const ELF::Shdr &relocations : sections)
      if (relocations.sh_type == llvm::ELF::SHT_RELA &&
          &sections[0] + relocations.sh_info == &section)
        if (llvm::Error error = addRelocations(relocations))
          return error;
    return llvm::Error::success();
  }

  llvm::Error addRelocations(const ELF::Shdr &relocations) {
    auto table = file.getSection(relocations.sh_link);
    if (!table)
      return table.takeError();
    auto names = file.getStringTableForSymtab(**table);
    if (!names)
      return names.takeError();
    auto entries = file.relas(relocations);
    if (!entries)
      return entries.takeError();
    for (const ELF::Rela &entry : *entries) {
      auto target = file.getRelocationSymbol(entry, *table);
      if (!target)
        return target.takeError();
      auto name = *target ? (*target)->getName(*names) : llvm::Expected<llvm::StringRef>("");
      if (!name)
        return name.takeError();
      contents +=
          llvm::utostr(entry.r_offset) + "/" + llvm::utostr(entry.getType(false)) + "/" +
          llvm::itostr(entry.r_addend) + "/" +
          (name->empty() && *target ? llvm::utostr((*target)->st_shndx) : nameless(*name, symbol)) +
          ";";
    }
    return llvm::Error::success();
  }

  const ELFFile &file;
  llvm::StringRef symbol;
  std::string contents;
};

/// Returns the text from the kernel's name to the brace that closes its body.
std::optional<std::string> ptxEntry(llvm::StringRef text, llvm::StringRef symbol) {
  size_t begin = text.find((".entry " + symbol + "(").str());
  size_t end = text.find("\n}", begin);
  if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos)
    return std::nullopt;
  return nameless(text.slice(begin, end), symbol);
}

std::optional<std::string> objectCode(llvm::StringRef bytes, llvm::StringRef symbol) {
  auto file = ELFFile::create(bytes);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto contents = ObjectCode(*file, symbol).read();
  if (!contents) {
    llvm::consumeError(contents.takeError());
    return std::nullopt;
  }
  return std::move(*contents);
}

} // namespace

std::optional<uint64_t> regrain::hashCode(llvm::ArrayRef<char> code, llvm::StringRef symbol) {
  llvm::StringRef bytes(code.data(), code.size());
  std::optional<std::string> relevant = bytes.starts_with(llvm::StringRef("\x7f"
                                                                          "ELF"))
                                            ? objectCode(bytes, symbol)
                                            : ptxEntry(bytes, symbol);
  return relevant && !relevant->empty() ? std::optional(llvm::xxh3_64bits(*relevant))
                                        : std::nullopt;
}
