// RUN: regrain-opt %s --grain-fuse-blocks="factors=2,1,1" --grain-coarsen-blocks="factors=4,1,1 common=true" --verify-diagnostics | FileCheck %s

// The launch has dynamic shared memory for one of the joined blocks, whose bytes do not tell where that of a fused one is.
// CHECK: factors [2, 1, 1]

grain.kernel @dynamic(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{fused blocks have their own dynamic shared memory, at places that depend on the number of joined blocks}}
    %s = grain.dynamic_shared "s" align 16
    grain.threads (%tx, %ty, %tz) {
      llvm.store %c0, %s : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %s, %n monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %s : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}
