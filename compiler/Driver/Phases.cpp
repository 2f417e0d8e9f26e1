//===- Phases.cpp - The phases of one command line, in order --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/Phases.h"

#include "compiler/Driver/ToolkitFolder.h"
#include "compiler/Frontend/HeaderOverlay.h"
#include "compiler/Help/Nearest.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regrain {

void printError(Error error, StringRef tool) {
  handleAllErrors(
      std::move(error), [](const Diagnosed &) {},
      [&](const ErrorInfoBase &other) {
        SmallVector<StringRef> sentences;
        std::string message = other.message();
        StringRef(message).split(sentences, '\n');
        for (StringRef sentence : sentences)
          WithColor::error(errs(), tool) << sentence << '\n';
      });
}

static Error noSuchFile(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  std::error_code failed;
  std::vector<std::string> names;
  sys::fs::directory_iterator file(folder.empty() ? "." : folder, failed), end;
  for (; file != end && !failed; file.increment(failed))
    names.push_back(sys::path::filename(file->path()).str());
  return createStringError("no such file: '" + path + "'" +
                           help::didYouMean(sys::path::filename(path), names));
}

Error checkFile(StringRef path) {
  if (!sys::fs::exists(path))
    return noSuchFile(path);
  return sys::fs::is_directory(path) ? createStringError("'" + path + "' is a folder")
                                     : Error::success();
}

/// Announces a phase; returns false if nothing is to be run.
bool Phases::begin(const Twine &phase) {
  if (line.verbose || line.dryRun)
    errs() << phase << '\n';
  return !line.dryRun;
}

Error Phases::runOrShow(const Command &command) {
  return begin(quoted(command)) ? runCommand(command) : Error::success();
}

/// Runs a command that writes one file, first under a temporary name.
Error Phases::runInto(StringRef output, function_ref<Command(StringRef)> commandFor) {
  if (line.dryRun)
    return runOrShow(commandFor(output));
  Expected<OutputFile> file = OutputFile::create(output);
  if (!file)
    return file.takeError();
  if (Error error = runOrShow(commandFor(file->path())))
    return error;
  return file->keep();
}

std::string Phases::outputFor(const Item &source, StringRef extension) const {
  if (!line.output.empty() && !line.linksObjects())
    return line.output;
  SmallString<128> path(line.outputFolder);
  sys::path::append(path, sys::path::filename(source.text));
  sys::path::replace_extension(path, extension);
  return path.str().str();
}

/// Returns a name for the translation unit that others have only if they are compiled from the same
/// file in the same way.
static std::string unitName(const FrontendOptions &options) {
  SmallString<128> path(options.source);
  sys::fs::make_absolute(path);
  MD5 digest;
  auto add = [&](StringRef text) {
    digest.update(text);
    digest.update(StringRef("\0", 1));
  };
  add(path);
  for (const auto *list : {&options.clangArgs, &options.deviceArgs, &options.hostArgs})
    for (const std::string &argument : *list)
      add(argument);
  return "u" + utohexstr(digest.final().low(), /*LowerCase=*/true);
}

FrontendOptions Phases::frontendFor(const Item &source) const {
  FrontendOptions options = withHeaders(line, installation);
  options.source = source.text;
  options.architectures = line.deviceArchitectures;
  bool isLinkedLater =
      line.action == Action::Compile || line.linksObjects() ||
      (line.action == Action::Emit && std::holds_alternative<LLVMStage>(line.stage));
  if (line.relocatable && isLinkedLater)
    options.unit = unitName(options);
  options.isModule = line.action == Action::Emit && options.unit.empty();
  return options;
}

std::string recordFileFor(StringRef output, const RemarkOptions &remarks) {
  SmallString<128> path(output);
  sys::path::replace_extension(path, remarks.recordFormat == "yaml" ? "opt.yaml" : "opt.bitstream");
  return path.str().str();
}

ImageOptions Phases::imageFor(const Item &source) const {
  ImageOptions options = line.image;
  options.source = source.text;
  // nvcc finds <regrain/variants.h> there, and none of our headers for CUDA.
  StringRef folder = sys::path::parent_path(sys::path::parent_path(installation.headers));
  if (folder != "/usr/include")
    options.vendor.arguments.push_back("-I" + folder.str());
  options.remarks.silent = line.action == Action::Explain;
  if (line.savesRecord)
    options.remarks.recordFile = recordFileFor(outputFor(source, "o"), options.remarks);
  return options;
}

std::vector<std::string> Phases::dependencyFlags(const Item &source, StringRef object) const {
  std::vector<std::string> flags = line.dependencyArgs;
  if (flags.empty())
    return flags;
  // The object is written under another name, so both names are given explicitly.
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

Expected<std::vector<ArchedDevice>> Phases::compileDevices(const FrontendOptions &frontend) {
  devices.clear();
  std::vector<ArchedDevice> result;
  for (Architecture arch : line.deviceArchitectures) {
    if (!begin("device " + frontend.source + " for " + arch.chip() + ": " +
               join(frontend.clangArgs, " ")))
      continue;
    mlir::TimingScope timing = line.image.codegen.time("frontend");
    Expected<DeviceCode> code = compileDevice(frontend, arch);
    if (!code)
      return code.takeError();
    devices.push_back(std::move(*code));
    result.push_back({arch, &devices.back()});
  }
  return result;
}

Error Phases::writeImage(const Item &source, OutputFile &image) {
  FrontendOptions frontend = frontendFor(source);
  Expected<std::vector<ArchedDevice>> arched = compileDevices(frontend);
  if (!arched)
    return arched.takeError();
  if (!frontend.unit.empty())
    return line.dryRun ? Error::success() : image.write(writeUnits(*arched, line.objectOptions));
  if (!begin("image " + source.text + " for " + join(line.image.targets, ", ")))
    return Error::success();
  Expected<std::vector<char>> bytes = buildImage(*arched, imageFor(source), observer);
  devices.clear();
  return bytes ? image.write(*bytes) : bytes.takeError();
}

Error Phases::compileCuda(const Item &source, StringRef output) {
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
  mlir::TimingScope timing = line.image.codegen.time("host");
  return compileHost(host, image->path(), output);
}

/// Returns the flags for a source that is not CUDA besides those of the command line. gcc has no
/// overlays; there our headers report it if a toolkit's come first.
Expected<std::vector<std::string>> Phases::flagsFor(const Item &source, StringRef object) {
  std::vector<std::string> flags = dependencyFlags(source, object);
  bool isClang = line.hostCompiler.empty() && source.kind != Item::Assembler;
  if (!isClang || line.dryRun || installation.toolkitHeaders.empty())
    return flags;
  if (!overlay) {
    Expected<OutputFile> file = OutputFile::createTemporary("regrain", "yaml");
    if (!file)
      return file.takeError();
    overlay.emplace(std::move(*file));
    if (Error error = overlay->write(arrayRefFromStringRef<char>(
            overlayText(installation.headers, installation.toolkitHeaders))))
      return error;
  }
  flags.insert(flags.end(), {"-ivfsoverlay", overlay->path()});
  return flags;
}

Error Phases::compile(const Item &source, StringRef output) {
  if (source.kind == Item::Cuda)
    return compileCuda(source, output);
  Expected<std::vector<std::string>> flags = flagsFor(source, output);
  if (!flags)
    return flags.takeError();
  return runInto(output, [&](StringRef path) {
    return compileCommand(line, installation, source, path, *flags);
  });
}

Error Phases::preprocessSource(const Item &source) {
  std::string output = line.output.empty() ? "-" : line.output;
  SmallString<128> object(sys::path::filename(source.text));
  sys::path::replace_extension(object, "o");
  if (source.kind != Item::Cuda) {
    Expected<std::vector<std::string>> flags = flagsFor(source, object);
    return flags ? runOrShow(compileCommand(line, installation, source, output, *flags))
                 : flags.takeError();
  }
  FrontendOptions host = frontendFor(source);
  append_range(host.hostArgs, dependencyFlags(source, object));
  if (!begin("preprocess " + source.text + ": " + join(host.clangArgs, " ")))
    return Error::success();
  return preprocess(host, output);
}

Error Phases::emit(const Item &source) {
  if (source.kind != Item::Cuda)
    return createStringError("'" + source.text + "' is not a CUDA source, so it has no such stage");
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
  const auto *code = std::get_if<CodeStage>(&line.stage);
  bool isImage = std::holds_alternative<ImageStage>(line.stage);
  StringRef extension = code ? code->name : isImage ? "fatbin" : "txt";
  Expected<OutputFile> file = OutputFile::create(outputFor(source, extension));
  if (!file)
    return file.takeError();
  if (Error error = file->write(*text))
    return error;
  return file->keep();
}

/// Does what comes after the sources.
Error Phases::linkObjects() {
  switch (line.action) {
  case Action::DeviceLink:
    return deviceLink();
  case Action::Archive:
    return archive();
  default:
    return link();
  }
}

/// Returns the program that -run names in the place of files to link.
std::optional<std::string> Phases::programToRun() const {
  bool isOneFile = line.runs && line.items.size() == 1 && line.items[0].kind == Item::LinkerInput;
  // nvcc's arguments go through a shell, so some programs quote them.
  StringRef path = isOneFile ? StringRef(line.items[0].text).trim('"') : StringRef();
  sys::fs::file_status status;
  if (path.empty() || sys::fs::status(path, status) || !sys::fs::can_execute(path))
    return std::nullopt;
  return path.str();
}

Error Phases::runProgram(StringRef path) {
  SmallString<128> program(path);
  sys::fs::make_absolute(program);
  Command command = {program.str().str()};
  append_range(command, line.runArgs);
  return runOrShow(command);
}

Error Phases::link() {
  if (line.linksDevice)
    if (Error error = deviceLinkForLink())
      return error;
  if (std::optional<std::string> program = programToRun())
    return runProgram(*program);
  if (Error error = checkMathLibraries(line, installation, linkInputs))
    return error;
  std::string output = line.output.empty() ? "a.out" : line.output;
  for (const std::string &link : foreignLinks(installation, linkInputs, output))
    begin(link);
  Error linked = runInto(
      output, [&](StringRef path) { return linkCommand(line, installation, linkInputs, path); });
  return linked || !line.runs ? std::move(linked) : runProgram(output);
}

Error Phases::runSource(const Item &source) {
  if (Error error = checkFile(source.text))
    return error;
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
  sourceOf[object->path()] = source.text;
  objects.push_back(std::move(*object));
  return compile(source, objects.back().path());
}

int Phases::run() {
  bool failed = false;
  for (const Item &item : line.items) {
    bool explains = line.action == Action::Explain;
    if (!item.isSource() && (!explains || item.kind == Item::LinkerFlag)) {
      linkInputs.push_back(item.text);
      continue;
    }
    if (Error error = explains ? explain(item) : runSource(item)) {
      printError(std::move(error), tool);
      failed = true;
    }
  }
  if (!failed && line.linksObjects())
    if (Error error = linkObjects()) {
      printError(std::move(error), tool);
      failed = true;
    }
  int exitCode = line.action == Action::Explain ? reader.finish(line.explain) : 0;
  return failed ? 1 : exitCode;
}

} // namespace regrain
