//===- ObjectListing.cpp - The instructions in an ELF file ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/ObjectListing.h"

#include "compiler/Listing/Amdgcn.h"
#include "compiler/Listing/Words.h"
#include "compiler/Listing/X86.h"
#include "llvm-c/Disassembler.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"

#include <functional>
#include <memory>

using namespace llvm;

namespace regrain::listing {
namespace {

struct Machine {
  std::string triple, chip;
  uint64_t printing = 0; ///< options of LLVM's disassembler
  std::function<Meaning(std::string_view)> meaning;
};

class ObjectReader {
public:
  ObjectReader(const object::ObjectFile &object, const Machine &machine)
      : object(object), machine(machine), debug(DWARFContext::create(object)),
        disassembler(LLVMCreateDisasmCPU(machine.triple.c_str(), machine.chip.c_str(), nullptr, 0,
                                         nullptr, nullptr),
                     LLVMDisasmDispose) {
    if (disassembler)
      LLVMSetDisasmOptions(disassembler.get(), machine.printing);
  }

  Expected<Listings> read(const std::set<std::string> &symbols) {
    if (!disassembler)
      return createStringError("LLVM has no disassembler for " + machine.triple);
    Listings listings;
    for (const object::SymbolRef &symbol : object.symbols())
      if (Error error = readSymbol(symbol, symbols, listings))
        return error;
    // Stripped files have their exported symbols alone.
    for (const object::SymbolRef &symbol :
         cast<object::ELFObjectFileBase>(object).getDynamicSymbolIterators())
      if (Error error = readSymbol(symbol, symbols, listings))
        return error;
    return listings;
  }

private:
  Error readSymbol(const object::SymbolRef &symbol, const std::set<std::string> &symbols,
                   Listings &listings) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    Expected<object::SymbolRef::Type> type = symbol.getType();
    if (!type)
      return type.takeError();
    if (*type != object::SymbolRef::ST_Function || !symbols.count(name->str()) ||
        listings.count(name->str()))
      return Error::success();
    Expected<uint64_t> address = symbol.getAddress();
    Expected<object::section_iterator> section = symbol.getSection();
    if (!address || !section)
      return joinErrors(address ? Error::success() : address.takeError(),
                        section ? Error::success() : section.takeError());
    if (*section == object.section_end())
      return Error::success();
    Expected<StringRef> contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    uint64_t start = *address - (*section)->getAddress();
    StringRef code = contents->substr(start, object::ELFSymbolRef(symbol).getSize());
    listings[name->str()] = disassemble(code, *address, (*section)->getIndex());
    return Error::success();
  }

  Listing disassemble(StringRef code, uint64_t address, uint64_t section) {
    Listing listing;
    while (!code.empty()) {
      char text[256];
      auto *bytes = reinterpret_cast<uint8_t *>(const_cast<char *>(code.data()));
      size_t size =
          LLVMDisasmInstruction(disassembler.get(), bytes, code.size(), address, text, sizeof text);
      // What is no instruction is data between instructions.
      std::string line = size ? oneBlank(text) : ".byte " + std::to_string(bytes[0]);
      size = std::max<size_t>(size, 1);
      listing.instructions.push_back({line, machine.meaning(line), positionOf(address, section)});
      code = code.drop_front(size);
      address += size;
    }
    return listing;
  }

  /// Returns the text with one blank in place of several and of tabs.
  static std::string oneBlank(std::string_view text) {
    std::string line;
    for (std::string_view rest = trimmed(text); !rest.empty();)
      append(line, takeWord(rest), " ");
    return line;
  }

  SourcePosition positionOf(uint64_t address, uint64_t section) {
    using Kind = DILineInfoSpecifier::FileLineInfoKind;
    DILineInfo info = debug->getLineInfoForAddress(
        {address, section}, {Kind::AbsoluteFilePath, DILineInfoSpecifier::FunctionNameKind::None});
    if (!info.Line || info.FileName == DILineInfo::BadString)
      return {};
    return {info.FileName, info.Line};
  }

  const object::ObjectFile &object;
  const Machine &machine;
  std::unique_ptr<DWARFContext> debug;
  std::unique_ptr<void, void (*)(LLVMDisasmContextRef)> disassembler;
};

OrError<Listings> list(std::span<const char> bytes, const Machine &machine,
                       const std::set<std::string> &symbols) {
  MemoryBufferRef buffer(StringRef(bytes.data(), bytes.size()), "code");
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return tl::unexpected("the code is no ELF file: " + llvm::toString(file.takeError()));
  Expected<Listings> listings = ObjectReader(**file, machine).read(symbols);
  if (!listings)
    return tl::unexpected("the code cannot be read: " + llvm::toString(listings.takeError()));
  return std::move(*listings);
}

} // namespace

OrError<Listings> listAmdgcn(std::span<const char> object, const std::string &chip,
                             const std::set<std::string> &symbols) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  return list(object, {"amdgcn-amd-amdhsa", chip, 0, meaningInAmdgcn}, symbols);
}

OrError<Listings> listX86(std::span<const char> object, const std::set<std::string> &symbols) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  return list(object,
              {"x86_64-linux-gnu", "", LLVMDisassembler_Option_AsmPrinterVariant, meaningInX86},
              symbols);
}

} // namespace regrain::listing
