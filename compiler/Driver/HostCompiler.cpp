//===- HostCompiler.cpp - Commands that run other programs ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/HostCompiler.h"
#include "compiler/Driver/MathLibraries.h"
#include "compiler/Folders/Folders.h"
#include "compiler/Target/Tool.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>
#include <sys/wait.h>

using namespace llvm;

namespace regrain {
namespace {

/// The process for which runCommand() waits; the interrupt handler reads it.
std::atomic<pid_t> runningProcess = 0;

std::string hostCompiler(const CommandLine &line) {
  if (line.hostCompiler.empty())
    return (llvmToolsFolder() + "/clang++").str();
  if (!sys::fs::is_directory(line.hostCompiler))
    return line.hostCompiler;
  SmallString<128> path(line.hostCompiler);
  sys::path::append(path, "g++");
  return path.str().str();
}

/// Returns whether the linker would find -l`library`: in `folders`, its own or those of -L.
bool isFoundByLinker(StringRef library, ArrayRef<std::string> inputs,
                     std::vector<std::string> folders) {
  append_range(folders, ArrayRef<StringRef>({"/usr/lib", "/usr/lib64", "/lib",
                                             "/usr/lib/x86_64-linux-gnu", "/usr/local/lib"}));
  for (size_t i = 0; i < inputs.size(); ++i) {
    StringRef text = inputs[i];
    if (!text.consume_front("-L"))
      continue;
    folders.push_back(text.empty() && i + 1 < inputs.size() ? inputs[i + 1] : text.str());
  }
  for (const std::string &folder : folders)
    if (sys::fs::exists(folder + "/lib" + library + ".so") ||
        sys::fs::exists(folder + "/lib" + library + ".a"))
      return true;
  return false;
}

/// Returns the folders of the toolkit's libraries and of ours. Those of a toolkit need a GPU.
std::vector<std::string> librariesOf(const CommandLine &line, const Installation &installation) {
  std::vector<std::string> folders = installation.toolkitLibraries;
  folders.insert(line.runsOnlyOnCPU() ? folders.begin() : folders.end(),
                 installation.mathLibraries);
  return folders;
}

/// Returns the library that calls ours on the CPU and NVIDIA's on its GPUs, if the program runs on
/// both, and both libraries are there; otherwise an empty string.
std::string switchFor(StringRef input, const CommandLine &line, const Installation &installation,
                      ArrayRef<std::string> inputs) {
  const MathLibrary *known = findMathLibrary(input);
  if (!known || !line.runsOnCPUAndGPU() ||
      !isFoundByLinker(known->name, inputs, installation.toolkitLibraries))
    return "";
  return switchLibrary(installation, *known);
}

void addRuntime(Command &command, const CommandLine &line, const Installation &installation) {
  const std::string &folder = installation.libraries;
  // Objects that were compiled against NVIDIA's headers need libregrain-names.
  switch (line.cudart) {
  case Cudart::None:
    return;
  case Cudart::Shared:
    command.insert(command.end(),
                   {"-L" + folder, "-lregrain-names", "-lregrain", "-Wl,-rpath," + folder});
    return;
  case Cudart::Static:
    // The archive brings what the system may lack.
    if (std::string bundled = inFolder(thirdPartyFolder(), "lib"); sys::fs::exists(bundled))
      command.insert(command.end(), {"-L" + bundled, "-Wl,-rpath," + bundled});
    // Kernels are loaded from memory and find the CPU device's functions, SLEEF and libm by name,
    // so nothing may be dropped as unused.
    command.insert(command.end(),
                   {"-rdynamic", "-Wl,--push-state,--whole-archive", folder + "/libregrain.a",
                    folder + "/libregrain-cpu.a", "-Wl,--no-whole-archive,--no-as-needed", "-ltbb",
                    "-lsleef", "-lstdc++", "-lm", "-ldl", "-lpthread", "-Wl,--pop-state",
                    folder + "/libregrain-names.a"});
    return;
  }
}

} // namespace

FrontendOptions withHeaders(const CommandLine &line, const Installation &installation) {
  FrontendOptions options = line.frontend;
  options.headers = installation.headers;
  options.toolkitHeaders = installation.toolkitHeaders;
  options.mathHeaders = installation.mathHeaders;
  options.prefersOwnMath = line.runsOnlyOnCPU();
  return options;
}

Error checkMathLibraries(const CommandLine &line, const Installation &installation,
                         ArrayRef<std::string> inputs) {
  for (const std::string &input : inputs) {
    const MathLibrary *known = findMathLibrary(input);
    bool isLookedFor = StringRef(input).starts_with("-l") || line.runsOnlyOnCPU();
    if (known && known->needs && isLookedFor &&
        !isFoundByLinker(known->name, inputs, librariesOf(line, installation)))
      return createStringError("'" + input +
                               "': no CUDA toolkit has this library, and Regrain was "
                               "built without " +
                               known->needs);
  }
  return Error::success();
}

Command compileCommand(const CommandLine &line, const Installation &installation,
                       const Item &source, StringRef output, ArrayRef<std::string> flags) {
  HeaderFlags headers = headerFlags(withHeaders(line, installation));
  Command command = {hostCompiler(line)};
  append_range(command, headers.first);
  if (line.hostCompiler.empty() && source.kind == Item::CXX)
    append_range(command, lenientFlags());
  // One set of flags serves .cu and .c files; a C++ standard has no meaning for the latter.
  copy_if(line.otherArgs, std::back_inserter(command), [&](StringRef argument) {
    bool forCXX = argument.starts_with("-std=c++") || argument.starts_with("-std=gnu++");
    return !forCXX || source.kind != Item::C;
  });
  append_range(command, headers.last);
  append_range(command, flags);
  if (line.action != Action::Preprocess)
    command.push_back("-c");
  else if (line.dependencyArgs.empty())
    command.push_back("-E");
  if (source.kind == Item::C || source.kind == Item::CXX)
    command.insert(command.end(), {"-x", source.kind == Item::C ? "c" : "c++"});
  command.push_back(source.text);
  if (output != "-")
    command.insert(command.end(), {"-o", output.str()});
  return command;
}

Command linkCommand(const CommandLine &line, const Installation &installation,
                    ArrayRef<std::string> inputs, StringRef output) {
  Command command = {hostCompiler(line)};
  if (line.shared)
    command.push_back("-shared");
  command.insert(command.end(), line.linkArgs.begin(), line.linkArgs.end());
  command.insert(command.end(), {"-o", output.str()});
  for (const std::string &input : inputs) {
    // nvrtc.h declares the functions of Regrain's library. Many Makefiles name the driver API's
    // library for programs that do not call it; such a program must run where there is no driver.
    if (input == "-lnvrtc")
      append_range(command, ArrayRef({installation.libraries + "/libregrain-nvrtc.so",
                                      "-Wl,-rpath," + installation.libraries}));
    else if (std::string both = switchFor(input, line, installation, inputs); !both.empty())
      // What only NVIDIA's library has comes from there.
      append_range(command, ArrayRef<std::string>({both, "-Wl,-rpath," + installation.libraries,
                                                   "-Wl,--push-state,--as-needed", input,
                                                   "-Wl,--pop-state"}));
    else if (const MathLibrary *known = findMathLibrary(input); known && line.runsOnlyOnCPU())
      command.push_back("-l" + known->name.str()); // a toolkit's file needs a GPU
    else if (input != "-lcuda")
      command.push_back(input);
    else if (isFoundByLinker("cuda", inputs, installation.toolkitLibraries))
      command.insert(command.end(), {"-Wl,--push-state,--as-needed", input, "-Wl,--pop-state"});
  }
  // As with nvcc, the program finds the toolkit's libraries by itself when it runs.
  for (const std::string &folder : librariesOf(line, installation))
    command.push_back("-L" + folder);
  addRuntime(command, line, installation);
  if (line.cudart == Cudart::Static && any_of(inputs, findMathLibrary))
    command.push_back("-Wl,-rpath," + installation.libraries);
  return command;
}

std::string quoted(const Command &command) {
  std::string text;
  raw_string_ostream out(text);
  ListSeparator blank(" ");
  for (const std::string &argument : command) {
    out << blank;
    sys::printArg(out, argument, /*Quote=*/false);
  }
  return text;
}

Error runCommand(const Command &command) {
  ErrorOr<std::string> program = sys::findProgramByName(command.front());
  if (!program)
    return createStringError("cannot find the host compiler '" + command.front() + "'");
  ToolEnd end =
      runTool(*program, command, {.onStart = [](pid_t process) { runningProcess = process; }});
  runningProcess = 0;
  switch (end.state) {
  case ToolEnd::State::NotStarted:
    return createStringError("cannot run '" + *program + "': " + end.reason);
  case ToolEnd::State::EndedEarly:
    return createStringError("'" + *program + "' ended early: " + end.reason);
  case ToolEnd::State::Exited:
    break;
  }
  return end.isSuccess() ? Error::success() : make_error<Diagnosed>();
}

void abandonCommand() {
  if (pid_t process = runningProcess) {
    ::kill(process, SIGTERM);
    int status = 0;
    ::waitpid(process, &status, 0);
  }
  // This runs after the command, which may have written a file again.
  sys::RunInterruptHandlers();
}

} // namespace regrain
