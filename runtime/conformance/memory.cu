//===- memory.cu - Memory of a device -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <cstdint>

using namespace conformance;

namespace {

void allocating() {
  void *pointer = &pointer;
  answer("nothing", cudaMalloc(&pointer, 0));
  answer("nothing is null", pointer == nullptr);
  answer("to null", cudaMalloc(static_cast<void **>(nullptr), 16));
  pointer = &pointer;
  answer("2^50 bytes", cudaMalloc(&pointer, size_t(1) << 50));
  answer("all bytes", cudaMalloc(&pointer, SIZE_MAX));
  answer("nearly all bytes", cudaMalloc(&pointer, SIZE_MAX - 4096));
  answer("something", cudaMalloc(&pointer, 100));
  answer("it is aligned", reinterpret_cast<uintptr_t>(pointer) % 256 == 0);
  answer("free it", cudaFree(pointer));
  answer("free it again", cudaFree(pointer));
  answer("free null", cudaFree(nullptr));
  int local = 0;
  answer("free a variable", cudaFree(&local));
  answer("something once more", cudaMalloc(&pointer, 100));
  answer("free the middle of it", cudaFree(static_cast<char *>(pointer) + 16));
  answer("free it after all", cudaFree(pointer));
}

void rows() {
  void *pointer = nullptr;
  size_t pitch = 0;
  answer("rows", cudaMallocPitch(&pointer, &pitch, 100, 10));
  answer("rows are aligned", pitch >= 100 && pitch % 32 == 0);
  answer("free rows", cudaFree(pointer));
  pointer = &pitch;
  answer("rows of nothing", cudaMallocPitch(&pointer, &pitch, 0, 10));
  answer("rows of nothing are null", pointer == nullptr);
  answer("no rows", cudaMallocPitch(&pointer, &pitch, 10, 0));
  answer("rows without a pitch", cudaMallocPitch(&pointer, nullptr, 10, 10));
  answer("too many rows", cudaMallocPitch(&pointer, &pitch, 1 << 20, size_t(1) << 40));
  cudaPitchedPtr box = {};
  answer("a box", cudaMalloc3D(&box, make_cudaExtent(60, 5, 4)));
  answer("a box's sizes", box.ptr && box.pitch >= 60 && box.xsize == 60 && box.ysize == 5);
  answer("free the box", cudaFree(box.ptr));
  answer("an empty box", cudaMalloc3D(&box, make_cudaExtent(0, 5, 4)));
  answer("an empty box is null", box.ptr == nullptr);
}

void accounting() {
  size_t before = 0, during = 0, after = 0, total = 0;
  void *pointer = nullptr;
  answer("how much", cudaMemGetInfo(&before, &total));
  answer("no more is free than there is", before > 0 && before <= total);
  answer("take much", cudaMalloc(&pointer, size_t(64) << 20));
  answer("use it", cudaMemset(pointer, 1, size_t(64) << 20));
  answer("wait", cudaDeviceSynchronize());
  answer("how much then", cudaMemGetInfo(&during, &total));
  answer("less is free", during < before);
  answer("give it back", cudaFree(pointer));
  answer("how much after", cudaMemGetInfo(&after, &total));
  answer("more is free again", after > during);
}

void attributesOf(const char *question, const void *pointer) {
  cudaPointerAttributes all = {};
  cudaError_t status = cudaPointerGetAttributes(&all, pointer);
  char text[160];
  std::snprintf(text, sizeof text, "%s, type %d, device %s, device pointer %s, host pointer %s",
                cudaGetErrorName(status), int(all.type), all.device == 0 ? "0" : "none",
                all.devicePointer == pointer ? "it" : (all.devicePointer ? "other" : "null"),
                all.hostPointer == pointer ? "it" : (all.hostPointer ? "other" : "null"));
  answer(question, text);
}

void attributes() {
  static int registered[4096];
  int local = 0;
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  answer("of a device", cudaMalloc(&device, 256));
  answer("of the host", cudaMallocHost(&pinned, 256));
  answer("of both", cudaMallocManaged(&managed, 256));
  answer("registered", cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped));
  attributesOf("attributes of a device's", device);
  attributesOf("attributes within a device's", static_cast<char *>(device) + 17);
  attributesOf("attributes of the host's", pinned);
  attributesOf("attributes of both's", managed);
  attributesOf("attributes within both's", static_cast<char *>(managed) + 100);
  attributesOf("attributes of registered memory", registered + 3);
  attributesOf("attributes of a variable", &local);
  attributesOf("attributes of null", nullptr);
  answer("attributes to null", cudaPointerGetAttributes(nullptr, device));
  answer("unregister", cudaHostUnregister(registered));
  attributesOf("attributes of memory that was registered", registered + 3);
  answer("free the host's", cudaFreeHost(pinned));
  answer("free both's", cudaFree(managed));
  answer("free a device's", cudaFree(device));
}

} // namespace

AREA(memory) {
  allocating();
  rows();
  accounting();
  attributes();
}
