//===- FishCompletion.cpp - Completion in fish ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/Completion.h"

#include <sstream>

namespace regrain::help {
namespace {

std::string quoted(const std::string &text) {
  std::string result = "'";
  for (char c : text)
    result += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "'";
}

/// Writes the beginning of a line that completes behind the command's name.
std::ostream &begin(const Command &root, const Command &command, std::ostream &out) {
  return out << "complete -c " << root.name << " -n 'test (__regrain_command) = \"" << command.name
             << "\"'";
}

/// Returns "-s o" for "-o", "-l output" for "--output" and "-o odir" for "-odir".
std::string nameOf(const Spelling &spelling) {
  if (spelling.name.starts_with("--"))
    return " -l " + quoted(spelling.name.substr(2));
  return (spelling.name.size() == 2 ? " -s " : " -o ") + quoted(spelling.name.substr(1));
}

std::string valueOf(const Option &option) {
  if (option.value.empty())
    return "";
  std::string values;
  for (const std::string &value : fixedValues(option))
    values += (values.empty() ? "" : " ") + value;
  if (!values.empty())
    return (option.isOptional ? " -f -a " : " -x -a ") + quoted(values);
  if (option.value == "FILE")
    return " -r -F";
  return option.value == "DIR" ? " -x -a '(__fish_complete_directories)'" : " -x";
}

void writeOption(const Command &root, const Command &command, const Option &option,
                 std::ostream &out) {
  begin(root, command, out);
  for (const Spelling &spelling : option.spellings)
    out << nameOf(spelling);
  out << valueOf(option);
  if (!option.text.empty())
    out << " -d " << quoted(option.text);
  out << '\n';
}

void writeCommand(const Command &root, const Command &command, std::ostream &out) {
  for (const Command &subcommand : command.subcommands)
    begin(root, command, out) << " -f -a " << quoted(subcommand.lastName()) << " -d "
                              << quoted(subcommand.summary) << '\n';
  for (const Group &group : command.groups)
    for (const Option &option : group.options)
      writeOption(root, command, option, out);
  for (const Argument &argument : command.arguments)
    if (argument.form.starts_with("--"))
      begin(root, command, out) << " -a '(__regrain_program)'\n";
}

} // namespace

std::string fishCompletion(const Command &command, const OtherName &other) {
  std::ostringstream out;
  out << R"(# Completion of regrain's commands in fish, made from their tables of options.

function __regrain_command
    set -l found regrain
    for word in (commandline -opc)[2..-1]
        switch "$found $word"
            case)";
  for (const Command *each : withSubcommands(command))
    if (each != &command)
      out << ' ' << quoted(each->name);
  out << R"(
                set found "$found $word"
        end
    end
    echo $found
end

# The words behind "--" are a command line of their own.
function __regrain_program
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words); or return
    complete -C (string join -- ' ' $words[(math $at + 1)..-1] (commandline -ct))
end

)";
  for (const Command *each : withSubcommands(command))
    writeCommand(command, *each, out);
  out << "complete -c " << other.program << " -w " << quoted(other.command) << '\n';
  return out.str();
}

} // namespace regrain::help
