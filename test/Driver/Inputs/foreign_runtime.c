/* Stands for NVIDIA's runtime. Its status is one that no call of Regrain's runtime returns. */
enum { foreignStatus = 4242 };

#define ENTRY(NAME) \
  int NAME(void) { return foreignStatus; }
ENTRY(cudaMalloc)
ENTRY(cudaMallocManaged)
ENTRY(cudaFree)
ENTRY(cudaGetLastError)
ENTRY(cudaDeviceSynchronize)
ENTRY(cudaLaunchKernel)
ENTRY(cudaStreamCreate)
ENTRY(cudaStreamSynchronize)
ENTRY(__cudaPushCallConfiguration)
ENTRY(__cudaPopCallConfiguration)
ENTRY(__cudaRegisterFunction)
ENTRY(__cudaRegisterFatBinary)
ENTRY(__cudaRegisterFatBinaryEnd)
ENTRY(__cudaUnregisterFatBinary)
