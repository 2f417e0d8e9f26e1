// RUN: regrain-opt %s --grain-coarsen-blocks="factors=4,1,1 loop=true common=true" --verify-diagnostics | FileCheck %s

// Steps need code that is the same for all blocks before the first barrier, and behind the last one.
// CHECK-NOT: factors

grain.kernel @store_behind(%p: !llvm.ptr, %own: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %sum = grain.shared "sum" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %zero, %sum : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{a step cannot update a shared array without clearing or flushing it}}
      %old = llvm.atomicrmw sub %sum, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %sum : !llvm.ptr<3> -> i32
      %before = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      %to = llvm.getelementptr %own[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// The array is cleared again in each round.

grain.kernel @rounds(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %sum = grain.shared "sum" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %round = %zero to %n step %one : i32 {
        llvm.store %zero, %sum : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        // expected-remark@+1 {{a step cannot update a shared array without clearing or flushing it}}
        %old = llvm.atomicrmw add %sum, %bx monotonic : !llvm.ptr<3>, i32
        grain.barrier (%tx, %ty, %tz)
        %all = llvm.load %sum : !llvm.ptr<3> -> i32
        %before = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// There is no barrier between the last update and the flush, which one thread does for its own element.

grain.kernel @no_barrier(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %sums = grain.shared "sums" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %sums[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %zero, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{a step cannot update a shared array without clearing or flushing it}}
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %before = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Another array is filled alike in front, and changed by each block.

grain.kernel @changes_other(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %sum = grain.shared "sum" : i32 align 4
    %other = grain.shared "other" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %zero, %sum : i32, !llvm.ptr<3>
      llvm.store %n, %other : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{a step cannot update a shared array without clearing or flushing it}}
      %old = llvm.atomicrmw add %sum, %bx monotonic : !llvm.ptr<3>, i32
      llvm.store %zero, %other : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %sum : !llvm.ptr<3> -> i32
      %before = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}
