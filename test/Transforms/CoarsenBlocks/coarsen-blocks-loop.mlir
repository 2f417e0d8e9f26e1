// RUN: regrain-opt %s --grain-coarsen-blocks="factors=1,3,1 loop" --split-input-file 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: regrain-opt %s --grain-specialise="known=for.grid=12x6x1" --grain-coarsen-blocks="factors=1,3,1 loop" --split-input-file 2>/dev/null | FileCheck %s --check-prefix=KNOWN

// Blocks run one after the other, if they exist, on one shared array, with a barrier between them.

// CHECK-LABEL: grain.kernel @tile
// CHECK: grain.blocks (%{{[^,]*}}, %[[BY:[^,]*]], {{.*}}) factors [1, 3, 1] attributes {edges = array<i1: false, true, false>}
// CHECK: grain.shared "tile"
// CHECK-NOT: grain.shared
// CHECK: grain.threads
// CHECK: scf.for %[[STEP:[^ ]*]] =
// CHECK: arith.addi %[[BY]],
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult
// CHECK: scf.if %[[EXISTS]] {
// CHECK: llvm.store
// CHECK: grain.barrier
// CHECK: llvm.store
// CHECK-NOT: llvm.store
// CHECK: }
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: } {grain.steps}
// CHECK: grain.return

// If all exist, nothing asks.

// KNOWN-LABEL: grain.kernel @tile
// KNOWN: scf.for
// KNOWN-NOT: scf.if
// KNOWN: llvm.store
// KNOWN: grain.barrier
// KNOWN: llvm.store
// KNOWN-NEXT: grain.barrier
// KNOWN-NEXT: } {grain.steps}
// KNOWN: grain.return
grain.kernel @tile(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<256 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %tile[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %by, %slot : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.load %slot : !llvm.ptr<3> -> i32
      %at = arith.addi %by, %tx : i32
      %target = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %other, %target : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Threads that do not reach the barrier would meet others at the next block's.
// REMARK: remark: {{.*}}a barrier is in a loop whose trip count may differ between the threads of a block
// CHECK-LABEL: grain.kernel @some_threads
// CHECK-NOT: grain.steps
// CHECK: grain.return
grain.kernel @some_threads(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %zero to %tx step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
        %at = arith.addi %by, %i : i32
        %target = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %at, %target : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
