//===- Remarks.cpp - Remarks on what was done to kernels ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Remarks/Remarks.h"

#include "runtime/image/sum_order.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace regrain;
using llvm::remarks::Type;

namespace {

constexpr llvm::StringLiteral passName = "regrain";

struct GrainRemark {
  Type type;
  std::string name;   ///< "DivergentBarrier"
  std::string kernel; ///< symbol
  SourcePosition where;
  std::vector<std::pair<std::string, std::string>> args; ///< the concatenated values are the
                                                         ///< message
  bool always = false;                                   ///< printed whether it is asked for or not
};

/// Returns an id such as "divergent-barrier" in the form of remark names, "DivergentBarrier".
std::string remarkName(RefusalKind kind) {
  std::string name;
  bool upper = true;
  for (char letter : idOf(kind)) {
    if (llvm::isAlnum(letter))
      name += upper ? llvm::toUpper(letter) : letter;
    upper = !llvm::isAlnum(letter);
  }
  return name;
}

GrainRemark missed(const RefusedGrain &refused) {
  const Refusal &refusal = refused.refusal;
  GrainRemark remark{Type::Missed,
                     remarkName(refusal.kind),
                     refused.symbol,
                     refusal.where,
                     {},
                     refused.asked || refusal.kind == RefusalKind::BackEndFailed};
  remark.args = {{"String", "kernel '"},
                 {"Kernel", refused.kernel},
                 {"String", "' is built without "},
                 {"Grain", refused.id},
                 {"String", ": "},
                 {"Reason", refusal.reason},
                 {"String", "; to lift this: "},
                 {"Remedy", remedyFor(refusal.kind).str()}};
  return remark;
}

/// Creates one remark for all grains of a kernel that are refused for the same reason.
std::vector<GrainRemark> missedRemarks(llvm::ArrayRef<RefusedGrain> refused) {
  std::vector<RefusedGrain> merged;
  for (const RefusedGrain &entry : refused) {
    auto same = llvm::find_if(merged, [&](RefusedGrain other) {
      other.id = entry.id;
      return other == entry;
    });
    if (same == merged.end())
      merged.push_back(entry);
    else
      same->id += ", " + entry.id;
  }
  std::vector<GrainRemark> remarks;
  for (const RefusedGrain &entry : merged)
    remarks.push_back(missed(entry));
  return remarks;
}

/// Creates a remark at the definition of `kernel` whose message begins with its name.
GrainRemark atDefinition(Type type, std::string name, const DeviceKernel &kernel) {
  GrainRemark remark{type, std::move(name), kernel.symbol, {kernel.file, kernel.line}, {}, false};
  remark.args = {{"String", "kernel '"}, {"Kernel", kernel.name}, {"String", "'"}};
  return remark;
}

GrainRemark figures(const DeviceKernel &kernel, const std::string &grain, const std::string &target,
                    const Resources &resources) {
  GrainRemark remark = atDefinition(Type::Analysis, "Resources", kernel);
  remark.args.insert(remark.args.end(), {{"String", " at "},
                                         {"Grain", grain},
                                         {"String", " for "},
                                         {"Target", target},
                                         {"String", ":"}});
  auto add = [&](const char *key, int32_t value, const char *unit) {
    if (value < 0)
      return;
    remark.args.push_back({"String", " "});
    remark.args.push_back({key, std::to_string(value)});
    remark.args.push_back({"String", unit});
  };
  add("Registers", resources.registers, " registers,");
  add("SpillStoreBytes", resources.spillStoreBytes, " bytes of spill stores,");
  add("SpillLoadBytes", resources.spillLoadBytes, " bytes of spill loads,");
  add("OccupancyPercent", resources.occupancyPercent, "% occupancy,");
  add("CodeBytes", resources.codeBytes, " bytes of code,");
  add("StaticSharedBytes", resources.staticSharedBytes, " bytes of shared memory,");
  remark.args.back().second.pop_back();
  return remark;
}

/// Creates a remark with the statistics of each kernel that has a space.
std::vector<GrainRemark> statisticsRemarks(const Build &build) {
  std::vector<GrainRemark> remarks;
  for (auto [kernel, plan] : llvm::zip_equal(build.code().kernels, build.prepared.plan.kernels)) {
    if (plan.statistics.empty())
      continue;
    GrainRemark remark = atDefinition(Type::Analysis, "Statistics", kernel);
    remark.args.push_back({"String", " executes for each thread: "});
    remark.args.push_back({"Statistics", plan.statistics});
    remarks.push_back(std::move(remark));
  }
  return remarks;
}

/// Creates passed and analysis remarks, kernel by kernel.
std::vector<GrainRemark> servedRemarks(const Build &build) {
  std::map<unsigned, std::string> grains;
  std::map<unsigned, std::vector<GrainRemark>> analyses;
  for (const Build::AlternativeTask &task : build.alternatives) {
    const DeviceKernel &kernel = build.code().kernels[task.kernel];
    const KernelPlan &plan = build.prepared.plan.kernels[task.kernel];
    std::string id = toString(plan.grains[task.grain]);
    if (task.outcome.outputs.empty() || plan.isControl(task.grain))
      continue;
    std::string &list = grains[task.kernel];
    if (task.device == &build.prepared.works.front())
      list += (list.empty() ? "" : ", ") + marked(id);
    for (const TargetOutput &output : task.outcome.outputs)
      analyses[task.kernel].push_back(figures(kernel, id,
                                              build.targets[output.target].target->name(),
                                              output.module.kernels.front().resources));
  }
  std::vector<GrainRemark> remarks = statisticsRemarks(build);
  for (auto &[kernel, list] : grains) {
    GrainRemark passed = atDefinition(Type::Passed, "Coarsened", build.code().kernels[kernel]);
    passed.args.push_back({"String", " has other grains beside its original: "});
    passed.args.push_back({"Grains", list});
    remarks.push_back(std::move(passed));
    llvm::append_range(remarks, analyses[kernel]);
  }
  return remarks;
}

/// Creates remarks on objections to legal grains: those of --coarsen are kept with the objection,
/// the others are pruned.
std::vector<GrainRemark> findingRemarks(const Build &build) {
  std::vector<GrainRemark> remarks;
  for (const Candidate &candidate : build.candidates)
    for (const CandidateCode &code : candidate.code) {
      if (candidate.id == controlId && !candidate.requested)
        break;
      const auto &[outcome, objection] = code.verdict;
      bool pruned = outcome == CandidateOutcome::Pruned;
      if (!objection || (!pruned && outcome != CandidateOutcome::Kept))
        continue;
      GrainRemark remark =
          atDefinition(pruned ? Type::Missed : Type::Analysis, pruned ? "Pruned" : "Finding",
                       build.code().kernels[candidate.kernel]);
      remark.args.insert(remark.args.end(), {{"String", pruned ? ": " : " at "},
                                             {"Grain", candidate.id},
                                             {"String", " for "},
                                             {"Target", build.targets[code.target].target->name()},
                                             {"String", pruned ? " is pruned: " : ": "},
                                             {"Reason", objection->reason}});
      remark.always = candidate.requested;
      remarks.push_back(std::move(remark));
    }
  return remarks;
}

std::string message(const GrainRemark &remark) {
  std::string text;
  for (const auto &[key, value] : remark.args)
    text += value;
  return text;
}

void print(const GrainRemark &remark, llvm::StringRef suffix) {
  const auto &[file, line, column] = remark.where;
  llvm::errs() << file << ":" << line << ":" << std::max(column, 1u) << ": ";
  llvm::WithColor::remark() << message(remark) << suffix << "\n";
}

bool matches(const std::string &pattern) {
  return !pattern.empty() && llvm::Regex(pattern).match(passName);
}

void printIfAsked(const GrainRemark &remark, const RemarkOptions &options) {
  const std::string &pattern = remark.type == Type::Passed   ? options.passed
                               : remark.type == Type::Missed ? options.missed
                                                             : options.analysis;
  llvm::StringRef flag = remark.type == Type::Passed   ? " [-Rpass=regrain]"
                         : remark.type == Type::Missed ? " [-Rpass-missed=regrain]"
                                                       : " [-Rpass-analysis=regrain]";
  if (matches(pattern))
    print(remark, flag);
  else if (remark.always)
    print(remark, "");
}

/// Prints the kernels for which --alternatives found no grain beside the original, one line each.
void printOriginalsAlone(const Build &build) {
  llvm::StringSet<> told;
  for (const Build::AlternativeTask &task : build.alternatives)
    if (!task.outcome.outputs.empty() &&
        build.prepared.plan.kernels[task.kernel].grains[task.grain].regroups())
      told.insert(build.code().kernels[task.kernel].symbol);
  for (const RefusedGrain &entry : build.refused)
    if (entry.asked)
      told.insert(entry.symbol);
  for (const RefusedGrain &entry : build.refused) {
    if (!told.insert(entry.symbol).second)
      continue;
    GrainRemark remark = missed(entry);
    remark.args[2].second = "' is not coarsened, fused or reshaped";
    remark.args.erase(remark.args.begin() + 3);
    remark.args.resize(5);
    print(remark, " (-Rpass-missed=regrain lists all reasons)");
  }
}

llvm::Error writeRecord(llvm::ArrayRef<GrainRemark> remarks, const RemarkOptions &options,
                        llvm::raw_ostream &stream) {
  auto format = llvm::remarks::parseFormat(options.recordFormat);
  if (!format)
    return format.takeError();
  auto serializer = llvm::remarks::createRemarkSerializer(
      *format, llvm::remarks::SerializerMode::Standalone, stream);
  if (!serializer)
    return serializer.takeError();
  for (const GrainRemark &remark : remarks) {
    llvm::remarks::Remark record;
    record.RemarkType = remark.type;
    record.PassName = passName;
    record.RemarkName = remark.name;
    record.FunctionName = remark.kernel;
    if (const auto &[file, line, column] = remark.where; line)
      record.Loc = {file, line, std::max(column, 1u)};
    for (const auto &[key, value] : remark.args)
      record.Args.push_back({key, value, std::nullopt});
    (*serializer)->emit(record);
  }
  return llvm::Error::success();
}

} // namespace

void regrain::printRefusals(llvm::ArrayRef<RefusedGrain> refused, const RemarkOptions &options) {
  for (const GrainRemark &remark : missedRemarks(refused))
    printIfAsked(remark, options);
}

void regrain::printRemarks(const Build &build) {
  const RemarkOptions &options = build.options.remarks;
  if (options.silent)
    return;
  printRefusals(build.refused, options);
  if (!matches(options.missed))
    printOriginalsAlone(build);
  for (const GrainRemark &remark : servedRemarks(build))
    printIfAsked(remark, options);
  for (const GrainRemark &remark : findingRemarks(build))
    printIfAsked(remark, options);
}

llvm::Error regrain::writeRemarkRecord(const Build &build) {
  const RemarkOptions &options = build.options.remarks;
  if (options.recordFile.empty())
    return llvm::Error::success();
  std::vector<GrainRemark> remarks = servedRemarks(build);
  llvm::append_range(remarks, findingRemarks(build));
  llvm::append_range(remarks, missedRemarks(build.refused));
  return llvm::writeToOutput(options.recordFile, [&](llvm::raw_ostream &stream) {
    return writeRecord(remarks, options, stream);
  });
}
