//===- stream_table.h - Ids and attributes of streams -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <map>
#include <mutex>
#include <thread>
#include <tuple>

namespace regrain {

/// The attributes of a stream are hints: no device changes its work for them.
struct StreamAttributes {
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy synchronization = cudaSyncPolicyAuto;
  cudaLaunchMemSyncDomainMap domains = {0, 1};
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
};

struct StreamRecord {
  unsigned long long id; ///< no other stream of the process has had it
  int ordinal;           ///< of the stream's device
  StreamAttributes attributes = {};
};

/// The streams of all devices. Each call holds `mutex` as long as it uses a record.
class StreamTable {
public:
  static StreamTable &get();

  std::mutex mutex;

  void add(cudaStream_t stream, int ordinal);
  void remove(cudaStream_t stream);
  /// Returns the stream's record; null if there is no such stream. A built-in stream is that
  /// of the device `ordinal`, and the one per thread that of the calling thread.
  StreamRecord *find(cudaStream_t stream, int ordinal);

private:
  using Key = std::tuple<cudaStream_t, int, std::thread::id>;
  std::map<Key, StreamRecord> records;
  unsigned long long lastId = 0;
};

} // namespace regrain
