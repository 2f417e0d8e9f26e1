//===- Pack.cpp - JSON with few repetitions -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/HtmlReport/Pack.h"

#include <algorithm>
#include <unordered_map>

namespace regrain::html {
namespace {

constexpr size_t fewestRows = 4;

bool haveEqualKeys(const Json &a, const Json &b) {
  return a.is_object() && b.is_object() && a.size() == b.size() &&
         std::equal(a.items().begin(), a.items().end(), b.items().begin(),
                    [](const auto &left, const auto &right) { return left.key() == right.key(); });
}

bool isTable(const Json &list) {
  return list.size() >= fewestRows && list.front().is_object() && !list.front().empty() &&
         std::all_of(list.begin(), list.end(),
                     [&](const Json &each) { return haveEqualKeys(list.front(), each); });
}

/// Returns the values at `key` of all objects.
Json packColumn(const Json &list, const std::string &key) {
  Json all = Json::array(), values = Json::array(), at = Json::array();
  std::unordered_map<std::string, size_t> known;
  for (const Json &each : list) {
    const Json &value = each[key];
    auto [found, isNew] = known.try_emplace(
        value.dump(-1, ' ', false, Json::error_handler_t::replace), values.size());
    if (isNew)
      values.push_back(pack(value));
    at.push_back(found->second);
    all.push_back(value);
  }
  if (values.size() * 2 > list.size())
    return pack(all);
  return {{"values", values}, {"at", at}};
}

} // namespace

Json pack(const Json &value) {
  if (!value.is_structured())
    return value;
  if (value.is_array() && isTable(value)) {
    Json keys = Json::array(), columns = Json::array();
    for (const auto &[key, first] : value.front().items()) {
      keys.push_back(key);
      columns.push_back(packColumn(value, key));
    }
    return {{"#", keys}, {"columns", columns}};
  }
  Json packed = value.is_array() ? Json::array() : Json::object();
  for (const auto &[key, each] : value.items())
    if (value.is_array())
      packed.push_back(pack(each));
    else
      packed[key] = pack(each);
  return packed;
}

} // namespace regrain::html
