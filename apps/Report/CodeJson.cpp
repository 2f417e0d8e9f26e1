//===- CodeJson.cpp - Code as JSON ----------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/CodeJson.h"

namespace regrain::report {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::string &text) { return text.empty() ? Json() : Json(text); }

Json orNull(int32_t figure) { return figure < 0 ? Json() : Json(figure); }

Json accessJson(const listing::MemoryAccess &access) {
  return {{"memory", nameOf(access.space)},
          {"access", nameOf(access.kind)},
          {"bits", access.bits ? Json(access.bits) : Json()},
          {"hint", orNull(access.hint)}};
}

Json instructionsJson(const listing::Listing &listing) {
  Json instructions = Json::array();
  for (const listing::Instruction &each : listing.instructions)
    instructions.push_back(
        {{"text", each.text},
         {"opcode", each.meaning.opcode},
         {"file", orNull(each.where.file)},
         {"line", each.where.line},
         {"access", each.meaning.access ? accessJson(*each.meaning.access) : Json()}});
  return instructions;
}

Json accessesJson(const listing::Listing &listing) {
  Json accesses = Json::array();
  for (const auto &[access, count] : countAccesses(listing)) {
    Json &counted = accesses.emplace_back(accessJson(access));
    counted["opcodes"] = count.opcodes;
    counted["count"] = count.count;
  }
  return accesses;
}

Json totalsJson(const CodeSide &side) {
  listing::Totals totals = totalsOf(side.listing);
  return {{"instructions", totals.instructions},
          {"fma", totals.fma},
          {"branches", totals.branches},
          {"barriers", totals.barriers},
          {"registers", orNull(side.resources.registers)},
          {"spill_store_bytes", orNull(side.resources.spillStoreBytes)},
          {"spill_load_bytes", orNull(side.resources.spillLoadBytes)},
          {"stack_bytes", orNull(side.resources.stackBytes)}};
}

} // namespace

Json toJson(const KernelCode &code) {
  Json sides = Json::array();
  for (const CodeSide &side : code.sides)
    sides.push_back({{"alternative", side.alternative},
                     {"symbol", side.symbol},
                     {"has_lines", side.listing.hasLines()},
                     {"totals", totalsJson(side)},
                     {"accesses", accessesJson(side.listing)},
                     {"instructions", instructionsJson(side.listing)}});
  Json source = Json::array();
  for (const SourceLine &each : code.source)
    source.push_back({{"file", each.file}, {"line", each.line}, {"text", each.text}});
  return {{"form", nameOf(code.form)},
          {"arch", code.arch},
          {"missing", orNull(code.missing)},
          {"sides", sides},
          {"source", source}};
}

} // namespace regrain::report
