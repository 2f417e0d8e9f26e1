//===- HelpText.cpp - What --help prints ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/HelpText.h"

#include <algorithm>
#include <sstream>

namespace regrain::help {
namespace {

constexpr size_t lineColumns = 80;
/// The columns of the longest name beside which its text still stands on the same line.
constexpr size_t nameColumns = 26;

/// Breaks the text into lines. The first begins at column `used`, the others are indented.
std::string wrapped(const std::string &text, size_t indent, size_t used) {
  std::string lines;
  std::istringstream words(text);
  size_t column = used;
  for (std::string word; words >> word;) {
    if (!lines.empty() && column + 1 + word.size() > lineColumns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

/// Writes a name and beside it a text; the texts of a list start at column `at`.
void writeEntry(const std::string &name, const std::string &text, size_t at, std::ostream &out) {
  out << "  " << name;
  if (!text.empty()) {
    bool fits = name.size() + 4 <= at;
    out << (fits ? std::string(at - name.size() - 2, ' ') : "\n" + std::string(at, ' '))
        << wrapped(text, at, at);
  }
  out << '\n';
}

size_t textColumn(const std::vector<std::string> &names) {
  size_t longest = 0;
  for (const std::string &name : names)
    if (name.size() <= nameColumns)
      longest = std::max(longest, name.size());
  return longest + 4;
}

/// The names of options that have no text stand together in one paragraph at the end.
void writeGroup(const Group &group, size_t at, std::ostream &out) {
  out << '\n' << group.title << ":\n";
  std::string others;
  for (const Option &option : group.options)
    if (!option.text.empty())
      writeEntry(formOf(option), option.text, at, out);
    else
      others += (others.empty() ? "" : ", ") + usualName(option);
  if (!others.empty())
    out << "  " << wrapped(others, 2, 2) << '\n';
}

size_t optionColumn(const Command &command) {
  std::vector<std::string> names;
  for (const Group &group : command.groups)
    for (const Option &option : group.options)
      if (!option.text.empty())
        names.push_back(formOf(option));
  return textColumn(names);
}

} // namespace

std::string helpText(const Command &command) {
  std::ostringstream out;
  out << wrapped("usage: " + usageOf(command), 7, 0) << '\n';
  for (const std::string &paragraph : command.paragraphs)
    out << '\n' << wrapped(paragraph, 0, 0) << '\n';
  size_t at = optionColumn(command);
  if (!command.arguments.empty()) {
    out << "\nArguments:\n";
    for (const Argument &argument : command.arguments)
      writeEntry(argument.form, argument.text, at, out);
  }
  if (!command.subcommands.empty()) {
    out << "\nCommands:\n";
    std::vector<std::string> names;
    for (const Command &subcommand : command.subcommands)
      names.push_back(subcommand.lastName());
    for (const Command &subcommand : command.subcommands)
      writeEntry(subcommand.lastName(), subcommand.summary, textColumn(names), out);
  }
  for (const Group &group : command.groups)
    writeGroup(group, at, out);
  if (!command.examples.empty())
    out << "\nExamples:\n";
  for (const Example &example : command.examples)
    out << "  " << example.line << "\n      " << wrapped(example.effect, 6, 6) << '\n';
  if (!command.subcommands.empty())
    out << "\n'" << command.name << " COMMAND --help' says more about a command.\n";
  return out.str();
}

} // namespace regrain::help
