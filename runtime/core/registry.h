//===- registry.h - Registered images, kernels and variables ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host objects register their image, kernels and variables before main() and
// when a library is opened; registration only stores pointers. An image is
// opened and loaded when something in it is first used.
//
// Launches look kernels up without a lock: they read an immutable table, which
// the first look-up after a change rebuilds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/fat_binary.h"
#include "runtime/core/launch_plan.h"
#include "runtime/core/loaded_image.h"
#include "runtime/core/platform.h"
#include "runtime/core/pointer_table.h"
#include "runtime/image/container.h"

#include <memory>
#include <mutex>
#include <vector>

namespace regrain {

class RegisteredImage;

struct RegisteredKernel {
  RegisteredImage *image;
  const void *hostFunction;
  const char *symbol; ///< mangled
  /// There is one plan per device, which the first launch there makes.
  std::array<std::atomic<LaunchPlan *>, maxDevices> plans = {};

  ~RegisteredKernel() { dropPlans(); }
  void dropPlans();
};

struct RegisteredVariable {
  RegisteredVariable(RegisteredImage *image, void *hostVariable, const char *symbol, size_t bytes)
      : image(image), hostVariable(hostVariable), symbol(symbol), bytes(bytes) {}

  RegisteredImage *image;
  void *hostVariable; ///< of a managed variable, the program's pointer to its memory
  const char *symbol;
  size_t bytes;
  /// The memory of a managed variable, once the host has asked for it.
  std::atomic<void *> managedMemory = nullptr;
  std::atomic<int> managedOn = -1; ///< the ordinal of the device whose code has it

  /// Gives the host the memory.
  void setManaged(void *memory, int ordinal);
  /// Makes the host ask again.
  void dropManaged();
};

/// One call of __cudaRegisterFatBinary.
class RegisteredImage {
public:
  explicit RegisteredImage(const void *data, bool answersAsCuda13 = false)
      : answersAsCuda13(answersAsCuda13), data(data) {}

  /// Checks the image at the first call. Later calls have the same result. The code of another
  /// compiler becomes an image of the kernels that are registered then.
  const OpenedImage &open();

  /// Returns whether the image has code for pointers into different allocations. Opens it.
  bool hasCodeForApart();

  /// Returns the address that was registered.
  const void *code() const { return data; }

  /// Returns whether another compiler made the code, for NVIDIA GPUs alone.
  bool isForeign() const { return isFatBinary(data); }
  /// Reports that the device cannot run the image's kernels, at the first call.
  void sayForeign(const char *kernel);

  /// Gives the image on `device`, and loads it at the first call. The status
  /// says what is wrong with the image, or that it has no code for the device.
  [[nodiscard]] cudaError_t loadedOn(OpenDevice &device, LoadedImage *&out);

  /// Appends the variables of the code that is loaded on device `ordinal`.
  void addVariables(int ordinal, std::vector<Allocation> &out);
  void dropManaged(int ordinal);

  /// Drops the code that is loaded on device `ordinal`.
  void unload(int ordinal) { static_cast<void>(take(ordinal)); }
  /// Removes the code that is loaded on device `ordinal` from the image and
  /// returns it; null if there is none.
  [[nodiscard]] std::unique_ptr<LoadedImage> take(int ordinal);

  std::vector<std::unique_ptr<RegisteredKernel>> kernels;
  std::vector<std::unique_ptr<RegisteredVariable>> variables;
  /// The program expects the errors of CUDA 13, in which a launch of a wrong size is a wrong value,
  /// and what is no kernel a wrong handle.
  const bool answersAsCuda13;

private:
  bool isManagedElsewhere(int ordinal) const;

  const void *data;
  std::once_flag openedOnce, foreignSaidOnce;
  bool isForApart = false;
  std::vector<uint8_t> described; ///< of foreign code
  OpenedImage opened;
  std::mutex loading;
  std::array<std::unique_ptr<LoadedImage>, maxDevices> loaded;
};

class Registry {
public:
  static Registry &get();

  RegisteredImage *addImage(const void *data, bool answersAsCuda13 = false);
  void addKernel(RegisteredImage *image, const void *hostFunction, const char *symbol);
  void addVariable(RegisteredImage *image, void *hostVariable, const char *symbol, size_t bytes);
  /// Unloads the image from every device when the work there is done.
  void removeImage(RegisteredImage *image);

  /// Returns null if nothing was registered under that address.
  RegisteredKernel *kernel(const void *hostFunction) { return lookUp().kernels.find(hostFunction); }
  RegisteredVariable *variable(const void *hostVariable) {
    return lookUp().variables.find(hostVariable);
  }
  /// Returns the managed variable at `memory`, which is its address in host code; null if
  /// there is none.
  RegisteredVariable *managedVariable(const void *memory);

  /// Returns whether an image answers as CUDA 13.
  bool answersAsCuda13();

  /// Returns whether every sound image with kernels or variables has code of one of
  /// `kinds`. Foreign images do not count: a launch of their kernels reports what is missing.
  bool hasCodeOf(std::span<const image::CodeKind> kinds);

  /// Returns whether every sound image with kernels or variables can run on
  /// `device`, apart from foreign ones.
  bool hasCodeFor(Device &device);

  /// Returns whether an image has code for launches whose pointers point into different
  /// allocations. Foreign images have none.
  bool hasCodeForApart();

  /// Returns the best that an image has for the request; nothing if none is known to have a kernel
  /// that matches, but there are foreign ones, whose kernels may not be registered yet.
  std::optional<Offer> offerOf(const AlternativeRequest &request);

  /// Returns the variables that kernels can write, of all code that is loaded on
  /// device `ordinal`.
  std::vector<Allocation> variablesOn(int ordinal);

  /// Drops all code that is loaded on device `ordinal`.
  void unloadAll(int ordinal);

private:
  Registry();
  template <typename HasCode> bool allHave(HasCode hasCode);

  struct Tables {
    PointerTable<RegisteredKernel> kernels;
    PointerTable<RegisteredVariable> variables;
  };
  const Tables &lookUp() {
    const Tables *tables = current.load(std::memory_order_acquire);
    return tables ? *tables : rebuild();
  }
  const Tables &rebuild();

  std::mutex changing;
  std::vector<std::unique_ptr<RegisteredImage>> images;
  std::atomic<const Tables *> current = nullptr;
  /// A launch may still read an old table. Each registration after a use makes
  /// one, and they are small.
  std::vector<std::unique_ptr<const Tables>> tables;
};

} // namespace regrain
