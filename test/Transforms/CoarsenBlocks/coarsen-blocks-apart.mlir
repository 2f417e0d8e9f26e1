// RUN: regrain-opt %s --grain-coarsen-blocks="factors=3,1,1 apart" --canonicalize --cse --verify-diagnostics | FileCheck %s
// RUN: regrain-opt %s --grain-specialise="known=for.grid=12x2x1" --grain-coarsen-blocks="factors=3,1,1" --canonicalize --cse | FileCheck %s
// RUN: regrain-opt %s --grain-specialise="known=for.grid=13x2x1" --grain-coarsen-blocks="factors=3,1,1" --canonicalize --cse 2>&1 | FileCheck %s --check-prefix=EDGE
// RUN: regrain-opt %s --grain-specialise="known=for.grid=12x2x1" --grain-coarsen-blocks="factors=3,4,1" --canonicalize --cse 2>&1 | FileCheck %s --check-prefix=OTHER

// If another launch runs the remaining blocks, or there are none, there is
// neither branch nor loop; blocks keep their shared memory and share barriers.

// CHECK-LABEL: grain.kernel @tile
// CHECK-NOT: edges
// CHECK: grain.blocks (%[[BX:[^,]*]], {{.*}}) factors [3, 1, 1]
// CHECK-NOT: edges
// CHECK-NOT: scf.if
// CHECK-NOT: scf.for
// CHECK-COUNT-3: grain.shared "tile"
// CHECK-NOT: scf.if
// CHECK: grain.threads
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK-NEXT: grain.barrier
// CHECK-NOT: grain.barrier
// CHECK-NOT: scf.if
// CHECK: grain.return

// A known grid that the factor does not divide has an edge, only in that
// dimension.

// EDGE-LABEL: grain.kernel @tile
// EDGE: grain.blocks {{.*}} attributes {edges = array<i1: true, false, false>, known_grid
// EDGE: scf.if
// EDGE: scf.for
// EDGE: grain.return

// OTHER-LABEL: grain.kernel @tile
// OTHER: grain.blocks (%{{[^,]*}}, %[[BY:[^,]*]], {{.*}}) factors [3, 4, 1] attributes {edges = array<i1: false, true, false>, known_grid
// OTHER: %[[LAST:.*]] = arith.addi %[[BY]], %c3_i32
// OTHER: %[[ALL:.*]] = arith.cmpi ult, %[[LAST]], %c2_i32
// OTHER-NOT: arith.andi
// OTHER: scf.if %[[ALL]] {
// OTHER: grain.return
grain.kernel @tile(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<256 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %tile[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %bx, %slot : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.load %slot : !llvm.ptr<3> -> i32
      %at = arith.addi %bx, %tx : i32
      %target = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %other, %target : i32, !llvm.ptr
    }
  }
  grain.return
}

// A barrier that some threads do not reach is met by the blocks together, but
// could not be in the loop at an edge.

// CHECK-LABEL: grain.kernel @divergent
// CHECK: grain.blocks {{.*}} factors [3, 1, 1]
// CHECK: scf.for
// CHECK-COUNT-3: llvm.store volatile
// CHECK: grain.barrier
// CHECK-NOT: grain.barrier
// CHECK: grain.return

// EDGE-LABEL: grain.kernel @divergent
// EDGE-NOT: factors
// EDGE: grain.return
grain.kernel @divergent(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %zero to %tx step %one : i32 {
        llvm.store volatile %bx, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// A loop that waits for another block is refused in either form.

// CHECK-LABEL: grain.kernel @waits
// CHECK-NOT: factors
grain.kernel @waits(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{coarsen-blocks: a loop may wait for another thread}}
      scf.while : () -> () {
        %flag = llvm.load volatile %p : !llvm.ptr -> i32
        %waits = arith.cmpi eq, %flag, %zero : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}
