// RUN: regrain-opt %s --grain-clean-up | FileCheck %s

// A constant condition decides an if.
// CHECK-LABEL: grain.kernel @decided(
// CHECK-NOT: scf.if
// CHECK: llvm.store %arg{{.*}}, %[[P:.*]] :
// CHECK-NOT: llvm.store
grain.kernel @decided(%p: !llvm.ptr, %a: i32, %b: i32) {
  %true = arith.constant true
  %false = arith.constant false
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.if %true {
        llvm.store %a, %p : i32, !llvm.ptr
      } else {
        llvm.store %b, %p : i32, !llvm.ptr
      }
      scf.if %false {
        llvm.store %b, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A condition is known on both sides.
// CHECK-LABEL: grain.kernel @known(
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK: scf.if
// CHECK: llvm.store %[[TRUE]]
// CHECK: else
// CHECK: llvm.store %[[FALSE]]
grain.kernel @known(%p: !llvm.ptr, %c: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.if %c {
        llvm.store %c, %p : i1, !llvm.ptr
      } else {
        llvm.store %c, %p : i1, !llvm.ptr
      }
    }
  }
  grain.return
}

// Values from outside are selected, equal ones need no select, and what nobody uses is not yielded.
// CHECK-LABEL: grain.kernel @yields(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[C:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[A]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = scf.if %[[C]] -> (i32)
// CHECK: scf.yield %{{[0-9a-z]+}} : i32
// CHECK: scf.yield %{{[0-9a-z]+}} : i32
// CHECK: llvm.store %[[S]]
// CHECK: llvm.store %[[R]]
// CHECK: llvm.store %[[A]]
grain.kernel @yields(%p: !llvm.ptr, %c: i1, %a: i32, %b: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r:4 = scf.if %c -> (i32, i32, i32, i32) {
        %x = llvm.load volatile %p : !llvm.ptr -> i32
        scf.yield %x, %a, %a, %x : i32, i32, i32, i32
      } else {
        scf.yield %b, %b, %a, %b : i32, i32, i32, i32
      }
      llvm.store %r#1, %p : i32, !llvm.ptr
      llvm.store %r#0, %p : i32, !llvm.ptr
      llvm.store %r#2, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Neighbours with one condition are joined, and the second uses what the first computed.
// CHECK-LABEL: grain.kernel @neighbours(
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[X:.*]] = llvm.load
// CHECK: llvm.store %[[X]]
// CHECK: else
// CHECK: %[[Y:.*]] = llvm.load
// CHECK: }
// CHECK-NOT: scf.if
// CHECK: llvm.store %[[R]]
grain.kernel @neighbours(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r = scf.if %c -> (i32) {
        %x = llvm.load %p : !llvm.ptr -> i32
        scf.yield %x : i32
      } else {
        %y = llvm.load %q : !llvm.ptr -> i32
        scf.yield %y : i32
      }
      scf.if %c {
        llvm.store %r, %q : i32, !llvm.ptr
      }
      llvm.store %r, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Neighbours with opposite conditions are joined, too.
// CHECK-LABEL: grain.kernel @opposites(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[C:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK: scf.if %[[C]] {
// CHECK-NEXT: llvm.store %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: llvm.store %[[B]]
// CHECK-NOT: scf.if
grain.kernel @opposites(%p: !llvm.ptr, %c: i1, %a: i32, %b: i32) {
  %true = arith.constant true
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %not = arith.xori %c, %true : i1
      scf.if %c {
        llvm.store %a, %p : i32, !llvm.ptr
      }
      scf.if %not {
        llvm.store %b, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A side that does nothing is dropped.
// CHECK-LABEL: grain.kernel @empty(
// CHECK: scf.if
// CHECK-NOT: else
// CHECK: grain.return
grain.kernel @empty(%p: !llvm.ptr, %c: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.if %c {
        llvm.store %tx, %p : i32, !llvm.ptr
      } else {
      }
    }
  }
  grain.return
}
