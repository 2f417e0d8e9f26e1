//===- plugins.cpp - Finding the plugins ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU plugin is linked into static programs. Otherwise it is a library of
// its own, so that programs on a GPU do not load oneTBB.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/platform.h"

#include <dlfcn.h>

extern "C" __attribute__((weak)) const regrain::DevicePlugin *regrainCpuPlugin();

namespace regrain {
namespace {

constexpr const char *cpuLibraryName = "libregrain-cpu.so";
constexpr const char *cpuEntryName = "regrainCpuPlugin";

/// The folder of the library or program that holds this code, with a slash.
std::string ownFolder() {
  Dl_info info;
  static const char anchor = 0;
  if (!dladdr(&anchor, &info) || !info.dli_fname)
    return {};
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

/// The library's code may call into it by name, so it joins the global scope.
void *openCpuLibrary(std::string &reason) {
  constexpr int mode = RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE;
  if (std::string folder = ownFolder(); !folder.empty())
    if (void *library = dlopen((folder + cpuLibraryName).c_str(), mode))
      return library;
  void *library = dlopen(cpuLibraryName, mode);
  if (!library)
    reason = dlerror();
  return library;
}

const DevicePlugin *findCpuPlugin(std::string &reason) {
  if (regrainCpuPlugin)
    return regrainCpuPlugin();
  void *library = openCpuLibrary(reason);
  if (!library)
    return nullptr;
  auto *entry = reinterpret_cast<const DevicePlugin *(*)()>(dlsym(library, cpuEntryName));
  if (!entry)
    reason = std::string(cpuLibraryName) + " has no entry " + cpuEntryName;
  return entry ? entry() : nullptr;
}

} // namespace

std::span<const PluginSource> pluginSources() {
  static constexpr PluginSource sources[] = {
      {"cuda", [](std::string &) { return &cudaPlugin(); }},
      {"cpu", findCpuPlugin},
  };
  return sources;
}

} // namespace regrain
