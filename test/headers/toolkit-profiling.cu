// The toolkit's headers for profilers and for other libraries need types of the driver API beside
// ours; the attributes of streams have the driver's names, too.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc --targets=cpu -c %s -o %t.o
#include <cuda.h>
#if __has_include(<cupti.h>)
#include <cupti.h>
#endif
#if __has_include(<cufftXt.h>)
#include <cufftXt.h>
#endif
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#endif

// Records of calls that Regrain does not have.
CUDA_LAUNCH_PARAMS launchOf(CUfunction function, CUstream stream) {
  CUDA_LAUNCH_PARAMS launch = {};
  launch.function = function;
  launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
  launch.hStream = stream;
  return launch;
}
static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D));
static_assert(CU_COREDUMP_MAX == 8 && CU_MODULE_LAZY_LOADING == 2);

static_assert(CU_STREAM_ATTRIBUTE_PRIORITY == 8 && CU_SYNC_POLICY_BLOCKING_SYNC == 4);

CUstreamAttrValue persisting(void *base, size_t bytes) {
  CUaccessPolicyWindow window = {};
  window.base_ptr = base;
  window.num_bytes = bytes;
  window.hitRatio = 1;
  window.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
  window.missProp = CU_ACCESS_PROPERTY_STREAMING;
  CUstreamAttrValue value = {};
  value.accessPolicyWindow = window;
  return value;
}

CUlaunchAttribute spread() {
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
  attribute.value.clusterSchedulingPolicyPreference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
  return attribute;
}
