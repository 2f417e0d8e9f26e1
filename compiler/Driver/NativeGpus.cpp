//===- NativeGpus.cpp - The GPUs of this machine --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/NativeGpus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DynamicLibrary.h"

namespace regrain {
namespace {

/// The attributes of CUdevice_attribute.
constexpr int majorAttribute = 75, minorAttribute = 76;

/// The functions of NVIDIA's driver, which return 0 on success.
class Driver {
public:
  Driver()
      : library(llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1")),
        initialise(find<int(unsigned)>("cuInit")), count(find<int(int *)>("cuDeviceGetCount")),
        device(find<int(int *, int)>("cuDeviceGet")),
        attribute(find<int(int *, int, int)>("cuDeviceGetAttribute")) {}

  int deviceCount() const {
    int devices = 0;
    bool isUsable = initialise && count && device && attribute && initialise(0) == 0;
    return isUsable && count(&devices) == 0 ? devices : 0;
  }

  /// Returns 0 if the driver does not say it.
  unsigned capability(int ordinal) const {
    int handle = 0, major = 0, minor = 0;
    if (device(&handle, ordinal) || attribute(&major, majorAttribute, handle) ||
        attribute(&minor, minorAttribute, handle))
      return 0;
    return static_cast<unsigned>(major * 10 + minor);
  }

private:
  template <typename Type> Type *find(const char *name) {
    void *address = library.isValid() ? library.getAddressOfSymbol(name) : nullptr;
    return reinterpret_cast<Type *>(address);
  }

  llvm::sys::DynamicLibrary library;
  int (*initialise)(unsigned);
  int (*count)(int *);
  int (*device)(int *, int);
  int (*attribute)(int *, int, int);
};

} // namespace

std::vector<unsigned> nativeGpus() {
  Driver driver;
  std::vector<unsigned> capabilities;
  for (int i = 0; i < driver.deviceCount(); ++i)
    if (unsigned found = driver.capability(i); found && !llvm::is_contained(capabilities, found))
      capabilities.push_back(found);
  return capabilities;
}

} // namespace regrain
