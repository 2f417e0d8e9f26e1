// Neighbours are joined although their address is found in many steps.
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s
#include <cstdint>
#include <cuda_fp16.h>

__device__ void load(half (&tile)[4], const half *from, unsigned n) {
  uint32_t(&words)[2] = reinterpret_cast<uint32_t(&)[2]>(tile);
  words[0] = ((const uint32_t *)from)[threadIdx.x / 4 * n];
  words[1] = ((const uint32_t *)from)[(threadIdx.x / 4 + 8) * n];
}
// CHECK-LABEL: .entry _Z5tiles
// CHECK-NOT: ld.global.b16
// CHECK-NOT: ld.global.u16
// CHECK-COUNT-4: ld.global.b32
__global__ void tiles(half *out, const half *in, unsigned n, unsigned m, half factor) {
  const half *block = in + blockIdx.y * 128 * n;
  block = block + blockIdx.x * 64;
  const half *warp = block + threadIdx.y * 16 * n;
  warp = warp + threadIdx.z * m * 32;
  warp = warp + n / 64 * 64;
  half tiles[2][4];
  for (int tile = 0; tile < 2; ++tile)
    load(tiles[tile], warp + tile * 8, n / 2);
  half sum = 0;
  for (int tile = 0; tile < 2; ++tile)
    for (int i = 0; i < 4; ++i)
      sum = sum * factor + tiles[tile][i];
  out[threadIdx.x] = sum;
}
