// stores=nontemporal makes streaming stores in PTX. x86 would order such stores differently from others, so
// there the code is the same. The space of a GPU has the grain.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:stores=nontemporal' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:stores=nontemporal' --emit=asm %s | FileCheck %s --check-prefix=CPU --implicit-check-not=movnt
// RUN: %regrain cc -O3 --targets=cpu,ptx --coarsen='*:stores=nontemporal' -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %regrain explain --targets=cpu --alternatives=24 %s | FileCheck %s --check-prefix=CPUSPACE --implicit-check-not=stores=
// RUN: %regrain explain --targets=cpu,ptx --alternatives=16 %s | FileCheck %s --check-prefix=SPACE

__global__ void twice(float4 *out, const float4 *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = make_float4(2 * in[i].x, 2 * in[i].y, 2 * in[i].z, 2 * in[i].w);
}

// PTX: .entry _Z5twiceP6float4PKS_i__grain_storesnontemporal
// PTX: st.global.cs.v4.f32
// CPU: twice{{.*}}grain_storesnontemporal
// SAME: twice{{.*}} at stores=nontemporal for cpu: the same code as original
// CPUSPACE: twice
// SPACE: stores=nontemporal
