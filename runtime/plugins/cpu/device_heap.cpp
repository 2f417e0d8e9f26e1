//===- device_heap.cpp - Memory that kernels allocate ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/device_heap.h"

#include <cstdlib>
#include <new>

namespace regrain::cpu {

DeviceHeap &DeviceHeap::get() {
  // The heap lives as long as the process: kernels may run during its exit.
  static auto *heap = new DeviceHeap;
  return *heap;
}

bool DeviceHeap::reserve(size_t bytes) {
  size_t all = limit, before = used;
  do
    if (before > all || bytes > all - before)
      return false;
  while (!used.compare_exchange_weak(before, before + bytes));
  return true;
}

void *DeviceHeap::allocate(size_t bytes) {
  isInUse = true;
  size_t all = 0;
  if (__builtin_add_overflow(bytes, sizeof(Header), &all) || !reserve(all))
    return nullptr;
  void *memory = std::malloc(all);
  if (!memory) {
    used -= all;
    return nullptr;
  }
  return new (memory) Header{all, epoch} + 1;
}

void DeviceHeap::free(void *pointer) {
  if (!pointer)
    return;
  Header *header = static_cast<Header *>(pointer) - 1;
  if (header->epoch == epoch)
    used -= header->bytes;
  std::free(header);
}

bool DeviceHeap::setLimit(size_t bytes) {
  if (isInUse)
    return false;
  limit = bytes;
  return true;
}

void DeviceHeap::reset() {
  ++epoch;
  isInUse = false;
  used = 0;
  limit = usualLimit;
}

} // namespace regrain::cpu
