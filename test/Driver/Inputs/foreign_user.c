/* Calls the runtime by NVIDIA's names, as an object that was compiled against NVIDIA's headers. */
#include <stddef.h>

int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);

int statusOfForeignCall(void) {
  void *pointer = NULL;
  int status = cudaMalloc(&pointer, 16);
  return status ? status : cudaFree(pointer);
}
