//===- registry.h - What the program's objects registered -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host objects register their image, kernels and variables before main() and
// when a library is opened; that only stores pointers. An image is opened and
// loaded when something of it is first used.
//
// Launches look kernels up without a lock: they read an immutable table, which
// the first look-up after a change rebuilds.
//
//===----------------------------------------------------------------------===//
#pragma once

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
  /// One plan per device, made by the first launch there.
  std::array<std::atomic<LaunchPlan *>, maxDevices> plans = {};

  ~RegisteredKernel() { dropPlans(); }
  void dropPlans();
};

struct RegisteredVariable {
  RegisteredImage *image;
  const void *hostVariable;
  const char *symbol;
  size_t bytes;
};

/// One __cudaRegisterFatBinary.
class RegisteredImage {
public:
  explicit RegisteredImage(const void *data) : data(data) {}

  /// Checks the image, once. The result stays the same afterwards.
  const OpenedImage &open();

  /// The image on `device`; made when first asked for. The status says what is
  /// wrong with the image, or that it has no code for the device.
  [[nodiscard]] cudaError_t loadedOn(OpenDevice &device, LoadedImage *&out);

  /// Appends the variables of what is loaded on device `ordinal`.
  void addVariables(int ordinal, std::vector<Allocation> &out);

  /// Gives up what is loaded on device `ordinal`.
  void unload(int ordinal) { static_cast<void>(take(ordinal)); }
  /// What is loaded on device `ordinal`, if anything; the image has it no longer.
  [[nodiscard]] std::unique_ptr<LoadedImage> take(int ordinal);

  std::vector<std::unique_ptr<RegisteredKernel>> kernels;
  std::vector<std::unique_ptr<RegisteredVariable>> variables;

private:
  const void *data;
  std::once_flag openedOnce;
  OpenedImage opened;
  std::mutex loading;
  std::array<std::unique_ptr<LoadedImage>, maxDevices> loaded;
};

class Registry {
public:
  static Registry &get();

  RegisteredImage *addImage(const void *data);
  void addKernel(RegisteredImage *image, const void *hostFunction, const char *symbol);
  void addVariable(RegisteredImage *image, const void *hostVariable, const char *symbol,
                   size_t bytes);
  /// Unloads the image from every device when the work there is done.
  void removeImage(RegisteredImage *image);

  /// Null where nothing was registered under that address.
  RegisteredKernel *kernel(const void *hostFunction) { return lookUp().kernels.find(hostFunction); }
  RegisteredVariable *variable(const void *hostVariable) {
    return lookUp().variables.find(hostVariable);
  }

  /// Whether every sound image with kernels or variables has code of one of `kinds`.
  bool hasCodeOf(std::span<const image::CodeKind> kinds);

  /// Whether every sound image with kernels or variables can run on `device`.
  bool hasCodeFor(Device &device);

  /// Variables that kernels can write, of all that is loaded on device `ordinal`.
  std::vector<Allocation> variablesOn(int ordinal);

  /// Forgets all that was loaded on device `ordinal`.
  void unloadAll(int ordinal);

private:
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
  /// Old tables may still be read by a launch; there is one per registration
  /// that follows a use, and they are small.
  std::vector<std::unique_ptr<const Tables>> tables;
};

} // namespace regrain
