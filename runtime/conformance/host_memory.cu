//===- host_memory.cu - Memory of the host that devices know ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <cstdlib>

using namespace conformance;

namespace {

__global__ void store(int *out) { *out = 42; }

void pinned() {
  void *pointer = &pointer;
  unsigned flags = 77;
  answer("nothing", cudaMallocHost(&pointer, 0));
  answer("nothing is null", pointer == nullptr);
  answer("to null", cudaMallocHost(static_cast<void **>(nullptr), 16));
  answer("flags that are none", cudaHostAlloc(&pointer, 16, 0x100));
  answer("2^50 bytes", cudaMallocHost(&pointer, size_t(1) << 50));
  answer("something", cudaHostAlloc(&pointer, 100, cudaHostAllocPortable));
  answer("flags", cudaHostGetFlags(&flags, pointer));
  answer("it is portable", (flags & cudaHostAllocPortable) != 0);
  answer("flags to null", cudaHostGetFlags(nullptr, pointer));
  answer("free it as a device's", cudaFree(pointer));
  answer("free it", cudaFreeHost(pointer));
  answer("free it again", cudaFreeHost(pointer));
  answer("free null", cudaFreeHost(nullptr));
  int local = 0;
  answer("free a variable", cudaFreeHost(&local));
  answer("flags of a variable", cudaHostGetFlags(&flags, &local));
  Buffer<int> device(1);
  answer("free a device's as the host's", cudaFreeHost(device.data));
}

void mapped() {
  int *host = nullptr, *device = nullptr, local = 0;
  answer("mapped", cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped));
  answer("its device pointer", cudaHostGetDevicePointer(&device, host, 0));
  answer("both are one", device == host);
  *host = 0;
  store<<<1, 1>>>(device);
  answer("wait for a kernel", cudaDeviceSynchronize());
  answer("a kernel wrote it", *host);
  answer("device pointer with flags", cudaHostGetDevicePointer(&device, host, 1));
  answer("device pointer of a variable", cudaHostGetDevicePointer(&device, &local, 0));
  answer("device pointer to null", cudaHostGetDevicePointer(static_cast<int **>(nullptr), host, 0));
  answer("free mapped memory", cudaFreeHost(host));
}

void registered() {
  constexpr size_t bytes = 1 << 16;
  void *memory = nullptr;
  unsigned flags = 0;
  if (posix_memalign(&memory, 4096, bytes) != 0)
    return;
  answer("register", cudaHostRegister(memory, bytes, cudaHostRegisterMapped));
  answer("register again", cudaHostRegister(memory, bytes, cudaHostRegisterMapped));
  answer("register a part", cudaHostRegister(static_cast<char *>(memory) + 4096, 4096, 0));
  answer("flags of registered memory", cudaHostGetFlags(&flags, memory));
  int *device = nullptr;
  answer("device pointer of registered memory", cudaHostGetDevicePointer(&device, memory, 0));
  store<<<1, 1>>>(device);
  answer("a kernel on registered memory", cudaDeviceSynchronize());
  answer("what it wrote", *static_cast<int *>(memory));
  answer("unregister the middle", cudaHostUnregister(static_cast<char *>(memory) + 4096));
  answer("unregister", cudaHostUnregister(memory));
  answer("unregister again", cudaHostUnregister(memory));
  answer("unregister null", cudaHostUnregister(nullptr));
  answer("register null", cudaHostRegister(nullptr, bytes, 0));
  answer("register nothing", cudaHostRegister(memory, 0, 0));
  answer("register with flags that are none", cudaHostRegister(memory, bytes, 0x1000));
  std::free(memory);
}

} // namespace

AREA(host_memory) {
  pinned();
  mapped();
  registered();
}
