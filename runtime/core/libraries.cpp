//===- libraries.cpp - Code that a program loads while it runs ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/libraries.h"

#include "runtime/core/foreign_code.h"
#include "runtime/core/launch.h"
#include "runtime/core/settings.h"

#include <cstring>

namespace regrain {
namespace {

/// Returns the image for `code`, in words; empty if there is none, which is reported.
std::vector<uint64_t> imageOf(const void *code) {
  std::vector<char> made;
  const char *bytes = static_cast<const char *>(code);
  uint64_t count = isOwnImage(code) ? promisedImageBytes(code, imageHeaderBytes) : 0;
  if (count == 0 && isForNvidiaGpu()) {
    made = imageOfForeign(code);
    bytes = made.data();
    count = made.size();
  }
  if (count == 0) {
    say(isForNvidiaGpu()
            ? "a library must be a Regrain image, PTX or a cubin; fat binaries of other compilers "
              "are "
              "not supported"
            : "a module of PTX or machine code runs only on NVIDIA GPUs; regrain-nvcc -fatbin "
              "makes modules for other devices");
    return {};
  }
  std::vector<uint64_t> storage(count / sizeof(uint64_t) + 1);
  std::memcpy(storage.data(), bytes, count);
  return storage;
}

} // namespace

bool isOwnImage(const void *code) { return code && hasImageMagic(code, imageHeaderBytes); }

Libraries &Libraries::get() {
  static auto *libraries = new Libraries;
  return *libraries;
}

/// Calls `use` on the library while it cannot be unloaded.
template <typename Use> cudaError_t Libraries::with(const void *library, Use use) {
  if (isForkedOff())
    return cudaErrorInitializationError; // another thread of the parent may have held the lock
  std::shared_lock lock(mutex);
  auto found = all.find(library);
  return found == all.end() ? cudaErrorInvalidResourceHandle : use(*found->second);
}

void Libraries::registerContents(Library &library, const image::Image &image) {
  Registry &registry = Registry::get();
  library.image = registry.addImage(library.storage.data());
  if (image.kernels())
    for (const image::Kernel *kernel : *image.kernels()) {
      auto &handle = library.kernels[kernel->symbol()->str()];
      handle = std::make_unique<char>();
      registry.addKernel(library.image, handle.get(), kernel->symbol()->c_str());
    }
  if (image.variables())
    for (const image::Variable *variable : *image.variables()) {
      auto &handle = library.variables[variable->symbol()->str()];
      handle = std::make_unique<Variable>();
      handle->kind = variable->kind();
      registry.addVariable(library.image, &handle->pointer, variable->symbol()->c_str(),
                           variable->size());
    }
}

cudaError_t Libraries::load(const void *code, void *&library) {
  if (isForkedOff())
    return cudaErrorInitializationError;
  auto loaded = std::make_unique<Library>();
  loaded->storage = imageOf(code);
  if (loaded->storage.empty())
    return cudaErrorNoKernelImageForDevice;
  OpenedImage opened = openImage(loaded->storage.data(),
                                 promisedImageBytes(loaded->storage.data(), imageHeaderBytes));
  if (opened.status != ImageStatus::Ok) {
    say("a module cannot be loaded: " + opened.message);
    return cudaErrorInvalidKernelImage;
  }
  registerContents(*loaded, *opened.image);
  library = loaded.get();
  std::unique_lock lock(mutex);
  for (auto &[symbol, handle] : loaded->kernels)
    libraries[handle.get()] = library;
  all[library] = std::move(loaded);
  return cudaSuccess;
}

cudaError_t Libraries::unload(const void *library) {
  if (isForkedOff())
    return cudaErrorInitializationError;
  std::unique_ptr<Library> unloaded;
  {
    std::unique_lock lock(mutex);
    auto found = all.find(library);
    if (found == all.end())
      return cudaErrorInvalidResourceHandle;
    unloaded = std::move(found->second);
    all.erase(found);
    std::erase_if(libraries, [&](auto &entry) { return entry.second == library; });
  }
  if (isExiting())
    static_cast<void>(unloaded.release()); // work may still be using it
  else
    Registry::get().removeImage(unloaded->image);
  return cudaSuccess;
}

cudaError_t Libraries::kernel(const void *library, const char *name, void *&kernel) {
  return with(library, [&](Library &loaded) {
    auto found = loaded.kernels.find(name);
    if (found == loaded.kernels.end())
      return cudaErrorSymbolNotFound;
    kernel = found->second.get();
    return cudaSuccess;
  });
}

cudaError_t Libraries::variable(const void *library, const char *name, image::VariableKind kind,
                                void *&address, size_t &bytes) {
  return with(library, [&](Library &loaded) {
    auto found = loaded.variables.find(name);
    bool isManaged = kind == image::VariableKind::Managed;
    if (found == loaded.variables.end() ||
        (found->second->kind == image::VariableKind::Managed) != isManaged)
      return cudaErrorSymbolNotFound;
    return findVariable(&found->second->pointer, address, bytes);
  });
}

cudaError_t Libraries::kernels(const void *library, std::vector<void *> &out) {
  return with(library, [&](Library &loaded) {
    for (auto &[symbol, handle] : loaded.kernels)
      out.push_back(handle.get());
    return cudaSuccess;
  });
}

bool Libraries::has(const void *library) {
  return with(library, [](Library &) { return cudaSuccess; }) == cudaSuccess;
}

void *Libraries::libraryOf(const void *kernel) {
  if (isForkedOff())
    return nullptr;
  std::shared_lock lock(mutex);
  auto found = libraries.find(kernel);
  return found == libraries.end() ? nullptr : found->second;
}

} // namespace regrain
