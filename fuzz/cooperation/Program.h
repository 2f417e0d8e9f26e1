//===- Program.h - A program whose threads cooperate ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is one kernel that consists of a few acts, one after the other. Each
// act has its own memory, whose final contents are right for any order of
// threads if they satisfy the checks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "fuzz/cooperation/Check.h"
#include "fuzz/cooperation/Choices.h"
#include <set>

namespace regrain::fuzz::cooperation {

/// One act, by its number in actKinds(), and the numbers that determine its
/// details.
struct ActPlan {
  unsigned kind = 0;
  Tape tape;
};

/// Everything that determines a program.
struct Plan {
  uint64_t seed = 0;
  Tape launch; ///< shape, distinction of threads, parameters
  std::vector<ActPlan> acts;
  bool isPattern = false; ///< the only act is one of patternKinds()
};

/// Memory of the program; word i is initially `base + i * step`, except for
/// `others`.
struct Memory {
  uint32_t words = 0;
  uint32_t base = 0, step = 0;
  std::vector<std::pair<uint32_t, uint32_t>> others = {}; ///< word and its initial value
  bool isExact = true;                                    ///< the same for any order of threads

  std::vector<uint32_t> contents() const;
};

struct Parameter {
  std::string declaration;                       ///< "unsigned *p0"
  std::optional<uint32_t> memory = std::nullopt; ///< the memory to which it points
  uint32_t offset = 0;                           ///< in words
  std::vector<uint32_t> words = {};              ///< of an argument by value
  bool isStruct = false;                         ///< the words lie in a struct of the program
};

struct Program {
  Plan plan;
  Shape shape;
  unsigned dimensions = 1; ///< of the launch
  uint32_t dynamicBytes = 0;
  bool hasLaunchBounds = false;
  bool hasShared = false;      ///< memory of a block, or barriers
  bool ordersByFences = false; ///< only fences and atomics order some plain accesses
  bool waits = true;           ///< threads may wait for each other
  std::vector<Memory> memory;
  std::vector<Parameter> parameters;
  std::vector<Check> checks;
  std::vector<std::string> functions;   ///< and types, in the order of their use
  std::string body;                     ///< of the kernel, indented
  std::set<std::string> forms;          ///< its forms, for the summary
  std::vector<std::string> grains = {}; ///< that fit its form
};

/// Builds the program of a plan of acts.
Program build(const Plan &plan);

/// Returns the first violation in the final memories; empty if there is none.
std::string findWrong(const Program &program, const std::vector<std::vector<uint32_t>> &contents);

/// Returns the functions and the kernel, in a namespace of their own.
std::string print(const Program &program, const std::string &name);

/// Returns a program that runs the kernel once, checks its results, and prints "OK",
/// or "MISMATCH: " with the first violation, and then exits with 1. Without checks, it prints
/// hashes of the results.
std::string printProgram(const Program &program, const std::string &name);

/// Returns the declarations that all kernels of a file share.
std::string printPrelude();

/// Returns the line of such a program at which the kernel's namespace begins.
unsigned kernelLine();

} // namespace regrain::fuzz::cooperation
