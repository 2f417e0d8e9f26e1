// RUN: regrain-opt %s '--grain-split-threads=lanes=8 warps shape=256,1,1 reassociate' --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=lanes=8 warps shape=256,1,1 elements=4' --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s --check-prefix=KEPT
// RUN: not regrain-opt %s '--grain-split-threads=lanes=8 warps shape=512,1,1' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// RUN: not regrain-opt %s '--grain-split-threads=lanes=8 width=2 warps shape=256,1,1' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// RUN: not regrain-opt %s '--grain-split-threads=lanes=64 warps shape=2048,1,1' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// SHAPE: or 2 to 32 warps, which are the block

// A block of 8 warps runs one warp of the program. The number of the warp is that of its first
// thread, which no lane changes. Warp w begins with the iteration of its lane behind 32 w others.
// What the 8 warps have of a lane lies in neighbours, then, and is handed back to all warps. The
// program's shuffles follow. The first warp stores alone what the first lane stores.
// CHECK-LABEL: grain.kernel @greatest
// CHECK: grain.blocks (%[[B:.*]], %{{.*}}, %{{.*}}) {
// CHECK: %[[PARTS:.*]] = grain.shared "parts" : !llvm.array<264 x i32> align 8
// CHECK: %[[WHOLES:.*]] = grain.shared "wholes" : !llvm.array<32 x i32> align 8
// CHECK: grain.threads (%[[X:.*]], %[[Y:.*]], %[[Z:.*]]) whole_warps attributes {grain.split = 8 : i32, shape = array<i32: 256, 1, 1>}
// CHECK: %[[START:.*]] = arith.muli %[[B]], %c32_i32
// CHECK: arith.cmpi ult, %[[START]], %{{.*}}
// CHECK: %[[FIRST:.*]] = arith.remui %[[START]], %{{.*}}
// CHECK: %[[LANE:.*]] = arith.andi %[[X]], %c31_i32
// CHECK: arith.addi %[[FIRST]], %[[LANE]]
// CHECK: scf.if
// CHECK: %[[W:.*]] = arith.shrui %[[X]], %c5_i32
// CHECK: %[[LEADS:.*]] = arith.cmpi eq, %[[W]], %c0_i32
// CHECK: %[[WARPSTART:.*]] = arith.addi %{{.*}}, %[[FIRST]]
// CHECK: %[[WARP:.*]] = arith.shrui %[[WARPSTART]], %c5_i32
// CHECK: arith.muli %[[WARP]], %{{.*}}
// CHECK: %[[PART:.*]] = scf.for {{.*}} step %c256_i64
// CHECK: arith.maxsi
// CHECK: }
// CHECK: %[[ROW:.*]] = arith.muli %[[W]], %c33_i32
// CHECK: llvm.store %[[PART]], %{{.*}} : i32, !llvm.ptr<3>
// CHECK: grain.barrier(%[[X]], %[[Y]], %[[Z]])
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: }
// CHECK: grain.barrier
// CHECK: %[[ALL:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: nvvm.shfl.sync bfly %c-1_i32, %[[ALL]], %c1_i32
// CHECK: grain.barrier
// CHECK: %[[LEADING:.*]] = arith.andi %[[LEADS]], %{{.*}}
// CHECK: scf.if %[[LEADING]] {
// CHECK-NEXT: llvm.store
// CHECK: grain.barrier
// CHECK: scf.for {{.*}} step %c256_i64
// CHECK: llvm.store
// CHECK: }
// CHECK: grain.barrier
// KEPT-LABEL: grain.kernel @greatest
// KEPT: scf.if
// KEPT-COUNT-4: llvm.load
// KEPT-COUNT-4: arith.maxsi
// KEPT: scf.for
// KEPT: llvm.load
// KEPT: grain.barrier
// KEPT: scf.if
// KEPT-NOT: llvm.load
// KEPT-COUNT-4: llvm.store
grain.kernel @greatest(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
      %other = nvvm.shfl.sync bfly %all, %most, %c1, %c31 : i32 -> i32
      %both = arith.maxsi %most, %other : i32
      scf.if %leads {
        llvm.store %both, %result : i32, !llvm.ptr
      }
      scf.for %j = %lane to %n step %c32  : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %place = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %less = arith.subi %both, %v : i32
        llvm.store %less, %place : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The running sum of a softmax. Warps that do not begin with the row's first element subtract no
// less than the least finite number. Two parts are put together as the program adds a term, and a
// part keeps its sum if its largest number is that of both.
// CHECK-LABEL: grain.kernel @running
// CHECK-DAG: %[[INF:.*]] = llvm.mlir.constant(0xFF800000 : f32) : f32
// CHECK-DAG: %[[FINITE:.*]] = llvm.mlir.constant(-3.40282347E+38 : f32) : f32
// CHECK-DAG: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[LEADS:.*]] = arith.cmpi eq
// CHECK: %[[LEAST:.*]] = arith.select %[[LEADS]], %[[INF]], %[[FINITE]]
// CHECK: arith.select %[[LEADS]], %{{.*}}, %[[NOTHING]]
// CHECK: scf.for {{.*}} iter_args(%[[M:.*]] = %[[INF]],
// CHECK: %[[LARGER:.*]] = llvm.intr.maxnum(%[[M]], %[[V:[^)]*]])
// CHECK: %[[BEFORE:.*]] = llvm.intr.maxnum(%[[M]], %[[LEAST]])
// CHECK: %[[AFTER:.*]] = llvm.intr.maxnum(%[[LARGER]], %[[LEAST]])
// CHECK: llvm.fsub %[[BEFORE]], %[[AFTER]]
// CHECK: llvm.fsub %[[V]], %[[AFTER]]
// CHECK: }
// CHECK: grain.barrier
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK: %[[BOTH:.*]] = llvm.intr.maxnum(%[[OWN:[^,]*]], %{{.*}})
// CHECK: %[[DISTANCE:.*]] = llvm.fsub %[[OWN]], %[[BOTH]]
// CHECK: %[[FACTOR:.*]] = llvm.intr.exp(%[[DISTANCE]])
// CHECK: %[[SAME:.*]] = llvm.fcmp "oeq" %[[OWN]], %[[BOTH]]
// CHECK: arith.select %[[SAME]], %{{.*}}, %[[FACTOR]]
// CHECK: llvm.fadd
// CHECK: grain.barrier
// KEPT: grain.kernel @running
grain.kernel @running(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %least = llvm.mlir.constant(0xFF800000 : f32) : f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %m, %sum = scf.for %j = %lane to %n step %c32 iter_args(%best = %least, %s = %zero) -> (f32, f32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %larger = llvm.intr.maxnum(%best, %v) : (f32, f32) -> f32
        %d = llvm.fsub %best, %larger : f32
        %scale = llvm.intr.exp(%d) : (f32) -> f32
        %e = llvm.fsub %v, %larger : f32
        %term = llvm.intr.exp(%e) : (f32) -> f32
        %more = llvm.intr.fmuladd(%s, %scale, %term) : (f32, f32, f32) -> f32
        scf.yield %larger, %more : f32, f32
      }
      llvm.store %sum, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// What only some lanes of a warp run has no loop that warps share, and no barrier.
// CHECK-LABEL: grain.kernel @some
// CHECK: scf.for {{.*}} step %c256_i64
// CHECK: scf.if
// CHECK: scf.for {{.*}} step %c32_i32
// CHECK-NOT: grain.barrier
// CHECK: scf.yield
// CHECK: grain.barrier
// KEPT: grain.kernel @some
grain.kernel @some(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
      %few = arith.cmpi ult, %lane, %c5 : i32
      %both = scf.if %few -> (i32) {
        %again = scf.for %j = %lane to %n step %c32 iter_args(%s = %most) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.xori %s, %v : i32
        scf.yield %more : i32
      }
        scf.yield %again : i32
      } else {
        scf.yield %most : i32
      }
      llvm.store %both, %result : i32, !llvm.ptr
    }
  }
  grain.return
}
