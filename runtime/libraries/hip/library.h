//===- library.h - A library of ROCm, loaded at run time --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an AMD GPU, the libraries compute by hipBLAS, hipFFT, hipRAND and hipSPARSE. These have the
// entries of NVIDIA's libraries, with the same parameters in the same order, and take the streams
// of the HIP library, which are those of the program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <span>
#include <string>

namespace regrain::libraries {

/// Returns HIP's major version if kernels run on AMD GPUs, otherwise 0. The calling thread's device
/// is then also HIP's, which the libraries use.
int hipMajor();

/// HIP knows the legacy stream only as null; the handle of the stream per thread is CUDA's.
inline cudaStream_t toHip(cudaStream_t stream) {
  return stream == cudaStreamLegacy ? nullptr : stream;
}

/// The file of a library for one version of HIP, which the library is built for. The number in its
/// name changes with its interface.
struct HipFile {
  int hipMajor;
  int number;
};

/// One library. If it cannot be loaded, or lacks an entry, a line on stderr says so.
class HipLibrary {
public:
  /// `name` is the library's, as for -l. The first of the files for the process's HIP that can be
  /// loaded is taken.
  HipLibrary(const char *name, std::span<const HipFile> files);

  bool isLoaded() const { return handle; }
  /// Returns the number in the name of the file.
  int number() const { return fileNumber; }
  /// Returns the address of an entry; null if there is none.
  void *find(const std::string &entry) const;
  /// Does the same for an entry that `user` needs. A missing one is reported once.
  void *findOrReport(const std::string &entry, const char *user) const;

private:
  std::string file;
  int fileNumber = 0;
  void *handle = nullptr;
};

/// An entry of a library, as a function of the types of its arguments.
template <class... Args> int callHip(void *entry, Args... args) {
  return reinterpret_cast<int (*)(Args...)>(entry)(args...);
}

} // namespace regrain::libraries
