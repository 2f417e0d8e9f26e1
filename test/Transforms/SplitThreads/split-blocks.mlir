// RUN: regrain-opt %s '--grain-split-threads=lanes=128 shape=128,1,1 reassociate' --canonicalize --split-input-file \
// RUN:   | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=lanes=128 shape=128,1,1' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ORDERED
// RUN: not regrain-opt %s '--grain-split-threads=lanes=128 shape=256,1,1' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// RUN: not regrain-opt %s '--grain-split-threads=lanes=128 shape=128,2,1' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE

// A block of 4 warps shares a thread. Each warp adds its parts, its first lane writes what there is
// to shared memory, and all lanes add that of the warps. The thread is the block's, so all of a
// block's lanes take the same branches.
// CHECK-LABEL: grain.kernel @sums
// CHECK: grain.blocks (%[[B:.*]], %{{.*}}, %{{.*}}) {
// CHECK: %[[PARTS:.*]] = grain.shared "parts" : !llvm.array<4 x f32> align 8
// CHECK: grain.threads (%[[X:.*]], %[[Y:.*]], %[[Z:.*]]) attributes {grain.split = 128 : i32, shape = array<i32: 128, 1, 1>}
// CHECK: arith.cmpi ult, %[[B]], %{{.*}}
// CHECK: arith.andi %[[X]], %c127_i32
// CHECK: scf.for {{.*}} step %c128_i64
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: %[[LANE:.*]] = arith.andi %[[X]], %c31_i32
// CHECK: %[[LEADS:.*]] = arith.cmpi eq, %[[LANE]], %c0_i32
// CHECK: %[[WARP:.*]] = arith.shrui %{{.*}}, %c5_i32
// CHECK: %[[OTHER:.*]] = arith.andi %[[X]], %c3_i32
// CHECK: scf.if %[[LEADS]] {
// CHECK: %[[TO:.*]] = llvm.getelementptr %[[PARTS]][%[[WARP]]]
// CHECK: llvm.store %{{.*}}, %[[TO]] : f32, !llvm.ptr<3>
// CHECK: grain.barrier(%[[X]], %[[Y]], %[[Z]])
// CHECK: %[[FROM:.*]] = llvm.getelementptr %[[PARTS]][%[[OTHER]]]
// CHECK: llvm.load %[[FROM]]
// CHECK-NOT: grain.barrier
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync bfly
// CHECK: nvvm.shfl.sync idx
// CHECK: grain.barrier
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: }
// CHECK: grain.barrier
// ORDERED: remark: {{.*}}lanes of several warps cannot add floating-point numbers in the program's order
// SHAPE: expects 4, 8, 16 or 32 lanes, or those of a block
grain.kernel @sums(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %more = llvm.fadd %s, %v : f32
        scf.yield %more : f32
      }
      llvm.store %sum, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The best of the warps is that of the first iteration as well.
// CHECK-LABEL: grain.kernel @greatest
// CHECK: grain.shared "parts" : !llvm.array<4 x f32>
// CHECK: grain.shared "parts" : !llvm.array<4 x i64>
// CHECK-COUNT-15: nvvm.shfl.sync bfly
// CHECK: grain.barrier
// CHECK-COUNT-6: nvvm.shfl.sync bfly
// ORDERED: grain.shared
grain.kernel @greatest(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %least = llvm.mlir.constant(0xFF800000 : f32) : f32
      %m = scf.for %j = %c0 to %n step %c1 iter_args(%s = %least) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %is = llvm.fcmp "ogt" %v, %s : f32
        %more = arith.select %is, %v, %s : f32
        scf.yield %more : f32
      }
      llvm.store %m, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The shared memory is used in each round of the outer loop, so all lanes meet before the next one.
// CHECK-LABEL: grain.kernel @nested
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.store
// CHECK: grain.barrier
// CHECK: llvm.load
// CHECK: grain.barrier
// CHECK: nvvm.shfl.sync bfly
grain.kernel @nested(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> (i32) : i32 {
        %inner = scf.for %j = %c0 to %n step %c1 iter_args(%s = %t) -> (i32) : i32 {
          %at = arith.extui %j : i32 to i64
          %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
          %v = llvm.load %from : !llvm.ptr -> i32
          %more = arith.addi %s, %v : i32
          scf.yield %more : i32
        }
        %next = arith.muli %inner, %inner : i32
        scf.yield %next : i32
      }
      llvm.store %sum, %result : i32, !llvm.ptr
    }
  }
  grain.return
}
