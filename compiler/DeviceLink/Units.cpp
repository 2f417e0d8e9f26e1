//===- Units.cpp - Relocatable device code in object files ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceLink/Units.h"

#include "compiler/DeviceLink/LaunchMetadata.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using llvm::object::OffloadBinary;

namespace regrain {
namespace {

constexpr StringLiteral unitSection = "__nv_relfatbin";
constexpr StringLiteral registrationPrefix = "__cudaRegisterLinkedBinary";
constexpr StringLiteral archKey = "arch", tripleKey = "triple", optionsKey = "regrain-options";

Error readUnits(StringRef contents, LinkableObject &object) {
  // An offload binary is read at an aligned address, and states its own size.
  while (!contents.empty()) {
    std::unique_ptr<MemoryBuffer> aligned = MemoryBuffer::getMemBufferCopy(contents, object.name);
    auto binary = OffloadBinary::create(*aligned);
    if (!binary) {
      consumeError(binary.takeError());
      object.isForeign = true;
      return Error::success();
    }
    DeviceUnit unit;
    std::optional<Architecture> arch = Architecture::parse((*binary)->getArch().drop_front(3));
    if (!arch)
      return createStringError(object.name + ": its device code is damaged");
    unit.arch = *arch;
    unit.bitcode = (*binary)->getImage().str();
    object.units.push_back(std::move(unit));
    if (object.options.empty()) {
      SmallVector<StringRef> options;
      (*binary)->getString(optionsKey).split(options, '\n', -1, /*KeepEmpty=*/false);
      object.options.assign(options.begin(), options.end());
    }
    contents = contents.drop_front((*binary)->getSize());
  }
  return Error::success();
}

Error readRegistrations(const object::ObjectFile &file, LinkableObject &object) {
  for (const object::SymbolRef &symbol : file.symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (!name->starts_with(registrationPrefix))
      continue;
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    bool isDefined = !(*flags & object::SymbolRef::SF_Undefined);
    (isDefined ? object.definedRegistrations : object.registrations).push_back(name->str());
  }
  return Error::success();
}

Expected<LinkableObject> readObject(MemoryBufferRef buffer, std::string name) {
  LinkableObject object;
  object.name = std::move(name);
  Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createObjectFile(buffer);
  if (!file)
    return file.takeError();
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != unitSection)
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    if (Error error = readUnits(*contents, object))
      return std::move(error);
  }
  if (Error error = readRegistrations(**file, object))
    return std::move(error);
  return object;
}

Error readMembers(MemoryBufferRef buffer, StringRef path, std::vector<LinkableObject> &objects) {
  Expected<std::unique_ptr<object::Archive>> archive = object::Archive::create(buffer);
  if (!archive)
    return archive.takeError();
  Error failed = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(failed)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    if (!member)
      return joinErrors(std::move(failed), member.takeError());
    if (identify_magic(member->getBuffer()) != file_magic::elf_relocatable)
      continue;
    std::string name =
        (path + "(" + sys::path::filename(member->getBufferIdentifier()) + ")").str();
    Expected<LinkableObject> object = readObject(*member, std::move(name));
    if (!object)
      return joinErrors(std::move(failed), object.takeError());
    object->isMember = true;
    objects.push_back(std::move(*object));
  }
  return failed;
}

} // namespace

std::vector<char> writeUnits(ArrayRef<ArchedDevice> devices, ArrayRef<std::string> options) {
  std::vector<char> bytes;
  std::string joined = join(options, "\n");
  for (const ArchedDevice &device : devices) {
    recordLaunches(*device.code);
    SmallString<0> bitcode;
    raw_svector_ostream stream(bitcode);
    WriteBitcodeToFile(*device.code->module, stream);
    std::string arch = device.arch.chip();
    object::OffloadBinary::OffloadingImage image = {};
    image.TheImageKind = object::IMG_Bitcode;
    image.TheOffloadKind = object::OFK_Cuda;
    image.StringData[tripleKey] = device.code->module->getTargetTriple();
    image.StringData[archKey] = arch;
    image.StringData[optionsKey] = joined;
    image.Image = MemoryBuffer::getMemBuffer(bitcode, "", /*RequiresNullTerminator=*/false);
    SmallString<0> binary = OffloadBinary::write(image);
    bytes.insert(bytes.end(), binary.begin(), binary.end());
  }
  return bytes;
}

Expected<std::vector<LinkableObject>> readObjects(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read '" + path + "': " + buffer.getError().message());
  std::vector<LinkableObject> objects;
  switch (identify_magic((*buffer)->getBuffer())) {
  case file_magic::elf_relocatable: {
    Expected<LinkableObject> object = readObject(**buffer, path.str());
    if (!object)
      return object.takeError();
    objects.push_back(std::move(*object));
    break;
  }
  case file_magic::archive:
    if (Error error = readMembers(**buffer, path, objects))
      return std::move(error);
    break;
  default:
    break;
  }
  return objects;
}

} // namespace regrain
