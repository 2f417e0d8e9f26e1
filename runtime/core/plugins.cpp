//===- plugins.cpp - Search for the plugins -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU plugin is linked into static programs. Otherwise it is a library of
// its own, so that programs on a GPU do not load oneTBB.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/companion.h"
#include "runtime/core/platform.h"

#include <dlfcn.h>

extern "C" __attribute__((weak)) const regrain::DevicePlugin *regrainCpuPlugin();

namespace regrain {
namespace {

constexpr const char *cpuLibraryName = "libregrain-cpu.so";
constexpr const char *cpuEntryName = "regrainCpuPlugin";

OrError<const DevicePlugin *> findCpuPlugin() {
  if (regrainCpuPlugin)
    return regrainCpuPlugin();
  // The program's code may call functions of the library by name, so the
  // library joins the global scope.
  OrError<void *> library = openCompanion(cpuLibraryName, RTLD_GLOBAL);
  if (!library)
    return tl::unexpected(library.error());
  auto *entry = reinterpret_cast<const DevicePlugin *(*)()>(dlsym(*library, cpuEntryName));
  if (!entry)
    return tl::unexpected(std::string(cpuLibraryName) + " has no entry " + cpuEntryName);
  return entry();
}

} // namespace

std::span<const PluginSource> pluginSources() {
  static constexpr image::CodeKind ofCuda[] = {image::CodeKind::Ptx, image::CodeKind::Cubin};
  static constexpr image::CodeKind ofHip[] = {image::CodeKind::Hsaco};
  static constexpr image::CodeKind ofCpu[] = {image::CodeKind::CpuSharedObject};
  static constexpr PluginSource sources[] = {
      {"cuda", "NVIDIA GPUs", ofCuda,
       []() -> OrError<const DevicePlugin *> { return &cudaPlugin(); }},
      {"hip", "AMD GPUs", ofHip, []() -> OrError<const DevicePlugin *> { return &hipPlugin(); }},
      {"cpu", "the CPU", ofCpu, findCpuPlugin},
  };
  return sources;
}

} // namespace regrain
