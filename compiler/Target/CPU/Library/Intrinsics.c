/*===- Intrinsics.c - NVVM intrinsics ----------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Those that the machine or the thread's place decide; the others are in
|* Target/Library/Intrinsics.inc. Approximations are computed accurately.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Math.h"

#define DEFINE REGRAIN_INLINE
#include "compiler/Target/Library/Intrinsics.inc"

/* Special registers. */
#define SPECIAL3(name, first)                                                                      \
  DEFINE i32 nvvm_read_ptx_sreg_##name##_x(void) { return (i32)regrain_special(first); }           \
  DEFINE i32 nvvm_read_ptx_sreg_##name##_y(void) { return (i32)regrain_special(first + 1); }       \
  DEFINE i32 nvvm_read_ptx_sreg_##name##_z(void) { return (i32)regrain_special(first + 2); }
SPECIAL3(tid, REGRAIN_THREAD_INDEX)
SPECIAL3(ntid, REGRAIN_BLOCK_SIZE)
SPECIAL3(ctaid, REGRAIN_BLOCK_INDEX)
SPECIAL3(nctaid, REGRAIN_GRID_SIZE)
static DEFINE u32 lane(void) { return regrain_special(REGRAIN_LINEAR_THREAD) & 31; }
DEFINE i32 nvvm_read_ptx_sreg_warpsize(void) { return 32; }
DEFINE i32 nvvm_read_ptx_sreg_laneid(void) { return (i32)lane(); }
DEFINE i32 nvvm_read_ptx_sreg_warpid(void) {
  return (i32)(regrain_special(REGRAIN_LINEAR_THREAD) >> 5);
}
DEFINE i32 nvvm_read_ptx_sreg_nwarpid(void) { return 32; }
DEFINE i32 nvvm_read_ptx_sreg_smid(void) { return 0; }
DEFINE i32 nvvm_read_ptx_sreg_nsmid(void) { return 1; }
DEFINE i32 nvvm_read_ptx_sreg_gridid(void) { return 0; }
/* NVIDIA's driver passes the address of a cooperative launch's workspace in these. */
DEFINE i32 nvvm_read_ptx_sreg_envreg1(void) { return (i32)(regrain_cpu_grid_workspace() >> 32); }
DEFINE i32 nvvm_read_ptx_sreg_envreg2(void) { return (i32)regrain_cpu_grid_workspace(); }
#define CLUSTER3(name, first)                                                                      \
  DEFINE i32 nvvm_read_ptx_sreg_##name##_x(void) {                                                 \
    return (i32)regrain_cpu_cluster_special(first);                                                \
  }                                                                                                \
  DEFINE i32 nvvm_read_ptx_sreg_##name##_y(void) {                                                 \
    return (i32)regrain_cpu_cluster_special(first + 1);                                            \
  }                                                                                                \
  DEFINE i32 nvvm_read_ptx_sreg_##name##_z(void) {                                                 \
    return (i32)regrain_cpu_cluster_special(first + 2);                                            \
  }
CLUSTER3(clusterid, REGRAIN_CLUSTER_INDEX)
CLUSTER3(nclusterid, REGRAIN_CLUSTER_COUNT)
CLUSTER3(cluster_ctaid, REGRAIN_CLUSTER_BLOCK_INDEX)
CLUSTER3(cluster_nctaid, REGRAIN_CLUSTER_SIZE)
DEFINE i32 nvvm_read_ptx_sreg_cluster_ctarank(void) {
  return (i32)regrain_cpu_cluster_special(REGRAIN_CLUSTER_RANK);
}
DEFINE i32 nvvm_read_ptx_sreg_cluster_nctarank(void) {
  return (i32)regrain_cpu_cluster_special(REGRAIN_CLUSTER_BLOCKS);
}
DEFINE _Bool nvvm_is_explicit_cluster(void) {
  return regrain_cpu_cluster_special(REGRAIN_CLUSTER_BLOCKS) != 1;
}
DEFINE _Bool nvvm_read_ptx_sreg_is_explicit_cluster(void) { return nvvm_is_explicit_cluster(); }
DEFINE i32 nvvm_read_ptx_sreg_lanemask_eq(void) { return (i32)(1u << lane()); }
DEFINE i32 nvvm_read_ptx_sreg_lanemask_lt(void) { return (i32)((1u << lane()) - 1); }
DEFINE i32 nvvm_read_ptx_sreg_lanemask_le(void) { return (i32)((2u << lane()) - 1); }
DEFINE i32 nvvm_read_ptx_sreg_lanemask_gt(void) { return (i32) ~((2u << lane()) - 1); }
DEFINE i32 nvvm_read_ptx_sreg_lanemask_ge(void) { return (i32) ~((1u << lane()) - 1); }
DEFINE i32 regrain_dynamic_smem_size(void) {
  return (i32)regrain_special(REGRAIN_DYNAMIC_SHARED_BYTES);
}
DEFINE i32 regrain_total_smem_size(void) {
  return (i32)(regrain_special(REGRAIN_STATIC_SHARED_BYTES) +
               regrain_special(REGRAIN_DYNAMIC_SHARED_BYTES));
}
DEFINE i32 nvvm_read_ptx_sreg_clock(void) { return (i32)__builtin_readcyclecounter(); }
DEFINE i64 nvvm_read_ptx_sreg_clock64(void) { return (i64)__builtin_readcyclecounter(); }
typedef struct {
  i64 seconds, nanoseconds;
} TimeSpec;
int clock_gettime(int, TimeSpec *);
DEFINE i64 nvvm_read_ptx_sreg_globaltimer(void) {
  TimeSpec now;
  (void)clock_gettime(0, &now);
  return now.seconds * 1000000000 + now.nanoseconds;
}

/* Barriers and fences. */
#define SYNC REGRAIN_CONVERGENT DEFINE
SYNC void nvvm_barrier0(void) { regrain_wait(REGRAIN_BARRIER, 0, 0, 0, 0); }
SYNC void nvvm_barrier_n(i32 id) { regrain_wait(REGRAIN_BARRIER, 0, 0, (u32)id, 0); }
SYNC void nvvm_bar_sync(i32 id) { regrain_wait(REGRAIN_BARRIER, 0, 0, (u32)id, 0); }
SYNC void nvvm_barrier_sync(i32 id) { regrain_wait(REGRAIN_BARRIER, 0, 0, (u32)id, 0); }
SYNC void nvvm_barrier(i32 id, i32 count) {
  regrain_wait(REGRAIN_BARRIER, 0, 0, (u32)id, (u32)count);
}
SYNC void nvvm_barrier_sync_cnt(i32 id, i32 count) {
  regrain_wait(REGRAIN_BARRIER, 0, 0, (u32)id, (u32)count);
}
SYNC void regrain_bar_arrive(i32 id, i32 count) { regrain_arrive((u32)id, (u32)count); }
SYNC i32 nvvm_barrier0_and(i32 p) {
  return (i32)regrain_wait(REGRAIN_BARRIER_AND, 0, p != 0, 0, 0);
}
SYNC i32 nvvm_barrier0_or(i32 p) { return (i32)regrain_wait(REGRAIN_BARRIER_OR, 0, p != 0, 0, 0); }
SYNC i32 nvvm_barrier0_popc(i32 p) {
  return (i32)regrain_wait(REGRAIN_BARRIER_COUNT, 0, p != 0, 0, 0);
}
SYNC void nvvm_bar_warp_sync(i32 mask) { regrain_wait(REGRAIN_WARP_SYNC, (u32)mask, 0, 0, 0); }
/* All threads of the block arrive at the barrier of the cluster, and wait there, together: the
   plugin counts blocks. Each thread calls it, because any thread may have exited. */
SYNC void nvvm_barrier_cluster_arrive(void) {
  regrain_wait(REGRAIN_BARRIER, 0, 0, REGRAIN_CLUSTER_BARRIER, 0);
  regrain_cpu_cluster_arrive();
}
SYNC void nvvm_barrier_cluster_wait(void) {
  regrain_wait(REGRAIN_BARRIER, 0, 0, REGRAIN_CLUSTER_BARRIER, 0);
  regrain_cpu_cluster_wait();
}
SYNC void nvvm_barrier_cluster_arrive_aligned(void) { nvvm_barrier_cluster_arrive(); }
SYNC void nvvm_barrier_cluster_arrive_relaxed(void) { nvvm_barrier_cluster_arrive(); }
SYNC void nvvm_barrier_cluster_arrive_relaxed_aligned(void) { nvvm_barrier_cluster_arrive(); }
SYNC void nvvm_barrier_cluster_wait_aligned(void) { nvvm_barrier_cluster_wait(); }
DEFINE void *nvvm_mapa(const void *p, i32 rank) { return regrain_cpu_cluster_map(p, (u32)rank); }
DEFINE void *nvvm_mapa_shared_cluster(const void *p, i32 rank) {
  return regrain_cpu_cluster_map(p, (u32)rank);
}
DEFINE i32 nvvm_getctarank(const void *p) { return (i32)regrain_cpu_cluster_rank(p); }
DEFINE i32 nvvm_getctarank_shared_cluster(const void *p) {
  return (i32)regrain_cpu_cluster_rank(p);
}
DEFINE void nvvm_fence_sc_cluster(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEFINE void nvvm_membar_cta(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEFINE void nvvm_membar_gl(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEFINE void nvvm_membar_sys(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEFINE void nvvm_nanosleep(i32 nanoseconds) {}
DEFINE void regrain_trap(void) { regrain_cpu_trap(0); }
DEFINE void regrain_breakpoint(void) { regrain_cpu_breakpoint(); }

/* Warp operations. The forms with a predicate return it in bit 32. */
#define SHUFFLE(name, wait)                                                                        \
  SYNC i32 nvvm_shfl_sync_##name##_i32(i32 mask, i32 v, i32 b, i32 c) {                            \
    return (i32)regrain_wait(wait, (u32)mask, (u32)v, (u32)b, (u32)c);                             \
  }                                                                                                \
  SYNC float nvvm_shfl_sync_##name##_f32(i32 mask, float v, i32 b, i32 c) {                        \
    return __builtin_bit_cast(                                                                     \
        float, nvvm_shfl_sync_##name##_i32(mask, __builtin_bit_cast(i32, v), b, c));               \
  }                                                                                                \
  SYNC u64 nvvm_shfl_sync_##name##_i32p(i32 mask, i32 v, i32 b, i32 c) {                           \
    return regrain_wait(wait, (u32)mask, (u32)v, (u32)b, (u32)c);                                  \
  }                                                                                                \
  SYNC u64 nvvm_shfl_sync_##name##_f32p(i32 mask, float v, i32 b, i32 c) {                         \
    return regrain_wait(wait, (u32)mask, __builtin_bit_cast(u32, v), (u32)b, (u32)c);              \
  }                                                                                                \
  SYNC i32 nvvm_shfl_##name##_i32(i32 v, i32 b, i32 c) {                                           \
    return nvvm_shfl_sync_##name##_i32(0, v, b, c);                                                \
  }                                                                                                \
  SYNC float nvvm_shfl_##name##_f32(float v, i32 b, i32 c) {                                       \
    return nvvm_shfl_sync_##name##_f32(0, v, b, c);                                                \
  }                                                                                                \
  SYNC u64 nvvm_shfl_##name##_i32p(i32 v, i32 b, i32 c) {                                          \
    return nvvm_shfl_sync_##name##_i32p(0, v, b, c);                                               \
  }                                                                                                \
  SYNC u64 nvvm_shfl_##name##_f32p(float v, i32 b, i32 c) {                                        \
    return nvvm_shfl_sync_##name##_f32p(0, v, b, c);                                               \
  }
SHUFFLE(idx, REGRAIN_SHUFFLE_INDEX)
SHUFFLE(up, REGRAIN_SHUFFLE_UP)
SHUFFLE(down, REGRAIN_SHUFFLE_DOWN)
SHUFFLE(bfly, REGRAIN_SHUFFLE_XOR)

#define VOTE(name, type, wait)                                                                     \
  SYNC type nvvm_vote_##name##_sync(i32 mask, _Bool p) {                                           \
    return (type)regrain_wait(wait, (u32)mask, p, 0, 0);                                           \
  }                                                                                                \
  SYNC type nvvm_vote_##name(_Bool p) { return (type)regrain_wait(wait, 0, p, 0, 0); }
VOTE(all, _Bool, REGRAIN_VOTE_ALL)
VOTE(any, _Bool, REGRAIN_VOTE_ANY)
VOTE(uni, _Bool, REGRAIN_VOTE_UNIFORM)
VOTE(ballot, i32, REGRAIN_VOTE_BALLOT)
SYNC i32 nvvm_activemask(void) { return (i32)regrain_wait(REGRAIN_VOTE_BALLOT, 0, 1, 0, 0); }
SYNC i32 nvvm_match_any_sync_i32(i32 mask, i32 v) {
  return (i32)regrain_wait(REGRAIN_MATCH_ANY, (u32)mask, (u32)v, 0, 0);
}
SYNC i32 nvvm_match_any_sync_i64(i32 mask, i64 v) {
  return (i32)regrain_wait(REGRAIN_MATCH_ANY, (u32)mask, (u64)v, 0, 0);
}
SYNC u64 nvvm_match_all_sync_i32p(i32 mask, i32 v) {
  return regrain_wait(REGRAIN_MATCH_ALL, (u32)mask, (u32)v, 0, 0);
}
SYNC u64 nvvm_match_all_sync_i64p(i32 mask, i64 v) {
  return regrain_wait(REGRAIN_MATCH_ALL, (u32)mask, (u64)v, 0, 0);
}
#define REDUX(name, wait)                                                                          \
  SYNC i32 nvvm_redux_sync_##name(i32 v, i32 mask) {                                               \
    return (i32)regrain_wait(wait, (u32)mask, (u32)v, 0, 0);                                       \
  }
REDUX(add, REGRAIN_REDUCE_ADD)
REDUX(min, REGRAIN_REDUCE_MIN)
REDUX(max, REGRAIN_REDUCE_MAX)
REDUX(umin, REGRAIN_REDUCE_UMIN)
REDUX(umax, REGRAIN_REDUCE_UMAX)
REDUX(and, REGRAIN_REDUCE_AND)
REDUX(or, REGRAIN_REDUCE_OR)
REDUX(xor, REGRAIN_REDUCE_XOR)

/* Approximations and directed rounding: T is the type, s its suffix. */
#define FLOATING(T, s, B)                                                                          \
  DEFINE T nvvm_ex2_approx_##s(T a) { return regrain_sleef_exp2##B(a); }                           \
  DEFINE T nvvm_lg2_approx_##s(T a) { return regrain_sleef_log2##B(a); }                           \
  DEFINE T nvvm_rsqrt_approx_##s(T a) { return 1 / __builtin_sqrt##B(a); }                         \
  DEFINE T nvvm_rcp_approx_##s(T a) { return 1 / a; }                                              \
  DEFINE T nvvm_sqrt_approx_##s(T a) { return __builtin_sqrt##B(a); }                              \
  DIRECTED(T, s, B, rm, ROUND_DOWN)                                                                \
  DIRECTED(T, s, B, rp, ROUND_UP)                                                                  \
  DIRECTED(T, s, B, rz, ROUND_ZERO)
#define DIRECTED(T, s, B, r, mode)                                                                 \
  DEFINE T nvvm_add_##r##_##s(volatile T a, volatile T b) { return ROUNDED(T, mode, a + b); }      \
  DEFINE T nvvm_mul_##r##_##s(volatile T a, volatile T b) { return ROUNDED(T, mode, a * b); }      \
  DEFINE T nvvm_div_##r##_##s(volatile T a, volatile T b) { return ROUNDED(T, mode, a / b); }      \
  DEFINE T nvvm_fma_##r##_##s(volatile T a, volatile T b, volatile T c) {                          \
    return ROUNDED(T, mode, __builtin_fma##B(a, b, c));                                            \
  }                                                                                                \
  DEFINE T nvvm_rcp_##r##_##s(volatile T a) { return ROUNDED(T, mode, 1 / a); }                    \
  DEFINE T nvvm_sqrt_##r##_##s(volatile T a) { return ROUNDED(T, mode, __builtin_sqrt##B(a)); }
FLOATING(float, f, f)
FLOATING(double, d, )
DEFINE float nvvm_div_approx_f(float a, float b) { return a / b; }
DEFINE float nvvm_div_full_f(float a, float b) { return a / b; }
DEFINE float nvvm_sin_approx_f(float a) { return regrain_sleef_sinf(a); }
DEFINE float nvvm_cos_approx_f(float a) { return regrain_sleef_cosf(a); }

#define CONVERT(name, From, To)                                                                    \
  DEFINE To nvvm_##name##_rz(volatile From a) { return ROUNDED(To, ROUND_ZERO, (To)a); }           \
  DEFINE To nvvm_##name##_rm(volatile From a) {                                                    \
    return a == 0 ? (To)a : ROUNDED(To, ROUND_DOWN, (To)a); /* it may subtract equal numbers */    \
  }                                                                                                \
  DEFINE To nvvm_##name##_rp(volatile From a) { return ROUNDED(To, ROUND_UP, (To)a); }
CONVERT(d2f, double, float)
CONVERT(i2f, i32, float)
CONVERT(ui2f, u32, float)
CONVERT(ll2f, i64, float)
CONVERT(ull2f, u64, float)
CONVERT(i2d, i32, double)
CONVERT(ui2d, u32, double)
CONVERT(ll2d, i64, double)
CONVERT(ull2d, u64, double)

/* Programs keep shared addresses in 32 bits, which a GPU has. A block's shared memory is smaller
   than 2 GiB, so the low bits tell how far the address is from where it begins. */
DEFINE u64 regrain_shared_address(u32 address) {
  u64 base = (u64)regrain_shared_base();
  return base + (u64)(i64)(i32)(address - (u32)base);
}

/* Queries of the memory to which a generic address points. */
DEFINE _Bool nvvm_isspacep_shared(const void *p) {
  return (u64)((const char *)p - regrain_shared_base()) < (u32)regrain_total_smem_size();
}
DEFINE _Bool nvvm_isspacep_shared_cluster(const void *p) {
  return regrain_cpu_cluster_rank(p) != REGRAIN_NO_CLUSTER_RANK;
}
DEFINE _Bool nvvm_isspacep_local(const void *p) { return regrain_cpu_is_local(p) != 0; }
DEFINE _Bool nvvm_isspacep_global(const void *p) {
  return !nvvm_isspacep_shared_cluster(p) && !nvvm_isspacep_local(p);
}
DEFINE _Bool nvvm_isspacep_const(const void *p) { return 0; }
