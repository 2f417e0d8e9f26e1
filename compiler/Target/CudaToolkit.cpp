//===- CudaToolkit.cpp - Where a CUDA toolkit is --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CudaToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns those of `names` that are folders of `root`, each folder once.
std::vector<std::string> foldersIn(StringRef root, ArrayRef<StringRef> names) {
  std::vector<std::string> folders;
  std::vector<sys::fs::UniqueID> seen;
  for (StringRef name : names) {
    std::string folder = inFolder(root, name);
    sys::fs::file_status status;
    if (sys::fs::status(folder, status) || !sys::fs::is_directory(status) ||
        is_contained(seen, status.getUniqueID()))
      continue;
    seen.push_back(status.getUniqueID());
    folders.push_back(std::move(folder));
  }
  return folders;
}

/// Returns the number that cuda.h in `folder` defines as CUDA_VERSION, or 0.
unsigned versionOf(StringRef folder) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(inFolder(folder, "cuda.h"));
  if (!file)
    return 0;
  StringRef text = (*file)->getBuffer();
  constexpr StringLiteral definition = "#define CUDA_VERSION ";
  size_t at = text.find(definition);
  unsigned version = 0;
  if (at == StringRef::npos ||
      text.drop_front(at + definition.size()).ltrim(' ').consumeInteger(10, version))
    return 0;
  return version;
}

} // namespace

std::string ownToolkitFolder() { return inFolder(ownRoot(), "lib/regrain/cuda"); }

std::vector<std::string> toolkitRoots(StringRef given) {
  std::string own = ownToolkitFolder();
  auto isOwn = [&](StringRef root) { return sys::fs::equivalent(root, own); };
  if (!given.empty() && !isOwn(given))
    return {given.str()};
  std::vector<std::string> roots;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> value = sys::Process::GetEnv(variable))
      roots.push_back(*value);
  if (ErrorOr<std::string> nvcc = sys::findProgramByName("nvcc")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*nvcc, real))
      roots.push_back(sys::path::parent_path(sys::path::parent_path(real)).str());
  }
  roots.insert(roots.end(), {"/usr/local/cuda", "/usr/lib/cuda"});
  erase_if(roots, isOwn);
  return roots;
}

std::optional<CudaToolkit> findCudaToolkit(StringRef given) {
  for (const std::string &root : toolkitRoots(given)) {
    std::vector<std::string> headers =
        foldersIn(root, {"include", "targets/x86_64-linux/include", "include/cccl",
                         "targets/x86_64-linux/include/cccl"});
    if (headers.empty() || !sys::fs::exists(inFolder(headers.front(), "cuda_runtime.h")))
      continue;
    CudaToolkit toolkit;
    toolkit.root = root;
    toolkit.version = versionOf(headers.front());
    toolkit.headers = std::move(headers);
    toolkit.libraries = foldersIn(root, {"lib64", "targets/x86_64-linux/lib", "lib", "lib64/stubs",
                                         "targets/x86_64-linux/lib/stubs", "lib/stubs"});
    return toolkit;
  }
  return std::nullopt;
}

} // namespace regrain
