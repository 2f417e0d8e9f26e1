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

/// A kernel that computes the same bytes in whatever order its threads come, or a
/// program whose threads cooperate, of which invariants hold.
using Specimen = std::variant<Kernel, cooperation::Program>;

/// The specimen of a seed; `cooperating`: percent of the seeds that give programs
/// whose threads cooperate.
Specimen drawSpecimen(uint64_t seed, unsigned cooperating);

uint64_t seedOf(const Specimen &specimen);
Task taskOf(const Specimen &specimen);

/// What the kernels of a file share, of either kind.
std::string printPreludes();
std::string print(const Specimen &specimen, const std::string &name);
std::string printProgram(const Specimen &specimen, const std::string &name);
/// The line of such a program that what print() gives begins at.
unsigned kernelLineOf(const Specimen &specimen);

/// What is in it that is rare by chance and worth counting.
std::set<std::string> formsOf(const Specimen &specimen);

/// What is wrong with the buffers after a run, by itself; empty where nothing is.
std::string findWrong(const Specimen &specimen, const Contents &got);

/// Specimens that are one step smaller, the largest steps first; each is right.
std::vector<Specimen> smallerForms(const Specimen &specimen);

} // namespace regrain::fuzz
