// Neighbours that one thread runs become accesses of 128 and 64 bits, if pointers and row strides are known to be
// aligned: loads and stores, of elements of 8 to 64 bits and of structures.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=4:contiguous,for.pointers=16' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=4:contiguous' --emit=ptx %s | FileCheck %s --check-prefix=ANY
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=8:contiguous,for.pointers=16' --emit=ptx %s | FileCheck %s --check-prefix=EIGHT
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=16:contiguous,for.pointers=16' --emit=ptx %s | FileCheck %s --check-prefix=SIXTEEN
// RUN: %regrain cc -O3 --targets=ptx --coarsen='rows:thread.x=4:contiguous,for.pointers=16,for.arg2=4n' --emit=ptx %s | FileCheck %s --check-prefix=ROWS
// RUN: %regrain cc -O3 --targets=ptx --coarsen='rows:thread.x=4:contiguous,for.pointers=16,for.arg2=6n' --emit=ptx %s | FileCheck %s --check-prefix=SIX

// Without the promise, and in originals, no accesses are joined to 128 bits.
// ANY-NOT: {{(ld|st)}}.global{{(.nc)?}}.v4
// ANY: .entry add__grain_
// ANY-NOT: {{(ld|st)}}.global{{(.nc)?}}.v4

// The arguments may overlap: each group's loads come before its stores.
// CHECK-LABEL: .entry add__grain_
// CHECK: ld.global.v4.f32
// CHECK: ld.global.v4.f32
// CHECK: st.global.v4.f32
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// CHECK-LABEL: .entry doubles__grain_
// CHECK-COUNT-2: ld.global.v2.f64
// CHECK-COUNT-2: st.global.v2.f64
// CHECK-NOT: .global.f64
// CHECK: ret;
extern "C" __global__ void doubles(double *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] *= 3;
}

// CHECK-LABEL: .entry cached__grain_
// CHECK: ld.global.nc.v4.f32
// CHECK: st.global.v4.f32
// CHECK: ret;
extern "C" __global__ void cached(const float *a, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = __ldg(&a[i]) * 3;
}

// Twelve words of four structures.
// CHECK-LABEL: .entry points__grain_
// CHECK-COUNT-3: ld.global.v4.f32
// CHECK-COUNT-3: st.global.v4.f32
// CHECK-NOT: .global.f32
// CHECK: ret;
struct Point {
  float x, y, z;
};
extern "C" __global__ void points(const Point *a, Point *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Point p = a[i];
  c[i] = {p.y, p.z, p.x};
}

// CHECK-LABEL: .entry pairs__grain_
// CHECK-COUNT-2: ld.global.v4.f32
// CHECK-COUNT-2: st.global.v4.f32
// CHECK: ret;
extern "C" __global__ void pairs(const float2 *a, float2 *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = make_float2(a[i].y, a[i].x);
}

// CHECK-LABEL: .entry shorts__grain_
// CHECK: ld.global.v4.u16
// CHECK: st.global.v4.u16
// EIGHT-LABEL: .entry shorts__grain_
// EIGHT: ld.global.v4.b32
// EIGHT: st.global.v4.b32
// EIGHT: ret;
extern "C" __global__ void shorts(const short *a, short *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] * a[i];
}

// Bytes are composed to words, because LLVM splits vectors of them.
// CHECK-LABEL: .entry bytes__grain_
// CHECK: ld.global.u32
// CHECK: st.global.u32
// EIGHT-LABEL: .entry bytes__grain_
// EIGHT: ld.global.u64
// EIGHT: st.global.u64
// EIGHT: ret;
// SIXTEEN-LABEL: .entry bytes__grain_
// SIXTEEN: ld.global.v4.u32
// SIXTEEN: st.global.v2.u64
// SIXTEEN-NOT: .global
// SIXTEEN: ret;
extern "C" __global__ void bytes(const unsigned char *a, unsigned char *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] * 3 + 1;
}

// A row begins at an aligned place if the stride is a multiple of four; six shows only that it is even.
// CHECK-LABEL: .entry rows__grain_
// CHECK-NOT: .global.v
// CHECK: ret;
// ROWS-LABEL: .entry rows__grain_
// ROWS: ld.global.v4.f32
// ROWS: st.global.v4.f32
// ROWS: ret;
// SIX-LABEL: .entry rows__grain_
// SIX-COUNT-2: ld.global.v2.f32
// SIX-COUNT-2: st.global.v2.f32
// SIX: ret;
extern "C" __global__ void rows(const float *a, float *c, int stride) {
  int i = blockIdx.y * stride + blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + 1;
}

// A pointer in a structure has any alignment.
// CHECK-LABEL: .entry inside__grain_
// CHECK-NOT: ld.global.v
// CHECK: st.global.v4.f32
// CHECK: ret;
struct Holder {
  const float *a;
};
extern "C" __global__ void inside(Holder holder, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = holder.a[i] + 1;
}

// A loop in which each thread advances by the launch's threads.
// CHECK-LABEL: .entry stride__grain_
// CHECK: ld.global.v4.f32
// CHECK: st.global.v4.f32
// CHECK: ret;
extern "C" __global__ void stride(const float *a, float *c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + 1;
}

// Arithmetic on elements of 16 bits in float does not keep their loads apart.
// EIGHT-LABEL: .entry scaled__grain_
// EIGHT: ld.global.v4.b32
// EIGHT-NOT: ld.global.v4.u16
// EIGHT: st.global.v4.b32
extern "C" __global__ void scaled(unsigned short *out, const unsigned short *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = __uint_as_float(unsigned(in[i]) << 16);
  out[i] = __float_as_uint(x * (1 + 0.1f * x * x)) >> 16;
}
