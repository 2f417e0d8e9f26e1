// stores=nontemporal is a hint that PTX of LLVM 19 cannot express, and that x86 would order differently
// from other stores: there the code is the same, so the space has no such grain; AMD's has it.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:stores=nontemporal' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:stores=nontemporal' --emit=asm %s | FileCheck %s --check-prefix=CPU --implicit-check-not=movnt
// RUN: %regrain cc -O3 --targets=cpu,ptx --coarsen='*:stores=nontemporal' -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %regrain explain --targets=cpu,ptx --alternatives=24 %s | FileCheck %s --check-prefix=SPACE --implicit-check-not=stores=

__global__ void twice(float4 *out, const float4 *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = make_float4(2 * in[i].x, 2 * in[i].y, 2 * in[i].z, 2 * in[i].w);
}

// PTX: .entry _Z5twiceP6float4PKS_i__grain_storesnontemporal
// PTX: st.global.v4.f32
// CPU: twice{{.*}}grain_storesnontemporal
// SAME: twice{{.*}} at stores=nontemporal for cpu: the same code as original
// SPACE: twice
