//===- Driver.cpp - regrain cc --------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Architectures.h"
#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/HostCompiler.h"
#include "compiler/Driver/Installation.h"
#include "compiler/Driver/Options.h"
#include "compiler/Driver/OutputFile.h"
#include "compiler/Report/Explain.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>
#include <list>
#include <unistd.h>

using namespace llvm;

namespace regrain {
namespace {

/// Prints an error, one line for each sentence; what is diagnosed is silent.
void printError(Error error) {
  handleAllErrors(
      std::move(error), [](const Diagnosed &) {},
      [](const ErrorInfoBase &other) {
        SmallVector<StringRef> sentences;
        std::string message = other.message();
        StringRef(message).split(sentences, '\n');
        for (StringRef sentence : sentences)
          WithColor::error(errs(), "regrain cc") << sentence << '\n';
      });
}

/// Runs the phases that one command line asks for.
class Driver {
public:
  Driver(const CommandLine &line, const Installation &installation)
      : line(line), installation(installation) {}

  int run();

private:
  Error runSource(const Item &source);
  Error compile(const Item &source, StringRef output);
  Error compileCuda(const Item &source, StringRef output);
  Error preprocessSource(const Item &source);
  Error emit(const Item &source);
  Error explain(const Item &item);
  void writeExplanations() const;
  Error link();
  Expected<std::vector<ArchedDevice>> compileDevices(const FrontendOptions &frontend);
  Error writeImage(const Item &source, OutputFile &image);

  Error runOrShow(const Command &command);
  Error runInto(StringRef output, function_ref<Command(StringRef)> commandFor);
  bool begin(const Twine &phase);
  FrontendOptions frontendFor(const Item &source) const;
  ImageOptions imageFor(const Item &source) const;
  std::vector<std::string> dependencyFlags(const Item &source, StringRef object) const;
  std::string outputFor(const Item &source, StringRef extension) const;

  const CommandLine &line;
  const Installation &installation;
  std::list<DeviceCode> devices;   ///< of the source that is being compiled
  std::vector<OutputFile> objects; ///< temporary, of sources that are linked
  std::vector<std::string> linkInputs;
  std::vector<report::FileReport> explained;
};

/// Announces a phase; false where nothing is to be run.
bool Driver::begin(const Twine &phase) {
  if (line.verbose || line.dryRun)
    errs() << phase << '\n';
  return !line.dryRun;
}

Error Driver::runOrShow(const Command &command) {
  return begin(quoted(command)) ? runCommand(command) : Error::success();
}

/// Runs a command that writes one file, under a temporary name at first.
Error Driver::runInto(StringRef output, function_ref<Command(StringRef)> commandFor) {
  if (line.dryRun)
    return runOrShow(commandFor(output));
  Expected<OutputFile> file = OutputFile::create(output);
  if (!file)
    return file.takeError();
  if (Error error = runOrShow(commandFor(file->path())))
    return error;
  return file->keep();
}

std::string Driver::outputFor(const Item &source, StringRef extension) const {
  if (!line.output.empty() && line.action != Action::Link)
    return line.output;
  SmallString<128> path(line.outputFolder);
  sys::path::append(path, sys::path::filename(source.text));
  sys::path::replace_extension(path, extension);
  return path.str().str();
}

FrontendOptions Driver::frontendFor(const Item &source) const {
  FrontendOptions options = line.frontend;
  options.source = source.text;
  options.headers = installation.headers;
  return options;
}

ImageOptions Driver::imageFor(const Item &source) const {
  ImageOptions options = line.image;
  options.source = source.text;
  options.remarks.silent = line.action == Action::Explain;
  if (line.savesRecord) {
    SmallString<128> path(outputFor(source, "o"));
    sys::path::replace_extension(path, options.remarks.recordFormat == "yaml" ? "opt.yaml"
                                                                              : "opt.bitstream");
    options.remarks.recordFile = path.str().str();
  }
  return options;
}

std::vector<std::string> Driver::dependencyFlags(const Item &source, StringRef object) const {
  std::vector<std::string> flags = line.dependencyArgs;
  if (flags.empty())
    return flags;
  // The object is written under another name, so both are said outright.
  std::string file = line.dependencyFile;
  if (file.empty() && line.writesDependencies) {
    SmallString<128> path(object);
    sys::path::replace_extension(path, "d");
    file = path.str().str();
  }
  if (!file.empty())
    flags.insert(flags.end(), {"-MF", file});
  if (line.dependencyTargets.empty())
    flags.insert(flags.end(), {"-MT", object.str()});
  flags.insert(flags.end(), line.dependencyTargets.begin(), line.dependencyTargets.end());
  return flags;
}

Expected<std::vector<ArchedDevice>> Driver::compileDevices(const FrontendOptions &frontend) {
  devices.clear();
  std::vector<ArchedDevice> result;
  for (unsigned arch : line.deviceArchitectures) {
    if (!begin("device " + frontend.source + " for sm_" + Twine(arch) + ": " +
               join(frontend.clangArgs, " ")))
      continue;
    Expected<DeviceCode> code = compileDevice(frontend, arch);
    if (!code)
      return code.takeError();
    devices.push_back(std::move(*code));
    result.push_back({arch, &devices.back()});
  }
  return result;
}

Error Driver::writeImage(const Item &source, OutputFile &image) {
  Expected<std::vector<ArchedDevice>> arched = compileDevices(frontendFor(source));
  if (!arched)
    return arched.takeError();
  if (!begin("image " + source.text + " for " + join(line.image.targets, ", ")))
    return Error::success();
  Expected<std::vector<char>> bytes = buildImage(*arched, imageFor(source));
  devices.clear();
  return bytes ? image.write(*bytes) : bytes.takeError();
}

Error Driver::compileCuda(const Item &source, StringRef output) {
  Expected<OutputFile> image = OutputFile::createTemporary("regrain", "image");
  if (!image)
    return image.takeError();
  if (Error error = writeImage(source, *image))
    return error;
  FrontendOptions host = frontendFor(source);
  append_range(host.hostArgs, dependencyFlags(source, output));
  if (!begin("host " + source.text + " to " + output + ": " + join(host.clangArgs, " ") + " " +
             join(host.hostArgs, " ")))
    return Error::success();
  return compileHost(host, image->path(), output);
}

Error Driver::compile(const Item &source, StringRef output) {
  if (source.kind == Item::Cuda)
    return compileCuda(source, output);
  std::vector<std::string> dependencies = dependencyFlags(source, output);
  return runInto(output, [&](StringRef path) {
    return compileCommand(line, installation, source, path, dependencies);
  });
}

Error Driver::preprocessSource(const Item &source) {
  std::string output = line.output.empty() ? "-" : line.output;
  SmallString<128> object(sys::path::filename(source.text));
  sys::path::replace_extension(object, "o");
  std::vector<std::string> dependencies = dependencyFlags(source, object);
  if (source.kind != Item::Cuda)
    return runOrShow(compileCommand(line, installation, source, output, dependencies));
  FrontendOptions host = frontendFor(source);
  append_range(host.hostArgs, dependencies);
  if (!begin("preprocess " + source.text + ": " + join(host.clangArgs, " ")))
    return Error::success();
  return preprocess(host, output);
}

Error Driver::emit(const Item &source) {
  if (source.kind != Item::Cuda)
    return createStringError("'" + source.text + "' is no CUDA source: it has no such stage");
  Expected<std::vector<ArchedDevice>> arched = compileDevices(frontendFor(source));
  if (!arched || line.dryRun)
    return arched.takeError();
  Expected<std::vector<char>> text = emitStage(*arched, imageFor(source), line.stage);
  devices.clear();
  if (!text)
    return text.takeError();
  if (line.emitToStdout) {
    outs().write(text->data(), text->size());
    return Error::success();
  }
  StringRef extension = line.stage == Stage::Cubin ? "cubin" : "ptx";
  Expected<OutputFile> file = OutputFile::create(outputFor(source, extension));
  if (!file)
    return file.takeError();
  if (Error error = file->write(*text))
    return error;
  return file->keep();
}

Error Driver::explain(const Item &item) {
  if (item.isSource() && item.kind != Item::Cuda)
    return createStringError("'" + item.text + "' is no CUDA source: it has no kernels");
  std::vector<char> bytes;
  if (item.isSource()) {
    if (!sys::fs::exists(item.text))
      return createStringError("no such file: '" + item.text + "'");
    Expected<std::vector<ArchedDevice>> arched = compileDevices(frontendFor(item));
    if (!arched || line.dryRun)
      return arched.takeError();
    Expected<std::vector<char>> image = buildImage(*arched, imageFor(item));
    devices.clear();
    if (!image)
      return image.takeError();
    bytes = std::move(*image);
  } else {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(item.text);
    if (!buffer)
      return createStringError("cannot read '" + item.text + "': " + buffer.getError().message());
    bytes.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  }
  std::string problem;
  std::vector<EmbeddedImage> images = findImages(bytes, problem);
  if (!problem.empty())
    return createStringError(item.text + ": " + problem);
  if (images.empty())
    return createStringError(item.text + " holds no Regrain image");
  explained.push_back(report::makeReport(item.text, images));
  Error damage = Error::success();
  for (const report::DamagedImage &damaged : explained.back().damaged)
    damage = joinErrors(std::move(damage), createStringError(item.text + ": " + damaged.message));
  return damage;
}

void Driver::writeExplanations() const {
  std::vector<report::FileExplanation> files;
  for (const report::FileReport &file : explained)
    files.push_back(report::explain(file));
  if (line.json)
    report::writeJson(files, std::cout);
  else
    report::writeText(files, std::cout);
}

Error Driver::link() {
  return runInto(line.output.empty() ? "a.out" : line.output,
                 [&](StringRef path) { return linkCommand(line, installation, linkInputs, path); });
}

Error Driver::runSource(const Item &source) {
  if (!sys::fs::exists(source.text))
    return createStringError("no such file: '" + source.text + "'");
  switch (line.action) {
  case Action::Preprocess:
    return preprocessSource(source);
  case Action::Emit:
    return emit(source);
  case Action::Compile:
    return compile(source, outputFor(source, "o"));
  default:
    break;
  }
  if (line.dryRun) {
    linkInputs.push_back(sys::path::stem(source.text).str() + ".o");
    return compile(source, linkInputs.back());
  }
  Expected<OutputFile> object = OutputFile::createTemporary(sys::path::stem(source.text), "o");
  if (!object)
    return object.takeError();
  linkInputs.push_back(object->path());
  objects.push_back(std::move(*object));
  return compile(source, objects.back().path());
}

int Driver::run() {
  bool failed = false;
  for (const Item &item : line.items) {
    bool explains = line.action == Action::Explain;
    if (!item.isSource() && (!explains || item.kind == Item::LinkerFlag)) {
      linkInputs.push_back(item.text);
      continue;
    }
    if (Error error = explains ? explain(item) : runSource(item)) {
      printError(std::move(error));
      failed = true;
    }
  }
  if (!failed && line.action == Action::Link)
    if (Error error = link()) {
      printError(std::move(error));
      failed = true;
    }
  if (line.action == Action::Explain && !explained.empty())
    writeExplanations();
  return failed ? 1 : 0;
}

/// The answer to --help, --version and their like.
void answer(Action action) {
  switch (action) {
  case Action::Help:
    options::table().printHelp(outs(), "regrain cc [options] file...",
                               "Compiles CUDA C++ for NVIDIA GPUs and the CPU");
    break;
  case Action::ListVirtual:
  case Action::ListReal:
    for (unsigned arch : knownArchitectures())
      outs() << (action == Action::ListReal ? "sm_" : "compute_") << arch << '\n';
    break;
  default:
    outs() << "nvcc: Cuda compiler driver of Regrain " REGRAIN_VERSION
              ", with clang " LLVM_VERSION_STRING "\n"
              "Cuda compilation tools, release 12.5, V12.5.40\n";
    break;
  }
}

/// Ends the process as an interrupted program ends, with nothing left behind.
void stopOnInterrupt() {
  abandonCommand();
  _exit(1);
}

/// `argv` between the flags of the environment.
SmallVector<const char *> withEnvironment(ArrayRef<char *> arguments, StringSaver &saver) {
  SmallVector<const char *> all;
  auto addVariable = [&](StringRef name) {
    if (std::optional<std::string> flags = sys::Process::GetEnv(name))
      cl::TokenizeGNUCommandLine(*flags, saver, all);
  };
  addVariable("NVCC_PREPEND_FLAGS");
  all.append(arguments.begin(), arguments.end());
  addVariable("NVCC_APPEND_FLAGS");
  return all;
}

} // namespace

int runCompiler(int argc, char **argv) {
  BumpPtrAllocator storage;
  StringSaver saver(storage);
  Expected<CommandLine> line =
      parseCommandLine(withEnvironment(ArrayRef(argv + 1, argc - 1), saver));
  if (!line) {
    printError(line.takeError());
    return 1;
  }
  for (const std::string &warning : line->warnings)
    WithColor::warning(errs(), "regrain cc") << warning << '\n';
  if (line->action >= Action::Help) {
    answer(line->action);
    return 0;
  }
  Expected<Installation> installation = findInstallation();
  if (!installation) {
    printError(installation.takeError());
    return 1;
  }
  sys::SetInterruptFunction(stopOnInterrupt);
  initializeFrontend();
  return Driver(*line, *installation).run();
}

int runExplain(int argc, char **argv) {
  std::string flag = "--explain";
  std::vector<char *> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, flag.data());
  return runCompiler(int(arguments.size()), arguments.data());
}

} // namespace regrain
