// Each thread loads four elements, and behind the barrier stores four others, in the order of addresses.
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='transpose:thread.y=4,shape=32x32x1,staging=transposed' --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// CHECK-LABEL: .entry transpose__grain_
// CHECK: .shared .align 16 .b8 {{.*}}[4224];
// CHECK: ld.global.f32
// CHECK-NEXT: ld.global.f32
// CHECK-NEXT: ld.global.f32
// CHECK-NEXT: ld.global.f32
// CHECK: st.shared.f32
// CHECK-NOT: st.global
// CHECK: bar.sync 0;
// CHECK-NOT: ld.global
// CHECK: ld.shared.f32
// CHECK: st.global.f32
// CHECK: st.global.f32
// CHECK: st.global.f32
// CHECK: st.global.f32
// CHECK: ret;
extern "C" __global__ void transpose(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[x * ny + y] = in[y * nx + x];
}
