// RUN: regrain-opt %s --grain-coarsen-threads="factors=2,1,1" --canonicalize --cse | FileCheck %s

// The copies run together for the smaller of their trip counts, then each runs
// the rest of its own.

// CHECK-LABEL: grain.kernel @own_start
// CHECK: arith.minsi
// CHECK: %[[COMMON:.*]] = arith.minsi
// CHECK: %[[JAMMED:.*]]:3 = scf.for %{{.*}} = %c0_i32 to %[[COMMON]] step %{{.*}} iter_args
// CHECK-COUNT-2: llvm.load
// CHECK: scf.yield
// CHECK: %[[REST0:.*]] = arith.addi %{{.*}}, %[[JAMMED]]#0
// CHECK: scf.for %{{.*}} = %[[REST0]] to %{{.*}} iter_args(%{{.*}} = %[[JAMMED]]#1)
// CHECK-COUNT-1: llvm.load
// CHECK: %[[REST1:.*]] = arith.addi %{{.*}}, %[[JAMMED]]#0
// CHECK: scf.for %{{.*}} = %[[REST1]] to %{{.*}} iter_args(%{{.*}} = %[[JAMMED]]#2)

grain.kernel @own_start(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %size = grain.block_size x
      %sum = scf.for %i = %tx to %n step %size iter_args(%partial = %zero) -> i32 : i32 {
        %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %value = llvm.load %slot : !llvm.ptr -> i32
        %next = arith.addi %partial, %value : i32
        scf.yield %next : i32
      }
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// They run together as long as both continue.

// CHECK-LABEL: grain.kernel @chase
// CHECK: %[[JAMMED:.*]]:{{[0-9]+}} = scf.while
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: scf.condition(%[[BOTH]])
// CHECK-COUNT-2: llvm.load
// CHECK: scf.while (%{{.*}} = %[[JAMMED]]#0)
// CHECK: scf.while (%{{.*}} = %[[JAMMED]]#1)

grain.kernel @chase(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %last = scf.while (%at = %tx) : (i32) -> i32 {
        %inside = arith.cmpi slt, %at, %n : i32
        scf.condition(%inside) %at : i32
      } do {
      ^bb0(%at: i32):
        %slot = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %next = llvm.load %slot : !llvm.ptr -> i32
        scf.yield %next : i32
      }
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %last, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// These stay one after the other: no gain, an effect in the condition, lanes
// that cooperate, a step of its own.

// CHECK-LABEL: grain.kernel @kept
// CHECK-NOT: arith.minsi
// CHECK-NOT: arith.andi

llvm.func @nvvm.bar.warp.sync(i32) attributes {grain.callee = #grain.callee<instruction, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}

grain.kernel @kept(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %tx to %n step %one : i32 {
        llvm.store %i, %p : i32, !llvm.ptr
      }
      %last = scf.while (%at = %tx) : (i32) -> i32 {
        llvm.store %at, %p : i32, !llvm.ptr
        %inside = arith.cmpi slt, %at, %n : i32
        scf.condition(%inside) %at : i32
      } do {
      ^bb0(%at: i32):
        %slot = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %next = llvm.load %slot : !llvm.ptr -> i32
        scf.yield %next : i32
      }
      scf.for %i = %tx to %n step %one : i32 {
        %value = llvm.load %p : !llvm.ptr -> i32
        llvm.call @nvvm.bar.warp.sync(%value) : (i32) -> ()
      }
      %own = arith.addi %tx, %one : i32
      scf.for %i = %zero to %n step %own : i32 {
        %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %value = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %value, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
