//===- argument_copies.h - Copies in place of foreign memory ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that this runtime did not allocate may be used at any time by code that it does not see,
// so it is never changed. A launch that points into such memory is repeated on copies of all that
// its arguments can reach, with the pointers moved into them. Pointers into one extent stay as far
// apart as they are, and each keeps its alignment.
//
// See docs/decisions/0122-memory-of-other-allocators.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/reach.h"
#include "runtime/tuning/snapshot.h"

namespace regrain {

class ArgumentCopies {
public:
  /// Each copy lies between guards, so that stores beside it are found.
  static constexpr size_t guardBytes = 64 << 10;
  /// The addresses of a copy and of what was copied are equal modulo this.
  static constexpr size_t alignment = 4096;

  /// Returns the device memory that copies of the extents take.
  [[nodiscard]] static uint64_t bytesFor(const std::vector<MemoryExtent> &extents);

  /// Copies the extents, which do not overlap, and waits. `whyNot` says if the memory changed
  /// meanwhile. Returns cudaErrorMemoryAllocation if there is no room.
  [[nodiscard]] static cudaError_t take(Device &device, const std::vector<MemoryExtent> &extents,
                                        cudaStream_t stream, std::unique_ptr<ArgumentCopies> &out,
                                        std::string &whyNot);
  ~ArgumentCopies();
  ArgumentCopies(const ArgumentCopies &) = delete;

  /// Returns the address in the copy of an address in one of the extents.
  [[nodiscard]] uintptr_t moved(uintptr_t address) const;
  /// Returns the copies as allocations, with their guards.
  [[nodiscard]] std::vector<Allocation> allocations() const;
  /// Returns the copy that lies in the allocation, without its guards.
  [[nodiscard]] MemoryExtent copyIn(const Allocation &allocation) const;
  uint64_t bytes() const { return wholeBytes; }

private:
  struct Copy {
    MemoryExtent extent; ///< what was copied
    size_t offset;       ///< of the guard before the copy, in the storage
    size_t lead;         ///< from there to the copy
    size_t whole;        ///< the bytes of both guards and the copy
  };

  explicit ArgumentCopies(Device &device) : device(device) {}
  static std::vector<Copy> layOut(const std::vector<MemoryExtent> &extents);
  cudaError_t fill(cudaStream_t stream);
  cudaError_t hasChanged(bool &found);
  std::byte *placeOf(const Copy &copy) const { return storage + copy.offset + copy.lead; }

  Device &device;
  std::vector<Copy> copies;
  uint64_t wholeBytes = 0;
  void *allocated = nullptr;
  std::byte *storage = nullptr; ///< within what is allocated
};

/// The arguments of a launch, with pointers into the copies.
class MovedArguments {
public:
  /// `words` are those of `arguments`.
  MovedArguments(const image::Kernel &kernel, void **arguments,
                 const std::vector<ArgumentWord> &words, const ArgumentCopies &copies);
  void **values() { return pointers.data(); }

private:
  std::vector<std::vector<std::byte>> held; ///< a parameter each
  std::vector<void *> pointers;
};

} // namespace regrain
