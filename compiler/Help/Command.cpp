//===- Command.cpp - The description of a command -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/Command.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace regrain::help {

std::string usageOf(const Command &command) {
  std::string usage = command.name;
  if (!command.groups.empty())
    usage += " [OPTION]...";
  if (!command.subcommands.empty())
    usage += " COMMAND";
  for (const Argument &argument : command.arguments)
    usage += " " + argument.form;
  return usage;
}

std::string formOf(const Option &option) {
  std::string form;
  const Spelling *last = nullptr;
  for (const Spelling &spelling : option.spellings) {
    if (!spelling.isShown)
      continue;
    form += (last ? ", " : "") + spelling.name;
    last = &spelling;
  }
  if (!last || option.value.empty())
    return form;
  if (option.isOptional)
    return form + "[=" + option.value + "]";
  return form + (last->isNext ? " " : last->isAfterSign ? "=" : "") + option.value;
}

const std::string &usualName(const Option &option) {
  return std::find_if(option.spellings.begin(), option.spellings.end(),
                      [](const Spelling &spelling) { return spelling.isShown; })
      ->name;
}

std::vector<std::string> fixedValues(const Option &option) {
  std::vector<std::string> values;
  std::istringstream alternatives(option.value);
  for (std::string value; std::getline(alternatives, value, '|');)
    if (std::none_of(value.begin(), value.end(), [](unsigned char c) { return std::isupper(c); }))
      values.push_back(value);
  return values;
}

std::vector<const Command *> withSubcommands(const Command &command) {
  std::vector<const Command *> all = {&command};
  for (const Command &subcommand : command.subcommands)
    for (const Command *each : withSubcommands(subcommand))
      all.push_back(each);
  return all;
}

} // namespace regrain::help
