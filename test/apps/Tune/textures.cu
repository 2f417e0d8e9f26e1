// A kernel that reads textures is tuned; one that writes through a surface is not.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O2 -w --targets=cpu --alternatives=2 %s -o %t/program
//
// RUN: timeout 60 %regrain tune --budget=1 --db %t/read.db -- %t/program array 2>&1 | FileCheck %s --check-prefix=READ
// READ: array: right
// READ: regrain tune: 1 kernel, 1 class of launches
// READ-NOT: cannot restore
// RUN: timeout 60 %regrain tune --budget=1 --db %t/write.db -- %t/program write 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: write: right
// WRITE: writeAll {{.*}}: it writes through a surface, whose array is not saved
//
// The host may change memory that a texture reads.
// RUN: timeout 60 %regrain tune --budget=1 --db %t/linear.db -- %t/program linear 2>&1 | FileCheck %s --check-prefix=LINEAR
// LINEAR: linear: right
// LINEAR: regrain tune: 1 kernel, 1 class of launches
// LINEAR-NOT: may change
// RUN: timeout 60 %regrain tune --budget=1 --db %t/pinned.db -- %t/program pinned 2>&1 | FileCheck %s --check-prefix=PINNED
// PINNED: pinned: right
// PINNED: readLine {{.*}}: the program has a texture of memory that it may change during a measurement
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int width = 128, height = 40, n = width * height, launches = 24;

__global__ void readAll(int *out, cudaTextureObject_t texture) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
  out[i] += tex2D<int>(texture, x, y) + i;
}
__global__ void writeAll(cudaSurfaceObject_t surface) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
  surf2Dwrite(surf2Dread<int>(surface, 4 * x, y) + 1, surface, 4 * x, y);
}
__global__ void readLine(int *out, cudaTextureObject_t texture) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += tex1Dfetch<int>(texture, i) + i;
}

static bool areAll(const std::vector<int> &data, int factor) {
  for (int i = 0; i < n; ++i)
    if (data[i] != factor * i)
      return false;
  return true;
}

int main(int argc, char **argv) {
  const char *mode = argv[1];
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = i;
  int *out = nullptr, *line = nullptr;
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  bool isArray = !strcmp(mode, "array") || !strcmp(mode, "write");
  if (isArray) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
    cudaMemcpyToArray(array, 0, 0, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    cudaCreateSurfaceObject(&surface, &resource);
    for (int i = 0; i < launches; ++i)
      if (!strcmp(mode, "array"))
        readAll<<<height, width>>>(out, texture);
      else
        writeAll<<<height, width>>>(surface);
    if (!strcmp(mode, "write")) {
      std::vector<int> written(n);
      cudaMemcpyFromArray(written.data(), array, 0, 0, n * sizeof(int), cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; ++i)
        data[i] = written[i] - launches;
    }
  } else {
    if (!strcmp(mode, "pinned"))
      cudaMallocHost(&line, n * sizeof(int));
    else
      cudaMalloc(&line, n * sizeof(int));
    cudaMemcpy(line, data.data(), n * sizeof(int), cudaMemcpyDefault);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = n * sizeof(int);
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    for (int i = 0; i < launches; ++i)
      readLine<<<height, width>>>(out, texture);
  }
  if (strcmp(mode, "write"))
    cudaMemcpy(data.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool isRight = areAll(data, strcmp(mode, "write") ? 2 * launches : 1);
  printf("%s: %s\n", mode, isRight && cudaGetLastError() == cudaSuccess ? "right" : "wrong");
}
