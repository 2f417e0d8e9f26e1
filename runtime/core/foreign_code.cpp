//===- foreign_code.cpp - PTX and cubins that a program loads -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/foreign_code.h"

#include "runtime/core/fat_binary.h"
#include "runtime/core/platform.h"

#include <cctype>
#include <cstring>
#include <elf.h>

namespace regrain {
namespace {

bool isNameCharacter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '$' ||
         letter == '%';
}

/// Returns the next word of PTX that is not in a comment: a name, a directive with its dot, or one
/// other character. Returns an empty word at the end.
std::string_view takeWord(std::string_view &text) {
  while (!text.empty()) {
    size_t skipped = 0;
    if (std::isspace(static_cast<unsigned char>(text.front())))
      skipped = 1;
    else if (text.starts_with("//"))
      skipped = std::min(text.find('\n'), text.size());
    else if (text.starts_with("/*"))
      skipped = std::min(text.find("*/"), text.size() - 2) + 2;
    else
      break;
    text.remove_prefix(skipped);
  }
  size_t length = text.empty() ? 0 : 1;
  if (length && (isNameCharacter(text.front()) || text.front() == '.'))
    while (length < text.size() && isNameCharacter(text[length]))
      ++length;
  std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

/// Skips a body in braces, of which the first brace is taken already.
void skipBody(std::string_view &text) {
  for (int depth = 1; depth > 0 && !text.empty();) {
    std::string_view word = takeWord(text);
    depth += word == "{" ? 1 : word == "}" ? -1 : 0;
  }
}

/// Returns the name that a declaration of a variable in global or constant memory has: the last
/// name before a size, a value or the end.
std::string_view takeVariable(std::string_view &text) {
  std::string_view name;
  for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
    if (word == "[" || word == "=" || word == ";")
      break;
    name = word;
  }
  return name;
}

template <typename T> T readAt(const char *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

bool isElf(const void *code) { return std::memcmp(code, ELFMAG, SELFMAG) == 0; }

struct Cubin {
  size_t bytes = 0;
  std::vector<std::string> kernels;
};

/// Reads a cubin, which is complete in memory: each kernel has a section .text.NAME.
Cubin readCubin(const char *code) {
  auto header = readAt<Elf64_Ehdr>(code);
  auto sectionAt = [&](size_t i) {
    return readAt<Elf64_Shdr>(code + header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  Cubin cubin = {header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr), {}};
  Elf64_Shdr names = sectionAt(header.e_shstrndx);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section = sectionAt(i);
    if (section.sh_type != SHT_NOBITS)
      cubin.bytes = std::max<size_t>(cubin.bytes, section.sh_offset + section.sh_size);
    std::string_view name = code + names.sh_offset + section.sh_name;
    if (name.starts_with(".text."))
      cubin.kernels.emplace_back(name.substr(std::strlen(".text.")));
  }
  cubin.bytes =
      std::max<size_t>(cubin.bytes, header.e_phoff + size_t(header.e_phnum) * header.e_phentsize);
  return cubin;
}

bool isPtx(std::string_view text) { return takeWord(text) == ".version"; }

} // namespace

bool isForNvidiaGpu() {
  Platform &platform = Platform::get();
  return platform.status() == cudaSuccess && std::strcmp(platform.chosenPlugin().name, "cuda") == 0;
}

PtxNames namesIn(std::string_view ptx) {
  PtxNames names;
  bool isExternal = false;
  for (std::string_view word = takeWord(ptx); !word.empty(); word = takeWord(ptx)) {
    if (word == "{")
      skipBody(ptx);
    else if (word == ".entry")
      names.kernels.emplace_back(takeWord(ptx));
    else if ((word == ".global" || word == ".const") && !isExternal)
      names.variables.emplace_back(takeVariable(ptx));
    isExternal = word == ".extern";
  }
  return names;
}

std::vector<char> imageOfForeign(const void *code) {
  auto *bytes = static_cast<const char *>(code);
  std::vector<std::string> kernels, variables;
  size_t count = 0;
  if (isFatBinary(code))
    return {};
  if (isElf(code)) {
    Cubin cubin = readCubin(bytes);
    kernels = std::move(cubin.kernels);
    count = cubin.bytes;
  } else if (isPtx(bytes)) {
    PtxNames names = namesIn(bytes);
    kernels = std::move(names.kernels);
    variables = std::move(names.variables);
    count = std::strlen(bytes) + 1;
  } else {
    return {};
  }
  return wrapImage(
      describeCode({reinterpret_cast<const uint8_t *>(bytes), count}, kernels, variables));
}

} // namespace regrain
