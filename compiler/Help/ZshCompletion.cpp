//===- ZshCompletion.cpp - Completion in zsh ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/Completion.h"

#include <algorithm>
#include <sstream>

namespace regrain::help {
namespace {

/// Returns the text so that neither a quoted word nor a specification of _arguments ends in it.
std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    if (c == '\'')
      result += "'\\''";
    else
      result += (std::string("[]:\\").find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
  return result;
}

/// Returns "_regrain_db_list".
std::string functionOf(const Command &command) {
  std::string name = "_" + command.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// Returns where _arguments expects the value of a name: "+" joined or next, "=" next or behind the
/// sign; a '-' behind them excludes the next word.
std::string placeOf(const Spelling &spelling) {
  if (spelling.isAfterSign)
    return spelling.isNext ? "=" : "=-";
  if (spelling.isJoined)
    return spelling.isNext ? "+" : "-";
  return "";
}

std::string valueOf(const Option &option) {
  if (option.value.empty())
    return "";
  std::string action = " ";
  for (const std::string &value : fixedValues(option))
    action += (action == " " ? "(" : " ") + value;
  if (action != " ")
    action = action.substr(1) + ")";
  else if (option.value == "FILE")
    action = "_files";
  else if (option.value == "DIR")
    action = "_files -/";
  return (option.isOptional ? "::" : ":") + escaped(option.value) + ":" + action;
}

void writeOptions(const Command &command, std::ostream &out) {
  for (const Group &group : command.groups)
    for (const Option &option : group.options)
      for (const Spelling &spelling : option.spellings)
        out << " \\\n    '*" << escaped(spelling.name) << placeOf(spelling)
            << (option.text.empty() ? "" : "[" + escaped(option.text) + "]") << valueOf(option)
            << '\'';
}

void writeLeaf(const Command &command, std::ostream &out) {
  out << functionOf(command) << "() {\n  _arguments";
  writeOptions(command, out);
  for (const Argument &argument : command.arguments)
    out << " \\\n    '*:"
        << (argument.form.starts_with("--") ? ":program:_normal'" : "file:_files'");
  out << "\n}\n\n";
}

/// Writes the function of a command that has subcommands: it passes the other words on.
void writeInner(const Command &command, std::ostream &out) {
  out << functionOf(command) << "() {\n  local line state\n  local -a commands=(";
  for (const Command &subcommand : command.subcommands)
    out << "\n    '" << escaped(subcommand.lastName()) << ':' << escaped(subcommand.summary)
        << '\'';
  out << ")\n  _arguments -C";
  writeOptions(command, out);
  out << " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n"
      << "  case $state in\n"
      << "  command) _describe command commands ;;\n"
      << "  argument)\n    case $line[1] in\n";
  for (const Command &subcommand : command.subcommands)
    out << "    " << subcommand.lastName() << ") " << functionOf(subcommand) << " ;;\n";
  out << "    esac ;;\n  esac\n}\n\n";
}

} // namespace

std::string zshCompletion(const Command &command, const OtherName &other) {
  std::ostringstream out;
  out << "#compdef " << command.name << ' ' << other.program << '\n'
      << "# Completion of regrain's commands in zsh, made from their tables of options.\n\n";
  std::string otherFunction;
  for (const Command *each : withSubcommands(command)) {
    each->subcommands.empty() ? writeLeaf(*each, out) : writeInner(*each, out);
    if (each->name == other.command)
      otherFunction = functionOf(*each);
  }
  out << "case $service in\n"
      << other.program << ") " << otherFunction << " ;;\n"
      << "*) " << functionOf(command) << " ;;\n"
      << "esac\n";
  return out.str();
}

} // namespace regrain::help
