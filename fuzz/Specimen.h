//===- Specimen.h - A random kernel of either kind --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "fuzz/Task.h"
#include "fuzz/cooperation/Program.h"
#include <variant>

namespace regrain::fuzz {

/// A kernel that computes the same bytes for any order of its threads, or a
/// program whose threads cooperate, which is checked by invariants. A program of a known form
/// (patterns/Patterns.h) is built like the latter and computes the same bytes.
using Specimen = std::variant<Kernel, cooperation::Program>;

/// Percentages: of the seeds that give programs whose threads cooperate, and of the others that
/// give programs of a known form.
struct Shares {
  unsigned cooperating = 40, patterns = 12;
};

/// Returns the specimen of a seed.
Specimen drawSpecimen(uint64_t seed, const Shares &shares);

uint64_t seedOf(const Specimen &specimen);
Task taskOf(const Specimen &specimen);

/// Returns the declarations that the kernels of a file share, of either kind.
std::string printPreludes();
std::string print(const Specimen &specimen, const std::string &name);
std::string printProgram(const Specimen &specimen, const std::string &name);
/// Returns the line of such a program at which the result of print() begins.
unsigned kernelLineOf(const Specimen &specimen);

/// Returns its forms that are rare by chance and worth counting.
std::set<std::string> formsOf(const Specimen &specimen);

/// Returns what is wrong with the buffers after a run by themselves; empty if
/// nothing is.
std::string findWrong(const Specimen &specimen, const Contents &got);

/// Returns specimens that are one step smaller, the largest steps first; each
/// is well defined.
std::vector<Specimen> smallerForms(const Specimen &specimen);

} // namespace regrain::fuzz
