//===- StatementPrinter.cpp - Statements as CUDA source -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/StatementPrinter.h"

#include "fuzz/Data.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz {

static constexpr const char *atomicNames[atomicOperations] = {
    "atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"};

void StatementPrinter::print(const std::vector<Stmt> &block) {
  lines.indent += 2;
  for (const Stmt &stmt : block)
    print(stmt);
  lines.indent -= 2;
}

void StatementPrinter::print(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Declare:
  case StmtKind::DeclareIndex:
  case StmtKind::Assign:
  case StmtKind::StoreLocal:
    return printVariable(stmt);
  case StmtKind::StoreOwn:
  case StmtKind::AtomicOwn:
  case StmtKind::StoreElement:
  case StmtKind::AtomicGlobal:
  case StmtKind::AtomicVector:
    return printGlobal(stmt);
  case StmtKind::FillShared:
  case StmtKind::StoreShared:
  case StmtKind::LeaderStore:
  case StmtKind::AtomicShared:
    return printShared(stmt);
  case StmtKind::Barrier:
  case StmtKind::BarrierVote:
  case StmtKind::Fence:
    return printBarrier(stmt);
  case StmtKind::WarpSync:
  case StmtKind::WarpExchange:
  case StmtKind::WarpVote:
    return printWarp(stmt);
  case StmtKind::TreeReduce:
    return printReduction(stmt);
  case StmtKind::RecordExchange:
    return printRecords(stmt);
  case StmtKind::ElementExchange:
    return printElements(stmt);
  case StmtKind::If:
    return printBranch(stmt);
  case StmtKind::Switch:
    return printSwitch(stmt);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::GridStride:
    return printLoop(stmt);
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
    return printJump(stmt);
  }
}

/// Prints writes to the thread's own variables and arrays.
void StatementPrinter::printVariable(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Declare:
    if (stmt.exprs.empty())
      return line(formatv("{0} v{1};", typeOf(stmt.id), stmt.id));
    return line(formatv("{0} v{1} = {2};", typeOf(stmt.id), stmt.id, expr(stmt, 0)));
  case StmtKind::DeclareIndex:
    return line(formatv("const unsigned v{0} = clamp({1}, {2}, {3}, {4});", stmt.id, expr(stmt, 0),
                        expr(stmt, 1), expr(stmt, 2),
                        expressions.elementCount(*kernel.variables[stmt.id].indexOf)));
  case StmtKind::Assign:
    return line(formatv("v{0} = {1};", stmt.id, expr(stmt, 0)));
  default:
    return line(expressions.localElement(stmt.id, stmt.exprs[0]) + " = " + expr(stmt, 1) + ";");
  }
}

void StatementPrinter::printGlobal(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::StoreOwn:
    if (stmt.exprs[0].type == Type::F32)
      return line("real[gid] = " + expr(stmt, 0) + ";");
    return line(expressions.ownSlot(stmt.id, stmt.exprs, 1) + " = " + expr(stmt, 0) + ";");
  case StmtKind::AtomicOwn:
    return line(formatv("unsigned v{0} = atomicAdd(&out[gid * {1} + {2}], {3});", stmt.aux,
                        resultSlots, stmt.id, expr(stmt, 0)));
  case StmtKind::StoreElement:
    return line(formatv("{0} = {1};", expressions.element(), expr(stmt, 0)));
  case StmtKind::AtomicVector:
    return printVectorAtomic(stmt);
  default:
    return line(formatv("{0}(&counters[{1} + {2} % {3}], {4});", atomicNames[stmt.aux],
                        stmt.aux * countersEach, expr(stmt, 0), countersEach, expr(stmt, 1)));
  }
}

/// The floats are small whole numbers, so that the order of additions does not matter.
void StatementPrinter::printVectorAtomic(const Stmt &stmt) {
  uint32_t at = vectorOffset(kernel);
  switch (stmt.aux % vectorAtomics) {
  case 0:
    return line(
        formatv("atomicAdd((float2 *)&real[{0}], make_float2({1} & 3, 1.0f));", at, expr(stmt, 0)));
  case 1:
    return line(
        formatv("atomicAdd((float4 *)&real[{0}], make_float4({1} & 3, 1.0f, tid & 1, 2.0f));",
                at + 4, expr(stmt, 0)));
  default:
    return line(
        formatv("addPair(&out[gid * {0} + {1}], {2});", resultSlots, stmt.id, expr(stmt, 0)));
  }
}

void StatementPrinter::printShared(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::FillShared:
    return printFill(stmt);
  case StmtKind::StoreShared:
    return line(expressions.ownShared(stmt.id, stmt.exprs, 1) + " = " + expr(stmt, 0) + ";");
  case StmtKind::LeaderStore:
    return line(formatv("if (tid == 0) {0} = {1};",
                        expressions.sharedElement(stmt.id, stmt.exprs[0]), expr(stmt, 1)));
  default:
    return line(formatv("{0}(&{1}, {2});", atomicNames[kernel.shared[stmt.id].operation],
                        expressions.sharedElement(stmt.id, stmt.exprs[0]), expr(stmt, 1)));
  }
}

void StatementPrinter::printFill(const Stmt &stmt) {
  if (kernel.guard == Guard::Return)
    return line(formatv("s{0}[tid] = {1};", stmt.id, expr(stmt, 0)));
  line(formatv("for (unsigned j = tid; j < {0}; j += threads)",
               elementsOf(kernel, kernel.shared[stmt.id])));
  line(formatv("  s{0}[j] = {1} + j;", stmt.id, expr(stmt, 0)));
}

void StatementPrinter::printBarrier(const Stmt &stmt) {
  static const char *const votes[] = {"unsigned(__syncthreads_count({0}))",
                                      "unsigned(__syncthreads_and({0}) != 0)",
                                      "unsigned(__syncthreads_or({0}) != 0)"};
  if (stmt.kind == StmtKind::Barrier)
    return line(stmt.aux ? "meet();" : "__syncthreads();");
  if (stmt.kind == StmtKind::Fence)
    return line(stmt.aux ? "__threadfence_block();" : "__threadfence();");
  line(formatv("unsigned v{0} = {1};", stmt.id, formatv(votes[stmt.aux % 3], expr(stmt, 0)).str()));
}

void StatementPrinter::printWarp(const Stmt &stmt) {
  static const char *const shuffles[] = {
      "__shfl_sync(0xffffffffu, {0}, {1} & 31)", "__shfl_xor_sync(0xffffffffu, {0}, {1} & 31)",
      "__shfl_up_sync(0xffffffffu, {0}, {1} & 31)", "__shfl_down_sync(0xffffffffu, {0}, {1} & 31)"};
  static const char *const groups[] = {
      "tileShuffle({0}, {1})",   "tileLeast({0})",        "tileSum({0})",
      "labelledCount({0}, {1})", "tileUp({0}, {1})",      "tileBallot({0}, {1})",
      "tileBefore({0})",         "tileMost({0})",         "tileMatch({0}, {1})",
      "splitRank({0}, {1})",     "labelledSum({0}, {1})", "tileFold({0}, {1})",
      "matrixProduct({0}, {1})"};
  static_assert(std::size(groups) == matrixExchange + 1 - firstGroupExchange);
  static const char *const votes[] = {"__ballot_sync(0xffffffffu, {0})",
                                      "unsigned(__any_sync(0xffffffffu, {0}) != 0)",
                                      "unsigned(__all_sync(0xffffffffu, {0}) != 0)"};
  if (stmt.kind == StmtKind::WarpSync)
    return line("__syncwarp();");
  bool isVote = stmt.kind == StmtKind::WarpVote, isOfGroup = stmt.aux >= firstGroupExchange;
  const char *form = isVote      ? votes[stmt.aux % 3]
                     : isOfGroup ? groups[stmt.aux - firstGroupExchange]
                                 : shuffles[stmt.aux % 4];
  std::string value = isVote ? formatv(form, expr(stmt, 0)).str()
                             : formatv(form, expr(stmt, 0), expr(stmt, 1)).str();
  line(formatv("{0} v{1} = {2};", nameOf(kernel.variables[stmt.id].type), stmt.id, value));
}

void StatementPrinter::printReduction(const Stmt &stmt) {
  uint32_t start = 1;
  while (start * 2 < kernel.shape.threads())
    start *= 2;
  static const char *const combine[] = {"x + y", "x < y ? x : y", "x ^ y"};
  uint32_t operations = kernel.shared[stmt.id].type == Type::F32 ? 2 : 3;
  line("__syncthreads();");
  line(formatv("for (unsigned step = {0}; step > 0; step >>= 1) {{", start));
  line("  if (tid < step && tid + step < live) {");
  line(formatv("    auto x = s{0}[tid], y = s{0}[tid + step];", stmt.id));
  line(formatv("    s{0}[tid] = {1};", stmt.id, combine[stmt.aux % operations]));
  line("  }");
  line("  __syncthreads();");
  line("}");
}

void StatementPrinter::printBranch(const Stmt &stmt) {
  line("if (" + expr(stmt, 0) + ") {");
  print(stmt.blocks[0]);
  if (!stmt.blocks[1].empty()) {
    line("} else {");
    print(stmt.blocks[1]);
  }
  line("}");
}

void StatementPrinter::printSwitch(const Stmt &stmt) {
  line(formatv("switch ({0} % {1}) {{", expr(stmt, 0), stmt.blocks.size() + 1));
  for (size_t i = 0; i < stmt.blocks.size(); ++i) {
    line(formatv("case {0}: {{", i));
    print(stmt.blocks[i]);
    line(stmt.aux >> i & 1 ? "}" : "} break;");
  }
  line("}");
}

void StatementPrinter::printJump(const Stmt &stmt) {
  const char *jump = stmt.kind == StmtKind::Break      ? "break"
                     : stmt.kind == StmtKind::Continue ? "continue"
                                                       : "return";
  line(formatv("if ({0}) {1};", expr(stmt, 0), jump));
}

void StatementPrinter::printLoop(const Stmt &stmt) {
  if (stmt.kind == StmtKind::While)
    return printWhile(stmt);
  if (stmt.kind == StmtKind::GridStride)
    return printGridStride(stmt);
  printFor(stmt);
}

void StatementPrinter::printFor(const Stmt &stmt) {
  static const char *const heads[] = {
      "for (unsigned v{0} = 0; v{0} < {1} % {2}; ++v{0}) {{",
      "for (int i{0} = 0; i{0} < int({1} % {2}); ++i{0}) {{ const unsigned v{0} = i{0};",
      "for (unsigned v{0} = 0; v{0} < {1} % {2}; v{0} += 2) {{",
      "for (unsigned v{0} = {1} % {2}; v{0}-- > 0;) {{",
      "for (int i{0} = int({1} % {2}); i{0} > 0; --i{0}) {{ const unsigned v{0} = i{0} - 1;"};
  if (stmt.exprs.empty())
    line(formatv("for (unsigned v{0} = 0; v{0} < min(n, {1}u); ++v{0}) {{", stmt.id, stmt.limit));
  else
    line(formatv(heads[stmt.aux % std::size(heads)], stmt.id, expr(stmt, 0), stmt.limit));
  print(stmt.blocks[0]);
  line("}");
}

void StatementPrinter::printWhile(const Stmt &stmt) {
  static const char *const steps[] = {"--v{0};", "v{0} >>= 1;"};
  line("{");
  line(formatv("  unsigned v{0} = {1} % {2};", stmt.id, expr(stmt, 0), stmt.limit));
  if (stmt.aux % 3 == 2) {
    line("  do {");
    print(stmt.blocks[0]);
    line(formatv("  } while (v{0}-- > 0);", stmt.id));
  } else {
    line(formatv("  while (v{0} > 0) {{", stmt.id));
    line("    " + formatv(steps[stmt.aux % 3], stmt.id).str());
    print(stmt.blocks[0]);
    line("  }");
  }
  line("}");
}

void StatementPrinter::printGridStride(const Stmt &stmt) {
  expressions.enterGridStride(stmt.id);
  line(formatv("for (unsigned v{0} = gid; v{0} < n; v{0} += total) {{", stmt.id));
  print(stmt.blocks[0]);
  expressions.leaveGridStride();
  line("}");
}

} // namespace regrain::fuzz
