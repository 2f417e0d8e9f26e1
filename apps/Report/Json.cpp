//===- Json.cpp - A report as JSON ----------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema is described in docs/report-schema.md; a change here that readers
// cannot skip raises the major version.
//
//===----------------------------------------------------------------------===//
#include "apps/Report/CodeJson.h"
#include "apps/Report/Explain.h"
#include "apps/Report/FileReport.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace regrain::report {

using Json = nlohmann::ordered_json;

static constexpr int schemaMajor = 1;
static constexpr int schemaMinor = 9;

/// A figure that the back end does not report is null.
static Json figure(int32_t value) { return value < 0 ? Json() : Json(value); }

static Json optionalText(const std::string &text) { return text.empty() ? Json() : Json(text); }

// nlohmann-json finds these functions by their name.

static void to_json(Json &json, const TargetName &target) {
  json = {{"kind", kindName(target.kind)}, {"arch", target.arch}};
}

static void to_json(Json &json, const CodeReport &code) {
  json = code.target;
  json["symbol"] = optionalText(code.symbol);
  if (code.symbol.empty())
    return;
  const Resources &resources = code.resources;
  json["registers"] = figure(resources.registers);
  json["spill_store_bytes"] = figure(resources.spillStoreBytes);
  json["spill_load_bytes"] = figure(resources.spillLoadBytes);
  json["stack_bytes"] = figure(resources.stackBytes);
  json["static_shared_bytes"] = figure(resources.staticSharedBytes);
  json["code_bytes"] = figure(resources.codeBytes);
  json["occupancy_percent"] = figure(resources.occupancyPercent);
  json["occupancy_threads"] = figure(resources.occupancyThreads);
  json["scalar_registers"] = figure(resources.scalarRegisters);
  json["accumulation_registers"] = figure(resources.accumulationRegisters);
  json["scalar_spills"] = figure(resources.scalarSpills);
  json["vector_spills"] = figure(resources.vectorSpills);
  json["waves"] = figure(resources.waves);
}

static void to_json(Json &json, const AlternativeReport &alternative) {
  json = {{"id", alternative.id},
          {"block_factors", alternative.grain.block},
          {"thread_factors", alternative.grain.thread},
          {"offered_by_source", !alternative.grain.variant.empty()},
          {"within_ulps", alternative.withinUlps},
          {"code", alternative.code}};
}

static void to_json(Json &json, const VerdictReport &verdict) {
  json = {{"outcome", verdict.outcome},
          {"stage", optionalText(verdict.stage)},
          {"reason", optionalText(verdict.reason)},
          {"seconds", verdict.seconds < 0 ? Json() : Json(verdict.seconds)}};
}

static void to_json(Json &json, const CandidateReport::Code &code) {
  json = {{"target", code.target}, {"bytes", code.bytes}};
  json.update(Json(code.verdict));
}

static void to_json(Json &json, const CandidateReport &candidate) {
  json = {{"id", candidate.id}};
  json.update(Json(candidate.verdict));
  json["code"] = candidate.code;
}

static void to_json(Json &json, const ClassChoiceReport &choice) {
  json = {{"class", choice.launchClass},
          {"alternative", choice.alternative},
          {"generation", optionalText(choice.generation)},
          {"device", optionalText(choice.device)},
          {"multiprocessors", choice.multiprocessors ? Json(choice.multiprocessors) : Json()}};
}

static Json namesOf(StoredTypes types) {
  constexpr std::pair<StoredTypes, const char *> names[] = {
      {StoredTypes::Half, "half"},    {StoredTypes::BFloat, "bfloat"},
      {StoredTypes::Single, "float"}, {StoredTypes::Double, "double"},
      {StoredTypes::Other, "other"},  {StoredTypes::Copied, "copied"}};
  Json found = Json::array();
  for (auto [type, name] : names)
    if ((types | type) == types)
      found.push_back(name);
  return found;
}

static Json storesOf(const MemoryUse &memory) {
  Json parameters = Json::array();
  for (StoredTypes types : memory.parameters)
    parameters.push_back(namesOf(types));
  return {{"parameters", parameters},
          {"variables", namesOf(memory.variables)},
          {"elsewhere", namesOf(memory.elsewhere)}};
}

static Json parametersOf(const KernelReport &kernel) {
  Json parameters = Json::array();
  for (const KernelReport::Parameter &parameter : kernel.parameters)
    parameters.push_back({{"offset", parameter.offset}, {"size", parameter.size}});
  return parameters;
}

static Json integersOf(const KernelReport &kernel) {
  Json integers = Json::array();
  for (const KernelReport::Integer &integer : kernel.integers)
    integers.push_back(
        {{"parameter", integer.parameter}, {"offset", integer.offset}, {"size", integer.size}});
  return integers;
}

static Json arithmeticOf(const KernelTraffic &traffic) {
  if (!traffic.arithmetic)
    return {};
  Json all = Json::array();
  for (const Arithmetic &each : *traffic.arithmetic)
    all.push_back({{"bits", each.bits ? Json(each.bits) : Json()},
                   {"function", optionalText(each.function)},
                   {"conditional", each.isConditional},
                   {"per_thread", each.perThread},
                   {"of_block", each.ofBlock}});
  return all;
}

static Json footprintOf(const KernelReport &kernel, const KernelTraffic &traffic) {
  Json memories = Json::array(), unknown = Json::array();
  for (const Traffic &each : traffic.memories)
    memories.push_back({{"memory", each.memory},
                        {"reads", each.reads},
                        {"writes", each.writes},
                        {"places", each.places},
                        {"bytes_per_thread", each.perThread},
                        {"asked_bytes", each.asked},
                        {"touched_bytes", each.touched ? Json(*each.touched) : Json()}});
  for (const AccessFootprint &access : kernel.footprint->accesses)
    if (!access.unknown.empty())
      unknown.push_back({{"memory", access.memory},
                         {"file", optionalText(access.file)},
                         {"line", access.line},
                         {"reason", access.unknown}});
  return {{"launch", optionalText(traffic.launch)},
          {"block", traffic.setting.block},
          {"trips", traffic.setting.trips},
          {"trips_given", traffic.setting.isGiven},
          {"sector_bytes", sectorBytes},
          {"memories", memories},
          {"unknown", unknown},
          {"arithmetic", arithmeticOf(traffic)}};
}

static Json launchFootprintsOf(const KernelReport &kernel) {
  Json all = Json::array();
  for (const KernelTraffic &traffic : kernel.trafficOfLaunches)
    all.push_back(footprintOf(kernel, traffic));
  return all;
}

static void to_json(Json &json, const KernelReport &kernel) {
  json = {{"name", kernel.name},
          {"symbol", kernel.symbol},
          {"file", optionalText(kernel.file)},
          {"line", kernel.line},
          {"parameters", parametersOf(kernel)},
          {"integers", integersOf(kernel)},
          {"max_threads", kernel.maxThreads},
          {"dynamic_shared", kernel.usesDynamicShared},
          {"hash", optionalText(kernel.hash)},
          {"not_replayable", optionalText(kernel.notReplayable)},
          {"stores", storesOf(kernel.memory)},
          {"stays_in_arguments", kernel.memory.staysInArguments},
          {"blocks_work_alone", kernel.memory.blocksWorkAlone},
          {"chosen", kernel.chosen},
          {"class_choices", kernel.classChoices},
          {"alternatives", kernel.alternatives},
          {"candidates", kernel.candidates},
          {"footprint", kernel.traffic ? footprintOf(kernel, *kernel.traffic) : Json()},
          {"launch_footprints", launchFootprintsOf(kernel)},
          {"listing", kernel.code ? toJson(*kernel.code) : Json()}};
}

static void to_json(Json &json, const VariableReport &variable) {
  json = {{"symbol", variable.symbol},
          {"kind", variable.kind},
          {"bytes", variable.bytes},
          {"align", variable.align}};
}

static void to_json(Json &json, const RefusalReport &refusal) {
  json = {{"kernel", refusal.kernel},
          {"id", refusal.id},
          {"stage", refusal.stage},
          {"file", optionalText(refusal.where.file)},
          {"line", refusal.where.line},
          {"column", refusal.where.column},
          {"reason", refusal.reason},
          {"kind", optionalText(refusal.kind)},
          {"remedy", optionalText(refusal.remedy)}};
}

static Json targetsOf(const ImageReport &image) {
  Json targets = Json::array();
  for (size_t i = 0; i < image.targets.size(); ++i) {
    targets.push_back(image.targets[i]);
    targets.back()["generation"] = optionalText(image.generations[i]);
  }
  return targets;
}

static void to_json(Json &json, const ImageReport &image) {
  json = {{"member", optionalText(image.member)},
          {"source", image.source},
          {"producer", image.producer},
          {"targets", targetsOf(image)},
          {"kernels", image.kernels},
          {"variables", image.variables},
          {"refusals", image.refusals}};
}

static void to_json(Json &json, const DamagedImage &damaged) {
  json = {{"member", optionalText(damaged.member)}, {"message", damaged.message}};
}

static void to_json(Json &json, const Finding &finding) {
  json = {{"id", finding.id},
          {"target", finding.target},
          {"stage", finding.stage},
          {"reason", finding.reason}};
}

static void to_json(Json &json, const GrainGroup &group) {
  json = {{"state", nameOf(group.state)}, {"families", group.families}, {"ids", group.ids}};
  if (group.state == GrainGroup::State::Refused)
    json["refusal"] = group.refusal;
  if (group.state == GrainGroup::State::Pruned)
    json["findings"] = group.findings;
}

static void to_json(Json &json, const KernelExplanation &explanation) {
  const KernelReport &kernel = *explanation.kernel;
  Json raised;
  if (explanation.raised != KernelExplanation::Raised::Unknown)
    raised = explanation.raised == KernelExplanation::Raised::Yes;
  json = {{"name", kernel.name}, {"symbol", kernel.symbol}, {"file", optionalText(kernel.file)},
          {"line", kernel.line}, {"raised", raised},        {"grains", explanation.groups}};
}

static void to_json(Json &json, const FileExplanation &file) {
  json = {
      {"file", file.report->file}, {"kernels", file.kernels}, {"damaged", file.report->damaged}};
}

static void to_json(Json &json, const ExplanationSummary &summary) {
  json = {{"kernels", summary.kernels},
          {"raised", summary.raised},
          {"coarsenable", summary.coarsenable},
          {"coarsened", summary.coarsened},
          {"legal", summary.legal},
          {"kept", summary.kept},
          {"pruned", summary.pruned},
          {"refused", summary.refused}};
}

static Json schema(const char *name) {
  return {{"schema", name}, {"version", {{"major", schemaMajor}, {"minor", schemaMinor}}}};
}

void writeJson(const std::vector<FileExplanation> &files, std::ostream &out) {
  Json json = schema("regrain-explanation");
  json["files"] = files;
  json["summary"] = summarise(files);
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void writeJson(const FileReport &report, std::ostream &out) {
  Json json = {{"schema", "regrain-report"},
               {"version", {{"major", schemaMajor}, {"minor", schemaMinor}}},
               {"file", report.file},
               {"images", report.images},
               {"damaged", report.damaged}};
  // Names come from files; invalid UTF-8 in them is replaced, and throws no
  // exception.
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace regrain::report
