// RUN: regrain-opt %s --grain-split-threads=shape=64,1,1 --canonicalize | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 reassociate' --canonicalize \
// RUN:   | FileCheck %s --check-prefix=REORDERED

// A row is copied. Lanes take every 32nd element, and meet before and behind what they write. The
// counter has 64 bits, and the kernel no longer says that nothing else accesses what it writes.
// CHECK-LABEL: grain.kernel @copies
// CHECK-SAME: (%[[OUT:.*]]: !llvm.ptr, %[[IN:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i32)
// CHECK: grain.threads (%[[X:.*]], %{{.*}}, %{{.*}}) attributes {grain.split = 32 : i32, shape = array<i32: 64, 1, 1>}
// CHECK: %[[OWN:.*]] = arith.divui %[[X]], %c32_i32
// CHECK: %[[THREAD:.*]] = arith.addi %{{.*}}, %[[OWN]]
// CHECK: scf.if
// CHECK: %[[LANE:.*]] = arith.andi %[[X]], %c31_i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[LANE]] : i32 to i64
// CHECK: arith.muli %[[THREAD]], %[[N]]
// CHECK: nvvm.bar.warp.sync %c-1_i32
// CHECK: scf.for %[[J:.*]] = %[[WIDE]] to %{{.*}} step %c32_i64
// CHECK: llvm.getelementptr inbounds %{{.*}}[%[[J]]]
// CHECK: llvm.store
// CHECK: }
// CHECK: nvvm.bar.warp.sync %c-1_i32
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
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %v, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Integers are added in another order, so nothing is known of overflow. The first lane stores.
// CHECK-LABEL: grain.kernel @adds
// CHECK: %[[ISFIRST:.*]] = arith.cmpi eq
// CHECK: %[[START:.*]] = arith.select %[[ISFIRST]], %c7_i32, %c0_i32
// CHECK: %[[PART:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[START]])
// CHECK: arith.addi %[[SUM]], %{{.*}} : i32
// CHECK: %[[OTHER:.*]] = nvvm.shfl.sync bfly %c-1_i32, %[[PART]], %c1_i32, %c31_i32
// CHECK: arith.addi %[[PART]], %[[OTHER]] : i32
// CHECK: nvvm.shfl.sync bfly {{.*}}, %c16_i32
// CHECK: %[[ALL:.*]] = arith.addi
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.if %[[ISFIRST]] {
// CHECK-NEXT: llvm.store %[[ALL]]
// CHECK: }
// CHECK: nvvm.bar.warp.sync
grain.kernel @adds(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %c7 = arith.constant 7 : i32
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c7) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.addi %s, %v overflow<nsw> : i32
        scf.yield %more : i32
      }
      llvm.store %sum, %result : i32, !llvm.ptr
    }
  }
  grain.return
}

// All lanes begin with the value before the loop, because it may be combined several times.
// CHECK-LABEL: grain.kernel @minimum
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %c9_i32)
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.minsi
grain.kernel @minimum(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %c9 = arith.constant 9 : i32
      %least = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c9) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %less = arith.minsi %s, %v : i32
        scf.yield %less : i32
      }
      llvm.store %least, %result : i32, !llvm.ptr
    }
  }
  grain.return
}

// The greatest number with its position. Of equal numbers that of the first iteration remains, so
// each lane notes when it found its own.
// CHECK-LABEL: grain.kernel @greatest
// CHECK: %[[PARTS:.*]]:3 = scf.for %[[J:.*]] = {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[P:.*]] = %c-9223372036854775808_i64)
// CHECK: %[[IS:.*]] = llvm.fcmp "ogt"
// CHECK: arith.select %[[IS]], %[[J]], %[[P]]
// CHECK: }
// CHECK: %[[BETTER:.*]] = llvm.fcmp "ogt" %[[OTHER:.*]], %[[PARTS]]#0
// CHECK: %[[EQUAL:.*]] = llvm.fcmp "oeq" %[[OTHER]], %[[PARTS]]#0
// CHECK: %[[NEARER:.*]] = arith.cmpi slt, %{{.*}}, %[[PARTS]]#2 : i64
// CHECK: %[[BOTH:.*]] = arith.andi %[[EQUAL]], %[[NEARER]]
// CHECK: arith.ori %[[BETTER]], %[[BOTH]]
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
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %least = llvm.mlir.constant(0xFF800000 : f32) : f32
      %m, %i = scf.for %j = %c0 to %n step %c1 iter_args(%s = %least, %p = %c0) -> (f32, i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %is = llvm.fcmp "ogt" %v, %s : f32
        %more = arith.select %is, %v, %s : f32
        %where = arith.select %is, %j, %p : i32
        scf.yield %more, %where : f32, i32
      }
      %number = arith.sitofp %i : i32 to f32
      %both = llvm.fadd %m, %number : f32
      llvm.store %both, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// A sum of floating-point numbers keeps its order: all lanes add the terms of all, one after the
// other. Where a lane has no iteration, it adds -0. As long as all lanes have one in two rounds,
// both are run at once, and all of their terms are added behind both.
// CHECK-LABEL: grain.kernel @sums
// CHECK: %[[REST:.*]] = arith.addi %{{.*}}, %c-63_i64 overflow<nsw>
// CHECK: %[[FULL:.*]]:2 = scf.for %[[R:.*]] = %c0_i64 to %[[REST]] step %c64_i64 iter_args(%[[S:.*]] = %{{.*}}, %{{.*}} = %c0_i64) -> (f64, i64)
// CHECK-NOT: scf.if
// CHECK: %[[OWN:.*]] = arith.addi %[[R]], %{{.*}} overflow<nsw>
// CHECK: arith.addi %[[OWN]], %c32_i64 overflow<nsw>
// CHECK: %[[TERM:.*]] = llvm.load
// CHECK: llvm.load
// CHECK: arith.bitcast %[[TERM]] : f32 to i32
// CHECK: nvvm.shfl.sync idx %c-1_i32, %{{.*}}, %c0_i32, %c31_i32
// CHECK: %[[WIDE:.*]] = llvm.fpext
// CHECK: llvm.fadd %[[S]], %[[WIDE]]
// CHECK-COUNT-63: llvm.fadd
// CHECK: %[[COME:.*]] = arith.addi %[[R]], %c64_i64 overflow<nsw>
// CHECK: scf.yield %{{.*}}, %[[COME]]
// CHECK: %[[SUM:.*]] = scf.for %[[R:.*]] = %[[FULL]]#1 to %[[END:.*]] step %c32_i64 iter_args(%[[S:.*]] = %[[FULL]]#0) -> (f64)
// CHECK: %[[J:.*]] = arith.addi %[[R]], %{{.*}} overflow<nsw>
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK: %[[TERM:.*]] = scf.if %[[RUNS]] -> (f32) {
// CHECK: llvm.load
// CHECK: } else {
// CHECK: scf.yield %[[ZERO:.*]] : f32
// CHECK: }
// CHECK: %[[BITS:.*]] = arith.bitcast %[[TERM]] : f32 to i32
// CHECK: %[[MOVED:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[BITS]], %c0_i32, %c31_i32
// CHECK: %[[OTHER:.*]] = arith.bitcast %[[MOVED]] : i32 to f32
// CHECK: %[[WIDE:.*]] = llvm.fpext %[[OTHER]] : f32 to f64
// CHECK: llvm.fadd %[[S]], %[[WIDE]]
// CHECK-COUNT-31: llvm.fadd
// If sums may be in another order, lanes add their own terms first.
// REORDERED-LABEL: grain.kernel @sums
// REORDERED: %[[ZERO:.*]] = arith.constant -0.000000e+00 : f64
// REORDERED: %[[START:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ZERO]] : f64
// REORDERED: scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// REORDERED: llvm.fadd
// REORDERED: }
// REORDERED-COUNT-10: nvvm.shfl.sync bfly
// REORDERED: nvvm.shfl.sync idx
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
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %wide = llvm.fpext %v : f32 to f64
        %more = llvm.fadd %s, %wide : f64
        scf.yield %more : f64
      }
      llvm.store %sum, %result : f64, !llvm.ptr
    }
  }
  grain.return
}

// Each round of the outer loop needs the one before, so all lanes run it, and share the inner one.
// CHECK-LABEL: grain.kernel @nested
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} step %c1_i32 iter_args
// CHECK: scf.for {{.*}} step %c32_i64
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
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> (i32) : i32 {
        %inner = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
          %at = arith.extui %j : i32 to i64
          %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
          %v = llvm.load %from : !llvm.ptr -> i32
          %more = arith.addi %s, %v : i32
          scf.yield %more : i32
        }
        %twice = arith.muli %t, %t : i32
        %next = arith.addi %twice, %inner : i32
        scf.yield %next : i32
      }
      llvm.store %sum, %result : i32, !llvm.ptr
    }
  }
  grain.return
}

// Squares are added. A number that is multiplied by itself is exchanged once while all lanes run.
// CHECK-LABEL: grain.kernel @squares
// CHECK: scf.for {{.*}} step %c64_i64
// CHECK-COUNT-64: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK: scf.for {{.*}} step %c32_i64
// CHECK-COUNT-64: nvvm.shfl.sync idx
grain.kernel @squares(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
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
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %more = llvm.intr.fma(%v, %v, %s) : (f32, f32, f32) -> f32
        scf.yield %more : f32
      }
      llvm.store %sum, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// The row of a triangle: up to the diagonal, numbers are multiplied, and behind it they are 0. The
// loop is divided there, and neither part has a branch.
// CHECK-LABEL: grain.kernel @triangle
// CHECK: %[[BEHIND:.*]] = arith.addi %{{.*}}, %c1_i64 overflow<nsw>
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[BEHIND]], %[[END:.*]] : i64
// CHECK: %[[LESS:.*]] = arith.select %[[IS]], %[[BEHIND]], %[[END]]
// CHECK: %[[IS:.*]] = arith.cmpi sgt, %[[LESS]], %c0_i64
// CHECK: %[[FROM:.*]] = arith.select %[[IS]], %[[LESS]], %c0_i64
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK: scf.for
// CHECK-NOT: llvm.load
// CHECK: llvm.store
grain.kernel @triangle(%data: !llvm.ptr {llvm.noalias}, %n: i32, %factor: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %data[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %place = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %is = arith.cmpi sle, %j, %thread : i32
        scf.if %is {
          %v = llvm.load %place : !llvm.ptr -> f32
          %more = llvm.fmul %v, %factor : f32
          llvm.store %more, %place : f32, !llvm.ptr
        } else {
          llvm.store %zero, %place : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// The condition depends on what the loop reads, so the branch stays.
// CHECK-LABEL: grain.kernel @filtered
// CHECK: scf.for
// CHECK: llvm.load
// CHECK: scf.if
// CHECK-NOT: scf.for
grain.kernel @filtered(%data: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %data[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %place = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %place : !llvm.ptr -> i32
        %is = arith.cmpi sle, %j, %v : i32
        scf.if %is {
          llvm.store %c0, %place : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// A branch stands in another one with the same condition. The second part has none of what they hold.
// CHECK-LABEL: grain.kernel @twice
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: llvm.store %[[ONE:.*]], %{{.*}} : f32
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK-NOT: llvm.store %[[ONE]]
// CHECK: llvm.store
grain.kernel @twice(%data: !llvm.ptr {llvm.noalias}, %n: i32, %d: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %start = arith.muli %tx, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %data[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %one = llvm.mlir.constant(1.0 : f32) : f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %place = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %is = arith.cmpi slt, %j, %d : i32
        scf.if %is {
          scf.if %is {
            llvm.store %one, %place : f32, !llvm.ptr
          }
        } else {
          llvm.store %zero, %place : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}
