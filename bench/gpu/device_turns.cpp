//===- device_turns.cpp - Processes take turns on a GPU -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that gives the device work waits until this process holds the lock. A
// thread of its own gives the lock back. `held` and `inside` are written and
// then read in the opposite order by the two sides, so that either a call sees
// that the lock is gone, or the thread sees the call.
//
//===----------------------------------------------------------------------===//
#include "device_turns.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <initializer_list>
#include <mutex>
#include <sys/file.h>
#include <thread>

namespace {

constexpr auto idle = std::chrono::milliseconds(80);

struct Turn {
  int file = -1;
  std::mutex change;
  std::atomic<bool> held{false};
  std::atomic<int> inside{0};
  std::atomic<long> calls{0};
  std::atomic<long> taken{0};
  std::atomic<CUcontext> context{nullptr};
};

// The object is never destroyed: its thread outlives main.
Turn &turn() {
  static Turn *instance = new Turn;
  return *instance;
}

thread_local bool isWatcher = false;

// Calls of this thread that have begun, without cuInit, in which this library
// is loaded.
thread_local int depth = 0;

bool givesWork(const char *name) {
  name += strncmp(name, "cuda", 4) ? 2 : 4;
  for (const char *start : {"Launch", "Memcpy", "Memset", "GraphLaunch", "MemPrefetch"})
    if (!strncmp(name, start, strlen(start)))
      return true;
  return false;
}

void acquire() {
  Turn &own = turn();
  std::lock_guard<std::mutex> lock(own.change);
  if (own.held)
    return;
  while (flock(own.file, LOCK_EX) != 0) {
  }
  ++own.taken;
  own.held = true;
}

void CUPTIAPI onCall(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *data) {
  if (isWatcher)
    return;
  auto *call = static_cast<const CUpti_CallbackData *>(data);
  Turn &own = turn();
  if (call->callbackSite == CUPTI_API_EXIT) {
    if (depth == 0)
      return;
    --depth;
    ++own.calls;
    --own.inside;
    return;
  }
  ++depth;
  ++own.inside;
  if (call->context)
    own.context = call->context;
  if (!own.held && givesWork(call->functionName))
    acquire();
}

/// Waits for the work of the program's last context.
void synchronize() {
  struct Driver {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    decltype(&cuCtxSetCurrent) setCurrent =
        reinterpret_cast<decltype(setCurrent)>(dlsym(library, "cuCtxSetCurrent"));
    decltype(&cuCtxSynchronize) wait =
        reinterpret_cast<decltype(wait)>(dlsym(library, "cuCtxSynchronize"));
    Driver() {
      // The wait must not end a capture of the program.
      using Exchange = CUresult (*)(CUstreamCaptureMode *);
      CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
      reinterpret_cast<Exchange>(dlsym(library, "cuThreadExchangeStreamCaptureMode"))(&mode);
    }
  };
  static Driver driver;
  CUcontext context = turn().context;
  if (context && driver.setCurrent(context) == CUDA_SUCCESS)
    driver.wait();
}

/// Gives the lock back unless the program has called something since it had
/// made `seen` calls.
void release(long seen) {
  Turn &own = turn();
  synchronize();
  std::lock_guard<std::mutex> lock(own.change);
  own.held = false;
  if (own.inside != 0 || own.calls != seen)
    own.held = true;
  else
    flock(own.file, LOCK_UN);
}

void watch() {
  isWatcher = true;
  Turn &own = turn();
  for (long seen = -1;;) {
    std::this_thread::sleep_for(idle);
    long now = own.calls;
    if (own.held && own.inside == 0 && now == seen)
      release(seen);
    seen = now;
  }
}

} // namespace

bool turns::take(const char *lock) {
  Turn &own = turn();
  own.file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  CUpti_SubscriberHandle subscriber;
  if (own.file < 0 || cuptiSubscribe(&subscriber, onCall, nullptr) != CUPTI_SUCCESS)
    return false;
  for (CUpti_CallbackDomain domain : {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API})
    if (cuptiEnableDomain(1, subscriber, domain) != CUPTI_SUCCESS)
      return false;
  std::thread(watch).detach();
  return true;
}

long turns::taken() { return turn().taken; }
