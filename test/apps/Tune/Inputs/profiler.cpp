// What a profiler loads into a process, as far as ranges are concerned: it prints them to stderr. With the headers of
// NVTX its types are NVIDIA's own.
#include <cstdio>
#include <cstring>

static int depth = 0;

static int push(const char *name) {
  std::fprintf(stderr, "%*sbegin %s\n", 2 * depth, "", name);
  return depth++;
}
static int pop() {
  if (--depth < 0)
    std::fprintf(stderr, "a range ends that has not begun\n");
  return depth;
}

#ifdef ROCTX
extern "C" int roctxRangePushA(const char *name) { return push(name); }
extern "C" int roctxRangePop() { return pop(); }
#else
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#else
typedef void (*NvtxFunctionPointer)();
typedef NvtxFunctionPointer **NvtxFunctionTable;
enum NvtxCallbackModule { NVTX_CB_MODULE_CORE = 1 };
enum { NVTX_CBID_CORE_RangePushA = 9, NVTX_CBID_CORE_RangePop = 11, NVTX_CBID_CORE_SIZE = 16 };
enum { NVTX_CBID_CUDA_SIZE = 9, NVTX_CBID_OPENCL_SIZE = 15, NVTX_CBID_CUDART_SIZE = 7, NVTX_CBID_CORE2_SIZE = 16, NVTX_CBID_SYNC_SIZE = 7 };
enum { NVTX_ETID_CALLBACKS = 1, NVTX_ETID_VERSIONINFO = 3 };
struct NvtxExportTableCallbacks {
  size_t struct_size;
  int (*GetModuleFunctionTable)(NvtxCallbackModule, NvtxFunctionTable *, unsigned *);
};
struct NvtxExportTableVersionInfo {
  size_t struct_size;
  unsigned version, reserved0;
  void (*SetInjectionNvtxVersion)(unsigned);
};
typedef const void *(*NvtxGetExportTableFunc_t)(unsigned);
#endif

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t findTable) {
  auto *version = static_cast<const NvtxExportTableVersionInfo *>(findTable(NVTX_ETID_VERSIONINFO));
  if (version->struct_size < sizeof *version || version->version != 3)
    return 0;
  version->SetInjectionNvtxVersion(3);
  auto *callbacks = static_cast<const NvtxExportTableCallbacks *>(findTable(NVTX_ETID_CALLBACKS));
  if (callbacks->struct_size < sizeof *callbacks)
    return 0;
  // Nsight Compute declines a process that lacks one of the groups.
  constexpr unsigned sizes[] = {NVTX_CBID_CORE_SIZE,   NVTX_CBID_CUDA_SIZE,  NVTX_CBID_OPENCL_SIZE,
                                NVTX_CBID_CUDART_SIZE, NVTX_CBID_CORE2_SIZE, NVTX_CBID_SYNC_SIZE};
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  for (unsigned group = 6; group >= 1; --group)
    if (!callbacks->GetModuleFunctionTable(NvtxCallbackModule(group), &table, &size) || size != sizes[group - 1] ||
        table[size] || !table[size - 1])
      return 0;
  *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
#endif
