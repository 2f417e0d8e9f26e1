//===- textures.cu - Forms of reads through textures ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is its PTX instruction, and all element types are accepted.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -c --targets=cpu,ptx --alternatives=4 -o %t.o %s
// RUN: %regrain cc -c --targets=ptx -std=c++14 -o %t.o %s
// RUN: not %regrain cc -c --targets=ptx -DWRONG -o %t.no %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: {{.*}}regrainTexel<double>

texture<float, 1> line;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> picture;
surface<void, cudaSurfaceType2D> canvas;

__global__ void objects(float *out, cudaTextureObject_t t) {
#ifdef WRONG
  out[0] = tex2D<double>(t, 1.0f, 2.0f);
#endif
  // CHECK-LABEL: .visible .entry _Z7objects
  // CHECK: tex.1d.v4.s32.s32
  out[0] = tex1Dfetch<short>(t, 3);
  // CHECK: tex.1d.v4.f32.f32
  out[1] = tex1D<float>(t, 3.0f);
  // CHECK: tex.level.2d.v4.u32.f32
  out[2] = tex2DLod<unsigned>(t, 3.0f, 1.0f, 2.0f);
  // CHECK: tex.grad.3d.v4.f32.f32
  out[3] = tex3DGrad<float2>(t, 1, 2, 3, float4{1, 2, 3, 0}, float4{4, 5, 6, 0}).y;
  // CHECK: tex.a1d.v4.f32.f32
  out[4] = tex1DLayered<float1>(t, 3.0f, 1).x;
  // CHECK: tex.level.a2d.v4.f32.f32
  out[5] = tex2DLayeredLod<float4>(t, 3.0f, 1.0f, 2, 0.5f).w;
  // CHECK: tex.cube.v4.f32.f32
  tex2D(&out[6], t, 0.5f, 0.5f);
  out[7] = texCubemap<float>(t, 1, 2, 3);
  // CHECK: tex.acube.v4.s32.f32
  out[8] = texCubemapLayered<char4>(t, 1, 2, 3, 4).z;
  // CHECK: tld4.a.2d.v4.f32.f32
  out[9] = tex2Dgather<float4>(t, 1, 2, 3).x;
}

__global__ void references(float *out) {
  // CHECK-LABEL: .visible .entry _Z10references
  // CHECK: ld.global.u64 [[LINE:%rd[0-9]+]], [line];
  // CHECK: tex.1d.v4.f32.s32 {{.*}} [[[LINE]], {
  out[0] = tex1Dfetch(line, 3);
  // CHECK: tex.2d.v4.f32.f32
  out[1] = tex2D(picture, 1.0f, 2.0f).y;
  // CHECK: sust.b.2d.b32.trap
  surf2Dwrite(out[2], canvas, 4, 5);
}

__global__ void surfaces(cudaSurfaceObject_t s, double *wide) {
  // CHECK-LABEL: .visible .entry _Z8surfaces
  // CHECK: suld.b.a1d.b8.clamp
  unsigned char byte = surf1DLayeredread<unsigned char>(s, 3, 1, cudaBoundaryModeClamp);
  // CHECK: suld.b.3d.v2.b32.zero
  *wide = surf3Dread<double>(s, 8, 1, 2, cudaBoundaryModeZero);
  // CHECK: sust.b.1d.b8.trap
  surf1Dwrite(byte, s, 4);
  // CHECK: sust.b.a2d.v4.b32.trap
  surfCubemapwrite(make_uint4(1, 2, 3, 4), s, 16, 1, 5);
}

int main() {
  line.filterMode = cudaFilterModePoint;
  picture.normalized = 1;
  picture.addressMode[0] = cudaAddressModeWrap;
  cudaArray_t array = nullptr;
  float *memory = nullptr;
  size_t offset = 0;
  cudaBindTexture(&offset, line, memory, 16);
  cudaBindTexture(&offset, line, memory, cudaCreateChannelDesc<float>(), 16);
  cudaBindTexture2D(nullptr, picture, memory, 4, 4, 32);
  cudaBindTextureToArray(picture, array);
  cudaBindSurfaceToArray(canvas, array);
  cudaUnbindTexture(line);
}
