//===- plugin.cpp - AMD GPUs as a plugin ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace regrain {
namespace hip {
namespace {

/// The newest version comes first.
constexpr const char *libraryNames[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so"};

constexpr int servedDriverVersion = 13000; // the version of the API that it implements

/// probe() fills this in, which the core calls before everything else.
Library library;

/// CUDA hides every GPU if the variable is empty; HIP also reads it, but treats an empty
/// variable as unset.
bool areAllHidden() {
  const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const char *ofHip = std::getenv("HIP_VISIBLE_DEVICES");
  return visible && !*visible && (!ofHip || !*ofHip);
}

/// Returns the reason of the library that got furthest, and of those the
/// newest.
cudaError_t probe(std::string &reason) {
  if (areAllHidden()) {
    reason = "CUDA_VISIBLE_DEVICES is empty";
    return cudaErrorNoDevice;
  }
  Usable best = Usable::Absent;
  for (const char *name : libraryNames) {
    std::string why;
    Usable usable = loadLibrary(name, library, why);
    if (usable == Usable::Yes)
      return cudaSuccess;
    if (reason.empty() || usable > best)
      reason = why;
    best = std::max(best, usable);
  }
  return best == Usable::NoDevice ? cudaErrorNoDevice : cudaErrorInsufficientDriver;
}

int count() {
  int devices = 0;
  return library.getDeviceCount(&devices) == HipResult::Success ? devices : 0;
}

/// Returns the chip's name; if the library does not report it, returns an empty
/// text and `reason` says why.
std::string chipOf(int ordinal, std::string &reason) {
  auto properties = std::make_unique<HipProperties>();
  std::memset(properties.get(), 0, sizeof *properties);
  bool isNew = library.hasAbi6();
  HipResult result = isNew ? library.getProperties6(properties.get(), ordinal)
                           : library.getProperties5(properties.get(), ordinal);
  if (result != HipResult::Success) {
    reason = describe(library, "hipGetDeviceProperties", result);
    return {};
  }
  const auto &chip = isNew ? properties->version6.chip : properties->version5.chip;
  std::string name(chip, strnlen(chip, sizeof chip));
  if (!name.starts_with("gfx")) {
    reason = "the HIP library does not name the chip";
    return {};
  }
  return name;
}

cudaError_t open(int ordinal, std::unique_ptr<Device> &out, std::string &reason) {
  if (ordinal < 0 || ordinal >= count())
    return cudaErrorInvalidDevice;
  std::string chip = chipOf(ordinal, reason);
  if (chip.empty())
    return cudaErrorDevicesUnavailable;
  out = std::make_unique<HipDevice>(library, ordinal, std::move(chip));
  return cudaSuccess;
}

/// HIP's version is 10000000 * major + 100000 * minor + patch.
int codeVersion() {
  int version = 0;
  bool isLoaded = library.runtimeGetVersion != nullptr;
  if (!isLoaded || library.runtimeGetVersion(&version) != HipResult::Success)
    return 0;
  return version / 10000000 * 1000 + version / 100000 % 100 * 10;
}

} // namespace
} // namespace hip

const DevicePlugin &hipPlugin() {
  static const DevicePlugin plugin = {deviceInterfaceVersion,
                                      "hip",
                                      hip::probe,
                                      hip::count,
                                      hip::open,
                                      [] { return hip::servedDriverVersion; },
                                      hip::codeVersion};
  return plugin;
}

} // namespace regrain
