//===- StatementPrinter.h - Statements as CUDA source -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Exchanges.h"
#include "fuzz/ExpressionPrinter.h"

namespace regrain::fuzz {

/// Source, line by line, each with the indentation of its block.
struct SourceLines {
  std::string text;
  unsigned indent = 0;

  void add(const std::string &content) { text += std::string(indent, ' ') + content + "\n"; }
};

/// Prints the statements of one kernel.
/// Returns the type of the kernel's records and what reads one.
std::string printRecord(const Kernel &kernel, const std::string &name);

class StatementPrinter {
public:
  /// All must outlive this object; the output is appended to `lines`.
  StatementPrinter(const Kernel &kernel, ExpressionPrinter &expressions, SourceLines &lines)
      : kernel(kernel), expressions(expressions), lines(lines) {}

  void print(const std::vector<Stmt> &block);

private:
  void print(const Stmt &stmt);
  void printVariable(const Stmt &stmt);
  void printGlobal(const Stmt &stmt);
  void printVectorAtomic(const Stmt &stmt);
  void printShared(const Stmt &stmt);
  void printFill(const Stmt &stmt);
  void printBarrier(const Stmt &stmt);
  void printWarp(const Stmt &stmt);
  void printReduction(const Stmt &stmt);
  void printRecords(const Stmt &stmt);
  void printCopy(const Stmt &stmt);
  void printMember(const Stmt &stmt, const std::string &record);
  void printElements(const Stmt &stmt);
  void printSteps(ElementExchange form, uint32_t count);
  void printBranch(const Stmt &stmt);
  void printSwitch(const Stmt &stmt);
  void printJump(const Stmt &stmt);
  void printLoop(const Stmt &stmt);
  void printFor(const Stmt &stmt);
  void printWhile(const Stmt &stmt);
  void printGridStride(const Stmt &stmt);

  void line(const std::string &content) { lines.add(content); }
  /// Prints the statement's expression number `i`.
  std::string expr(const Stmt &stmt, size_t i) const { return expressions.print(stmt.exprs[i]); }
  /// Returns the type with which a variable is declared.
  std::string typeOf(uint32_t variable) const {
    const Variable &declared = kernel.variables[variable];
    return declared.isFlag ? "bool" : nameOf(declared.type);
  }

  const Kernel &kernel;
  ExpressionPrinter &expressions;
  SourceLines &lines;
};

} // namespace regrain::fuzz
