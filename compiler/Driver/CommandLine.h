//===- CommandLine.h - The contents of a command line -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Driver/Driver.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Pipelines/BuildImage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regrain {

enum class Action {
  Link,
  Compile,
  Archive,
  DeviceLink,
  Preprocess,
  Emit,
  Explain,
  Help,
  HelpOnExplain,
  Version,
  ListVirtual,
  ListReal
};

enum class Cudart { Shared, Static, None };

/// A file, or a flag for the linker, in the order of the command line.
struct Item {
  enum Kind { Cuda, C, CXX, Assembler, LinkerInput, LinkerFlag };
  Kind kind;
  std::string text;

  bool isSource() const { return kind < LinkerInput; }
};

struct CommandLine {
  std::vector<std::string> arguments;     ///< all, with the contents of the files that they name
  std::vector<std::string> objectOptions; ///< those that a device link takes from objects

  Action action = Action::Link;
  Stage stage;               ///< if the action is Emit
  bool emitToStdout = false; ///< --emit without -o; -ptx and -cubin write a file
  std::vector<Item> items;
  std::string output;       ///< -o; empty: the action determines the name
  std::string outputFolder; ///< -odir

  std::optional<unsigned> cudaVersion; ///< --cuda-version, as CUDART_VERSION has it
  std::string toolkitRoot;             ///< --cuda-path; empty: the usual folders
  /// For each .cu file. The source is empty, and so are the folders of headers.
  FrontendOptions frontend;
  std::vector<std::string> otherArgs; ///< for the other sources, in the host compiler's spelling
  std::vector<std::string> dependencyArgs;    ///< -M... as written, without -MF and -MT
  std::string dependencyFile;                 ///< -MF
  std::vector<std::string> dependencyTargets; ///< "-MT", NAME, ...
  bool writesDependencies = false;            ///< -MD or -MMD

  bool relocatable =
      false; ///< device code may need that of other files; the device link resolves it
  bool linksDevice = true; ///< the link includes the device link, where objects need one

  ImageOptions image;                            ///< the source is empty
  bool savesRecord = false;                      ///< to a file named after each source
  ExplainForm explain;                           ///< with Action::Explain
  std::vector<Architecture> deviceArchitectures; ///< the device compiles that the targets need

  std::string hostCompiler;          ///< -ccbin; empty: the clang of this build
  std::vector<std::string> linkArgs; ///< for the whole link, in any order
  bool shared = false;
  Cudart cudart = Cudart::Shared;

  bool runs = false; ///< -run: the program is run after the link
  std::vector<std::string> runArgs;

  bool timesPhases = false; ///< printed on stderr at the end
  bool verbose = false;
  bool dryRun = false;
  std::vector<std::string> warnings; ///< one sentence each

  /// Returns whether the targets are known, and none is a GPU.
  bool runsOnlyOnCPU() const;

  /// Returns whether the targets are known, and the CPU and a GPU are among them.
  bool runsOnCPUAndGPU() const;

  /// Returns whether sources become temporary objects, which the action then takes.
  bool linksObjects() const {
    return action == Action::Link || action == Action::Archive || action == Action::DeviceLink;
  }
};

/// Parses the arguments (without the program's name), which may name response files. The error is
/// one or more sentences, each of which names the option.
llvm::Expected<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> arguments);

/// Parses `line` again for a device link: an option that shapes the code and is not on the line is
/// taken from `objectOptions`, those of an object. The targets on the line replace the object's.
llvm::Expected<CommandLine> parseForDeviceLink(const CommandLine &line,
                                               llvm::ArrayRef<std::string> objectOptions);

/// Splits nvcc's "-Wall,-fPIC" at commas and spaces; "\," is a comma.
std::vector<std::string> splitPassedOn(llvm::StringRef list);

} // namespace regrain
