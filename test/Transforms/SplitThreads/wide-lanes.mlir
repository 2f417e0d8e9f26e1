// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 width=4' --canonicalize | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 width=4 reassociate' --canonicalize \
// RUN:   | FileCheck %s --check-prefix=REORDERED

// Lanes copy 4 neighbours of a row at a time: all are loaded, and then stored. What is left is
// copied one by one, in a loop that is not unrolled.
// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: grain.kernel @copies
// CHECK: %[[LANE:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: %[[N:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[N]], %c0_i64
// CHECK: %[[END:.*]] = arith.select %[[IS]], %c0_i64, %[[N]]
// CHECK: %[[LEFT:.*]] = arith.andi %[[END]], %c3_i64
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %[[LEFT]] overflow<nsw>
// CHECK: %[[OWN:.*]] = arith.muli %[[LANE]], %c4_i64 overflow<nsw>
// CHECK: scf.for %[[J:.*]] = %[[OWN]] to %[[LAST]] step %c128_i64
// CHECK: arith.addi %[[J]], %c1_i64 overflow<nsw>
// CHECK: arith.addi %[[J]], %c2_i64 overflow<nsw>
// CHECK: arith.addi %[[J]], %c3_i64 overflow<nsw>
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK: %[[REST:.*]] = arith.addi %[[LAST]], %[[LANE]] overflow<nsw>
// CHECK: scf.for %{{.*}} = %[[REST]] to %[[END]] step %c32_i64
// CHECK: llvm.load
// CHECK: grain.loop_hint #[[ROLLED]]
grain.kernel @copies(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The loop begins in the middle of a row. Iterations in front of the first multiple of 4 are run one
// by one, but none behind the end.
// CHECK-LABEL: grain.kernel @middles
// CHECK: %[[FIRST:.*]] = arith.extsi %arg3 : i32 to i64
// CHECK: %[[END:.*]] = arith.select
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c3_i64 overflow<nsw>
// CHECK: %[[MULTIPLE:.*]] = arith.andi %[[NEXT]], %c-4_i64
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[MULTIPLE]], %[[END]]
// CHECK: %[[START:.*]] = arith.select %[[IS]], %[[MULTIPLE]], %[[END]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[START]] step %c32_i64
// CHECK: scf.for {{.*}} step %c128_i64
// CHECK: scf.for {{.*}} step %c32_i64
grain.kernel @middles(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %middle: i32) {
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
      scf.for %j = %middle to %n step %c1 : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A sum in the program's order: the 4 terms of the first lane, then those of the next one. With 32
// lanes, one round has more terms than are added at a time.
// CHECK-LABEL: grain.kernel @sums
// CHECK: scf.for {{.*}} step %c128_i64 iter_args(%[[S:.*]] = %{{.*}}, %{{.*}} = %c0_i64) -> (f32, i64)
// CHECK: %[[T0:.*]] = llvm.load
// CHECK: %[[T1:.*]] = llvm.load
// CHECK: %[[T2:.*]] = llvm.load
// CHECK: %[[T3:.*]] = llvm.load
// CHECK: %[[B0:.*]] = arith.bitcast %[[T0]]
// CHECK: %[[M0:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[B0]], %c0_i32, %c31_i32
// CHECK: %[[F0:.*]] = arith.bitcast %[[M0]]
// CHECK: %[[S0:.*]] = llvm.fadd %[[S]], %[[F0]]
// CHECK: %[[B1:.*]] = arith.bitcast %[[T1]]
// CHECK: nvvm.shfl.sync idx %c-1_i32, %[[B1]], %c0_i32, %c31_i32
// CHECK: %[[S1:.*]] = llvm.fadd %[[S0]]
// CHECK: arith.bitcast %[[T2]]
// CHECK: arith.bitcast %[[T3]]
// CHECK: %[[B0:.*]] = arith.bitcast %[[T0]]
// CHECK: nvvm.shfl.sync idx %c-1_i32, %[[B0]], %c1_i32, %c31_i32
// CHECK-COUNT-124: llvm.fadd
// CHECK: scf.for {{.*}} step %c32_i64
// CHECK: scf.if
// In another order, a lane adds its own 4 terms.
// REORDERED-LABEL: grain.kernel @sums
// REORDERED: scf.for {{.*}} step %c128_i64
// REORDERED-COUNT-4: llvm.load
// REORDERED-COUNT-4: llvm.fadd
// REORDERED: scf.for {{.*}} step %c32_i64
// REORDERED: llvm.fadd
// REORDERED-COUNT-5: nvvm.shfl.sync bfly
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

// The first greatest number. Each of a lane's iterations notes its own number.
// CHECK-LABEL: grain.kernel @greatest
// CHECK: %[[PARTS:.*]]:2 = scf.for %[[J:.*]] = {{.*}} step %c128_i64 iter_args(%[[M:.*]] = %{{.*}}, %[[P:.*]] = %c-9223372036854775808_i64)
// CHECK: %[[J1:.*]] = arith.addi %[[J]], %c1_i64
// CHECK: %[[IS:.*]] = llvm.fcmp "ogt" %{{.*}}, %[[M]]
// CHECK: %[[M0:.*]] = arith.select %[[IS]], %{{.*}}, %[[M]]
// CHECK: %[[P0:.*]] = arith.select %[[IS]], %[[J]], %[[P]]
// CHECK: %[[IS:.*]] = llvm.fcmp "ogt" %{{.*}}, %[[M0]]
// CHECK: arith.select %[[IS]], %{{.*}}, %[[M0]]
// CHECK: arith.select %[[IS]], %[[J1]], %[[P0]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[PARTS]]#0, %{{.*}} = %[[PARTS]]#1)
// CHECK: nvvm.shfl.sync bfly
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

// Where what is carried decides nothing but passes through a branch that stores, the iterations run
// one after the other: a load stays behind the store of its own iteration.
// CHECK-LABEL: grain.kernel @ordered
// CHECK: scf.for {{.*}} step %c128_i64
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: %[[AGAIN:.*]] = llvm.load
// CHECK: llvm.fmul %[[AGAIN]], %[[AGAIN]]
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: llvm.load
grain.kernel @ordered(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      %count = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %is = llvm.fcmp "ogt" %v, %zero : f32
        %next = scf.if %is -> (i32) {
          llvm.store %v, %to : f32, !llvm.ptr
          %one = arith.addi %s, %c1 : i32
          scf.yield %one : i32
        } else {
          scf.yield %s : i32
        }
        %again = llvm.load %to : !llvm.ptr -> f32
        %square = llvm.fmul %again, %again : f32
        llvm.store %square, %to : f32, !llvm.ptr
        scf.yield %next : i32
      }
      llvm.store %count, %result : i32, !llvm.ptr
    }
  }
  grain.return
}

// A triangle's row is divided at the diagonal, and both parts take 4 neighbours at a time.
// CHECK-LABEL: grain.kernel @triangle
// CHECK: scf.for {{.*}} step %c128_i64
// CHECK-COUNT-4: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK: scf.for {{.*}} step %c32_i64
// CHECK: scf.for {{.*}} step %c32_i64
// CHECK: scf.for {{.*}} step %c128_i64
// CHECK-COUNT-4: llvm.store
grain.kernel @triangle(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %place = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %is = arith.cmpi sle, %j, %thread : i32
        scf.if %is {
          %v = llvm.load %place : !llvm.ptr -> f32
          %more = llvm.fmul %v, %v : f32
          llvm.store %more, %place : f32, !llvm.ptr
        } else {
          llvm.store %zero, %place : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// Every second element is no neighbour, so a lane takes one iteration of the second loop at a time.
// CHECK-LABEL: grain.kernel @strided
// CHECK: scf.for {{.*}} step %c128_i64
// CHECK: scf.for {{.*}} step %c64_i64
// CHECK-NOT: scf.for
// CHECK: grain.return
grain.kernel @strided(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      %c2 = arith.constant 2 : i32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
      scf.for %j = %c0 to %n step %c2 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The number of an element is a sum of 32 bits that does not wrap. It is formed in 64 bits, in which
// the numbers of a lane's iterations are seen to be neighbours.
// CHECK-LABEL: grain.kernel @flat
// CHECK: scf.for %[[J:.*]] = {{.*}} step %c128_i64
// CHECK: %[[J1:.*]] = arith.addi %[[J]], %c1_i64 overflow<nsw>
// CHECK: %[[ROW:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: arith.addi %[[ROW]], %[[J]] overflow<nsw> : i64
// CHECK: arith.addi %{{.*}}, %[[J1]] overflow<nsw> : i64
grain.kernel @flat(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %number = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %number : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
