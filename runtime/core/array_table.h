//===- array_table.h - Arrays, textures and surfaces in use -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table answers the questions of the runtime API about handles, and tells tuning
// what the textures of a program read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/arrays.h"
#include "runtime/core/platform.h"

#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace regrain {

struct KnownArray {
  OpenDevice *device;
  ArrayShape shape;
  cudaMipmappedArray_t mipmap = nullptr; ///< of which the array is a level
};

struct KnownMipmap {
  OpenDevice *device;
  ArrayShape shape;
  unsigned levels;
};

struct KnownTexture {
  OpenDevice *device;
  cudaResourceDesc resource;
  cudaTextureDesc description;
  std::optional<cudaResourceViewDesc> view;
};

struct KnownSurface {
  OpenDevice *device;
  cudaArray_t array;
};

/// The handles of one kind. Any threads may use it at once.
template <typename Handle, typename Known> class HandleTable {
public:
  void add(Handle handle, const Known &known) {
    std::lock_guard lock(mutex);
    byHandle.insert_or_assign(handle, known);
  }
  [[nodiscard]] std::optional<Known> find(Handle handle) {
    std::lock_guard lock(mutex);
    auto found = byHandle.find(handle);
    return found == byHandle.end() ? std::nullopt : std::optional(found->second);
  }
  /// Removes the handle and returns what was known; nothing if it is unknown.
  [[nodiscard]] std::optional<Known> take(Handle handle) {
    std::lock_guard lock(mutex);
    auto node = byHandle.extract(handle);
    return node ? std::optional(node.mapped()) : std::nullopt;
  }
  [[nodiscard]] std::vector<Known> list() {
    std::lock_guard lock(mutex);
    std::vector<Known> all;
    for (const auto &[handle, known] : byHandle)
      all.push_back(known);
    return all;
  }
  template <typename Condition> void removeIf(Condition condition) {
    std::lock_guard lock(mutex);
    std::erase_if(byHandle, [&](const auto &entry) { return condition(entry.second); });
  }

private:
  std::mutex mutex;
  std::map<Handle, Known> byHandle;
};

struct ArrayTable {
  static ArrayTable &get();

  /// Forgets everything on a device that is reset.
  void forget(const OpenDevice &device);

  HandleTable<cudaArray_t, KnownArray> arrays;
  HandleTable<cudaMipmappedArray_t, KnownMipmap> mipmaps;
  HandleTable<cudaTextureObject_t, KnownTexture> textures;
  HandleTable<cudaSurfaceObject_t, KnownSurface> surfaces;
};

} // namespace regrain
