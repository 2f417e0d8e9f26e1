//===- Exchanges.cpp - Elements that threads hand to each other -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Exchanges.h"

#include "fuzz/StatementPrinter.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using llvm::formatv;

namespace regrain::fuzz {

/// Prints what combines elements in steps, with a barrier behind each; the result is in the array.
void StatementPrinter::printSteps(ElementExchange form, uint32_t count) {
  switch (form) {
  case ElementExchange::Halves:
    line(
        formatv("  for (unsigned far = {0}; far > 0; far /= 2) {{", llvm::PowerOf2Ceil(count) / 2));
    line(formatv("    if (tid < far && tid + far < {0})", count));
    line("      part[0][tid] += part[0][tid + far];");
    line("    __syncthreads();");
    return line("  }");
  case ElementExchange::Pairs:
    line(formatv("  for (unsigned far = 1; far < {0}; far *= 2) {{", count));
    line(formatv("    if (tid % (2 * far) == 0 && tid + far < {0})", count));
    line("      part[0][tid] = part[0][tid] * 3 ^ part[0][tid + far];");
    line("    __syncthreads();");
    return line("  }");
  case ElementExchange::Scan:
    line(formatv("  for (unsigned far = 1, at = 0; far < {0}; far *= 2, at = 1 - at) {{", count));
    line("    part[1 - at][tid] = part[at][tid] + (tid >= far ? part[at][tid - far] : 0);");
    line("    __syncthreads();");
    return line("  }");
  default:
    return;
  }
}

/// Returns an expression over elements that no thread writes in this phase.
static std::string combine(ElementExchange form, uint32_t count, uint32_t number) {
  switch (form) {
  case ElementExchange::Halves:
  case ElementExchange::Pairs:
    return "part[0][0] * 5 + part[0][tid]";
  case ElementExchange::Scan:
    return formatv("part[{0}][tid]", count > 1 ? llvm::Log2_32_Ceil(count) % 2 : 0);
  case ElementExchange::Rotate:
    return formatv("part[0][(tid + {0}) % {1}] - part[0][(tid + {2}) % {1}]", number % count, count,
                   count - 1);
  case ElementExchange::Mirror:
    return formatv("part[0][{0} - tid]", count - 1);
  case ElementExchange::Broadcast:
    return formatv("part[0][{0}] * 7 + part[0][{1}]", number % count, count - 1);
  case ElementExchange::Neighbours:
    return "part[0][tid] + part[0][tid + 1] * 3 + part[0][tid + 2] * 5";
  case ElementExchange::Columns:
    return count % 8 == 0 ? formatv("part[0][tid % 8 * {0} + tid / 8]", count / 8).str()
                          : "part[0][tid]";
  case ElementExchange::Newer:
    return formatv("own + part[0][(tid + {0}) % {1}]", number % count, count);
  }
}

/// Each thread writes its own element, and reads others' behind barriers.
void StatementPrinter::printElements(const Stmt &stmt) {
  static constexpr const char *types[elementTypes] = {"unsigned", "unsigned short", "unsigned char",
                                                      "unsigned long long"};
  auto form = ElementExchange(stmt.aux % elementExchanges);
  const char *type = types[stmt.aux / elementExchanges % elementTypes];
  uint32_t number = stmt.aux / (elementExchanges * elementTypes), count = kernel.shape.threads();
  bool hasEnds = form == ElementExchange::Neighbours;
  line(formatv("unsigned v{0};", stmt.id));
  line("{");
  line(formatv("  __shared__ {0} part[{1}][{2}];", type, form == ElementExchange::Scan ? 2 : 1,
               hasEnds ? count + 2 : count));
  line(formatv("  part[0][tid + {0}] = {1}({2});", hasEnds ? 1 : 0, "(" + std::string(type) + ")",
               expr(stmt, 0)));
  if (hasEnds) {
    line("  if (tid < 1)");
    line(formatv("    part[0][0] = {0};", number));
    line(formatv("  if (tid > {0})", int64_t(count) - 2));
    line(formatv("    part[0][{0}] = {1};", count + 1, number * 3));
  }
  line("  __syncthreads();");
  printSteps(form, count);
  if (form == ElementExchange::Newer) {
    line(formatv("  unsigned own = part[0][{0}];", number % count));
    line("  __syncthreads();");
    line(formatv("  if (({0}) & 1) {{", expr(stmt, 1)));
    line("    part[0][tid] += 9;");
    line("    own += part[0][tid];");
    line("  }");
    line("  __syncthreads();");
  }
  line(formatv("  v{0} = unsigned({1});", stmt.id, combine(form, count, number)));
  line("  __syncthreads();");
  line("}");
}

} // namespace regrain::fuzz
