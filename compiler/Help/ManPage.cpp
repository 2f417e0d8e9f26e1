//===- ManPage.cpp - Man pages --------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Help/ManPage.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace regrain::help {
namespace {

/// Returns the text so that no character of it is an instruction to roff. A plain '-' would become
/// a hyphen, which cannot be pasted into a shell.
std::string escaped(const std::string &text) {
  std::string result = text.starts_with('.') ? "\\&" : "";
  for (char c : text)
    result += c == '\\'   ? "\\e"
              : c == '-'  ? "\\-"
              : c == '\'' ? "\\(aq"
              : c == '"'  ? "\\(dq"
                          : std::string(1, c);
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// Returns "regrain-tune" for "regrain tune".
std::string pageName(const Command &command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

void writeEntry(const std::string &name, const std::string &text, std::ostream &out) {
  out << ".TP\n.B \"" << escaped(name) << "\"\n" << escaped(text) << ".\n";
}

void writeArguments(const Command &command, std::ostream &out) {
  for (const Argument &argument : command.arguments)
    writeEntry(argument.form, argument.text, out);
}

/// The names of options that have no text stand together in one paragraph at the end.
void writeOptions(const Group &group, std::ostream &out) {
  std::string others;
  for (const Option &option : group.options)
    if (!option.text.empty())
      writeEntry(formOf(option), option.text, out);
    else
      others += (others.empty() ? "" : ", ") + usualName(option);
  if (!others.empty())
    out << ".PP\n" << escaped(others) << ".\n";
}

void writeParagraphs(const Command &command, std::ostream &out) {
  for (const std::string &paragraph : command.paragraphs)
    out << ".PP\n" << escaped(paragraph) << '\n';
}

/// Writes the commands of a page that describes them in full.
void writeSubcommands(const Command &command, std::ostream &out) {
  for (const Command &subcommand : command.subcommands) {
    out << ".SS \"" << escaped(usageOf(subcommand)) << "\"\n";
    out << escaped(subcommand.summary) << ".\n";
    writeParagraphs(subcommand, out);
    writeArguments(subcommand, out);
    for (const Group &group : subcommand.groups)
      writeOptions(group, out);
  }
}

/// Writes the commands that have pages of their own.
void listSubcommands(const Command &command, std::ostream &out) {
  for (const Command &subcommand : command.subcommands)
    writeEntry(usageOf(subcommand), subcommand.summary, out);
}

/// Writes the examples of what the page describes in full.
void writeExamples(const Command &command, bool withThoseBelow, std::ostream &out) {
  std::vector<const Command *> described = {&command};
  if (withThoseBelow)
    described = withSubcommands(command);
  out << ".SH EXAMPLES\n";
  for (const Command *each : described)
    for (const Example &example : each->examples)
      out << ".TP\n.B \"" << escaped(example.line) << "\"\n" << escaped(example.effect) << '\n';
}

} // namespace

std::string manPageName(const Command &command) { return pageName(command) + ".1"; }

std::string manPage(const Command &command, const std::string &version) {
  bool isRoot = command.name.find(' ') == std::string::npos;
  std::ostringstream out;
  out << ".TH \"" << escaped(upper(pageName(command))) << "\" 1 \"\" \"Regrain " << version
      << "\" \"Regrain\"\n";
  out << ".SH NAME\n" << escaped(pageName(command)) << " \\- " << escaped(command.summary) << '\n';
  out << ".SH SYNOPSIS\n.B \"" << escaped(usageOf(command)) << "\"\n";
  out << ".SH DESCRIPTION\n";
  writeParagraphs(command, out);
  writeArguments(command, out);
  if (!command.subcommands.empty()) {
    out << ".SH COMMANDS\n";
    (isRoot ? listSubcommands : writeSubcommands)(command, out);
  }
  if (!command.groups.empty())
    out << ".SH OPTIONS\n";
  for (const Group &group : command.groups) {
    out << ".SS \"" << escaped(group.title) << "\"\n";
    writeOptions(group, out);
  }
  writeExamples(command, !isRoot, out);
  if (!isRoot)
    out << ".SH SEE ALSO\n.BR regrain (1)\n";
  return out.str();
}

} // namespace regrain::help
