//===- Phases.h - The phases of one command line, in order ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceLink/Units.h"
#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/Driver.h"
#include "compiler/Driver/HostCompiler.h"
#include "compiler/Driver/Installation.h"
#include "compiler/Driver/OutputFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include <list>
#include <map>

namespace regrain {

/// Prints an error of `tool`, one line per sentence; an error that is Diagnosed is not printed.
void printError(llvm::Error error, llvm::StringRef tool);

/// Checks that there is a file to read. If it is missing, the error names the one of its folder
/// that was probably meant.
[[nodiscard]] llvm::Error checkFile(llvm::StringRef path);

/// Returns the name of the optimisation record beside `output`.
std::string recordFileFor(llvm::StringRef output, const RemarkOptions &remarks);

/// Runs the phases that one command line asks for.
class Phases {
public:
  /// `tool` precedes each error: "regrain cc".
  Phases(const CommandLine &line, const Installation &installation, llvm::StringRef tool,
         ImageReader &reader, CompileObserver *observer)
      : line(line), installation(installation), tool(tool), reader(reader), observer(observer) {}

  /// Runs the phases for each file, then links; prints errors as they occur. Returns the exit code.
  int run();

private:
  llvm::Error runSource(const Item &source);
  llvm::Error compile(const Item &source, llvm::StringRef output);
  llvm::Error compileCuda(const Item &source, llvm::StringRef output);
  llvm::Expected<std::vector<std::string>> flagsFor(const Item &source, llvm::StringRef object);
  llvm::Error preprocessSource(const Item &source);
  llvm::Error emit(const Item &source);
  llvm::Error explain(const Item &item);
  llvm::Error explainAsked(const Item &source);
  llvm::Error explainImage(llvm::ArrayRef<ArchedDevice> arched, const ImageOptions &options,
                           std::vector<char> &bytes);
  llvm::Error linkObjects();
  llvm::Error link();
  std::optional<std::string> programToRun() const;
  llvm::Error runProgram(llvm::StringRef path);
  llvm::Error archive();
  llvm::Error deviceLink();
  llvm::Error deviceLinkForLink();
  llvm::Error writeLinkObject(llvm::ArrayRef<LinkableObject> objects, llvm::StringRef name,
                              OutputFile &file);
  llvm::Expected<std::vector<char>> linkImage(llvm::ArrayRef<LinkableObject> objects,
                                              llvm::StringRef output,
                                              std::vector<std::string> &linked);
  llvm::Expected<std::vector<LinkableObject>> relocatableObjects() const;
  llvm::Expected<std::vector<ArchedDevice>> compileDevices(const FrontendOptions &frontend);
  llvm::Error writeImage(const Item &source, OutputFile &image);

  llvm::Error runOrShow(const Command &command);
  llvm::Error runInto(llvm::StringRef output,
                      llvm::function_ref<Command(llvm::StringRef)> commandFor);
  bool begin(const llvm::Twine &phase);
  FrontendOptions frontendFor(const Item &source) const;
  ImageOptions imageFor(const Item &source) const;
  std::vector<std::string> dependencyFlags(const Item &source, llvm::StringRef object) const;
  std::string outputFor(const Item &source, llvm::StringRef extension) const;

  const CommandLine &line;
  const Installation &installation;
  std::string tool;
  ImageReader &reader;                         ///< receives what --explain names
  CompileObserver *observer;                   ///< may be null
  std::list<DeviceCode> devices;               ///< of the source that is being compiled
  std::optional<OutputFile> overlay;           ///< our headers in the toolkit's folders, for clang
  std::vector<OutputFile> objects;             ///< temporary objects of sources that are linked
  std::map<std::string, std::string> sourceOf; ///< of temporary objects, by path
  std::vector<std::string> linkInputs;
};

} // namespace regrain
