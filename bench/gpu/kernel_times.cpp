//===- kernel_times.cpp - GPU time of each kernel, from outside -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a CUPTI injection library: if CUDA_INJECTION64_PATH names it, any
// CUDA program writes one JSON object to the file in REGRAIN_KERNEL_TIMES when
// it ends: {"kernels": {name: {"launches": n, "totalUs": t, "registers": r}}}.
// If REGRAIN_DEVICE_TURNS names a file, processes with the same one take turns
// on the GPU, and "turns" counts them.
// The interface is that of CUPTI's documentation, Activity API.
//
//===----------------------------------------------------------------------===//
#include "device_turns.h"

#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <map>
#include <mutex>
#include <string>

namespace {

struct KernelTotal {
  long launches = 0;
  double totalUs = 0;
  int registers = 0;
};

struct Totals {
  std::mutex mutex;
  std::map<std::string, KernelTotal> kernels;
};

// The object is never destroyed: buffers may still be completed while the
// process ends.
Totals &totals() {
  static Totals *instance = new Totals;
  return *instance;
}

constexpr size_t bufferBytes = 8 << 20;

void CUPTIAPI provideBuffer(uint8_t **buffer, size_t *bytes, size_t *maxRecords) {
  *buffer = static_cast<uint8_t *>(aligned_alloc(64, bufferBytes));
  *bytes = *buffer ? bufferBytes : 0;
  *maxRecords = 0;
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t validBytes) {
  std::lock_guard<std::mutex> lock(totals().mutex);
  CUpti_Activity *record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    auto *kernel = reinterpret_cast<CUpti_ActivityKernel9 *>(record);
    KernelTotal &total = totals().kernels[kernel->name];
    ++total.launches;
    total.totalUs += double(kernel->end - kernel->start) / 1000;
    total.registers = kernel->registersPerThread;
  }
  free(buffer);
}

void writeTotals() {
  if (cuptiActivityFlushAll(1) != CUPTI_SUCCESS)
    fprintf(stderr, "kernel_times: the last records could not be read\n");
  const char *path = getenv("REGRAIN_KERNEL_TIMES");
  FILE *file = path ? fopen(path, "w") : nullptr;
  if (!file) {
    fprintf(stderr, "kernel_times: cannot write REGRAIN_KERNEL_TIMES=%s\n", path ? path : "");
    return;
  }
  std::lock_guard<std::mutex> lock(totals().mutex);
  fprintf(file, "{\"kernels\": {");
  const char *separator = "";
  for (const auto &[name, total] : totals().kernels) {
    fprintf(file, "%s\"%s\": {\"launches\": %ld, \"totalUs\": %.3f, \"registers\": %d}", separator,
            name.c_str(), total.launches, total.totalUs, total.registers);
    separator = ", ";
  }
  fprintf(file, "}, \"turns\": %ld}\n", turns::taken());
  if (fclose(file))
    fprintf(stderr, "kernel_times: cannot write %s\n", path);
}

} // namespace

extern "C" int InitializeInjection() {
  const char *lock = getenv("REGRAIN_DEVICE_TURNS");
  if (lock && !turns::take(lock))
    fprintf(stderr, "kernel_times: processes do not take turns\n");
  if (!getenv("REGRAIN_KERNEL_TIMES"))
    return 1;
  if (cuptiActivityRegisterCallbacks(provideBuffer, takeBuffer) != CUPTI_SUCCESS ||
      cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
    fprintf(stderr, "kernel_times: CUPTI is not usable here\n");
    return 0;
  }
  return atexit(writeTotals) == 0;
}
