//===- ChangedSources.cpp - Sources whose text is changed -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/ChangedSources.h"
#include "compiler/Frontend/AssemblyForms.h"
#include "compiler/Frontend/AttributeOrder.h"
#include "compiler/Frontend/BracedLaunches.h"
#include "compiler/Frontend/CycleCounter.h"
#include "compiler/Frontend/LaunchBrackets.h"
#include "compiler/Frontend/MemberTemplates.h"
#include "compiler/Frontend/PragmaMacros.h"
#include "compiler/Frontend/SharedAlignment.h"
#include "compiler/Frontend/VariableArrays.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns the text after all changes, or nothing if there is none.
std::optional<std::string> changeSource(StringRef text) {
  std::optional<std::string> changed;
  for (auto *change :
       {moveAlignments, completeAssembly, joinLaunchBrackets, expandToPragmas, deduceArrayPointers,
        moveStandardAttributes, nameMemberTemplates, renameCycleCounters, nameBracedArguments})
    if (std::optional<std::string> next = change(changed ? StringRef(*changed) : text))
      changed = std::move(next);
  return changed;
}

/// A file with the contents of another one after the changes, and with their size: clang refuses a
/// file whose size is not what its status says.
class ChangedFile : public vfs::File {
public:
  explicit ChangedFile(std::unique_ptr<vfs::File> file) : file(std::move(file)) {}

  ErrorOr<vfs::Status> status() override {
    ErrorOr<vfs::Status> status = file->status();
    if (!status || !status->isRegularFile())
      return status;
    if (!contents)
      if (auto buffer = read(status->getName()))
        contents = std::move(*buffer);
    return contents ? vfs::Status::copyWithNewSize(*status, contents->getBufferSize()) : status;
  }
  ErrorOr<std::string> getName() override { return file->getName(); }
  std::error_code close() override { return file->close(); }

  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t, bool,
                                                   bool) override {
    return contents ? std::move(contents) : read(name);
  }

private:
  ErrorOr<std::unique_ptr<MemoryBuffer>> read(const Twine &name) {
    // The file knows its own size.
    auto buffer = file->getBuffer(name, /*FileSize=*/-1, /*RequiresNullTerminator=*/true,
                                  /*IsVolatile=*/false);
    if (!buffer)
      return buffer;
    std::optional<std::string> changed = changeSource((*buffer)->getBuffer());
    if (!changed)
      return buffer;
    return MemoryBuffer::getMemBufferCopy(*changed, (*buffer)->getBufferIdentifier());
  }

  std::unique_ptr<vfs::File> file;
  /// Since status() has read them, until they are asked for.
  std::unique_ptr<MemoryBuffer> contents;
};

class ChangedFiles : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file;
    return std::make_unique<ChangedFile>(std::move(*file));
  }

  ErrorOr<vfs::Status> status(const Twine &path) override {
    ErrorOr<vfs::Status> status = ProxyFileSystem::status(path);
    if (!status || !status->isRegularFile())
      return status;
    auto file = openFileForRead(path);
    return file ? (*file)->status() : status;
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> withChangedSources(IntrusiveRefCntPtr<vfs::FileSystem> files) {
  return makeIntrusiveRefCnt<ChangedFiles>(std::move(files));
}

} // namespace regrain
