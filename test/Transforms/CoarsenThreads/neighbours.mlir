// RUN: regrain-opt %s --grain-coarsen-threads="factors=4,1,1 contiguous" --grain-clean-up | FileCheck %s

// Neighbours of a multiple have one quotient if the divisor is a multiple, too, and one remainder after the other. They
// are in front of the end together.

// CHECK-LABEL: grain.kernel @unsigned
// CHECK: grain.threads
// CHECK-NOT: arith.divui
// CHECK: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK: arith.divui
// CHECK-NOT: arith.divui
// CHECK: %[[REST:.*]] = arith.remui
// CHECK-NEXT: arith.addi %[[REST]], %c1_i32 overflow<nsw, nuw>
// CHECK-NEXT: arith.addi %[[REST]], %c2_i32 overflow<nsw, nuw>
// CHECK-NEXT: arith.addi %[[REST]], %c3_i32 overflow<nsw, nuw>
// CHECK-NOT: {{arith.remui|else}}
// CHECK-COUNT-4: llvm.store
// CHECK-NOT: llvm.store
// CHECK: grain.return
grain.kernel @unsigned(%p: !llvm.ptr, %n: i32, %rows: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    %start = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %end = arith.muli %width, %rows : i32
      %inside = arith.cmpi ult, %i, %end : i32
      scf.if %inside {
        %row = arith.divui %i, %width : i32
        %column = arith.remui %i, %width : i32
        %slot = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        %new = arith.addi %old, %row : i32
        llvm.store %new, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A signed number may be negative. Then all is as before, thread by thread. A product of a multiple is a multiple. The
// remainder of a remainder is not negative if the first dividend is not.

// CHECK-LABEL: grain.kernel @signed
// CHECK: %[[FIRST:.*]] = arith.addi
// CHECK: %[[SIGN:.*]] = arith.cmpi sge, %[[FIRST]], %c0_i32
// CHECK-NEXT: scf.if %[[SIGN]] {
// CHECK-NEXT: %[[REST:.*]] = arith.remsi %[[FIRST]]
// CHECK-NEXT: arith.divsi %[[REST]]
// CHECK-NEXT: %[[INNER:.*]] = arith.remsi %[[REST]]
// CHECK-NEXT: arith.addi %[[INNER]], %c1_i32
// CHECK-NEXT: arith.addi %[[INNER]], %c2_i32
// CHECK-NEXT: arith.addi %[[INNER]], %c3_i32
// CHECK-NOT: {{arith.remsi|arith.divsi}}
// CHECK: } else {
// CHECK-COUNT-8: arith.remsi
// CHECK-NOT: arith.remsi
// CHECK: grain.return
grain.kernel @signed(%p: !llvm.ptr, %n: i32, %height: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  %plane = arith.muli %height, %width : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    %start = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %rest = arith.remsi %i, %plane : i32
      %row = arith.divsi %rest, %width : i32
      %column = arith.remsi %rest, %width : i32
      %slot = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %row, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// A coordinate is never negative, and neither is what the program has tested.

// CHECK-LABEL: grain.kernel @known_signs
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: arith.divsi
// CHECK: arith.divsi
// CHECK-NOT: {{arith.divsi|else}}
// CHECK: grain.return
grain.kernel @known_signs(%p: !llvm.ptr, %n: i32, %first: i32) {
  %zero = arith.constant 0 : i32
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  %start = arith.andi %first, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %inside = arith.cmpi sge, %i, %zero : i32
      scf.if %inside {
        %a = arith.divsi %tx, %width : i32
        %b = arith.divsi %i, %width : i32
        %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %sum = arith.addi %a, %b : i32
        llvm.store %sum, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The loops of neighbours end together, so none has a rest of its own.

// CHECK-LABEL: grain.kernel @loops
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: arith.addi %[[I]], %c1_i32
// CHECK-NEXT: arith.addi %[[I]], %c2_i32
// CHECK-NEXT: arith.addi %[[I]], %c3_i32
// CHECK-COUNT-4: llvm.store
// CHECK: scf.while (%[[J:.*]] = %{{[0-9a-z]*}}) : (i32) -> i32
// CHECK-NEXT: arith.cmpi slt, %[[J]]
// CHECK-COUNT-4: llvm.store
// CHECK-NOT: {{llvm.store|scf.for|scf.while}}
// CHECK: grain.return
grain.kernel @loops(%p: !llvm.ptr, %n: i32) {
  %mask = arith.constant -4 : i32
  %end = arith.andi %n, %mask : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %tx to %end step %size : i32 {
        %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %old, %slot : i32, !llvm.ptr
      }
      %last = scf.while (%j = %tx) : (i32) -> i32 {
        %goes_on = arith.cmpi slt, %j, %end : i32
        scf.condition(%goes_on) %j : i32
      } do {
      ^bb0(%j: i32):
        %slot = llvm.getelementptr %p[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %old, %slot : i32, !llvm.ptr
        %next = arith.addi %j, %size : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// Neighbours have one warp, and one lane after the other.

// CHECK-LABEL: grain.kernel @bits
// CHECK-COUNT-1: arith.shrsi
// CHECK-NOT: arith.shrsi
// CHECK: %[[LOW:.*]] = arith.andi %{{.*}}, %c31_i32
// CHECK-NEXT: arith.addi %[[LOW]], %c1_i32
// CHECK: grain.return
grain.kernel @bits(%p: !llvm.ptr) {
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %warp = arith.shrsi %tx, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %slot = llvm.getelementptr %p[%lane] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %warp, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
