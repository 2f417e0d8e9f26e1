//===- Workspace.cpp - The folder for builds and runs ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Workspace.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <string_view>

namespace fs = std::filesystem;

namespace regrain::suite {
namespace {

/// Makes a folder that Makefiles accept as a CUDA toolkit.
void makeToolkit(const fs::path &toolkit) {
  fs::path installation = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  fs::create_directories(toolkit / "bin");
  fs::path compiler = toolkit / "bin" / "nvcc";
  // This is not a link: the compiler finds its headers by the path with which
  // it is started.
  std::ofstream(compiler) << "#!/bin/sh\nexec '" << (installation / "bin" / "regrain-nvcc").string()
                          << "' \"$@\"\n";
  fs::permissions(compiler, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
  fs::create_directory_symlink(installation / "include" / "regrain" / "cuda", toolkit / "include");
  fs::create_directory_symlink(installation / "lib", toolkit / "lib64");
  fs::create_directory_symlink(installation / "lib", toolkit / "lib");
}

bool holdsCudaSource(const fs::path &folder) {
  return std::any_of(fs::directory_iterator(folder), fs::directory_iterator(),
                     [](const fs::directory_entry &entry) {
                       return entry.is_regular_file() && entry.path().extension() == ".cu";
                     });
}

bool isProgram(const fs::path &folder, const std::string &runName) {
  fs::path makefile = makefileIn(folder);
  return !makefile.empty() && (!runScriptIn(folder, runName).empty() ||
                               hasTarget(makefile, runName) || holdsCudaSource(folder));
}

FileMark markOf(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  FileMark mark = {0, 14695981039346656037ull};
  std::vector<char> buffer(1 << 16);
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
         stream.gcount() > 0) {
    std::string_view bytes(buffer.data(), static_cast<size_t>(stream.gcount()));
    mark.bytes += bytes.size();
    for (char byte : bytes) // FNV-1a
      mark.hash = (mark.hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  }
  return mark;
}

} // namespace

Workspace makeWorkspace(const fs::path &root, const fs::path &suite) {
  Workspace made = {root, root / "tree", root / "toolkit", root / "logs"};
  fs::create_directories(made.logs);
  fs::copy(suite, made.tree, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  makeToolkit(made.toolkit);
  return made;
}

fs::path makefileIn(const fs::path &folder) {
  for (const char *name : {"GNUmakefile", "makefile", "Makefile"})
    if (fs::is_regular_file(folder / name))
      return folder / name;
  return {};
}

fs::path runScriptIn(const fs::path &folder, const std::string &name) {
  for (const fs::path &path : {folder / name, folder / (name + ".sh")})
    if (fs::is_regular_file(path))
      return path;
  return {};
}

bool hasTarget(const fs::path &makefile, const std::string &target) {
  std::ifstream stream(makefile);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(target))
      continue;
    size_t colon = line.find_first_not_of(" \t", target.size());
    if (colon != std::string::npos && line[colon] == ':' &&
        (colon + 1 == line.size() || line[colon + 1] != '='))
      return true;
  }
  return false;
}

std::vector<fs::path> findPrograms(const fs::path &folder, const std::string &runName) {
  if (isProgram(folder, runName))
    return {folder};
  std::vector<fs::path> folders, programs;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.is_directory() && !entry.is_symlink())
      folders.push_back(entry.path());
  std::ranges::sort(folders);
  for (const fs::path &path : folders)
    for (fs::path &program : findPrograms(path, runName))
      programs.push_back(std::move(program));
  return programs;
}

std::map<std::string, Snapshot::State> Snapshot::statesIn(const fs::path &folder) {
  std::map<std::string, State> states;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && !entry.is_symlink())
      states[fs::relative(entry.path(), folder).string()] = {entry.last_write_time(),
                                                             entry.file_size()};
  return states;
}

Snapshot::Snapshot(fs::path folderToKeep, fs::path copyInto)
    : folder(std::move(folderToKeep)), copy(std::move(copyInto)), known(statesIn(folder)) {
  fs::create_directories(copy.parent_path());
  fs::copy(folder, copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

std::map<std::string, FileMark> Snapshot::changes() const {
  std::map<std::string, State> now = statesIn(folder);
  std::map<std::string, FileMark> changed;
  for (const auto &[path, state] : now) {
    auto before = known.find(path);
    if (before == known.end() || before->second != state)
      changed[path] = markOf(folder / path);
  }
  for (const auto &[path, state] : known)
    if (!now.contains(path))
      changed[path] = {};
  return changed;
}

void Snapshot::restore() const {
  for (const auto &[path, mark] : changes()) {
    auto before = known.find(path);
    if (before == known.end()) {
      fs::remove(folder / path);
      continue;
    }
    fs::create_directories((folder / path).parent_path());
    fs::copy_file(copy / path, folder / path, fs::copy_options::overwrite_existing);
    fs::last_write_time(folder / path, before->second.time);
  }
}

std::string tailOf(const fs::path &file, size_t lines) {
  std::ifstream stream(file);
  std::deque<std::string> last;
  for (std::string line; std::getline(stream, line);) {
    last.push_back(line);
    if (last.size() > lines)
      last.pop_front();
  }
  std::string text;
  for (const std::string &line : last)
    text += (text.empty() ? "" : "\n") + line;
  return text;
}

} // namespace regrain::suite
