//===- Records.cpp - Structures that threads copy -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Records.h"

#include "fuzz/StatementPrinter.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz {

const std::vector<RecordForm> &recordForms() {
  static const std::vector<RecordForm> forms = {
      {"alignas(8)",
       "unsigned a; short b; unsigned char c, d;",
       8,
       256,
       {{"unsigned", "a"}, {"short", "b"}, {"unsigned char", "d"}}},
      {"",
       "unsigned a; float b; unsigned c;",
       12,
       256,
       {{"unsigned", "a"}, {"float", "b"}, {"unsigned", "c"}}},
      {"alignas(16)",
       "short a, b; float c; unsigned long long d;",
       16,
       256,
       {{"short", "b"}, {"float", "c"}, {"unsigned long long", "d"}}},
      {"alignas(16)",
       "unsigned long long a; uint2 b; float4 c;",
       32,
       256,
       {{"unsigned long long", "a"}, {"unsigned", "b.y"}, {"float", "c.z"}}},
      {"",
       "unsigned a[16]; float b; unsigned char c[8];",
       76,
       128,
       {{"unsigned", "a[15]"}, {"float", "b"}, {"unsigned char", "c[7]"}}},
      {"alignas(16)",
       "unsigned a[60]; float4 b; uint4 c;",
       272,
       64,
       {{"unsigned", "a[31]"}, {"float", "b.y"}, {"unsigned", "c.w"}}},
  };
  return forms;
}

std::string printRecord(const Kernel &kernel, const std::string &name) {
  const RecordForm &form = recordForms()[*kernel.record];
  std::string words;
  for (const RecordPart &part : form.parts)
    words += formatv("  word = word * 31 + toBits(record.{0});\n", part.place);
  return formatv("struct {0} {1}_Record {{ {2} };\n"
                 "__device__ inline unsigned wordOf(const {1}_Record &record) {{\n"
                 "  unsigned word = 0;\n{3}  return word;\n}\n",
                 form.attribute, name, form.fields, words);
}

/// Writes to a member of the record of that name.
void StatementPrinter::printMember(const Stmt &stmt, const std::string &record) {
  const std::vector<RecordPart> &parts = recordForms()[*kernel.record].parts;
  const RecordPart &part = parts[stmt.aux / recordCopies % parts.size()];
  line(formatv(part.type == std::string("float") ? "  {0}.{1} = toReal({3});"
                                                 : "  {0}.{1} = ({2})({3});",
               record, part.place, part.type, expr(stmt, 0)));
}

/// Prints how records are copied between global and shared memory.
void StatementPrinter::printCopy(const Stmt &stmt) {
  std::string other = formatv("({0}) % live", expr(stmt, 1));
  switch (RecordCopy(stmt.aux % recordCopies)) {
  case RecordCopy::Through:
    line("  Record mine = records[gid];");
    printMember(stmt, "mine");
    line("  part[tid] = mine;");
    line("  __syncthreads();");
    return line(formatv("  records[gid] = part[{0}];", other));
  case RecordCopy::Swap:
    line("  part[tid] = records[gid];");
    printMember(stmt, "part[tid]");
    line("  __syncthreads();");
    line("  if (tid < live / 2) {");
    line("    Record kept = part[tid];");
    line("    part[tid] = part[live - 1 - tid];");
    line("    part[live - 1 - tid] = kept;");
    line("  }");
    line("  __syncthreads();");
    return line("  records[gid] = part[tid];");
  case RecordCopy::Rotate:
    line("  part[tid] = records[gid];");
    line("  __syncthreads();");
    line(formatv("  Record next = part[{0}];", other));
    line("  __syncthreads();");
    printMember(stmt, "next");
    line("  part[tid] = next;");
    line("  __syncthreads();");
    return line("  records[gid] = part[live - 1 - tid];");
  case RecordCopy::Local:
    line("  Record few[3] = {records[gid], records[gid], records[gid]};");
    line(formatv("  const unsigned at = ({0}) % 3;", expr(stmt, 1)));
    printMember(stmt, "few[at]");
    line("  few[(at + 1) % 3] = few[at];");
    line("  part[tid] = few[(at + tid) % 3];");
    line("  __syncthreads();");
    return line("  records[gid] = part[live - 1 - tid];");
  }
}

/// Threads write their own elements and read others' behind a barrier. At the end, each thread may
/// write its own element again.
void StatementPrinter::printRecords(const Stmt &stmt) {
  line(formatv("unsigned v{0};", stmt.id));
  line("{");
  line(formatv("  __shared__ Record part[{0}];", kernel.shape.threads()));
  printCopy(stmt);
  if (RecordCopy(stmt.aux % recordCopies) != RecordCopy::Swap)
    line("  __syncthreads();"); // in a swap, a thread has last read its own element
  line(formatv("  v{0} = wordOf(records[gid]);", stmt.id));
  line("}");
}

} // namespace regrain::fuzz
