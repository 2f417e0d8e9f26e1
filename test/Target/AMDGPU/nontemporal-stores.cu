// stores=nontemporal reaches the machine code of AMD GPUs, only for results, and is in their space.
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:stores=nontemporal' --emit=hsaco -o %t.gfx90a %s
// RUN: llvm-objdump -d %t.gfx90a | FileCheck %s --check-prefixes=BOTH,GFX9
// RUN: %regrain cc -O3 --targets=gfx1100 --coarsen='*:stores=nontemporal' --emit=hsaco -o %t.gfx1100 %s
// RUN: llvm-objdump -d %t.gfx1100 | FileCheck %s --check-prefixes=BOTH,GFX11
// RUN: %regrain explain --targets=gfx90a --alternatives=24 %s | FileCheck %s --check-prefix=SPACE

__global__ void twice(float *out, float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = data[i];
  out[i] = 2 * value;
  data[i] = value + 1;
}

// BOTH: twice{{.*}}grain_storesnontemporal
// GFX9: global_store_dword {{.*}} glc slc
// GFX9: global_store_dword {{[^gs]*}} //
// GFX11: global_store_b32 {{.*}} glc slc dlc
// GFX11: global_store_b32 {{[^gsd]*}} //
// SPACE: stores=nontemporal
