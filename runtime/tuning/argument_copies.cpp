//===- argument_copies.cpp - Copies in place of foreign memory ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/argument_copies.h"

#include "image_generated.h"

#include <cstring>

namespace regrain {
namespace {

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

} // namespace

std::vector<ArgumentCopies::Copy> ArgumentCopies::layOut(const std::vector<MemoryExtent> &extents) {
  std::vector<Copy> copies;
  size_t offset = 0;
  for (const MemoryExtent &extent : extents) {
    size_t lead = guardBytes + extent.begin % alignment;
    size_t whole = roundUp(lead + extent.bytes + guardBytes, alignment);
    copies.push_back({extent, offset, lead, whole});
    offset += whole;
  }
  return copies;
}

uint64_t ArgumentCopies::bytesFor(const std::vector<MemoryExtent> &extents) {
  uint64_t bytes = alignment;
  for (const Copy &copy : layOut(extents))
    bytes += copy.whole;
  return bytes;
}

cudaError_t ArgumentCopies::take(Device &device, const std::vector<MemoryExtent> &extents,
                                 cudaStream_t stream, std::unique_ptr<ArgumentCopies> &out,
                                 std::string &whyNot) {
  std::unique_ptr<ArgumentCopies> made(new ArgumentCopies(device));
  made->copies = layOut(extents);
  made->wholeBytes = bytesFor(extents);
  cudaError_t status = device.allocate(made->wholeBytes, made->allocated);
  if (status != cudaSuccess)
    return status;
  auto begin = reinterpret_cast<uintptr_t>(made->allocated);
  made->storage = static_cast<std::byte *>(made->allocated) + (roundUp(begin, alignment) - begin);
  status = made->fill(stream);
  bool isChanged = false;
  if (status == cudaSuccess)
    status = made->hasChanged(isChanged);
  if (isChanged)
    whyNot = "other work of the process changed the memory while it was copied";
  if (status == cudaSuccess)
    out = std::move(made);
  return status;
}

/// Work that uses the copies may be pending; see Snapshot.
ArgumentCopies::~ArgumentCopies() {
  if (allocated && device.synchronize() == cudaSuccess)
    static_cast<void>(device.free(allocated));
}

cudaError_t ArgumentCopies::fill(cudaStream_t stream) {
  cudaError_t status = device.fill(allocated, wholeBytes, 0, {size_t(wholeBytes), 1}, stream,
                                   /*async=*/true);
  for (const Copy &copy : copies)
    if (status == cudaSuccess)
      status = device.copy(placeOf(copy), copy.extent.bytes,
                           reinterpret_cast<const void *>(copy.extent.begin), copy.extent.bytes,
                           {copy.extent.bytes, 1}, cudaMemcpyDeviceToDevice, stream,
                           /*async=*/true);
  return status == cudaSuccess ? device.synchronizeStream(stream) : status;
}

/// Compares the copies with what was copied.
cudaError_t ArgumentCopies::hasChanged(bool &found) {
  std::vector<uint8_t> pages;
  for (const Copy &copy : copies) {
    pages.assign((copy.extent.bytes + Snapshot::pageBytes - 1) / Snapshot::pageBytes, 0);
    cudaError_t status =
        device.comparePages(reinterpret_cast<const void *>(copy.extent.begin), placeOf(copy),
                            copy.extent.bytes, Snapshot::pageBytes, pages);
    if (status != cudaSuccess)
      return status;
    for (uint8_t differs : pages)
      found |= differs != 0;
  }
  return cudaSuccess;
}

uintptr_t ArgumentCopies::moved(uintptr_t address) const {
  for (const Copy &copy : copies)
    if (uintptr_t offset = address - copy.extent.begin; offset < copy.extent.bytes)
      return reinterpret_cast<uintptr_t>(placeOf(copy)) + offset;
  return 0;
}

std::vector<Allocation> ArgumentCopies::allocations() const {
  std::vector<Allocation> all;
  for (const Copy &copy : copies)
    all.push_back({storage + copy.offset, copy.whole, MemoryKind::Device});
  return all;
}

MemoryExtent ArgumentCopies::copyIn(const Allocation &allocation) const {
  for (const Copy &copy : copies)
    if (storage + copy.offset == allocation.pointer)
      return {reinterpret_cast<uintptr_t>(placeOf(copy)), copy.extent.bytes};
  return {reinterpret_cast<uintptr_t>(allocation.pointer), allocation.bytes};
}

MovedArguments::MovedArguments(const image::Kernel &kernel, void **arguments,
                               const std::vector<ArgumentWord> &words,
                               const ArgumentCopies &copies) {
  const auto *parameters = kernel.parameters();
  for (uint32_t i = 0; parameters && i < parameters->size(); ++i) {
    const auto *bytes = static_cast<const std::byte *>(arguments[i]);
    held.emplace_back(bytes, bytes + parameters->Get(i)->size());
  }
  for (const ArgumentWord &word : words)
    if (uintptr_t value = word.isPointer && word.value ? copies.moved(word.value) : 0)
      std::memcpy(held[word.parameter].data(), &value, sizeof value);
  for (std::vector<std::byte> &parameter : held)
    pointers.push_back(parameter.data());
}

} // namespace regrain
