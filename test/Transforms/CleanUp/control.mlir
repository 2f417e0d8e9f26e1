// RUN: regrain-opt %s --grain-clean-up | FileCheck %s

// The form of control stays. Each of these rewrites would be right for other programs.

// The outer condition decides whether the inner one may be evaluated. It may be poison otherwise, and so would be the
// conjunction of both.
// CHECK-LABEL: grain.kernel @nested
// CHECK-NOT: arith.andi
// CHECK: scf.if %[[OUTER:.*]] {
// CHECK-NEXT: scf.if %[[INNER:.*]] {
// CHECK-NEXT: llvm.store

grain.kernel @nested(%p: !llvm.ptr, %outer: i1, %inner: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.if %outer {
        scf.if %inner {
          llvm.store %tx, %p : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// The body of a loop that runs once stays apart from the loop around it, which would take over its hint.
// CHECK-LABEL: grain.kernel @once
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: grain.loop_hint "inner"
// CHECK-NEXT: llvm.store

grain.kernel @once(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %zero to %n step %one : i32 {
        scf.for %j = %zero to %one step %one : i32 {
          grain.loop_hint "inner"
          llvm.store %i, %p : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// A region of several blocks is the form of unstructured control. It does not become part of the region around it.
// CHECK-LABEL: grain.kernel @unstructured
// CHECK: scf.execute_region {
// CHECK-NEXT: cf.cond_br
// CHECK: scf.execute_region {
// CHECK-NEXT: cf.cond_br

grain.kernel @unstructured(%p: !llvm.ptr, %c: i1, %d: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.execute_region {
        cf.cond_br %c, ^inside, ^end
      ^inside:
        scf.execute_region {
          cf.cond_br %d, ^store, ^end
        ^store:
          llvm.store %tx, %p : i32, !llvm.ptr
          cf.br ^end
        ^end:
          scf.yield
        }
        cf.br ^end
      ^end:
        scf.yield
      }
    }
  }
  grain.return
}

// A region of one block is no control.
// CHECK-LABEL: grain.kernel @block
// CHECK-NOT: scf.execute_region
// CHECK: llvm.store

grain.kernel @block(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.execute_region {
        llvm.store %tx, %p : i32, !llvm.ptr
        scf.yield
      }
    }
  }
  grain.return
}
