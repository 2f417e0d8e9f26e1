// Pointers to entries of the driver have types for the release that brought them.
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <type_traits>

static_assert(std::is_same_v<PFN_cuMemCreate_v10020, decltype(&cuMemCreate)>);
static_assert(std::is_same_v<PFN_cuDeviceGetUuid_v9020, PFN_cuDeviceGetUuid_v11040>);
static_assert(sizeof(CUstreamBatchMemOpParams) == 48 && sizeof(CUmemFabricHandle) == CU_IPC_HANDLE_SIZE);
static_assert(std::is_same_v<PFN_cuLaunchKernelEx_v11060, PFN_cuLaunchKernelEx>);

int main() {
  cuInit(0);
  void *entry = nullptr;
  int error = cuGetProcAddress("cuDeviceGetCount", &entry, 12000, 0, nullptr);
  int count = -1;
  int errorOfCount = reinterpret_cast<PFN_cuDeviceGetCount_v2000>(entry)(&count);
  CUmulticastObjectProp properties = {2, 1 << 21, CU_MEM_HANDLE_TYPE_FABRIC, 0};
  CUmemGenericAllocationHandle handle;
  // CHECK: multicast 801
  std::printf("multicast %d\n", cuMulticastCreate(&handle, &properties));
  // CHECK: errors 0 0, 1 device
  std::printf("errors %d %d, %d device\n", error, errorOfCount, count);
}
