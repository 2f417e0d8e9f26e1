//===- functions.cu - Attributes of kernels -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <cstring>

using namespace conformance;

namespace {

extern __shared__ int dynamic[];

__global__ void __launch_bounds__(96) bounded(int *out) {
  __shared__ int tile[250];
  for (int i = threadIdx.x; i < 250; i += blockDim.x)
    tile[i] = i * out[1];
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = tile[out[1]];
}
__global__ void plain(int *out) { out[threadIdx.x] = 1; }
__global__ void large(int *out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    dynamic[i] = i;
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = dynamic[count - 1];
}

__global__ void four(char, double *, short, long long) {}

// Both calls came with CUDA 12.3 and 12.4.
void names() {
  const char *name = nullptr;
  int none = 0;
  answer("name", cudaFuncGetName(&name, reinterpret_cast<const void *>(four)));
  answer("it is in the name", name && std::strstr(name, "four") != nullptr);
  answer("name of no kernel", cudaFuncGetName(&name, reinterpret_cast<const void *>(&none)));
  answer("name of null", cudaFuncGetName(&name, nullptr));
  answer("name to null", cudaFuncGetName(nullptr, reinterpret_cast<const void *>(four)));
}

void parameters() {
  const void *kernel = reinterpret_cast<const void *>(four);
  size_t offset = 7, size = 7;
  for (size_t index = 0; index < 4; ++index) {
    answer("parameter", cudaFuncGetParamInfo(kernel, index, &offset, &size));
    answer("its offset", int(offset));
    answer("its size", int(size));
  }
  answer("parameter without its size", cudaFuncGetParamInfo(kernel, 1, &offset, nullptr));
  answer("parameter without its offset", cudaFuncGetParamInfo(kernel, 1, nullptr, &size));
  answer("parameter behind the last", cudaFuncGetParamInfo(kernel, 4, &offset, &size));
}

void attributes() {
  cudaFuncAttributes all = {}, other = {};
  int none = 0;
  answer("bounded", cudaFuncGetAttributes(&all, bounded));
  answer("threads of bounded", all.maxThreadsPerBlock);
  answer("shared bytes of bounded", all.sharedSizeBytes >= 1000 && all.sharedSizeBytes <= 2048);
  answer("registers of bounded", all.numRegs > 0);
  answer("versions of bounded", all.binaryVersion >= 30 && all.ptxVersion >= 30);
  answer("plain", cudaFuncGetAttributes(&all, plain));
  answer("threads of plain", all.maxThreadsPerBlock);
  answer("shared bytes of plain", all.sharedSizeBytes < 1100);
  answer("dynamic shared bytes of plain", all.maxDynamicSharedSizeBytes);
  answer("carveout of plain", all.preferredShmemCarveout);
  void (*pointer)(int *) = plain;
  answer("by pointer", cudaFuncGetAttributes(&other, reinterpret_cast<const void *>(pointer)));
  answer("by pointer it is the same",
         other.numRegs == all.numRegs && other.maxThreadsPerBlock == all.maxThreadsPerBlock);
  answer("what is no kernel", cudaFuncGetAttributes(&all, reinterpret_cast<const void *>(&none)));
  answer("null", cudaFuncGetAttributes(&all, static_cast<const void *>(nullptr)));
  answer("to null", cudaFuncGetAttributes(nullptr, plain));
}

void shared() {
  Buffer<int> out(1);
  int optin = 0, usual = 0;
  answer("most shared bytes",
         cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  answer("usual shared bytes",
         cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  answer("there are more than usual", optin > usual);
  int count = (usual + 4096) / int(sizeof(int)), wanted = count * int(sizeof(int));
  constexpr cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncAttributes all = {};
  large<<<1, 64, wanted>>>(out.data, count);
  answerLaunch("more than usual without asking");
  answer("ask for more", cudaFuncSetAttribute(large, most, wanted));
  answer("what was asked", cudaFuncGetAttributes(&all, large));
  answer("it is as asked", all.maxDynamicSharedSizeBytes == wanted);
  large<<<1, 64, wanted>>>(out.data, count);
  answerLaunch("more than usual");
  answer("its value", read(out.data) == count - 1);
  answer("ask for too much", cudaFuncSetAttribute(large, most, optin + 1));
  answer("ask for all beside static memory", cudaFuncSetAttribute(bounded, most, optin));
  answer("ask for less than nothing", cudaFuncSetAttribute(large, most, -1));
  answer("ask for nothing", cudaFuncSetAttribute(large, most, 0));
  large<<<1, 64, 64>>>(out.data, 16);
  answerLaunch("some after asking for nothing");
  answer("wait", cudaDeviceSynchronize());
}

void hints() {
  constexpr cudaFuncAttribute carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  int none = 0;
  cudaFuncAttributes all = {};
  answer("carveout", cudaFuncSetAttribute(plain, carveout, 50));
  answer("carveout again", cudaFuncGetAttributes(&all, plain));
  answer("carveout as set", all.preferredShmemCarveout);
  answer("carveout above 100", cudaFuncSetAttribute(plain, carveout, 101));
  answer("carveout below -1", cudaFuncSetAttribute(plain, carveout, -2));
  answer("an attribute that is none",
         cudaFuncSetAttribute(plain, static_cast<cudaFuncAttribute>(99), 1));
  answer("an attribute of what is no kernel",
         cudaFuncSetAttribute(reinterpret_cast<const void *>(&none), carveout, 50));
  answer("cache preference", cudaFuncSetCacheConfig(plain, cudaFuncCachePreferShared));
  answer("cache preference that is none",
         cudaFuncSetCacheConfig(plain, static_cast<cudaFuncCache>(9)));
}

} // namespace

AREA(functions) {
  names();
  parameters();
  attributes();
  shared();
  hints();
}
