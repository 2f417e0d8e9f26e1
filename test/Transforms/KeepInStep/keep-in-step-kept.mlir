// Kernels whose blocks do not wait, and why.
// RUN: regrain-opt %s --split-input-file --grain-keep-in-step 2>&1 | FileCheck %s --implicit-check-not=grain.of_launch --implicit-check-not=atomicrmw

// CHECK: remark: {{.*}}there is not exactly one march whose planes lie in rings
grain.kernel @no_rings(%u: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        grain.barrier(%tx, %ty, %tz)
        llvm.store %k, %u : i32, !llvm.ptr
      } {grain.steps}
    }
  }
  grain.return
}

// -----

// One count would be wrong for the second loop.
// CHECK: remark: {{.*}}there is not exactly one march whose planes lie in rings
grain.kernel @two_marches(%u: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        grain.barrier(%tx, %ty, %tz)
        llvm.store %k, %u : i32, !llvm.ptr
      } {grain.rings}
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        grain.barrier(%tx, %ty, %tz)
        llvm.store %k, %u : i32, !llvm.ptr
      } {grain.rings}
    }
  }
  grain.return
}

// -----

// A block that does not come to the loop would not count.
// CHECK: remark: {{.*}}there is not exactly one march whose planes lie in rings
grain.kernel @conditional(%u: !llvm.ptr, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.if %c {
        scf.for %k = %c0 to %c8 step %c1 : i32 {
          grain.barrier(%tx, %ty, %tz)
          llvm.store %k, %u : i32, !llvm.ptr
        } {grain.rings}
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}threads of a block do not meet in each step
grain.kernel @no_barrier(%u: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        llvm.store %k, %u : i32, !llvm.ptr
      } {grain.rings}
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel's blocks have global memory of their own already
grain.kernel @own_memory(%u: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) {
    %own = grain.lent "own" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        grain.barrier(%tx, %ty, %tz)
        llvm.store %k, %own : i32, !llvm.ptr<1>
      } {grain.rings}
    }
  }
  grain.return
}
