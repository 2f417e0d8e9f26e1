//===- DeviceMemory.h - Memory that a kernel can access ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter's global memory consists of regions whose addresses are far
// enough apart that an access past the end of one reaches no other. Every bit
// may be undefined: since its allocation, or after the store of an undefined
// value. The same calls in the same order give the same addresses.
//
// If a ForeignMemory is given, addresses in it access memory of this process, in
// which nothing is undefined: its owner may write it between two launches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/AddressSpaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace regrain {

/// Bytes at an address, and for each byte the mask of its undefined bits.
struct MemoryRegion {
  uint64_t address = 0;
  llvm::MutableArrayRef<uint8_t> bytes;
  std::vector<uint8_t> undefined;
  bool writable = true;

  /// Allocates bytes, with all bits undefined.
  MemoryRegion(uint64_t address, uint64_t size)
      : address(address), undefined(size, 0xff), own(size) {
    bytes = own;
  }
  /// Makes a view of bytes of this process at their own address, with all bits
  /// defined.
  explicit MemoryRegion(llvm::MutableArrayRef<uint8_t> bytes)
      : address(reinterpret_cast<uintptr_t>(bytes.data())), bytes(bytes), undefined(bytes.size()) {}
  MemoryRegion(MemoryRegion &&) = default;
  MemoryRegion &operator=(MemoryRegion &&) = default;

  bool contains(uint64_t at, uint64_t size) const {
    return at >= address && size <= bytes.size() && at - address <= bytes.size() - size;
  }

private:
  std::vector<uint8_t> own;
};

/// Memory of this process that device code may access at its addresses.
class ForeignMemory {
public:
  virtual ~ForeignMemory() = default;
  /// Allocates memory for a variable of a module; returns 0 if there is none left.
  virtual uint64_t allocate(const llvm::GlobalVariable &variable, uint64_t size) = 0;
  /// Allocates and frees what kernels ask for; all modules have one heap.
  virtual uint64_t allocateFromHeap(uint64_t size) = 0;
  virtual bool freeOnHeap(uint64_t address) = 0;
  /// Returns whether the byte at `address` is part of it.
  virtual bool contains(uint64_t address) = 0;
};

class DeviceMemory {
public:
  /// `foreign` must outlive this object.
  explicit DeviceMemory(ForeignMemory *foreign = nullptr) : foreign(foreign) {}

  /// Makes a new region of `size` undefined bytes, aligned to 256.
  uint64_t allocate(uint64_t size);

  /// Makes a new region with a copy of `values`.
  template <typename T> uint64_t copyIn(llvm::ArrayRef<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return copyBytesIn(
        {reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(T)});
  }
  template <typename T> uint64_t copyIn(const std::vector<T> &values) {
    return copyIn(llvm::ArrayRef<T>(values));
  }

  /// Returns the first `count` values of the region at `address`; empty if it
  /// is shorter or there is none. Undefined bits have arbitrary values.
  template <typename T> std::vector<T> copyOut(uint64_t address, size_t count) const {
    const MemoryRegion *region = find(address, count * sizeof(T));
    if (!region)
      return {};
    std::vector<T> values(count);
    std::memcpy(values.data(), region->bytes.data() + (address - region->address),
                count * sizeof(T));
    return values;
  }

  /// Returns whether `size` bytes at `address` exist and all their bits are
  /// defined.
  bool isDefined(uint64_t address, uint64_t size) const;

  /// Removes a region: later accesses are faults. Returns false if none starts
  /// there.
  bool release(uint64_t address);

  /// Allocates memory for every variable that `module` defines (except shared
  /// memory) and that has none yet, with its initial value.
  llvm::Error defineVariables(const llvm::Module &module);

  /// Does the same for kernels that call malloc and free.
  uint64_t allocateFromHeap(uint64_t size) {
    return foreign ? foreign->allocateFromHeap(size) : allocate(size);
  }
  bool freeOnHeap(uint64_t address) {
    return foreign ? foreign->freeOnHeap(address) : release(address);
  }

  /// Makes all foreign memory defined; it must be called before each launch.
  void refreshForeign() { views.clear(); }

  /// Returns the address of a defined variable.
  std::optional<uint64_t> addressOf(llvm::StringRef variable) const;

  /// Returns the region that contains all of [address, address + size); null if
  /// none does.
  const MemoryRegion *find(uint64_t address, uint64_t size) const;
  MemoryRegion *find(uint64_t address, uint64_t size);

  /// Returns the regions by address.
  const std::map<uint64_t, MemoryRegion> &regions() const { return all; }

private:
  uint64_t copyBytesIn(llvm::ArrayRef<uint8_t> bytes);
  MemoryRegion &add(uint64_t size);
  MemoryRegion *addVariable(const llvm::GlobalVariable &variable, uint64_t size);
  MemoryRegion *viewOf(uint64_t address, uint64_t size);

  ForeignMemory *foreign;
  std::map<uint64_t, MemoryRegion> all;
  /// The views of foreign memory, by their address and size in bytes.
  std::map<std::pair<uint64_t, uint64_t>, MemoryRegion> views;
  llvm::StringMap<uint64_t> variables;
  uint64_t next = gridWindow;
};

} // namespace regrain
