//===- memory.cpp - Memory of the CPU device ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/memory.h"

#include "runtime/core/host_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace regrain::cpu {
namespace {

constexpr size_t alignment = 512; // a texture may begin at any allocation

size_t physicalBytes() {
  long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0 ? size_t(pages) * size_t(pageBytes) : 0;
}

uintptr_t toKey(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

} // namespace

Memory::Memory() : totalBytes(physicalBytes()), startBytes(totalBytes) {
  if (size_t available = availableHostBytes())
    startBytes = std::min(totalBytes, available);
}

const Memory::Block *Memory::findBlock(const void *pointer) {
  auto after = blocks.upper_bound(toKey(pointer));
  if (after == blocks.begin())
    return nullptr;
  auto &[begin, block] = *std::prev(after);
  return toKey(pointer) - begin < block.bytes ? &block : nullptr;
}

cudaError_t Memory::allocate(Kind kind, size_t bytes, unsigned flags, void *&out) {
  std::lock_guard lock(mutex);
  if (bytes > totalBytes - std::min(totalBytes, allocatedBytes))
    return cudaErrorMemoryAllocation;
  void *pointer = nullptr;
  if (posix_memalign(&pointer, alignment, bytes) != 0)
    return cudaErrorMemoryAllocation;
  blocks[toKey(pointer)] = {bytes, kind, flags};
  allocatedBytes += bytes;
  out = pointer;
  return cudaSuccess;
}

cudaError_t Memory::free(Kind kind, void *pointer) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(toKey(pointer));
  if (found == blocks.end())
    return cudaErrorInvalidValue;
  Kind actual = found->second.kind;
  if (actual != kind && !(kind == Kind::Device && actual == Kind::Managed))
    return cudaErrorInvalidValue;
  allocatedBytes -= found->second.bytes;
  blocks.erase(found);
  std::free(pointer);
  return cudaSuccess;
}

cudaError_t Memory::retire(void *pointer) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(toKey(pointer));
  if (found == blocks.end() ||
      (found->second.kind != Kind::Device && found->second.kind != Kind::Managed))
    return cudaErrorInvalidValue;
  retired.insert(blocks.extract(found));
  return cudaSuccess;
}

void Memory::freeRetired(void *pointer) {
  std::lock_guard lock(mutex);
  auto found = retired.find(toKey(pointer));
  if (found == retired.end())
    return; // another thread's reset came first
  allocatedBytes -= found->second.bytes;
  retired.erase(found);
  std::free(pointer);
}

cudaError_t Memory::registerHost(void *pointer, size_t bytes, unsigned flags) {
  std::lock_guard lock(mutex);
  auto *end = static_cast<char *>(pointer) + bytes - 1;
  if (findBlock(pointer) || findBlock(end))
    return cudaErrorHostMemoryAlreadyRegistered;
  blocks[toKey(pointer)] = {bytes, Kind::Registered, flags};
  return cudaSuccess;
}

cudaError_t Memory::unregisterHost(void *pointer) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(toKey(pointer));
  if (found == blocks.end() && findBlock(pointer))
    return cudaErrorInvalidValue; // the address is inside of an allocation
  if (found == blocks.end() || found->second.kind != Kind::Registered)
    return cudaErrorHostMemoryNotRegistered;
  blocks.erase(found);
  return cudaSuccess;
}

cudaError_t Memory::hostFlags(const void *pointer, unsigned &flags) {
  std::lock_guard lock(mutex);
  const Block *block = findBlock(pointer);
  if (!block || block->kind == Kind::Device)
    return cudaErrorInvalidValue;
  flags = block->flags;
  return cudaSuccess;
}

void Memory::attributes(const void *pointer, cudaPointerAttributes &out) {
  std::lock_guard lock(mutex);
  const Block *block = findBlock(pointer);
  void *address = const_cast<void *>(pointer);
  if (!block) {
    out = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    return;
  }
  switch (block->kind) {
  case Kind::Device:
    out = {cudaMemoryTypeDevice, 0, address, nullptr};
    return;
  case Kind::Managed:
    out = {cudaMemoryTypeManaged, 0, address, address};
    return;
  case Kind::Pinned:
  case Kind::Registered:
    out = {cudaMemoryTypeHost, 0, address, address};
    return;
  }
}

bool Memory::isKnown(const void *pointer) {
  std::lock_guard lock(mutex);
  return findBlock(pointer) != nullptr;
}

bool Memory::holds(const void *pointer, size_t bytes) {
  std::lock_guard lock(mutex);
  auto after = blocks.upper_bound(toKey(pointer));
  if (after == blocks.begin())
    return true;
  auto &[begin, block] = *std::prev(after);
  size_t offset = toKey(pointer) - begin;
  bool isOfDevice = block.kind == Kind::Device || block.kind == Kind::Managed;
  return !isOfDevice || offset >= block.bytes || bytes <= block.bytes - offset;
}

void Memory::info(size_t &freeBytes, size_t &total) {
  std::lock_guard lock(mutex);
  total = totalBytes;
  freeBytes = startBytes - std::min(startBytes, allocatedBytes);
}

void Memory::freeAll() {
  std::lock_guard lock(mutex);
  for (auto &[begin, block] : blocks)
    if (block.kind != Kind::Registered)
      std::free(reinterpret_cast<void *>(begin));
  for (auto &[begin, block] : retired)
    std::free(reinterpret_cast<void *>(begin));
  blocks.clear();
  retired.clear();
  allocatedBytes = 0;
}

} // namespace regrain::cpu
