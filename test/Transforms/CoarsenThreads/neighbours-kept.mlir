// RUN: regrain-opt %s --grain-coarsen-threads="factors=4,1,1 contiguous" --grain-clean-up | FileCheck %s
// RUN: regrain-opt %s --grain-coarsen-threads="factors=4,1,1" --grain-clean-up | FileCheck %s --check-prefix=STRIDED
// RUN: regrain-opt %s --grain-coarsen-threads="factors=3,1,1 contiguous" --grain-clean-up | FileCheck %s --check-prefix=THREE
// RUN: regrain-opt %s --grain-fuse-blocks=factors=4,1,1 --grain-coarsen-threads="factors=4,1,1 contiguous" --grain-clean-up \
// RUN:   | FileCheck %s --check-prefix=FUSED

// What divides copies of threads that are no neighbours, or a number of neighbours that is no power of two, is computed
// by each. Neighbours of fused blocks may be of two blocks whose size is no multiple.

// CHECK-LABEL: grain.kernel @multiple
// CHECK-COUNT-1: arith.divui
// CHECK-NOT: arith.divui
// STRIDED-LABEL: grain.kernel @multiple
// STRIDED: scf.if
// STRIDED-COUNT-4: arith.divui
// THREE-LABEL: grain.kernel @multiple
// THREE: scf.if
// THREE-COUNT-3: arith.divui
// FUSED-LABEL: grain.kernel @multiple
// FUSED: scf.if
// FUSED: else
// CHECK: grain.return
grain.kernel @multiple(%p: !llvm.ptr, %n: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi ult, %tx, %width : i32
      scf.if %inside {
        %row = arith.divui %tx, %width : i32
        %slot = llvm.getelementptr %p[%row] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %old, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A multiple of two is none of four: the first two share what they divide, and the others do not.

// CHECK-LABEL: grain.kernel @half
// CHECK-COUNT-3: arith.divui
// CHECK-NOT: arith.divui
// CHECK-COUNT-3: arith.remui
// CHECK-NOT: arith.remui
// CHECK: grain.return
grain.kernel @half(%p: !llvm.ptr, %n: i32) {
  %mask = arith.constant -2 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %row = arith.divui %tx, %width : i32
      %column = arith.remui %tx, %width : i32
      %slot = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %row, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Numbers that begin beside a multiple pass one within the four: the last one is at it.

// CHECK-LABEL: grain.kernel @beside
// CHECK-COUNT-2: arith.divui
// CHECK-NOT: arith.divui
// CHECK: grain.return
grain.kernel @beside(%p: !llvm.ptr, %n: i32) {
  %one = arith.constant 1 : i32
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %tx, %one : i32
      %row = arith.divui %i, %width : i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %row, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// A multiple belongs to the upper side: the first of four may be equal to it where the others are above.

// CHECK-LABEL: grain.kernel @sides
// CHECK-COUNT-4: arith.cmpi ule
// CHECK-COUNT-4: arith.cmpi eq
grain.kernel @sides(%p: !llvm.ptr, %n: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i1
      %low = arith.cmpi ule, %tx, %width : i32
      llvm.store %low, %slot : i1, !llvm.ptr
      %equal = arith.cmpi eq, %tx, %width : i32
      llvm.store %equal, %slot : i1, !llvm.ptr
    }
  }
  grain.return
}

// Threads meet behind the division, so the sign is not tested.

// CHECK-LABEL: grain.kernel @meeting
// CHECK-NOT: arith.cmpi sge
// CHECK-COUNT-4: arith.divsi
// CHECK: grain.barrier
grain.kernel @meeting(%p: !llvm.ptr, %n: i32, %first: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  %start = arith.andi %first, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %row = arith.divsi %i, %width : i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %row, %slot : i32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
    }
  }
  grain.return
}

// A loop whose step is no multiple takes its threads apart.

// CHECK-LABEL: grain.kernel @step
// CHECK: scf.while
// CHECK: arith.cmpi slt
// CHECK-NEXT: arith.cmpi slt
// CHECK: arith.divui
// CHECK-NEXT: arith.divui
grain.kernel @step(%p: !llvm.ptr, %n: i32, %step: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %last = scf.while (%j = %tx) : (i32) -> i32 {
        %goes_on = arith.cmpi slt, %j, %width : i32
        scf.condition(%goes_on) %j : i32
      } do {
      ^bb0(%j: i32):
        %row = arith.divui %j, %width : i32
        %slot = llvm.getelementptr %p[%row] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %old, %slot : i32, !llvm.ptr
        %next = arith.addi %j, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// Loops that end at any number end at different times.

// CHECK-LABEL: grain.kernel @end
// CHECK-COUNT-5: scf.for
grain.kernel @end(%p: !llvm.ptr, %end: i32) {
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %tx to %end step %size : i32 {
        %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %old, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The program has found that the numbers are negative.

// CHECK-LABEL: grain.kernel @negative
// CHECK: arith.cmpi sge
// CHECK-COUNT-5: arith.divsi
grain.kernel @negative(%p: !llvm.ptr, %n: i32, %first: i32) {
  %zero = arith.constant 0 : i32
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  %start = arith.andi %first, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %inside = arith.cmpi sge, %i, %zero : i32
      scf.if %inside {
        llvm.store %zero, %slot : i32, !llvm.ptr
      } else {
        %row = arith.divsi %i, %width : i32
        llvm.store %row, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Four numbers are tested, not more.

// CHECK-LABEL: grain.kernel @many
// CHECK-COUNT-4: arith.cmpi sge
// CHECK-NOT: arith.cmpi sge
// CHECK: grain.return
grain.kernel @many(%p: !llvm.ptr, %n: i32, %first0: i32, %first1: i32, %first2: i32, %first3: i32, %first4: i32) {
  %mask = arith.constant -4 : i32
  %width = arith.andi %n, %mask : i32
  %start0 = arith.andi %first0, %mask : i32
  %start1 = arith.andi %first1, %mask : i32
  %start2 = arith.andi %first2, %mask : i32
  %start3 = arith.andi %first3, %mask : i32
  %start4 = arith.andi %first4, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %i0 = arith.addi %start0, %tx : i32
      %row0 = arith.divsi %i0, %width : i32
      llvm.store %row0, %slot : i32, !llvm.ptr
      %i1 = arith.addi %start1, %tx : i32
      %row1 = arith.divsi %i1, %width : i32
      llvm.store %row1, %slot : i32, !llvm.ptr
      %i2 = arith.addi %start2, %tx : i32
      %row2 = arith.divsi %i2, %width : i32
      llvm.store %row2, %slot : i32, !llvm.ptr
      %i3 = arith.addi %start3, %tx : i32
      %row3 = arith.divsi %i3, %width : i32
      llvm.store %row3, %slot : i32, !llvm.ptr
      %i4 = arith.addi %start4, %tx : i32
      %row4 = arith.divsi %i4, %width : i32
      llvm.store %row4, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
