//===- ToolkitFolder.cpp - A folder that looks like a toolkit -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/ToolkitFolder.h"

#include "compiler/Driver/MathLibraries.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Target/CudaToolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regrain {
namespace {

/// Writes files, folders and links below one folder. After the first failure nothing is done.
class FolderWriter {
public:
  explicit FolderWriter(StringRef folder) : folder(folder) {
    check(folder, sys::fs::create_directories(folder, /*IgnoreExisting=*/true, sys::fs::all_all));
  }

  void makeFolder(StringRef name) {
    std::string path = inFolder(folder, name);
    check(path, sys::fs::create_directories(path, /*IgnoreExisting=*/true, sys::fs::all_all));
  }
  /// Links to a file or folder. What is beside the executable is named relative to the link, so
  /// that an installed tree can be moved.
  void link(StringRef name, StringRef to) {
    std::string path = inFolder(folder, name), target = to.str();
    if (to.consume_front(ownRoot() + "/")) {
      target.clear();
      for (size_t level = 0; level < levelsBelowRoot + name.count('/'); ++level)
        target += "../";
      target += to;
    }
    check(path, sys::fs::create_link(target, path));
  }
  void write(StringRef name, StringRef text) {
    std::string path = inFolder(folder, name);
    std::error_code code;
    raw_fd_ostream out(path, code);
    check(path, code);
    if (code)
      return;
    out << text;
    out.close();
    check(path, out.error());
    out.clear_error();
  }

  bool has(StringRef name) const { return sys::fs::exists(inFolder(folder, name)); }

  /// Calls `visit` with the name here, in the folder `name`, and the path of each file in `from`.
  void forEachFile(StringRef name, StringRef from, function_ref<void(StringRef, StringRef)> visit) {
    makeFolder(name);
    std::error_code code;
    for (sys::fs::directory_iterator file(from, code), end; file != end && !code;
         file.increment(code))
      visit(inFolder(name, sys::path::filename(file->path())), file->path());
    check(from, code);
  }

  /// Links what is in `from`, and what `isWanted` accepts, to the folder `name`, except what is
  /// there already. A folder in both is merged, too.
  void merge(
      StringRef name, StringRef from,
      function_ref<bool(StringRef)> isWanted = [](StringRef) { return true; }) {
    forEachFile(name, from, [&](StringRef below, StringRef file) {
      std::string path = inFolder(folder, below);
      if (sys::fs::is_directory(file) && sys::fs::is_directory(path))
        merge(below, file);
      else if (isWanted(sys::path::filename(file)) && !has(below))
        link(below, file);
    });
  }

  /// Makes the folder `name` with a link to each file in `from`, and so for each folder in it.
  void mirror(StringRef name, StringRef from) {
    forEachFile(name, from, [&](StringRef below, StringRef file) {
      if (sys::fs::is_directory(file))
        mirror(below, file);
      else
        link(below, file);
    });
  }

  Error takeError() {
    return failure ? createStringError("cannot write " + failedPath + ": " + failure.message())
                   : Error::success();
  }

private:
  void check(StringRef path, std::error_code code) {
    if (failure || !code)
      return;
    failure = code;
    failedPath = path.str();
  }

  static constexpr size_t levelsBelowRoot = 3; ///< lib/regrain/cuda

  std::string folder, failedPath;
  std::error_code failure;
};

/// Links the runtime under the names by which linkers look for CUDA's.
void addRuntime(FolderWriter &folder, StringRef libraries) {
  folder.merge("lib64", libraries, [](StringRef name) {
    return name.starts_with("libregrain") || name.starts_with("libcudart") ||
           name.starts_with("libnvrtc");
  });
  folder.mirror("lib64/stubs", inFolder(libraries, "stubs"));
  // CMake looks for the driver's library here first, and then in the system's folders, where there
  // is NVIDIA's on a machine with a GPU; the stubs come last. One library has both.
  folder.link("lib64/libcuda.so", inFolder(libraries, "libcudart.so"));
  // The CPU's kernels look for the runtime's functions in a shared library, so the static one is
  // not for linkers that do not know it. A program that names it finds the shared one by its path.
  folder.write("lib64/libcudart_static.a", "/* A linker script. */\nINPUT(libcudart.so)\n");
  folder.write("lib64/libcudadevrt.a", "!<arch>\n");
}

/// Writes linker scripts in the place of the toolkit's libraries that Regrain has, too: a linker
/// that knows nothing of targets gives the program the library that decides when it runs. What only
/// NVIDIA's library has comes from there.
void addSwitches(FolderWriter &folder, const Installation &installation) {
  for (const MathLibrary &library : mathLibraries()) {
    std::string name = ("lib" + library.name + ".so").str();
    std::string theirs = inFolder(installation.toolkitRoot, "lib64/" + name);
    std::string both = switchLibrary(installation, library);
    if (!both.empty() && sys::fs::exists(theirs))
      folder.write("lib64/" + name, ("/* A linker script. */\nINPUT(" + sys::path::filename(both) +
                                     " AS_NEEDED(" + theirs + "))\n")
                                        .str());
  }
}

/// Writes headers that include those of the toolkit's libraries, after Regrain's runtime. A link
/// would not do: gcc replaces the path of a system header by the link's target, and then finds the
/// toolkit's runtime beside it.
void addLibraryHeaders(FolderWriter &folder, StringRef root) {
  std::string from = inFolder(root, "include");
  if (!sys::fs::is_directory(from))
    return;
  folder.forEachFile("include", from, [&](StringRef name, StringRef file) {
    bool isLibrarys = any_of(mathLibraries(), [&](const MathLibrary &library) {
      return sys::path::filename(file).starts_with(library.name);
    });
    if (isLibrarys && sys::path::extension(file) == ".h" && !folder.has(name))
      folder.write(name, ("#include <cuda_runtime_api.h>\n#include \"" + file + "\"\n").str());
  });
}

/// Links what only the toolkit has.
void addToolkit(FolderWriter &folder, StringRef root) {
  folder.link("nvvm", inFolder(root, "nvvm"));
  addLibraryHeaders(folder, root);
  for (StringRef name : {"bin", "include", "lib64", "extras"})
    if (std::string from = inFolder(root, name); sys::fs::is_directory(from))
      folder.merge(name, from);
}

} // namespace

std::string emulatedRelease(unsigned cudaVersion) {
  return utostr(cudaVersion / 1000) + "." + utostr(cudaVersion % 1000 / 10);
}

std::string emulatedVersion(unsigned cudaVersion) { return emulatedRelease(cudaVersion) + ".40"; }

Error writeToolkitFolder(const Installation &installation) {
  // The folder appears whole: it is renamed when it is complete.
  std::string unfinished = installation.toolkitFolder + ".new";
  for (const std::string &old : {unfinished, installation.toolkitFolder})
    if (std::error_code code = sys::fs::remove_directories(old, /*IgnoreErrors=*/false))
      return createStringError("cannot remove " + old + ": " + code.message());
  FolderWriter folder(unfinished);
  folder.makeFolder("bin");
  for (StringRef name : {"bin/nvcc", "bin/regrain-link"})
    folder.link(name, inFolder(ownRoot(), "bin/regrain-nvcc"));
  folder.mirror("include", installation.headers);
  addRuntime(folder, installation.libraries);
  std::string version = emulatedVersion(installation.cudaVersion);
  folder.write("version.txt", "CUDA Version " + version + "\n");
  folder.write("version.json",
               "{\"cuda\": {\"name\": \"Regrain\", \"version\": \"" + version + "\"}}\n");
  if (installation.toolkitRoot.empty()) {
    folder.makeFolder("nvvm/libdevice");
  } else {
    addSwitches(folder, installation);
    addToolkit(folder, installation.toolkitRoot);
  }
  // What no toolkit has, such as cuBLAS where there is none, is Regrain's.
  folder.merge("include", installation.mathHeaders);
  folder.merge("lib64", installation.mathLibraries);
  if (Error error = folder.takeError())
    return error;
  if (std::error_code code = sys::fs::rename(unfinished, installation.toolkitFolder))
    return createStringError("cannot write " + installation.toolkitFolder + ": " + code.message());
  return Error::success();
}

/// Returns how a linker that knows nothing of Regrain finds the runtime.
static std::string foreignLibraries(const Installation &installation) {
  return "\"-L" + inFolder(installation.toolkitFolder, "lib64") +
         "\" -lcudadevrt -lcudart_static -lrt -lpthread -ldl";
}

std::string describeToolkitFolder(const Installation &installation,
                                  ArrayRef<Architecture> architectures) {
  StringRef top = installation.toolkitFolder;
  std::string text;
  raw_string_ostream out(text);
  out << "#$ TOP=" << top << '\n'
      << "#$ NVVMIR_LIBRARY_DIR=" << inFolder(top, "nvvm/libdevice") << '\n'
      << "#$ PATH=" << inFolder(top, "bin") << '\n'
      << "#$ INCLUDES=\"-I" << inFolder(top, "include") << "\"\n"
      << "#$ LIBRARIES=" << foreignLibraries(installation) << '\n'
      << "#$ ARCHITECTURES=";
  interleave(
      architectures, out, [&](Architecture arch) { out << "-arch " << arch.virtualName(); }, " ");
  out << '\n';
  return text;
}

std::vector<std::string> foreignLinks(const Installation &installation,
                                      ArrayRef<std::string> inputs, StringRef output) {
  std::string rest =
      " -o " + output.str() + " " + join(inputs, " ") + " " + foreignLibraries(installation);
  ErrorOr<std::string> linker = sys::findProgramByName("ld");
  return {(linker ? *linker : "ld") + rest,
          inFolder(installation.toolkitFolder, "bin/regrain-link") + rest};
}

} // namespace regrain
