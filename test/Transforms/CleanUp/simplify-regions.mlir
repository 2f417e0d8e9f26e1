// RUN: regrain-opt %s --grain-clean-up | FileCheck %s

// A loop carries neither what it only passes on, nor what nobody reads, and keeps its attributes.
// CHECK-LABEL: grain.kernel @carried(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i32, %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[A]]) -> (i32)
// CHECK: %[[NEXT:.*]] = arith.addi %[[SUM]], %[[B]]
// CHECK: scf.yield %[[NEXT]] : i32
// CHECK-NEXT: } {own}
// CHECK: llvm.store %[[B]]
// CHECK: llvm.store %[[R]]
// CHECK: llvm.store %[[A]]
grain.kernel @carried(%p: !llvm.ptr, %n: i32, %a: i32, %b: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r:4 = scf.for %i = %zero to %n step %one iter_args(%passed = %b, %sum = %a, %unread = %b, %same = %a) -> (i32, i32, i32, i32) : i32 {
        %next = arith.addi %sum, %passed : i32
        scf.yield %passed, %next, %next, %a : i32, i32, i32, i32
      } {own}
      llvm.store %r#0, %p : i32, !llvm.ptr
      llvm.store %r#1, %p : i32, !llvm.ptr
      llvm.store %r#3, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A value that another one takes over in the next iteration is read, and is kept.
// CHECK-LABEL: grain.kernel @taken(
// CHECK: scf.for {{.*}} iter_args(%[[OLD:[^ ]+]] = %{{.*}}, %[[NEW:[^ ]+]] = %{{.*}}) -> (i32, i32)
// CHECK: scf.yield %[[NEW]], %{{.*}} : i32, i32
grain.kernel @taken(%p: !llvm.ptr, %n: i32, %a: i32, %b: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %new = %b) -> (i32, i32) : i32 {
        scf.yield %new, %i : i32, i32
      }
      llvm.store %r#0, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A region of one block is replaced by its operations.
// CHECK-LABEL: grain.kernel @block(
// CHECK-NOT: scf.execute_region
// CHECK: %[[X:.*]] = llvm.load
// CHECK: llvm.store %[[X]]
grain.kernel @block(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r = scf.execute_region -> i32 {
        %x = llvm.load %p : !llvm.ptr -> i32
        scf.yield %x : i32
      }
      llvm.store %r, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
