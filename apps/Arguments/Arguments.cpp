//===- Arguments.cpp - The arguments of a subcommand ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Arguments/Arguments.h"

#include "compiler/Help/HelpText.h"
#include "compiler/Help/Nearest.h"

#include <algorithm>
#include <charconv>
#include <iostream>

namespace regrain::arguments {
namespace {

help::Option describeOption(const CLI::Option &option) {
  help::Option described;
  bool takesValue = option.get_items_expected_max() > 0;
  // A flag whose value has a name may also be given as --flag=VALUE.
  described.isOptional = !takesValue && !option.get_type_name().empty();
  for (const std::string &name : option.get_snames())
    described.spellings.push_back({"-" + name, takesValue, false, takesValue});
  for (const std::string &name : option.get_lnames())
    described.spellings.push_back({"--" + name, takesValue, takesValue || described.isOptional});
  if (takesValue || described.isOptional)
    described.value = option.get_type_name();
  described.text = option.get_description();
  if (!option.get_default_str().empty())
    described.text += " (default: " + option.get_default_str() + ")";
  return described;
}

help::Group &groupOf(const std::string &title, std::vector<help::Group> &groups) {
  auto found = std::ranges::find(groups, title, &help::Group::title);
  return found != groups.end() ? *found : groups.emplace_back(help::Group{title, {}});
}

/// Adds the options of `app`, without the one for help.
void addOptions(const CLI::App &app, std::vector<help::Group> &groups) {
  for (const CLI::Option *option : app.get_options())
    if (!option->get_positional() && option != app.get_help_ptr())
      groupOf(option->get_group(), groups).options.push_back(describeOption(*option));
}

std::vector<std::string> namesOf(const help::Command &command) {
  std::vector<std::string> names;
  for (const help::Group &group : command.groups)
    for (const help::Option &option : group.options)
      for (const help::Spelling &spelling : option.spellings)
        names.push_back(spelling.name);
  return names;
}

std::vector<std::string> subcommandsOf(const help::Command &command) {
  std::vector<std::string> names;
  for (const help::Command &subcommand : command.subcommands)
    names.push_back(subcommand.lastName());
  return names;
}

/// Returns the description of the subcommand that was named, or else of the command.
help::Command named(const CLI::App &app, const help::Command &words) {
  help::Command whole = describe(app, words);
  if (app.get_subcommands().empty())
    return whole;
  const std::string &name = app.get_subcommands().front()->get_name();
  return *std::ranges::find(whole.subcommands, name, &help::Command::lastName);
}

std::string sayUnexpected(const std::string &argument, const help::Command &command) {
  const std::vector<help::Argument> &arguments = command.arguments;
  if (argument.starts_with('-')) {
    std::vector<std::string> names = namesOf(command);
    std::string name = argument.substr(0, argument.find('='));
    std::string nearest = help::didYouMean(name, names);
    return "unknown option '" + name + "'" +
           (nearest.empty() ? "; '" + command.name + " --help' lists the options" : nearest);
  }
  if (!arguments.empty() && arguments.front().form.starts_with("--"))
    return "'" + argument + "' is not an option; the program and its arguments go after --";
  return "'" + argument + "' is one argument too many";
}

std::string sayMissingCommand(const CLI::App &app, const help::Command &whole) {
  std::vector<std::string> rest = app.remaining(), names = subcommandsOf(whole);
  auto command = std::ranges::find_if(rest, [](const std::string &word) { return word[0] != '-'; });
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  if (command == rest.end())
    return "no command is given; the commands are " + list;
  std::string nearest = help::didYouMean(*command, names);
  return "unknown command '" + *command + "'" +
         (nearest.empty() ? "; the commands are " + list : nearest);
}

/// Returns what is wrong as one sentence.
std::string say(const CLI::ParseError &problem, const CLI::App &app, const help::Command &words) {
  help::Command whole = describe(app, words), command = named(app, words);
  if (dynamic_cast<const CLI::ExtrasError *>(&problem))
    return sayUnexpected(app.remaining(/*recurse=*/true).front(), command);
  std::string text = problem.what();
  if (dynamic_cast<const CLI::RequiredError *>(&problem))
    return app.get_subcommands().empty() && !whole.subcommands.empty()
               ? sayMissingCommand(app, whole)
               : text.substr(0, text.find(' ')) + " is missing; usage: " + help::usageOf(command);
  std::string option = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&problem))
    return "option '" + option + "' needs a value";
  if (dynamic_cast<const CLI::ValidationError *>(&problem))
    return "option '" + option + "'" + text.substr(option.size());
  return text;
}

} // namespace

help::Command describe(const CLI::App &app, help::Command words) {
  for (const CLI::Option *argument : app.get_options(&CLI::Option::get_positional)) {
    const std::string &name = argument->get_name();
    words.arguments.push_back(
        {argument->get_required() ? name : "[" + name + "]", argument->get_description()});
  }
  addOptions(app, words.groups);
  if (app.get_fallthrough())
    addOptions(*app.get_parent(), words.groups);
  help::Option helpOption = {{{"-h"}, {"--help"}}, "", "Show this text"};
  groupOf("Information", words.groups).options.push_back(helpOption);
  auto subcommand = words.subcommands.begin();
  for (const CLI::App *each : app.get_subcommands([](const CLI::App *) { return true; })) {
    *subcommand = describe(*each, std::move(*subcommand));
    ++subcommand;
  }
  return words;
}

std::optional<int> parse(CLI::App &app, const help::Command &words, int argc, char **argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp &) {
    std::cout << help::helpText(named(app, words));
    return 0;
  } catch (const CLI::ParseError &problem) {
    std::cerr << words.name << ": error: " << say(problem, app, words) << '\n';
    return 1;
  }
}

Separated separate(int argc, char **argv) {
  char **end = argv + argc, **separator = std::find(argv, end, std::string_view("--"));
  return {int(separator - argv), {std::min(separator + 1, end), end}};
}

void acceptWords(CLI::Option *option, const std::vector<std::string> &words) {
  std::string names, sentence;
  for (const std::string &word : words) {
    names += (names.empty() ? "" : "|") + word;
    sentence += (sentence.empty() ? "" : &word == &words.back() ? " or " : ", ") + word;
  }
  option->type_name(names)->check(CLI::Validator(
      [words, sentence](const std::string &value) {
        bool isAccepted = std::ranges::find(words, value) != words.end();
        return isAccepted ? "" : "expected " + sentence + ", not '" + value + "'";
      },
      ""));
}

CLI::Validator wholeNumber(uint64_t least, const std::string &word) {
  auto check = [least, word](const std::string &text) -> std::string {
    uint64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool isNumber = error == std::errc() && end == text.data() + text.size();
    if ((isNumber && number >= least) || (!word.empty() && text == word))
      return "";
    return "expected a whole number" + (least ? ", at least " + std::to_string(least) : "") +
           (word.empty() ? "" : " or '" + word + "'") + ", not '" + text + "'";
  };
  return CLI::Validator(check, "");
}

} // namespace regrain::arguments
