//===- Text.cpp - A report as tables --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/FileReport.h"
#include "apps/Terminal/Table.h"
#include "runtime/image/max_resident.h"
#include "runtime/image/sum_order.h"

#include <algorithm>
#include <ostream>

namespace regrain::report {
namespace {

using terminal::Column;
using terminal::Row;

const std::vector<Column> columns = {{"target"},       {"grain"},           {"registers", true},
                                     {"spills", true}, {"stack", true},     {"shared", true},
                                     {"code", true},   {"occupancy", true}, {""}};

/// These columns precede the note if a target of the image has their figures.
const std::vector<Column> waveColumns = {
    {"sgpr", true}, {"agpr", true}, {"spilled s/v", true}, {"waves", true}};

std::string figure(int32_t value) { return value < 0 ? "-" : std::to_string(value); }

std::string spills(const Resources &resources) {
  if (resources.spillStoreBytes < 0 && resources.spillLoadBytes < 0)
    return "-";
  return figure(resources.spillStoreBytes) + "/" + figure(resources.spillLoadBytes);
}

std::string occupancy(const Resources &resources) {
  if (resources.occupancyPercent < 0)
    return "-";
  return std::to_string(resources.occupancyPercent) + "%@" +
         std::to_string(resources.occupancyThreads);
}

std::string targetText(const TargetName &target) {
  bool isChip = target.kind == image::CodeKind::Cubin || target.kind == image::CodeKind::Hsaco;
  return isChip ? target.arch : std::string(kindName(target.kind)) + " " + target.arch;
}

/// Returns the figures in the order of waveColumns.
Row waveFigures(const Resources &r) {
  std::string spilled =
      r.vectorSpills < 0 ? "-" : figure(r.scalarSpills) + "/" + figure(r.vectorSpills);
  return {figure(r.scalarRegisters), figure(r.accumulationRegisters), spilled, figure(r.waves)};
}

Row rowOf(const AlternativeReport &alternative, const CodeReport &code, bool isChosen) {
  const Resources &r = code.resources;
  std::string note = isChosen ? "chosen" : "";
  auto add = [&](std::string_view text) { note += (note.empty() ? "" : ", ") + std::string(text); };
  if (code.symbol.empty())
    add("no code");
  else if (maxResidentOf(alternative.grain))
    add("the code of " + idOfCode(alternative.id));
  if (isOffered(alternative.id))
    add(offeredBySource);
  if (alternative.withinUlps)
    add("within " + std::to_string(alternative.withinUlps) + " ulps");
  if (reordersSums(alternative.grain))
    add(reorderedSums);
  return {targetText(code.target),
          alternative.id,
          figure(r.registers),
          spills(r),
          figure(r.stackBytes),
          figure(r.staticSharedBytes),
          figure(r.codeBytes),
          occupancy(r),
          note};
}

void writeRefusals(const ImageReport &image, const KernelReport &kernel, std::ostream &out) {
  for (const RefusalReport &refusal : image.refusals) {
    if (refusal.kernel != kernel.symbol)
      continue;
    std::string where = toString(refusal.where);
    out << "  refused " << refusal.id << " (" << refusal.stage << "): " << refusal.reason
        << (where.empty() ? "" : " [" + where + "]") << '\n';
    if (!refusal.remedy.empty())
      out << "    to lift this: " << refusal.remedy << '\n';
  }
}

void writeVerdict(const VerdictReport &verdict, std::ostream &out) {
  out << verdict.outcome;
  if (verdict.seconds >= 0)
    out << ", " << verdict.seconds << " s";
  if (!verdict.reason.empty())
    out << " (" << verdict.stage << "): " << verdict.reason;
  out << '\n';
}

/// Writes every grain that was tried, in the order of trying.
void writeCandidates(const KernelReport &kernel, std::ostream &out) {
  for (const CandidateReport &candidate : kernel.candidates) {
    out << "  candidate " << marked(candidate.id) << ": ";
    writeVerdict(candidate.verdict, out);
    for (const CandidateReport::Code &code : candidate.code) {
      out << "    " << code.target << ", " << code.bytes << " bytes: ";
      writeVerdict(code.verdict, out);
    }
  }
}

constexpr size_t shownDigits = 8; ///< of a hash

void writeTuning(const KernelReport &kernel, std::ostream &out) {
  if (!kernel.notReplayable.empty())
    out << "  not tuned: " << kernel.notReplayable << '\n';
  for (const ClassChoiceReport &choice : kernel.classChoices)
    out << "  chosen for " << choice.launchClass << ": " << marked(choice.alternative) << '\n';
}

void writeKernel(const ImageReport &image, const KernelReport &kernel, bool withCandidates,
                 std::ostream &out) {
  out << kernel.name;
  if (std::string where = toString(SourcePosition{kernel.file, kernel.line}); !where.empty())
    out << "  [" << where << "]";
  if (kernel.maxThreads)
    out << "  launch bounds " << kernel.maxThreads;
  if (kernel.usesDynamicShared)
    out << "  dynamic shared memory";
  if (!kernel.hash.empty())
    out << "  hash " << kernel.hash.substr(0, shownDigits);
  out << '\n';
  std::vector<Row> rows;
  std::vector<Column> shown = columns;
  bool hasWaves = std::ranges::any_of(image.targets, [](const TargetName &target) {
    return target.kind == image::CodeKind::Hsaco;
  });
  if (hasWaves)
    shown.insert(shown.end() - 1, waveColumns.begin(), waveColumns.end());
  bool hasChoice = kernel.alternatives.size() > 1;
  for (size_t target = 0; target < image.targets.size(); ++target)
    for (const AlternativeReport &alternative : kernel.alternatives) {
      const CodeReport &code = alternative.code[target];
      Row &row =
          rows.emplace_back(rowOf(alternative, code, hasChoice && alternative.id == kernel.chosen));
      if (Row wave = waveFigures(code.resources); hasWaves)
        row.insert(row.end() - 1, wave.begin(), wave.end());
    }
  terminal::writeTable(shown, rows, out);
  writeTuning(kernel, out);
  writeRefusals(image, kernel, out);
  if (withCandidates)
    writeCandidates(kernel, out);
}

} // namespace

void writeText(const FileReport &report, bool withCandidates, std::ostream &out) {
  for (const ImageReport &image : report.images) {
    out << report.file;
    if (!image.member.empty())
      out << "(" << image.member << ")";
    out << ": " << image.source << ", " << image.kernels.size()
        << (image.kernels.size() == 1 ? " kernel" : " kernels") << "\n\n";
    for (const KernelReport &kernel : image.kernels) {
      writeKernel(image, kernel, withCandidates, out);
      out << '\n';
    }
  }
}

} // namespace regrain::report
