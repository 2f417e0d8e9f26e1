//===- trace.cpp - Kernels and memsets in the order of time -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUPTI injection library: if CUDA_INJECTION64_PATH names it, any CUDA program writes a
// line for each memset, copy and kernel to the file in REGRAIN_TRACE when it ends:
//   memset BYTES | copy NANOSECONDS | kernel NANOSECONDS REGISTERS NAME
// in the order in which they began. The interface is that of CUPTI's Activity API.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Record {
  unsigned long long start, duration, bytes;
  int registers;
  const char *kind, *name;
};

struct Trace {
  std::mutex mutex;
  std::map<std::string, int> names; ///< their addresses stay
  std::vector<Record> records;
};

// The object is never destroyed: buffers may still be completed while the process ends.
Trace &trace() {
  static Trace *instance = new Trace;
  return *instance;
}

void CUPTIAPI provideBuffer(uint8_t **buffer, size_t *bytes, size_t *maxRecords) {
  constexpr size_t bufferBytes = 8 << 20;
  *buffer = static_cast<uint8_t *>(aligned_alloc(64, bufferBytes));
  *bytes = *buffer ? bufferBytes : 0;
  *maxRecords = 0;
}

void add(const CUpti_Activity *record) {
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    auto *k = reinterpret_cast<const CUpti_ActivityKernel9 *>(record);
    const char *name = trace().names.emplace(k->name, 0).first->first.c_str();
    trace().records.push_back(
        {k->start, k->end - k->start, 0, k->registersPerThread, "kernel", name});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    auto *m = reinterpret_cast<const CUpti_ActivityMemset4 *>(record);
    trace().records.push_back({m->start, m->end - m->start, m->bytes, 0, "memset", ""});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    auto *m = reinterpret_cast<const CUpti_ActivityMemcpy5 *>(record);
    if (m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOD)
      trace().records.push_back({m->start, m->end - m->start, m->bytes, 0, "copy", ""});
  }
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t validBytes) {
  std::lock_guard<std::mutex> lock(trace().mutex);
  CUpti_Activity *record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS)
    add(record);
  free(buffer);
}

void write() {
  cuptiActivityFlushAll(1);
  const char *path = getenv("REGRAIN_TRACE");
  FILE *file = path ? fopen(path, "w") : nullptr;
  if (!file)
    return;
  std::lock_guard<std::mutex> lock(trace().mutex);
  std::stable_sort(trace().records.begin(), trace().records.end(),
                   [](const Record &a, const Record &b) { return a.start < b.start; });
  for (const Record &r : trace().records)
    if (*r.kind == 'm')
      fprintf(file, "memset %llu\n", r.bytes);
    else
      fprintf(file, "%s %llu %d %s\n", r.kind, r.duration, r.registers, r.name);
  fclose(file);
}

} // namespace

extern "C" int InitializeInjection() {
  cuptiActivityRegisterCallbacks(provideBuffer, takeBuffer);
  for (CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET,
                                  CUPTI_ACTIVITY_KIND_MEMCPY})
    if (cuptiActivityEnable(kind) != CUPTI_SUCCESS)
      fprintf(stderr, "trace: CUPTI is not usable here\n");
  return atexit(write) == 0;
}
