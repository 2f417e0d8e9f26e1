// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,1 common=true" --canonicalize --cse --verify-each | FileCheck %s
// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,1" --canonicalize --cse | FileCheck %s --check-prefix=SEPARATE
// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,1 common=true" --grain-coarsen-blocks="factors=4,1,1 loop=true common=true" --canonicalize --cse | FileCheck %s --check-prefix=STEPS

// Joined blocks count in one array, which is cleared before them and flushed after them, also at the end of a grid.

// CHECK-LABEL: grain.kernel @counts
// SEPARATE-LABEL: grain.kernel @counts
// SEPARATE-COUNT-2: grain.shared "count"
// STEPS-LABEL: grain.kernel @counts
grain.kernel @counts(%p: !llvm.ptr, %from: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    // CHECK: %[[COUNT:.*]] = grain.shared "count"
    // CHECK-NOT: grain.shared
    %count = grain.shared "count" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[OWN:.*]] = llvm.getelementptr %[[COUNT]]
      // CHECK-NEXT: llvm.store %{{.*}}, %[[OWN]]
      // CHECK-NEXT: grain.barrier
      // CHECK: scf.if
      // CHECK: llvm.load
      // CHECK: llvm.load
      // CHECK: llvm.atomicrmw add
      // CHECK: llvm.atomicrmw add
      // CHECK-NOT: llvm.atomicrmw
      // CHECK: } else {
      // CHECK-NOT: grain.barrier
      // CHECK: scf.for
      // CHECK: scf.if
      // CHECK: llvm.atomicrmw add
      // CHECK-NOT: llvm.atomicrmw
      // CHECK: grain.barrier
      // CHECK-NEXT: %[[SUM:.*]] = llvm.load %[[OWN]]
      // CHECK: llvm.atomicrmw add %{{.*}}, %[[SUM]]
      // CHECK-NEXT: }
      // STEPS: llvm.store
      // STEPS-NEXT: grain.barrier
      // STEPS: scf.for
      // STEPS: } {grain.steps}
      // STEPS-NEXT: grain.barrier
      // STEPS-NEXT: llvm.load
      // STEPS: llvm.atomicrmw add
      // STEPS-NEXT: }
      %own = llvm.getelementptr %count[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %element = llvm.getelementptr %from[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %bin = llvm.load %element : !llvm.ptr -> i32
      %place = llvm.getelementptr %count[%bin] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %old = llvm.atomicrmw add %place, %c1 monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %sum = llvm.load %own : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %before = llvm.atomicrmw add %to, %sum monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// What else blocks do behind the barrier runs for each of them, and they are interleaved. The array is flushed once.

// CHECK-LABEL: grain.kernel @counts_and_stores
// STEPS-LABEL: grain.kernel @counts_and_stores
grain.kernel @counts_and_stores(%p: !llvm.ptr, %from: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.shared "sum"
    // CHECK-NOT: grain.shared
    %sum = grain.shared "sum" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if
      // CHECK: llvm.store
      // CHECK-NEXT: grain.barrier
      // CHECK-COUNT-2: llvm.atomicrmw sub
      // CHECK: grain.barrier
      // CHECK: llvm.load
      // CHECK: scf.if
      // CHECK-NEXT: llvm.atomicrmw add
      // CHECK-NEXT: }
      // CHECK: llvm.store
      // CHECK: llvm.store
      // CHECK: } else {
      llvm.store %zero, %sum : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw sub %sum, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %sum : !llvm.ptr<3> -> i32
      %is = arith.cmpi ne, %all, %zero : i32
      scf.if %is {
        %before = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      }
      %to = llvm.getelementptr %from[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// An extreme may begin with any value that is the same for all blocks. What each block computes before it is computed again.

// CHECK-LABEL: grain.kernel @extreme
grain.kernel @extreme(%p: !llvm.ptr, %n: i32) {
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.shared "most"
    // CHECK-NOT: grain.shared
    %most = grain.shared "most" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: llvm.store %arg1
      // CHECK-NEXT: grain.barrier
      // CHECK: llvm.atomicrmw umax
      // CHECK: llvm.atomicrmw umax
      // CHECK: } else {
      // CHECK: llvm.atomicrmw umax
      // CHECK: grain.barrier
      // CHECK: llvm.atomicrmw umax %arg0
      %value = arith.muli %bx, %c7 : i32
      llvm.store %n, %most : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw umax %most, %value monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %most : !llvm.ptr<3> -> i32
      %before = llvm.atomicrmw umax %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}
