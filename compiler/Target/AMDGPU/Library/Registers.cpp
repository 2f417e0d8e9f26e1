//===- Registers.cpp - PTX's special registers ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler defines the registers of the thread's coordinates (Coordinates.cpp), with what is
// known of their ranges.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Machine.h"

using namespace regrain;

REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_tid_x();
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_tid_y();
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_tid_z();
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_ntid_x();
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_ntid_y();

REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_warpsize() { return 32; }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_laneid() { return lane(); }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_lanemask_eq() { return 1u << lane(); }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_lanemask_lt() { return (1u << lane()) - 1; }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_lanemask_le() { return (2u << lane()) - 1; }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_lanemask_gt() { return ~((2u << lane()) - 1); }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_lanemask_ge() { return ~((1u << lane()) - 1); }

/// A cluster is one block.
#define REGRAIN_CLUSTER(x)                                                                         \
  REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_ctaid_##x();                                             \
  REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_nctaid_##x();                                            \
  REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_clusterid_##x() {                                        \
    return nvvm_read_ptx_sreg_ctaid_##x();                                                         \
  }                                                                                                \
  REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_nclusterid_##x() {                                       \
    return nvvm_read_ptx_sreg_nctaid_##x();                                                        \
  }                                                                                                \
  REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_cluster_ctaid_##x() { return 0; }                        \
  REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_cluster_nctaid_##x() { return 1; }
REGRAIN_CLUSTER(x)
REGRAIN_CLUSTER(y)
REGRAIN_CLUSTER(z)
#undef REGRAIN_CLUSTER
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_cluster_ctarank() { return 0; }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_cluster_nctarank() { return 1; }
REGRAIN_FUNCTION bool nvvm_read_ptx_sreg_is_explicit_cluster() { return false; }

/// Waves are filled in this order of the threads, and so are warps.
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_warpid() {
  u32 row = nvvm_read_ptx_sreg_tid_z() * nvvm_read_ptx_sreg_ntid_y() + nvvm_read_ptx_sreg_tid_y();
  return (row * nvvm_read_ptx_sreg_ntid_x() + nvvm_read_ptx_sreg_tid_x()) >> 5;
}

/// PTX defines this as a maximum: a block has at most 1024 threads.
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_nwarpid() { return 32; }

/// PTX does not specify on which multiprocessor a block sees itself; here all blocks see the same.
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_smid() { return 0; }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_nsmid() { return 1; }
REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_gridid() { return 0; }

REGRAIN_FUNCTION u32 nvvm_read_ptx_sreg_clock() { return u32(__builtin_readcyclecounter()); }
REGRAIN_FUNCTION u64 nvvm_read_ptx_sreg_clock64() { return __builtin_readcyclecounter(); }

/// Returns nanoseconds from the counter of constant rate, which runs at 100 MHz on the supported
/// chips; it does not start in 1970.
REGRAIN_FUNCTION u64 nvvm_read_ptx_sreg_globaltimer() { return __builtin_readsteadycounter() * 10; }

/// The HSA dispatch packet contains the block's shared memory, declared and dynamic, at byte 28.
REGRAIN_FUNCTION u32 regrain_total_smem_size() {
  auto *packet = (const u32 __attribute__((address_space(4))) *)__builtin_amdgcn_dispatch_ptr();
  return packet[7];
}
REGRAIN_FUNCTION u32 regrain_dynamic_smem_size() {
  return regrain_total_smem_size() - __builtin_amdgcn_groupstaticsize();
}

using Generic = const void __attribute__((address_space(0))) *;
REGRAIN_FUNCTION bool nvvm_isspacep_shared(Generic p) { return __builtin_amdgcn_is_shared(p); }
REGRAIN_FUNCTION bool nvvm_isspacep_shared_cluster(Generic p) {
  return __builtin_amdgcn_is_shared(p);
}
REGRAIN_FUNCTION Generic nvvm_mapa(Generic p, u32 rank) {
  if (rank != 0)
    __builtin_trap();
  return p;
}
REGRAIN_FUNCTION u32 nvvm_getctarank(Generic) { return 0; }
REGRAIN_FUNCTION bool nvvm_isspacep_local(Generic p) { return __builtin_amdgcn_is_private(p); }
/// Constant memory is global memory here.
REGRAIN_FUNCTION bool nvvm_isspacep_const(Generic) { return false; }
REGRAIN_FUNCTION bool nvvm_isspacep_global(Generic p) {
  return !__builtin_amdgcn_is_shared(p) && !__builtin_amdgcn_is_private(p);
}

REGRAIN_FUNCTION void regrain_trap() { __builtin_trap(); }
REGRAIN_FUNCTION void regrain_breakpoint() { __builtin_debugtrap(); }
