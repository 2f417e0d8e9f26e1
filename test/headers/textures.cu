//===- textures.cu - Textures are refused by name ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one error at each place that reads through a texture or a surface.
//
//===----------------------------------------------------------------------===//
// RUN: not %regrain cc -c --targets=cpu -o %t.o %s 2>&1 | FileCheck %s
// RUN: not %regrain cc -c --targets=cpu -DREFERENCE -o %t.o %s 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not ls %t.o

#ifdef REFERENCE
// REFERENCE: textures.cu:[[@LINE+2]]:1: error: 'texture<float, 2>' is unavailable: textures are not supported
// REFERENCE-NOT: error:
texture<float, 2> image;
#else
__global__ void read(float *out, cudaTextureObject_t image, cudaSurfaceObject_t surface) {
  // CHECK: textures.cu:[[@LINE+1]]:12: error: 'tex2D<float, float, float>' is unavailable: textures are not supported
  out[0] = tex2D<float>(image, 1.0f, 2.0f);
  // CHECK: textures.cu:[[@LINE+1]]:3: error: 'surf2Dwrite<float, int, int>' is unavailable: surfaces are not supported
  surf2Dwrite(1.0f, surface, 4, 5);
  // CHECK-NOT: error:
}
#endif
