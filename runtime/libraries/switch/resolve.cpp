//===- resolve.cpp - Regrain's library or NVIDIA's ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with code for the CPU and for NVIDIA GPUs is linked with a library of functions that
// only jump (stubs.cmake). The first call of each finds its target here: in Regrain's library if
// the CPU runs the program, otherwise in NVIDIA's. The types of parameters do not matter.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/device_kind.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
extern void *regrainTargets[];    ///< by the number of the function; null: not known yet
extern const char regrainNames[]; ///< one after the other, each with its zero
__attribute__((visibility("hidden"))) void *regrainResolve(uint32_t number);
}

namespace {

/// NVIDIA's library of the functions whose names begin with `prefix`. The first name is that of the
/// newest CUDA.
struct Vendor {
  std::string_view prefix;
  std::vector<const char *> names;
};

const std::vector<Vendor> &vendors() {
  static const std::vector<Vendor> all = {
      {"cublasLt", {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"}},
      {"cublas", {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}},
      {"cufft", {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10"}},
      {"curand", {"libcurand.so.10"}},
      {"cusolver", {"libcusolver.so.12", "libcusolver.so.11"}},
      {"cusparse", {"libcusparse.so.12", "libcusparse.so.11"}},
  };
  return all;
}

/// Returns the folders in which the loader looks for the program's own libraries.
std::vector<std::string> foldersOfProgram() {
  std::vector<std::string> folders;
  void *program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo head = {};
  if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &head) != 0)
    return folders;
  std::vector<uint64_t> storage(head.dls_size / sizeof(uint64_t) + 1);
  auto *info = reinterpret_cast<Dl_serinfo *>(storage.data());
  if (dlinfo(program, RTLD_DI_SERINFOSIZE, info) == 0 &&
      dlinfo(program, RTLD_DI_SERINFO, info) == 0)
    for (unsigned i = 0; i < info->dls_cnt; ++i)
      folders.emplace_back(info->dls_serpath[i].dls_name);
  return folders;
}

/// Opens the first of the libraries that is there. The loader does not look into the program's own
/// folders for a library of ours; for the program's, it looks there first.
void *openFirst(const std::vector<const char *> &names) {
  for (const char *name : names)
    for (const std::string &folder : foldersOfProgram())
      if (void *library = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL))
        return library;
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

/// Returns Regrain's library, which is beside this one; null if it cannot be opened.
void *openOwn() {
  Dl_info self = {};
  if (!dladdr(reinterpret_cast<void *>(&regrainResolve), &self))
    return nullptr;
  std::string path = self.dli_fname;
  path.replace(path.rfind('/') + 1, std::string::npos, REGRAIN_OWN_LIBRARY);
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Returns NVIDIA's library, or Regrain's, which then says that it computes nothing for a GPU.
void *openVendors(const Vendor &vendor) {
  if (void *library = openFirst(vendor.names))
    return library;
  std::fprintf(
      stderr,
      "regrain: %s is not found; set LD_LIBRARY_PATH to the libraries of the CUDA toolkit\n",
      vendor.names.front());
  return openOwn();
}

void *libraryFor(std::string_view name) {
  // A process without Regrain's runtime has no such function.
  static const bool isCpu = regrain_device_is_cpu && regrain_device_is_cpu();
  static void *const own = isCpu ? openOwn() : nullptr;
  if (own || isCpu)
    return own;
  static std::mutex mutex;
  static std::vector<void *> opened(vendors().size());
  std::lock_guard lock(mutex);
  for (size_t i = 0; i < vendors().size(); ++i) {
    if (!name.starts_with(vendors()[i].prefix))
      continue;
    if (!opened[i])
      opened[i] = openVendors(vendors()[i]);
    return opened[i];
  }
  return nullptr;
}

} // namespace

void *regrainResolve(uint32_t number) {
  const char *name = regrainNames;
  for (uint32_t i = 0; i < number; ++i)
    name += std::strlen(name) + 1;
  void *library = libraryFor(name);
  void *target = library ? dlsym(library, name) : nullptr;
  if (!target) {
    const char *reason = dlerror();
    std::fprintf(stderr, "regrain: %s cannot be called: %s\n", name,
                 reason ? reason : "no library");
    std::abort(); // there is no value that means failure for every function
  }
  __atomic_store_n(&regrainTargets[number], target, __ATOMIC_RELEASE);
  return target;
}
