//===- BashCompletion.cpp - Completion in bash ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/Completion.h"

#include <sstream>

namespace regrain::help {
namespace {

std::string quoted(const std::string &text) { return "\"" + text + "\""; }

std::string joined(const std::vector<std::string> &words) {
  std::string line;
  for (const std::string &word : words)
    line += (line.empty() ? "" : " ") + word;
  return line;
}

bool takesProgram(const Command &command) {
  return !command.arguments.empty() && command.arguments.front().form.starts_with("--");
}

/// Writes the cases that extend the name of the command by its subcommand. What follows "--" is a
/// command line of its own.
void writeNames(const Command &root, std::ostream &out) {
  std::string names;
  for (const Command *each : withSubcommands(root))
    if (each != &root)
      names += (names.empty() ? "" : " | ") + quoted(each->name);
  out << "    " << names << ") command+=\" ${COMP_WORDS[i]}\" ;;\n";
  for (const Command *each : withSubcommands(root))
    if (takesProgram(*each))
      out << "    " << quoted(each->name + " --") << ")\n"
          << "      [ $COMP_CWORD = $((i + 1)) ] && COMPREPLY=($(compgen -c -- \"$word\"))\n"
          << "      return ;;\n";
}

/// Returns the patterns of the option's names in front of a value that is a word of its own.
std::string patternsOf(const Command &command, const Option &option) {
  std::string patterns;
  for (const Spelling &spelling : option.spellings)
    for (auto [applies, sign] : {std::pair(spelling.isNext, ""), {spelling.isAfterSign, "="}})
      if (applies)
        patterns +=
            (patterns.empty() ? "" : " | ") + quoted(command.name + " " + spelling.name + sign);
  return patterns;
}

/// Writes the cases of the options that take a value. An empty reply is completed to a file.
void writeValues(const Command &command, std::ostream &out) {
  for (const Group &group : command.groups)
    for (const Option &option : group.options) {
      std::string patterns = option.value.empty() ? "" : patternsOf(command, option);
      if (patterns.empty())
        continue;
      out << "  " << patterns << ")\n    ";
      std::vector<std::string> values = fixedValues(option);
      if (!values.empty())
        out << "COMPREPLY=($(compgen -W " << quoted(joined(values)) << " -- \"$word\"))";
      else if (option.value == "DIR")
        out << "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\"))";
      else if (option.value != "FILE")
        out << "compopt +o default";
      else
        out << ":";
      out << "; return ;;\n";
    }
}

/// Returns the names as a user begins to write them: with the sign if that alone can follow,
/// and also without it if the value may be missing.
std::vector<std::string> optionNames(const Command &command) {
  std::vector<std::string> names;
  for (const Group &group : command.groups)
    for (const Option &option : group.options)
      for (const Spelling &spelling : option.spellings) {
        names.push_back(spelling.name + (spelling.isAfterSign && !spelling.isNext ? "=" : ""));
        if (option.isOptional)
          names.push_back(spelling.name);
      }
  return names;
}

std::vector<std::string> subcommandNames(const Command &command) {
  std::vector<std::string> names;
  for (const Command &subcommand : command.subcommands)
    names.push_back(subcommand.lastName());
  return names;
}

void writeWords(const Command &root, std::ostream &out) {
  for (const Command *each : withSubcommands(root)) {
    out << "  " << quoted(each->name + " -") << ") words=" << quoted(joined(optionNames(*each)))
        << " ;;\n";
    if (!each->subcommands.empty())
      out << "  " << quoted(each->name) << ") words=" << quoted(joined(subcommandNames(*each)))
          << " ;;\n";
  }
}

} // namespace

std::string bashCompletion(const Command &command, const OtherName &other) {
  std::ostringstream out;
  out << R"(# Completion of regrain's commands in bash, made from their tables of options.

_regrain() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${1##*/} words= i
)";
  out << "  [ \"$command\" = " << other.program << " ] && command=" << quoted(other.command)
      << '\n';
  out << R"(  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
)";
  writeNames(command, out);
  out << R"(    esac
  done
  # Bash makes '=' a word of its own.
  if [ "$word" = "=" ]; then
    word= option+="="
  elif [ "$option" = "=" ]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}=
  fi
  case "$command $option" in
)";
  for (const Command *each : withSubcommands(command))
    writeValues(*each, out);
  out << R"(  esac
  case $word in
  -*) command+=" -" ;;
  esac
  case $command in
)";
  writeWords(command, out);
  out << R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]] && compopt -o nospace
}

complete -o default -F _regrain)";
  out << ' ' << command.name << ' ' << other.program << '\n';
  return out.str();
}

} // namespace regrain::help
