//===- Pages.cpp - Man pages and completion on disk -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/regrain/Pages.h"

#include "compiler/Help/Completion.h"
#include "compiler/Help/ManPage.h"
#include <filesystem>
#include <fstream>
#include <utility>

namespace regrain {
namespace {

const help::OtherName nvcc = {"regrain-nvcc", "regrain cc"};

/// Returns the paths below the folder, with what stands in them.
std::vector<std::pair<std::string, std::string>> pagesOf(const help::Command &command) {
  std::vector<std::pair<std::string, std::string>> pages;
  auto addManual = [&](const help::Command &each) {
    std::string page = help::manPage(each, REGRAIN_VERSION);
    pages.emplace_back("man/man1/" + help::manPageName(each), page);
    if (each.name == nvcc.command)
      pages.emplace_back("man/man1/" + nvcc.program + ".1", page);
  };
  addManual(command);
  for (const help::Command &subcommand : command.subcommands)
    addManual(subcommand);
  std::string bash = help::bashCompletion(command, nvcc);
  for (const std::string &program : {command.name, nvcc.program})
    pages.emplace_back("bash-completion/completions/" + program, bash);
  pages.emplace_back("zsh/site-functions/_" + command.name, help::zshCompletion(command, nvcc));
  pages.emplace_back("fish/vendor_completions.d/" + command.name + ".fish",
                     help::fishCompletion(command, nvcc));
  return pages;
}

} // namespace

std::string writePages(const help::Command &command, const std::string &folder) {
  for (const auto &[name, text] : pagesOf(command)) {
    std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code failed; // then the file cannot be opened
    std::filesystem::create_directories(path.parent_path(), failed);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
      return path.string();
  }
  return "";
}

} // namespace regrain
