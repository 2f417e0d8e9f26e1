//===- Program.h - A program whose threads cooperate ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel made of a few acts, one after the other. Each act has memory of its
// own and leaves there what is right whatever order threads come in: the checks
// say what that is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "fuzz/cooperation/Check.h"
#include "fuzz/cooperation/Choices.h"
#include <set>

namespace regrain::fuzz::cooperation {

/// One act, by its number in actKinds(), and what decides on its details.
struct ActPlan {
  unsigned kind = 0;
  Tape tape;
};

/// All that a program is made from.
struct Plan {
  uint64_t seed = 0;
  Tape launch; ///< shape, how threads are told apart, parameters
  std::vector<ActPlan> acts;
};

/// Memory of the program; word i is `base + i * step` at first, but for `others`.
struct Memory {
  uint32_t words = 0;
  uint32_t base = 0, step = 0;
  std::vector<std::pair<uint32_t, uint32_t>> others = {}; ///< word and its first value
  bool isExact = true; ///< the same whatever order threads come in

  std::vector<uint32_t> contents() const;
};

struct Parameter {
  std::string declaration;                       ///< "unsigned *p0"
  std::optional<uint32_t> memory = std::nullopt; ///< that it points into
  uint32_t offset = 0;                           ///< words
  std::vector<uint32_t> words = {};              ///< of what is passed by value
  bool isStruct = false;                         ///< the words lie in a struct of the program
};

struct Program {
  Plan plan;
  Shape shape;
  unsigned dimensions = 1; ///< that the launch has
  uint32_t dynamicBytes = 0;
  bool hasLaunchBounds = false;
  bool hasShared = false;      ///< block memory, or barriers
  bool ordersByFences = false; ///< some plain accesses are ordered by fences and atomics alone
  std::vector<Memory> memory;
  std::vector<Parameter> parameters;
  std::vector<Check> checks;
  std::vector<std::string> functions; ///< and types, in the order in which they are needed
  std::string body;                   ///< of the kernel, indented
  std::set<std::string> forms;        ///< what is in it, for the summary
};

/// The program of a plan.
Program build(const Plan &plan);

/// The first thing that is wrong with what the memories hold; empty where nothing is.
std::string findWrong(const Program &program, const std::vector<std::vector<uint32_t>> &contents);

/// The functions and the kernel, in a namespace of their own.
std::string print(const Program &program, const std::string &name);

/// A program that runs the kernel once, checks what it has written, and prints "OK",
/// or "MISMATCH: " with the first thing that is wrong and exits with 1.
std::string printProgram(const Program &program, const std::string &name);

/// What all kernels of a file share.
std::string printPrelude();

/// The line of such a program that the kernel's namespace begins at.
unsigned kernelLine();

} // namespace regrain::fuzz::cooperation
