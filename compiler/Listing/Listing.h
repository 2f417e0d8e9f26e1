//===- Listing.h - The instructions of a kernel -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people read in machine code and PTX, in the same terms for all instruction sets. Each set
// has one function that tells the meaning of an instruction (Ptx.h, Sass.h, Amdgcn.h, X86.h). No
// header of this folder needs LLVM.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/SourcePosition.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace regrain::listing {

/// The memory that an instruction names. On the CPU, local is the stack, and constant is what is
/// addressed relative to the code.
enum class Space : uint8_t { Global, Shared, Local, Constant, Parameter, Generic, Texture };

/// `Copy` moves data from global to shared memory or back without registers.
enum class Kind : uint8_t { Load, Store, Atomic, Copy, Prefetch };

/// Returns "global", "load" and so on.
const char *nameOf(Space space);
const char *nameOf(Kind kind);

struct MemoryAccess {
  Space space;
  Kind kind;
  unsigned bits = 0; ///< that one thread moves; 0: the instruction does not tell
  std::string hint;  ///< cache and ordering, as the instruction set spells them; empty: none
  friend auto operator<=>(const MemoryAccess &, const MemoryAccess &) = default;
};

enum class Role : uint8_t { Other, Barrier, Branch, Fma };

/// What one instruction does.
struct Meaning {
  std::string opcode; ///< with its modifiers, without predicate and operands
  Role role = Role::Other;
  std::optional<MemoryAccess> access;
};

struct Instruction {
  std::string text;
  Meaning meaning;
  SourcePosition where; ///< unknown without line information
};

struct Listing {
  std::vector<Instruction> instructions;
  [[nodiscard]] bool hasLines() const;
};

/// The functions of a module, by symbol.
using Listings = std::map<std::string, Listing>;

/// How many instructions make accesses that are equal in all that MemoryAccess tells.
struct AccessCount {
  std::set<std::string> opcodes;
  unsigned count = 0;
};
using AccessCounts = std::map<MemoryAccess, AccessCount>;

struct Totals {
  unsigned instructions = 0, barriers = 0, branches = 0, fma = 0;
};

[[nodiscard]] AccessCounts countAccesses(const Listing &listing);
[[nodiscard]] Totals totalsOf(const Listing &listing);

} // namespace regrain::listing
