//===- DeviceLink.cpp - The link of relocatable device code ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceLink/LinkDevice.h"
#include "compiler/DeviceLink/LinkObject.h"
#include "compiler/Driver/Phases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns the archive that the linker takes for -l`library`, or nothing if it takes a shared
/// library or finds neither in `folders`.
std::optional<std::string> archiveFor(StringRef library, ArrayRef<StringRef> folders) {
  bool isFileName = library.consume_front(":");
  for (StringRef folder : folders) {
    SmallString<128> path(folder);
    sys::path::append(path, isFileName ? library : "lib" + library);
    if (!isFileName && sys::fs::exists(path + ".so"))
      return std::nullopt;
    std::string archive = (isFileName ? path : path + ".a").str();
    if (sys::fs::exists(archive))
      return archive;
  }
  return std::nullopt;
}

/// Returns the objects and archives among the inputs of a link, each once, in their order.
std::vector<std::string> filesOf(ArrayRef<std::string> inputs) {
  SmallVector<StringRef> folders;
  std::vector<std::string> files;
  StringSet<> known;
  for (size_t i = 0; i < inputs.size(); ++i) {
    StringRef text = inputs[i];
    if (text.consume_front("-L"))
      folders.push_back(text.empty() && i + 1 < inputs.size() ? StringRef(inputs[++i]) : text);
  }
  for (StringRef text : inputs) {
    std::optional<std::string> file = text.str();
    if (text.consume_front("-l"))
      file = archiveFor(text, folders);
    else if (text.starts_with("-") || !sys::fs::is_regular_file(text))
      file.reset();
    if (file && known.insert(*file).second)
      files.push_back(std::move(*file));
  }
  return files;
}

/// Leaves those objects out that another device link has linked.
void dropLinked(std::vector<LinkableObject> &objects) {
  StringSet<> defined;
  for (const LinkableObject &object : objects)
    for (const std::string &name : object.definedRegistrations)
      defined.insert(name);
  erase_if(objects, [&](const LinkableObject &object) {
    return all_of(object.registrations,
                  [&](const std::string &name) { return defined.contains(name); });
  });
}

/// Code generation follows the options of the first object. Fusing and approximating are allowed
/// only if all objects allow it.
Error agreeOnArithmetic(const CommandLine &line, ArrayRef<LinkableObject> objects,
                        CodegenOptions &codegen) {
  CodegenOptions first = codegen;
  for (const LinkableObject &object : objects) {
    if (object.options == objects.front().options)
      continue;
    Expected<CommandLine> other = parseForDeviceLink(line, object.options);
    if (!other)
      return other.takeError();
    codegen.fuseMultiplyAdd &= other->image.codegen.fuseMultiplyAdd;
    codegen.fastMath &= other->image.codegen.fastMath;
  }
  if (first.fuseMultiplyAdd != codegen.fuseMultiplyAdd || first.fastMath != codegen.fastMath)
    WithColor::warning() << "the linked objects differ in -fmad or -use_fast_math; the device code "
                            "of all follows the stricter one\n";
  return Error::success();
}

} // namespace

/// Returns the objects among the inputs of the link that wait for a device link.
Expected<std::vector<LinkableObject>> Phases::relocatableObjects() const {
  std::vector<LinkableObject> objects;
  for (const std::string &file : filesOf(linkInputs)) {
    Expected<std::vector<LinkableObject>> found = readObjects(file);
    if (!found)
      return found.takeError();
    for (LinkableObject &object : *found) {
      if (object.isForeign && !object.isMember)
        return createStringError("'" + object.name +
                                 "' has relocatable device code of another compiler; compile its "
                                 "source with this one");
      if (auto source = sourceOf.find(object.name); source != sourceOf.end())
        object.name = source->second;
      if (!object.isForeign)
        objects.push_back(std::move(object));
    }
  }
  dropLinked(objects);
  return objects;
}

/// Links the device code of `objects` and builds the image from it.
Expected<std::vector<char>> Phases::linkImage(ArrayRef<LinkableObject> objects, StringRef output,
                                              std::vector<std::string> &linked) {
  Expected<CommandLine> merged = parseForDeviceLink(line, objects.front().options);
  if (!merged)
    return merged.takeError();
  ImageOptions image = merged->image;
  image.source = sys::path::filename(output).str();
  image.vendor.obstacle = "relocatable device code is compiled from objects, without its source";
  image.codegen.timing = line.image.codegen.timing;
  if (merged->savesRecord)
    image.remarks.recordFile = recordFileFor(output, image.remarks);
  if (Error error = agreeOnArithmetic(line, objects, image.codegen))
    return std::move(error);
  std::vector<ArchedDevice> arched;
  for (Architecture arch : merged->deviceArchitectures) {
    mlir::TimingScope timing = image.codegen.time("device link");
    linked.clear();
    Expected<DeviceCode> code = linkDevice(objects, arch, linked);
    if (!code)
      return code.takeError();
    devices.push_back(std::move(*code));
    arched.push_back({arch, &devices.back()});
  }
  Expected<std::vector<char>> bytes = buildImage(arched, image, observer);
  devices.clear();
  return bytes;
}

Error Phases::writeLinkObject(ArrayRef<LinkableObject> objects, StringRef name, OutputFile &file) {
  std::vector<char> image;
  std::vector<std::string> linked, registrations;
  if (!objects.empty()) {
    Expected<std::vector<char>> bytes = linkImage(objects, name, linked);
    if (!bytes)
      return bytes.takeError();
    image = std::move(*bytes);
  }
  for (const LinkableObject &object : objects)
    if (is_contained(linked, object.name))
      append_range(registrations, object.registrations);
  Expected<std::vector<char>> object = makeLinkObject(image, registrations, line.frontend.cudaVersion);
  return object ? file.write(*object) : object.takeError();
}

/// -dlink
Error Phases::deviceLink() {
  std::string output = line.output.empty() ? "a_dlink.o" : line.output;
  for (const Item &item : line.items)
    if (item.kind == Item::LinkerInput)
      if (Error error = checkFile(item.text))
        return error;
  if (!begin("device link to " + output + ": " + join(linkInputs, " ")))
    return Error::success();
  Expected<std::vector<LinkableObject>> objects = relocatableObjects();
  if (!objects)
    return objects.takeError();
  Expected<OutputFile> file = OutputFile::create(output);
  if (!file)
    return file.takeError();
  if (Error error = writeLinkObject(*objects, output, *file))
    return error;
  return file->keep();
}

/// Adds the object of a device link to the inputs of the link, if they need one.
Error Phases::deviceLinkForLink() {
  std::string output = line.output.empty() ? "a.out" : line.output;
  if (line.dryRun) {
    if (line.relocatable)
      begin("device link for " + output);
    return Error::success();
  }
  Expected<std::vector<LinkableObject>> found = relocatableObjects();
  if (!found || found->empty())
    return found.takeError();
  begin("device link for " + output);
  Expected<OutputFile> file = OutputFile::createTemporary("regrain-dlink", "o");
  if (!file)
    return file.takeError();
  if (Error error = writeLinkObject(*found, output, *file))
    return error;
  linkInputs.insert(linkInputs.begin(), file->path());
  objects.push_back(std::move(*file));
  return Error::success();
}

} // namespace regrain
