//===- DeviceMemory.h - The memory that a kernel reaches --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory of the interpreter: regions at addresses of their own, far
// enough apart that an access past the end of one meets none. Every bit may be
// undefined: as allocated, or stored from an undefined value. The same calls in
// the same order give the same addresses.
//
// Where a ForeignMemory is given, addresses in it reach memory of this process, in
// which nothing is undefined: whoever owns it may write it between two launches.
//
//===----------------------------------------------------------------------===//
#pragma once

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

/// Bytes at an address, and for each byte which of its bits are undefined.
struct MemoryRegion {
  uint64_t address = 0;
  llvm::MutableArrayRef<uint8_t> bytes;
  std::vector<uint8_t> undefined;
  bool writable = true;

  /// Bytes of its own, all bits undefined.
  MemoryRegion(uint64_t address, uint64_t size)
      : address(address), undefined(size, 0xff), own(size) {
    bytes = own;
  }
  /// A view of bytes of this process at their own address, all bits defined.
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

/// Memory of this process that device code may reach at its addresses.
class ForeignMemory {
public:
  virtual ~ForeignMemory() = default;
  /// For a variable of a module; 0 where there is none left.
  virtual uint64_t allocate(uint64_t size) = 0;
  /// Whether the byte at `address` is part of it.
  virtual bool contains(uint64_t address) = 0;
};

class DeviceMemory {
public:
  /// `foreign` lives longer than this.
  explicit DeviceMemory(ForeignMemory *foreign = nullptr) : foreign(foreign) {}

  /// A new region of `size` undefined bytes, aligned to 256.
  uint64_t allocate(uint64_t size);

  /// A new region that holds a copy of `values`.
  template <typename T> uint64_t copyIn(llvm::ArrayRef<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return copyBytesIn(
        {reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(T)});
  }
  template <typename T> uint64_t copyIn(const std::vector<T> &values) {
    return copyIn(llvm::ArrayRef<T>(values));
  }

  /// The first `count` values of the region at `address`; empty where it is
  /// shorter or there is none. Undefined bits are whatever was there.
  template <typename T> std::vector<T> copyOut(uint64_t address, size_t count) const {
    const MemoryRegion *region = find(address, count * sizeof(T));
    if (!region)
      return {};
    std::vector<T> values(count);
    std::memcpy(values.data(), region->bytes.data() + (address - region->address),
                count * sizeof(T));
    return values;
  }

  /// Whether `size` bytes at `address` exist and all their bits are defined.
  bool isDefined(uint64_t address, uint64_t size) const;

  /// Ends a region: later accesses are faults. False where none starts there.
  bool release(uint64_t address);

  /// Gives memory to every variable that `module` defines (shared memory
  /// excepted) and that has none yet, with its initial value.
  llvm::Error defineVariables(const llvm::Module &module);

  /// Forgets what was undefined in foreign memory: before each launch.
  void refreshForeign() { views.clear(); }

  /// Of a variable that was defined.
  std::optional<uint64_t> addressOf(llvm::StringRef variable) const;

  /// The region that holds all of [address, address + size); null if none does.
  const MemoryRegion *find(uint64_t address, uint64_t size) const;
  MemoryRegion *find(uint64_t address, uint64_t size);

  /// By address.
  const std::map<uint64_t, MemoryRegion> &regions() const { return all; }

private:
  uint64_t copyBytesIn(llvm::ArrayRef<uint8_t> bytes);
  MemoryRegion &add(uint64_t size);
  MemoryRegion *addVariable(uint64_t size);
  MemoryRegion *viewOf(uint64_t address, uint64_t size);

  ForeignMemory *foreign;
  std::map<uint64_t, MemoryRegion> all;
  /// Pages of foreign memory that were reached, by their address and how many bytes they are.
  std::map<std::pair<uint64_t, uint64_t>, MemoryRegion> views;
  llvm::StringMap<uint64_t> variables;
  uint64_t next = 0x7000'0000'0000;
};

} // namespace regrain
