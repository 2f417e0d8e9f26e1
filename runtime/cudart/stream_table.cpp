//===- stream_table.cpp - Ids and attributes of streams -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/stream_table.h"

#include "runtime/cudart/entry.h"

using namespace regrain;

namespace {

constexpr int anyDevice = -1; ///< in the keys of streams that the program made

/// Calls the body with the stream's record.
template <typename Body> cudaError_t withRecord(cudaStream_t stream, Body body) {
  return onOpenDevice([&](OpenDevice &current) {
    StreamTable &table = StreamTable::get();
    std::lock_guard lock(table.mutex);
    StreamRecord *record = table.find(stream, current.ordinal);
    unsigned flags = 0;
    // NVIDIA's runtime or driver may have made it.
    if (!record && current.device->streamFlags(stream, flags) == cudaSuccess) {
      table.add(stream, current.ordinal);
      record = table.find(stream, current.ordinal);
    }
    return record ? body(*current.device, *record) : cudaErrorInvalidResourceHandle;
  });
}

bool isPolicy(cudaSynchronizationPolicy policy) {
  return policy >= cudaSyncPolicyAuto && policy <= cudaSyncPolicyBlockingSync;
}

} // namespace

StreamTable &StreamTable::get() {
  static auto *table = new StreamTable; // destructors of static objects may use streams
  return *table;
}

void StreamTable::add(cudaStream_t stream, int ordinal) {
  records[Key{stream, anyDevice, {}}] = {++lastId, ordinal};
}

void StreamTable::remove(cudaStream_t stream) { records.erase(Key{stream, anyDevice, {}}); }

StreamRecord *StreamTable::find(cudaStream_t stream, int ordinal) {
  bool isLegacy = !stream || stream == cudaStreamLegacy;
  if (!isLegacy && stream != cudaStreamPerThread) {
    auto found = records.find(Key{stream, anyDevice, {}});
    return found == records.end() ? nullptr : &found->second;
  }
  Key key = isLegacy ? Key{cudaStreamLegacy, ordinal, {}}
                     : Key{cudaStreamPerThread, ordinal, std::this_thread::get_id()};
  auto [found, isNew] = records.try_emplace(key, StreamRecord{0, ordinal});
  if (isNew)
    found->second.id = ++lastId;
  return &found->second;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  return withRecord(stream, [&](Device &, StreamRecord &record) {
    if (!id)
      return cudaErrorInvalidValue;
    *id = record.id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  return withRecord(stream, [&](Device &, StreamRecord &record) {
    if (!device)
      return cudaErrorInvalidValue;
    *device = record.ordinal;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return withRecord(from, [&](Device &, StreamRecord &source) {
    StreamRecord *target = StreamTable::get().find(to, source.ordinal);
    if (!target)
      return cudaErrorInvalidResourceHandle;
    target->attributes = source.attributes;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value) {
  return withRecord(stream, [&](Device &device, StreamRecord &record) {
    if (!value)
      return cudaErrorInvalidValue;
    const StreamAttributes &attributes = record.attributes;
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      value->accessPolicyWindow = attributes.window;
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      value->syncPolicy = attributes.synchronization;
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
      value->memSyncDomainMap = attributes.domains;
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomain:
      value->memSyncDomain = attributes.domain;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      return device.streamPriority(stream, value->priority);
    default:
      return cudaErrorInvalidValue;
    }
  });
}

// A stream keeps the priority with which it was made.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value) {
  return withRecord(stream, [&](Device &, StreamRecord &record) {
    if (!value)
      return cudaErrorInvalidValue;
    StreamAttributes &attributes = record.attributes;
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      attributes.window = value->accessPolicyWindow;
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      if (!isPolicy(value->syncPolicy))
        return cudaErrorInvalidValue;
      attributes.synchronization = value->syncPolicy;
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
      attributes.domains = value->memSyncDomainMap;
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomain:
      attributes.domain = value->memSyncDomain;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      return cudaErrorNotSupported;
    default:
      return cudaErrorInvalidValue;
    }
  });
}
