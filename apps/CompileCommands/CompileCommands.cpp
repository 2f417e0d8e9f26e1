//===- CompileCommands.cpp - regrain compile-commands ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/CompileCommands/CompileCommands.h"

#include "apps/Arguments/Arguments.h"
#include "compiler/Choices/JsonFile.h"
#include "compiler/Driver/ClangCommand.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace regrain {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Options {
  std::string file, output;
  bool writesFlags = false;
  Words compilerOptions; ///< after --
};

/// Stands for any source where there is no command of one.
constexpr const char *anySource = "any.cu";

int fail(const std::string &message) {
  std::cerr << "regrain compile-commands: error: " << message << '\n';
  return 1;
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE", options.file, "The compile_commands.json of a build");
  app.option_defaults()->group("Output");
  app.add_flag("--flags", options.writesFlags,
               "Print the flags of all sources, one on each line, as compile_flags.txt has them; "
               "options of 'regrain cc' may follow after --");
  app.add_option("-o,--output", options.output, "Write to FILE in place of stdout")
      ->type_name("FILE");
}

help::Command words() {
  help::Command command;
  command.name = "regrain compile-commands";
  command.summary = "Rewrite a compile_commands.json for clangd";
  command.paragraphs = {
      "Prints the file with the commands of regrain-nvcc replaced by those of clang that compile "
      "the host side of the same source. The other commands stay. With --flags, prints the flags "
      "alone, for sources without a build system."};
  command.examples = {
      {"regrain compile-commands build/compile_commands.json -o compile_commands.json",
       "Let clangd read what CMake wrote with CMAKE_EXPORT_COMPILE_COMMANDS."},
      {"regrain compile-commands --flags -- -O3 -std=c++17 > compile_flags.txt",
       "Let clangd read the flags where no build system is used."},
      {"regrain compile-commands build/compile_commands.json", "Show the commands."}};
  return command;
}

/// Returns the words of one command; none if the entry has no command.
Words wordsOf(const Json &entry) {
  if (entry.contains("arguments"))
    return entry["arguments"].get<Words>();
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver saver(storage);
  llvm::SmallVector<const char *> tokens;
  llvm::cl::TokenizeGNUCommandLine(entry.value("command", ""), saver, tokens);
  return {tokens.begin(), tokens.end()};
}

/// Replaces the command of one entry if it is one of ours. Returns why that is not possible.
std::optional<std::string> rewrite(Json &entry) {
  Words command = wordsOf(entry);
  // A program such as ccache may stand in front.
  auto compiler = command.begin();
  while (compiler != command.end() && compiler - command.begin() < 2 && !isOwnCompiler(*compiler))
    ++compiler;
  if (compiler == command.end() || compiler - command.begin() == 2)
    return std::nullopt;
  // Files of options are named relative to the folder of the entry.
  fs::path before = fs::current_path();
  fs::current_path(entry.value("directory", "."));
  llvm::Expected<Words> rewritten =
      clangCommand(llvm::ArrayRef(command).drop_front(compiler - command.begin() + 1));
  fs::current_path(before);
  if (!rewritten)
    return llvm::toString(rewritten.takeError());
  entry.erase("command");
  entry["arguments"] = *rewritten;
  return std::nullopt;
}

int write(const std::string &text, const std::string &output) {
  if (output.empty()) {
    std::cout << text;
    return 0;
  }
  std::ofstream file(output);
  file << text;
  file.close();
  return file ? 0 : fail("cannot write " + output);
}

/// Writes what is between the compiler and the source of a compile.
int writeFlags(const Options &options) {
  Words arguments = options.compilerOptions;
  arguments.insert(arguments.end(), {"-c", anySource});
  llvm::Expected<Words> command = clangCommand(arguments);
  if (!command)
    return fail(llvm::toString(command.takeError()));
  std::string text;
  for (size_t i = 1; i < command->size(); ++i) {
    const std::string &word = (*command)[i];
    if (word == "-o")
      ++i;
    else if (word != "-c" && word != anySource)
      text += word + '\n';
  }
  return write(text, options.output);
}

int rewriteAll(const Options &options) {
  OrError<std::string> text = readWhole(options.file);
  OrError<Json> entries =
      text.and_then([&](const std::string &json) { return parseJson(json, options.file); });
  if (!entries)
    return fail(entries.error());
  if (!entries->is_array())
    return fail(options.file + ": expected a list of commands");
  for (Json &entry : *entries)
    if (std::optional<std::string> problem = rewrite(entry))
      return fail(entry.value("file", "") + ": " + *problem);
  return write(entries->dump(2) + '\n', options.output);
}

int run(const Options &options) {
  if (options.writesFlags == !options.file.empty())
    return fail("either the compile_commands.json of a build or --flags is needed");
  if (!options.writesFlags && !options.compilerOptions.empty())
    return fail("options after -- belong to --flags");
  return options.writesFlags ? writeFlags(options) : rewriteAll(options);
}

} // namespace

int runCompileCommands(int argc, char **argv) {
  auto [ownCount, compilerOptions] = arguments::separate(argc, argv);
  return arguments::run(addOptions, words(), ownCount, argv, [&](Options &options) {
    options.compilerOptions = compilerOptions;
    try {
      return run(options);
    } catch (const Json::exception &problem) {
      return fail(options.file + ": " + problem.what());
    } catch (const fs::filesystem_error &problem) {
      return fail(problem.what());
    }
  });
}

help::Command describeCompileCommands() { return arguments::describe(addOptions, words()); }

} // namespace regrain
