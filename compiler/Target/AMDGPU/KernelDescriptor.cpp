//===- KernelDescriptor.cpp - What a code object says of a kernel ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/KernelDescriptor.h"

#include "llvm/Object/ELF.h"

using namespace llvm;
using File = object::ELF64LE;

namespace regrain::amdgpu {

/// The size of a descriptor, and the place of the offset of its code, in bytes.
constexpr size_t size = 64, entry = 16, entrySize = 8;

static Expected<std::string> findIn(const object::ELFFile<File> &file, const File::Shdr &table,
                                    const std::string &name) {
  auto names = file.getStringTableForSymtab(table);
  if (!names)
    return names.takeError();
  auto symbols = file.symbols(&table);
  if (!symbols)
    return symbols.takeError();
  for (const File::Sym &candidate : *symbols) {
    auto own = candidate.getName(*names);
    if (!own)
      return own.takeError();
    if (*own != name || candidate.st_size != size)
      continue;
    auto bytes = file.toMappedAddr(candidate.st_value);
    if (!bytes)
      return bytes.takeError();
    StringRef descriptor(reinterpret_cast<const char *>(*bytes), size);
    return descriptor.take_front(entry).str() + descriptor.drop_front(entry + entrySize).str();
  }
  return "";
}

Expected<std::string> kernelDescriptor(ArrayRef<char> object, StringRef symbol) {
  auto file = object::ELFFile<File>::create({object.data(), object.size()});
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const File::Shdr &table : *sections)
    if (table.sh_type == ELF::SHT_DYNSYM)
      return findIn(*file, table, (symbol + ".kd").str());
  return "";
}

} // namespace regrain::amdgpu
