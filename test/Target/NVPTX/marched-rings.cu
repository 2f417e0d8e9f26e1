// Steps read from a ring of planes: by bulk copies of lines, whose size is known when the code runs, or by asynchronous
// copies of 16 bytes. ptxas accepts that, without spills. Nothing else is read from global memory.
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='star:block.z=16,shape=64x4x1,steps=16,staging=steps,copies=bulk,for.pointers=16,for.arg2=2n' --emit=ptx %s -o %t.bulk.ptx
// RUN: sed -n '/entry star__grain/,$p' %t.bulk.ptx | FileCheck %s --check-prefix=BULK --implicit-check-not=fence --implicit-check-not=ld.global
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='star:block.z=16,shape=64x4x1,steps=16,staging=steps,copies=bulk,for.pointers=16,for.arg2=2n' -c %s -o %t.o
// RUN: %regrain inspect --json %t.o | FileCheck %s --check-prefix=CODE
//
// Launched blocks wait for each other, and two planes are copied ahead, in dynamic shared memory. Each of both phases on
// their way has a counter. The word of the launch is read, and counted, by the first thread.
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='star:block.z=16,shape=64x4x1,steps=16,in-step=40,staging=steps,copies=bulk,stages=3,dynamic-shared=40,for.pointers=16,for.arg2=2n' --emit=ptx %s -o %t.step.ptx
// RUN: FileCheck %s --check-prefix=STEP --implicit-check-not=fence.proxy.async.global < %t.step.ptx
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='star:block.z=16,shape=64x4x1,steps=16,in-step=40,staging=steps,copies=bulk,stages=3,dynamic-shared=40,for.pointers=16,for.arg2=2n' -c %s -o %t.o
// RUN: %regrain inspect --json %t.o | FileCheck %s --check-prefix=STEPCODE
//
// Before compute capability 9.0, a line is a loop of copies of 16 bytes.
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='star:block.z=16,shape=64x4x1,steps=16,staging=steps,copies=bulk,for.pointers=16,for.arg2=2n' --emit=ptx %s -o %t.old.ptx
// RUN: sed -n '/entry star__grain/,$p' %t.old.ptx | FileCheck %s --check-prefix=OLD --implicit-check-not=async.bulk
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='star:block.z=16,shape=64x4x1,steps=16,staging=steps,for.pointers=16,for.arg2=2n' --emit=ptx %s -o %t.plain.ptx
// RUN: sed -n '/entry star__grain/,$p' %t.plain.ptx | FileCheck %s --check-prefix=OLD --implicit-check-not=async.bulk

// BULK: mbarrier.init.shared::cta.b64
// BULK: fence.proxy.async.shared::cta;
// BULK: bar.sync 0;
// BULK: mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{{.*}}], [[SIZE:%r[0-9]+]];
// BULK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], [[SIZE]], [{{.*}}];
// BULK: bar.sync 0;
// BULK: mbarrier.arrive.shared::cta.b64 _, [{{.*}}];
// BULK: mbarrier.try_wait.parity.shared::cta.b64

// CODE: "id": "block.z=16,shape=64x4x1,steps=16,staging=steps,copies=bulk,for.arg2=2n,for.pointers=16"
// CODE: "spill_store_bytes": 0

// STEP: .extern .shared .align 128 .b8 [[RING:.*regrain_staged_ring_ahead2_bulk.*]][];
// STEP: entry star__grain
// STEP-COUNT-2: mbarrier.init.shared::cta.b64
// STEP: fence.proxy.async.shared::cta;
// STEP-NOT: fence
// STEP: cp.async.bulk
// STEP: ld.volatile.global.u32
// STEP: bar.sync 0;
// STEP: mbarrier.arrive.shared::cta.b64 _, [{{.*}}];
// STEP: mbarrier.try_wait.parity.shared::cta.b64
// STEP: atom{{.*}}.global.add.u32
// STEPCODE: "id": "block.z=16,shape=64x4x1,steps=16,in-step=40,staging=steps,copies=bulk,stages=3,dynamic-shared=40,for.arg2=2n,for.pointers=16"
// STEPCODE: "spill_store_bytes": 0

// OLD: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// OLD: cp.async.wait_all;
// OLD: bar.sync 0;
extern "C" __global__ void star(double *__restrict__ f, const double *__restrict__ u, int nx, int ny,
                                int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1)
    return;
  size_t slice = size_t(nx) * ny, p = i + size_t(nx) * j + slice * k;
  f[p] = u[p] * 6 - (u[p - 1] + u[p + 1]) - (u[p - nx] + u[p + nx]) - (u[p - slice] + u[p + slice]);
}
