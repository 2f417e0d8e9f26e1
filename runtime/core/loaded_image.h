//===- loaded_image.h - The code of one image on one device -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base module is loaded with the first use of anything in the image; it owns
// the variables and the originals. The module of an alternative is loaded when
// the alternative first runs, and then its slots get the variables' addresses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/core/platform.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace regrain {

/// The code of one alternative of a kernel.
struct LoadedFunction {
  Function *function = nullptr;
  uint32_t singleDimensions = 0; ///< as image::Entry
  uint32_t boundThreads = 0;     ///< max_threads of image::Entry
};

class LoadedImage {
public:
  LoadedImage(const image::Image &image, OpenDevice &device) : image(image), device(device) {}

  /// Gives the function of one alternative of a kernel; it lives as long as
  /// this object. Returns cudaErrorNoKernelImageForDevice if the device has no
  /// code for it.
  [[nodiscard]] cudaError_t function(uint32_t kernel, uint32_t alternative, LoadedFunction &out) {
    return function({kernel, alternative, /*remainder=*/false}, out);
  }
  /// Does the same for the remainder that a launch of the alternative leaves.
  [[nodiscard]] cudaError_t remainderFunction(uint32_t kernel, uint32_t alternative,
                                              LoadedFunction &out) {
    return function({kernel, alternative, /*remainder=*/true}, out);
  }

  /// Returns image::Module::generation of the base module once it is loaded, and
  /// an empty text before.
  [[nodiscard]] std::string_view generation();

  /// Gives the device address and the size of a variable.
  [[nodiscard]] cudaError_t variable(const char *symbol, void *&address, size_t &bytes);

  /// Appends the variables that kernels can write, if the base module is loaded.
  void addVariables(std::vector<Allocation> &out);

  /// Returns whether the device can run the base module of some target.
  [[nodiscard]] static bool hasCode(const image::Image &image, Device &device);

  ~LoadedImage();
  LoadedImage(const LoadedImage &) = delete;
  LoadedImage &operator=(const LoadedImage &) = delete;

private:
  /// Identifies the image::Entry that a module implements.
  struct Key {
    uint32_t kernel;
    uint32_t alternative;
    bool remainder;
  };

  static const image::Entry *entryIn(const image::Module &code, const Key &key);
  cudaError_t function(const Key &key, LoadedFunction &out);
  cudaError_t loadBase();
  cudaError_t loadModule(const image::Module &code, Module *&out);
  cudaError_t placeManaged(const image::Module &code, Module &module);
  cudaError_t place(const image::Slot &slot, Module &module);
  cudaError_t writeSlots(const image::Module &code, Module &module);
  cudaError_t addressOf(const char *symbol, void *&address, size_t &bytes);
  const image::Entry *findEntry(const Key &key, const image::Module *&code);

  const image::Image &image;
  OpenDevice &device;
  std::mutex loading;
  const image::Module *baseCode = nullptr;
  Module *base = nullptr;
  /// The managed variables whose memory the base module leaves to the runtime, by symbol.
  struct Memory {
    void *pointer;
    size_t bytes;
  };
  std::map<std::string, Memory, std::less<>> managed;
  /// Functions are destroyed before their modules.
  std::map<const image::Module *, std::unique_ptr<Module>> modules;
  std::map<const image::Entry *, std::unique_ptr<Function>> functions;
};

} // namespace regrain
