//===- SassMeaning.cpp - What instructions of NVIDIA's GPUs do ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Sass.h"

#include "compiler/Listing/Words.h"

namespace regrain::listing {
namespace {

using Parts = std::span<const std::string_view>;

struct Form {
  std::string_view name;
  Space space;
  Kind kind;
};

constexpr Form forms[] = {
    {"LDG", Space::Global, Kind::Load},        {"STG", Space::Global, Kind::Store},
    {"LDS", Space::Shared, Kind::Load},        {"STS", Space::Shared, Kind::Store},
    {"LDSM", Space::Shared, Kind::Load},       {"STSM", Space::Shared, Kind::Store},
    {"LDL", Space::Local, Kind::Load},         {"STL", Space::Local, Kind::Store},
    {"LDC", Space::Constant, Kind::Load},      {"ULDC", Space::Constant, Kind::Load},
    {"LDCU", Space::Constant, Kind::Load},     {"LD", Space::Generic, Kind::Load},
    {"ST", Space::Generic, Kind::Store},       {"ATOMG", Space::Global, Kind::Atomic},
    {"ATOM", Space::Generic, Kind::Atomic},    {"ATOMS", Space::Shared, Kind::Atomic},
    {"RED", Space::Global, Kind::Atomic},      {"REDG", Space::Global, Kind::Atomic},
    {"LDGSTS", Space::Global, Kind::Copy},     {"UBLKCP", Space::Global, Kind::Copy},
    {"UTMALDG", Space::Global, Kind::Copy},    {"UTMASTG", Space::Global, Kind::Copy},
    {"UTMAREDG", Space::Global, Kind::Copy},   {"UBLKPF", Space::Global, Kind::Prefetch},
    {"UTMAPF", Space::Global, Kind::Prefetch}, {"TEX", Space::Texture, Kind::Load},
    {"TLD", Space::Texture, Kind::Load},       {"TLD4", Space::Texture, Kind::Load},
    {"SULD", Space::Texture, Kind::Load},      {"SUST", Space::Texture, Kind::Store},
};

constexpr unsigned wordBits = 32; ///< of an access that names no width

/// Returns the bits that a modifier names, or 0.
unsigned bitsNamed(std::string_view modifier) {
  constexpr std::string_view bytes[] = {"U8", "S8"}, halves[] = {"U16", "S16", "F16"},
                             pairs[] = {"64", "U64", "S64", "F64"};
  if (isOneOf(modifier, bytes))
    return 8;
  if (isOneOf(modifier, halves))
    return 16;
  if (isOneOf(modifier, pairs))
    return 64;
  return modifier == "128" ? 128 : modifier == "256" ? 256 : 0;
}

unsigned bitsOf(const Form &form, Parts modifiers) {
  if (form.space == Space::Texture || form.name.starts_with('U')) // U: bulk copies
    return form.name == "ULDC" && !modifiers.empty()
               ? std::max(wordBits, bitsNamed(modifiers.back()))
           : form.name == "ULDC" ? wordBits
                                 : 0;
  if (form.name == "LDSM" || form.name == "STSM") {
    // The last modifier is the number of matrices, of which a lane holds 32 bits each.
    std::string_view last = modifiers.empty() ? "" : modifiers.back();
    return wordBits * (last == "4" ? 4 : last == "2" ? 2 : 1);
  }
  for (std::string_view modifier : modifiers)
    if (unsigned bits = bitsNamed(modifier))
      return bits;
  return wordBits;
}

std::string hintOf(Parts modifiers) {
  constexpr std::string_view hints[] = {"CONSTANT", "PRIVATE", "EF",     "EL",    "LU", "EU",
                                        "NA",       "MMIO",    "STRONG", "CTA",   "SM", "GPU",
                                        "SYS",      "VC",      "BYPASS", "ACCESS"};
  std::string hint;
  for (std::string_view modifier : modifiers)
    if (isOneOf(modifier, hints) || modifier.starts_with("LTC"))
      append(hint, modifier, ".");
  return hint;
}

std::optional<MemoryAccess> accessOf(std::string_view name, Parts modifiers) {
  for (std::string_view modifier : modifiers)
    if (name == "CCTL" && modifier.starts_with("PF"))
      return MemoryAccess{Space::Global, Kind::Prefetch, 0, std::string(modifier)};
  const Form *form = std::ranges::find(forms, name, &Form::name);
  if (form == std::end(forms))
    return std::nullopt;
  return MemoryAccess{form->space, form->kind, bitsOf(*form, modifiers), hintOf(modifiers)};
}

/// Returns whether a product has zero as a factor: `HFMA2.MMA R6, -RZ, RZ, 0, 0` sets a register.
bool setsConstant(std::string_view operands) {
  return operands.find("-RZ, RZ,") != std::string_view::npos;
}

Role roleOf(std::string_view name, std::string_view operands) {
  constexpr std::string_view branches[] = {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU"},
                             products[] = {"FFMA", "FFMA2", "FFMA32I",
                                           "DFMA", "HFMA2", "HFMA2_MMA"};
  if (name == "BAR")
    return Role::Barrier;
  if (isOneOf(name, branches))
    return Role::Branch;
  return isOneOf(name, products) && !setsConstant(operands) ? Role::Fma : Role::Other;
}

} // namespace

Meaning meaningInSass(std::string_view instruction) {
  std::string_view rest = trimmed(instruction);
  if (rest.starts_with('@'))
    takeWord(rest);
  std::string_view opcode = takeWord(rest);
  std::vector<std::string_view> parts = split(opcode, '.');
  return {std::string(opcode), roleOf(parts.front(), rest),
          accessOf(parts.front(), Parts(parts).subspan(1))};
}

} // namespace regrain::listing
