//===- Archive.cpp - Static libraries -------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/Phases.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <deque>

using namespace llvm;

namespace regrain {

Error Phases::archive() {
  std::string output = line.output.empty() ? "a.a" : line.output;
  std::vector<std::string> files;
  copy_if(linkInputs, std::back_inserter(files),
          [](StringRef input) { return !input.starts_with("-"); });
  if (!begin("archive " + output + ": " + join(files, " ")))
    return Error::success();
  std::deque<std::string> names; // the members refer to them
  std::vector<NewArchiveMember> members;
  for (const std::string &path : files) {
    if (Error error = checkFile(path))
      return error;
    Expected<NewArchiveMember> member = NewArchiveMember::getFile(path, /*Deterministic=*/true);
    if (!member)
      return member.takeError();
    auto source = sourceOf.find(path);
    names.push_back(source == sourceOf.end() ? sys::path::filename(path).str()
                                             : sys::path::stem(source->second).str() + ".o");
    member->MemberName = names.back();
    members.push_back(std::move(*member));
  }
  Expected<OutputFile> file = OutputFile::create(output);
  if (!file)
    return file.takeError();
  if (Error error = writeArchive(file->path(), members, SymtabWritingMode::NormalSymtab,
                                 object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false))
    return error;
  return file->keep();
}

} // namespace regrain
