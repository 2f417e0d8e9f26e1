//===- CommandLineParser.h - From options to a CommandLine ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens.cpp makes the options of what the user wrote. CommandLine.cpp and VendorOptions.cpp read
// the options of which the last one, or all together, matter; ItemsInOrder.cpp reads the files and
// flags that are passed on in their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Driver/Architectures.h"
#include "compiler/Driver/CommandLine.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include <optional>

namespace regrain {

/// Parses one command line. Errors are collected, so that all of them are shown at once.
class CommandLineParser {
public:
  explicit CommandLineParser(const llvm::opt::InputArgList &args) : args(args) {}

  llvm::Expected<CommandLine> parse();

private:
  void readUnknown(const llvm::opt::Arg &arg);
  void readAction();
  std::optional<Stage> readStage();
  void addUsualTargets(TargetList &targets);
  void readTargets();
  void readRelocatable();
  std::optional<GrainRequest> requestOf(const llvm::opt::Arg &arg);
  void readWhy();
  void readGrains();
  void readVariants();
  void readSeverity();
  void readSumOrder();
  void readVendor();
  void passToVendor(const llvm::opt::Arg &arg);
  void readRemarks();
  bool isDefaultStreamPerThread();
  void readProducts();
  void readCodegen();
  void readSanitizers();
  void readDependencies();
  void readLinking();
  void readToolkit();
  void readInOrder();
  void repeatLibrariesBehindFiles();
  void readInput(llvm::StringRef path);
  void readLanguage(const llvm::opt::Arg &arg); ///< -x
  void readPassedOn(const llvm::opt::Arg &arg);
  void readLinkerFlags(const llvm::opt::Arg &arg); ///< -Xlinker
  /// Hands a flag to the frontend, and to the compiler of other files.
  void passToBoth(const std::string &flag);
  void passByGroup(const llvm::opt::Arg &arg);
  void passFlag(const llvm::opt::Arg &arg);
  void passLinkFlag(const llvm::opt::Arg &arg);
  void passErrorKinds(const llvm::opt::Arg &arg); ///< -Werror=
  void checkInputs();

  static void append(std::vector<std::string> &to, const std::vector<std::string> &from) {
    to.insert(to.end(), from.begin(), from.end());
  }
  void fail(const llvm::Twine &sentence) { errors.push_back(sentence.str()); }
  /// Records `error` if it is one.
  void check(llvm::Error error) {
    if (error)
      errors.push_back(llvm::toString(std::move(error)));
  }
  bool isTrue(const llvm::opt::Arg &arg);
  std::vector<std::string> rendered(const llvm::opt::Arg &arg) const;
  bool isList(const llvm::opt::Arg &arg) const;
  void toBothSides(const llvm::opt::Arg &arg);
  void toHost(std::vector<std::string> flags);
  void toMacro(const std::string &name);

  const llvm::opt::InputArgList &args;
  CommandLine line;
  std::vector<std::string> errors;
  std::optional<Item::Kind> language; ///< -x
};

} // namespace regrain
