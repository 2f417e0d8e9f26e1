//===- libraries.h - Code that a program loads while it runs ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library of the runtime API and a module of the driver API are the same thing: an image whose
// kernels and variables are registered under addresses that serve as their handles. On an NVIDIA
// GPU, PTX and cubins of any compiler become such images.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"
#include "runtime/core/registry.h"

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace regrain {

/// A handle is cudaLibrary_t or CUmodule, and cudaKernel_t, CUkernel or CUfunction.
class Libraries {
public:
  static Libraries &get();

  /// Copies the code, and registers what is in it. A failure is reported.
  [[nodiscard]] cudaError_t load(const void *code, void *&library);
  /// Returns cudaErrorInvalidResourceHandle, here and below, if there is no such library.
  [[nodiscard]] cudaError_t unload(const void *library);

  /// Returns cudaErrorSymbolNotFound if the library has no such kernel, or variable, by that
  /// mangled name. A variable is loaded on the thread's device.
  [[nodiscard]] cudaError_t kernel(const void *library, const char *name, void *&kernel);
  [[nodiscard]] cudaError_t variable(const void *library, const char *name,
                                     image::VariableKind kind, void *&address, size_t &bytes);
  [[nodiscard]] cudaError_t kernels(const void *library, std::vector<void *> &out);

  [[nodiscard]] bool has(const void *library);
  /// Returns the library of a kernel; null for a kernel of the program's own objects.
  [[nodiscard]] void *libraryOf(const void *kernel);

private:
  struct Variable {
    void *pointer = nullptr; ///< its address is the handle; of a managed variable, to its memory
    image::VariableKind kind = image::VariableKind::Device;
  };
  struct Library {
    std::vector<uint64_t> storage; ///< the image
    RegisteredImage *image = nullptr;
    std::map<std::string, std::unique_ptr<char>, std::less<>> kernels;
    std::map<std::string, std::unique_ptr<Variable>, std::less<>> variables;
  };
  static void registerContents(Library &library, const image::Image &image);
  template <typename Use> cudaError_t with(const void *library, Use use);

  std::shared_mutex mutex; ///< is held while one of the maps is used
  std::map<const void *, std::unique_ptr<Library>> all;
  std::map<const void *, void *> libraries; ///< by kernel
};

/// Returns whether code is a Regrain image.
[[nodiscard]] bool isOwnImage(const void *code);

} // namespace regrain
