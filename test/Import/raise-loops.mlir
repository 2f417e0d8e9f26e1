// RUN: regrain-opt %s --grain-raise-loops | FileCheck %s
// Counting loops become scf.for; for each loop that is kept there is a reason.

llvm.func @pure(i32) -> i32 attributes {grain.callee = #grain.callee<function, convergence = none>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>, will_return}
llvm.func @exits(i32)

// This is the form after the lift: a do-while around an if.
// CHECK-LABEL: @rotated
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %arg1 step %c1_i32
// CHECK-NEXT: llvm.store %[[I]], %arg0
llvm.func @rotated(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %poison = llvm.mlir.poison : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi slt, %i, %n : i32
    %next = scf.if %again -> i32 {
      llvm.store %i, %p : i32, !llvm.ptr
      %j = arith.addi %i, %c1 overflow<nsw> : i32
      scf.yield %j : i32
    } else {
      scf.yield %poison : i32
    }
    scf.condition(%again) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  llvm.return
}

// The branch tests the opposite of the condition that continues the loop.
// CHECK-LABEL: @rotated_inverted
// CHECK: scf.for
llvm.func @rotated_inverted(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %poison = llvm.mlir.poison : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %done = arith.cmpi sge, %i, %n : i32
    %next = scf.if %done -> i32 {
      scf.yield %poison : i32
    } else {
      llvm.store %i, %p : i32, !llvm.ptr
      %j = arith.addi %i, %c1 overflow<nsw> : i32
      scf.yield %j : i32
    }
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  llvm.return
}

// A real do-while executes its body before the test.
// CHECK-LABEL: @do_while
// CHECK: scf.while
llvm.func @do_while(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    %again = arith.cmpi slt, %j, %n : i32
    scf.condition(%again) %j : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  llvm.return
}

// With a step of 1 the last value is the bound, or the first value.
// CHECK-LABEL: @last_value
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[LAST:.*]] = arith.maxsi %arg1, %arg2
// CHECK: arith.addi %[[SUM]], %[[LAST]]
llvm.func @last_value(%p: !llvm.ptr, %from: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %from, %s = %c0) : (i32, i32) -> (i32, i32) {
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %v = llvm.load %p : !llvm.ptr -> i32
    %t = arith.addi %s, %v : i32
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %t : i32, i32
  }
  %sum = arith.addi %r#1, %r#0 : i32
  llvm.return %sum : i32
}

// With another step, computing it would take a division.
// CHECK-LABEL: @last_value_of_steps
// CHECK: scf.while
llvm.func @last_value_of_steps(%p: !llvm.ptr, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c4 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return %r : i32
}

// With a step of 4, the index may pass the largest integer...
// CHECK-LABEL: @wraps
// CHECK: scf.while
llvm.func @wraps(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c4 : i32
    scf.yield %j : i32
  }
  llvm.return
}

// ...unless the addition promises that it does not.
// CHECK-LABEL: @does_not_wrap
// CHECK: scf.for %{{.*}} = %c0_i32 to %arg1 step %c4_i32
llvm.func @does_not_wrap(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c4 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// Counting down in i is counting up in ~i; the bound is ~0.
// CHECK-LABEL: @down
// CHECK: %[[FIRST:.*]] = arith.xori %arg1, %c-1_i32
// CHECK: scf.for %[[J:.*]] = %[[FIRST]] to %c-1_i32 step %c2_i32
// CHECK: %[[I:.*]] = arith.xori %[[J]], %c-1_i32
// CHECK: llvm.store %[[I]]
llvm.func @down(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %m2 = arith.constant -2 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %again = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %m2 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// An inclusive bound is one more.
// CHECK-LABEL: @inclusive
// CHECK: %[[END:.*]] = arith.addi %arg1, %c1_i32 overflow<nsw>
// CHECK: scf.for %{{.*}} to %[[END]]
llvm.func @inclusive(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi sle, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = llvm.call @pure(%i) : (i32) -> i32
    llvm.store %v, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// With the largest bound, the loop runs until a call that does not return leaves it.
// CHECK-LABEL: @inclusive_left
// CHECK: scf.while
llvm.func @inclusive_left(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi sle, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.call @exits(%i) : (i32) -> ()
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// Unsigned equals signed if neither side can be negative.
// CHECK-LABEL: @unsigned
// CHECK: scf.for
// CHECK-NOT: scf.while
llvm.func @unsigned(%p: !llvm.ptr, %n: i16) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bound = arith.extui %n : i16 to i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi ult, %i, %bound : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  llvm.return
}

// CHECK-LABEL: @unsigned_bound_unknown
// CHECK: scf.while
llvm.func @unsigned_bound_unknown(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi ult, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  llvm.return
}

// CHECK-LABEL: @unsigned_start_unknown
// CHECK: scf.while
llvm.func @unsigned_start_unknown(%p: !llvm.ptr, %from: i32) {
  %c100 = arith.constant 100 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %from) : (i32) -> i32 {
    %again = arith.cmpi ult, %i, %c100 : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// Not-equal ends the loop if the value is hit: 12 by steps of 4 is, 13 is not.
// CHECK-LABEL: @until_equal
// CHECK: scf.for %{{.*}} = %c0_i32 to %c12_i32 step %c4_i32
// CHECK: scf.while
llvm.func @until_equal(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c12 = arith.constant 12 : i32
  %c13 = arith.constant 13 : i32
  %a = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi ne, %i, %c12 : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c4 : i32
    scf.yield %j : i32
  }
  %b = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi ne, %i, %c13 : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c4 : i32
    scf.yield %j : i32
  }
  llvm.return
}

// Halving is not counting.
// CHECK-LABEL: @halving
// CHECK: scf.while
llvm.func @halving(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %again = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.shrsi %i, %c1 : i32
    scf.yield %j : i32
  }
  llvm.return
}

// A bound that is read in the loop may change.
// CHECK-LABEL: @bound_changes
// CHECK: scf.while
llvm.func @bound_changes(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %n = llvm.load %p : !llvm.ptr -> i32
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// Memory that is read after the loop may be loaded there: once, not in every iteration.
// CHECK-LABEL: @reads_on_exit
// CHECK: scf.while
// CHECK: llvm.load
llvm.func @reads_on_exit(%p: !llvm.ptr, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi slt, %i, %n : i32
    %next = scf.if %again -> i32 {
      llvm.store %i, %p : i32, !llvm.ptr
      %j = arith.addi %i, %c1 overflow<nsw> : i32
      scf.yield %j : i32
    } else {
      %v = llvm.load %p : !llvm.ptr -> i32
      scf.yield %v : i32
    }
    scf.condition(%again) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  llvm.return %r : i32
}

// A division by 0 is undefined: it stays in a loop that may run zero times,
// unless its divisor cannot be 0.
// CHECK-LABEL: @remainders
// CHECK: %[[CONSTANT:.*]] = arith.remui %arg1, %c7_i32
// CHECK-NOT: arith.rem
// CHECK-NOT: arith.div
// CHECK: scf.for
// CHECK: arith.remui %arg1, %arg2
// CHECK: arith.remsi %arg1, %arg2
// CHECK: arith.divui %arg1, %arg2
// CHECK: arith.divsi %arg1, %arg2
// CHECK: scf.if
// CHECK-NEXT: arith.remui %arg2, %arg1
llvm.func @use(i32)
llvm.func @remainders(%p: !llvm.ptr, %x: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %odd = arith.cmpi slt, %x, %n : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %again = arith.cmpi slt, %i, %n : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    %known = arith.remui %x, %c7 : i32
    %a = arith.remui %x, %n : i32
    %b = arith.remsi %x, %n : i32
    %c = arith.divui %x, %n : i32
    %d = arith.divsi %x, %n : i32
    %e = scf.if %odd -> i32 {
      %m = arith.remui %n, %x : i32
      scf.yield %m : i32
    } else {
      scf.yield %x : i32
    }
    llvm.call @use(%known) : (i32) -> ()
    llvm.call @use(%a) : (i32) -> ()
    llvm.call @use(%b) : (i32) -> ()
    llvm.call @use(%c) : (i32) -> ()
    llvm.call @use(%d) : (i32) -> ()
    llvm.call @use(%e) : (i32) -> ()
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    scf.yield %j : i32
  }
  llvm.return
}

// The block size is positive; a hint stays in the loop.
// CHECK-LABEL: grain.kernel @strided
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg1 step %{{.*}}
// CHECK-NEXT: grain.loop_hint "unroll"
grain.kernel @strided(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %size = grain.block_size x
      %r = scf.while (%i = %tx) : (i32) -> i32 {
        grain.loop_hint "unroll"
        %again = arith.cmpi slt, %i, %n : i32
        scf.condition(%again) %i : i32
      } do {
      ^bb0(%i: i32):
        llvm.store %i, %p : i32, !llvm.ptr
        %j = arith.addi %i, %size overflow<nsw> : i32
        scf.yield %j : i32
      }
    }
  }
  grain.return
}

// The inner condition is poison if the sum wraps, and the outer one protects
// branches from it: the two are not joined.
// CHECK-LABEL: @poison_inside
// CHECK: %[[FITS:.*]] = arith.cmpi slt, %arg1
// CHECK-NOT: arith.andi
// CHECK: scf.if %[[FITS]] {
// CHECK-NOT: arith.andi
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: llvm.store
llvm.func @poison_inside(%p: !llvm.ptr, %n: i32, %limit: i32) {
  %most = arith.constant 2147483647 : i32
  %c1 = arith.constant 1 : i32
  %fits = arith.cmpi slt, %n, %most : i32
  %next = arith.addi %n, %c1 overflow<nsw> : i32
  %above = arith.cmpi sgt, %next, %limit : i32
  scf.if %fits {
    scf.if %above {
      llvm.store %n, %p : i32, !llvm.ptr
    }
  }
  llvm.return
}

// If the counter wrapped around, it would take numbers below the bound only, and the loop would never end.
// CHECK-LABEL: @must_end
// CHECK: scf.for %{{.*}} = %arg1 to %arg2 step %c32_i32
llvm.func @must_end(%p: !llvm.ptr, %first: i32, %n: i32) {
  %step = arith.constant 32 : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    grain.loop_hint #llvm.loop_annotation<mustProgress = true>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    llvm.store %j, %p : i32, !llvm.ptr
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  llvm.return
}

// Other steps may reach another number behind the bound.
// CHECK-LABEL: @odd_step
// CHECK: scf.while
llvm.func @odd_step(%p: !llvm.ptr, %first: i32, %n: i32) {
  %step = arith.constant 24 : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    grain.loop_hint #llvm.loop_annotation<mustProgress = true>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    llvm.store %j, %p : i32, !llvm.ptr
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  llvm.return
}

// The loop may run for ever.
// CHECK-LABEL: @may_go_on
// CHECK: scf.while
llvm.func @may_go_on(%p: !llvm.ptr, %first: i32, %n: i32) {
  %step = arith.constant 32 : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    llvm.store %j, %p : i32, !llvm.ptr
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  llvm.return
}

// So may one that does something visible.
// CHECK-LABEL: @is_seen
// CHECK: scf.while
llvm.func @is_seen(%p: !llvm.ptr, %first: i32, %n: i32) {
  %step = arith.constant 32 : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    grain.loop_hint #llvm.loop_annotation<mustProgress = true>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    llvm.store volatile %j, %p : i32, !llvm.ptr
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  llvm.return
}

// An unsigned counter may end behind the greatest signed number.
// CHECK-LABEL: @unsigned_steps
// CHECK: scf.while
llvm.func @unsigned_steps(%p: !llvm.ptr, %first: i32, %n: i32) {
  %step = arith.constant 32 : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    grain.loop_hint #llvm.loop_annotation<mustProgress = true>
    %more = arith.cmpi ult, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    llvm.store %j, %p : i32, !llvm.ptr
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  llvm.return
}
