// CUDA's atomic functions order nothing: no cache is written back or invalidated for them, in originals and
// in alternatives. Order that the program requests is kept, with its scope, which is the system's by default.
// RUN: %regrain cc -O3 --targets=gfx90a --emit=hsaco -o %t.gfx90a %s
// RUN: llvm-objdump -d %t.gfx90a | FileCheck %s --check-prefixes=BOTH,GFX9
// RUN: %regrain cc -O3 --targets=gfx1100 --emit=hsaco -o %t.gfx1100 %s
// RUN: llvm-objdump -d %t.gfx1100 | FileCheck %s --check-prefixes=BOTH,GFX11
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen=relaxed:block.x=2 --emit=hsaco -o %t.joined %s
// RUN: llvm-objdump -d %t.joined | FileCheck %s --check-prefix=JOINED

// BOTH-LABEL: <_Z7relaxedPiPyPf>:
// BOTH-NOT: {{buffer_(wb|inv|gl)}}
// BOTH: global_atomic_add
// BOTH-NOT: {{buffer_(wb|inv|gl)}}
// GFX9: global_atomic_cmpswap_x2
// GFX11: global_atomic_cmpswap_b64
// BOTH-NOT: {{buffer_(wb|inv|gl)}}
// JOINED: <_Z7relaxedPiPyPf__grain_block_x2>:
// JOINED-NOT: buffer_
// JOINED: global_atomic_add
// JOINED-NOT: buffer_
// JOINED: s_endpgm
__global__ void relaxed(int *count, unsigned long long *lock, float *sum) {
  count[threadIdx.x + 1] = atomicAdd(count, 1);
  lock[threadIdx.x + 1] = atomicCAS(lock, 0ull, 1ull);
  sum[threadIdx.x + 1] = atomicExch(sum, 1.0f);
  atomicInc((unsigned *)count, 7u);
  atomicMax_block(count, 3);
  atomicOr_system(count, 8);
}

// BOTH-LABEL: <_Z6fencedPi>:
// BOTH: global_store
// BOTH: s_waitcnt
// GFX9: buffer_wbinvl1_vol
// GFX11: buffer_gl0_inv
// BOTH: global_atomic_{{swap|cmpswap}}
__global__ void fenced(int *flag) {
  flag[1] = 5;
  __threadfence();
  atomicExch(flag, 1);
}

// BOTH-LABEL: <_Z7orderedPi>:
// GFX9: buffer_wbl2
// BOTH: global_atomic_add
// GFX9: buffer_invl2
// GFX9: buffer_wbinvl1_vol
// GFX11: buffer_gl1_inv
// BOTH: s_endpgm
__global__ void ordered(int *count) {
  count[threadIdx.x + 1] = __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL);
}

// Inline PTX states its order and scope; without an order it is relaxed.
// BOTH-LABEL: <_Z9assembledPiS_>:
// BOTH: global_load_{{dword|b32}}
// GFX9-NEXT: s_waitcnt vmcnt(0)
// GFX9-NEXT: buffer_wbinvl1_vol
// GFX11: buffer_gl1_inv
// GFX11-NEXT: buffer_gl0_inv
// BOTH-NOT: {{buffer_(wb|inv|gl)}}
// BOTH: global_atomic_add
// GFX9: buffer_wbl2
// BOTH: s_waitcnt
// BOTH: global_store_{{dword|b32}}
// BOTH: s_endpgm
__global__ void assembled(int *flag, int *count) {
  int value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  asm volatile("red.global.add.u32 [%0], %1;" :: "l"(count), "r"(value) : "memory");
  asm volatile("st.release.sys.global.u32 [%0], %1;" :: "l"(flag), "r"(1) : "memory");
}
