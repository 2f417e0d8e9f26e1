//===- Page.cpp - The page around the documents ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/HtmlReport/Page.h"

#include "apps/HtmlReport/Pack.h"
#include "apps/HtmlReport/PageTemplate.h"
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "runtime/image/grain_keys.h"

namespace regrain::html {
namespace {

constexpr std::string_view placeOfData = "@DATA@";

/// Returns JSON that may stand in an element of HTML: what ends the element or begins a comment
/// has a '<', which occurs in texts alone.
std::string toEmbeddable(const Json &json) {
  std::string text;
  for (char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    c == '<' ? text.append("\\u003c") : text.append(1, c);
  return text;
}

void addMultiprocessor(const Json &target, Json &all) {
  auto arch = target["arch"].get<std::string>();
  std::optional<Multiprocessor> limits = nvptx::multiprocessorOf(nvptx::capabilityOf(arch));
  if (target["kind"] == "cubin" && limits)
    all[arch] = {{"waveThreads", limits->waveThreads}, {"slots", limits->slots},
                 {"blocks", limits->blocks},           {"sharedBytes", limits->sharedBytes},
                 {"sharedUnit", limits->sharedUnit},   {"sharedOfSystem", limits->sharedOfSystem},
                 {"registers", limits->registers},     {"registerUnit", limits->registerUnit},
                 {"slotUnit", limits->slotUnit}};
}

/// The limits of the NVIDIA chips for which the documents have machine code: the page counts the
/// occupancy of the blocks that were launched, which the compiler does not know.
Json multiprocessorsOf(const std::vector<NamedDocument> &documents) {
  Json all = Json::object();
  for (const NamedDocument &each : documents)
    for (const Json &image : each.document.value("images", Json::array()))
      for (const Json &target : image["targets"])
        addMultiprocessor(target, all);
  return all;
}

} // namespace

std::string whyWithoutPages() {
  if (!pageTemplate().empty())
    return "";
  return "this regrain was built without the page, because esbuild was not found; install it "
         "(Debian package esbuild) and build again";
}

std::string makePage(const std::string &producer, const std::vector<NamedDocument> &documents) {
  Json keys = Json::array(), packed = Json::array();
  for (const GrainKey &key : grainKeys())
    keys.push_back({{"name", key.name}, {"help", key.help}});
  for (const NamedDocument &each : documents)
    packed.push_back({{"name", each.name}, {"document", pack(each.document)}});
  Json envelope = {{"producer", producer},
                   {"keys", keys},
                   {"multiprocessors", multiprocessorsOf(documents)},
                   {"documents", packed}};
  std::string page(pageTemplate());
  return page.replace(page.find(placeOfData), placeOfData.size(), toEmbeddable(envelope));
}

} // namespace regrain::html
