//===- ObjectCode.cpp - The code of a kernel without its name -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ObjectCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"

using namespace regrain;
using ELF = llvm::object::ELF64LE;
using ELFFile = llvm::object::ELFFile<ELF>;

std::string regrain::withoutName(llvm::StringRef text, llvm::StringRef symbol) {
  std::string result;
  for (size_t at; (at = text.find(symbol)) != llvm::StringRef::npos;) {
    result += text.take_front(at).str() + "@";
    text = text.drop_front(at + symbol.size());
  }
  return result + text.str();
}

namespace {

class ObjectCode {
public:
  ObjectCode(const ELFFile &file, llvm::StringRef symbol) : file(file), symbol(symbol) {}

  llvm::Expected<std::string> read(llvm::function_ref<bool(llvm::StringRef)> isOwn) {
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    llvm::SmallVector<const ELF::Shdr *> loaded, chosen;
    for (const ELF::Shdr &section : *sections) {
      if (!(section.sh_flags & llvm::ELF::SHF_ALLOC))
        continue;
      loaded.push_back(&section);
      auto name = file.getSectionName(section);
      if (!name)
        return name.takeError();
      if (isOwn(*name))
        chosen.push_back(&section);
    }
    for (const ELF::Shdr *section : chosen.empty() ? loaded : chosen)
      if (llvm::Error error = addSection(*section, *sections))
        return std::move(error);
    return contents;
  }

private:
  llvm::Error addSection(const ELF::Shdr &section, ELF::ShdrRange sections) {
    auto name = file.getSectionName(section);
    if (!name)
      return name.takeError();
    // In a cubin, sh_info contains the number of registers that a kernel takes.
    contents += withoutName(*name, symbol) + ":" + llvm::utostr(section.sh_size) + ":" +
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
      contents += llvm::utostr(entry.r_offset) + "/" + llvm::utostr(entry.getType(false)) + "/" +
                  llvm::itostr(entry.r_addend) + "/" +
                  (name->empty() && *target ? llvm::utostr((*target)->st_shndx)
                                            : withoutName(*name, symbol)) +
                  ";";
    }
    return llvm::Error::success();
  }

  const ELFFile &file;
  llvm::StringRef symbol;
  std::string contents;
};

} // namespace

llvm::Expected<std::string> regrain::sectionsOf(llvm::ArrayRef<char> object, llvm::StringRef symbol,
                                                llvm::function_ref<bool(llvm::StringRef)> isOwn) {
  auto file = ELFFile::create({object.data(), object.size()});
  if (!file)
    return file.takeError();
  return ObjectCode(*file, symbol).read(isOwn);
}
