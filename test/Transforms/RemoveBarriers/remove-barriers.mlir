// RUN: regrain-opt --grain-remove-barriers --verify-each %s | FileCheck %s
// Barriers that order nothing are removed.

// Nothing follows the last barrier, nothing precedes the first one.
// CHECK-LABEL: grain.kernel @ends(
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @ends(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      grain.barrier (%tx, %ty, %tz)
      llvm.store %bx, %p : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
    }
  }
  grain.return
}

// Each thread has its own element, in a loop, too; other memory is only read.
// CHECK-LABEL: grain.kernel @own_element(
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @own_element(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x array<1024 x array<1024 x i32>>> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[0, %tz, %ty, %tx] : (!llvm.ptr<3>, i32, i32, i32) -> !llvm.ptr<3>, !llvm.array<64 x array<1024 x array<1024 x i32>>>
      scf.for %i = %c0 to %n step %c1 : i32 {
        %from = llvm.getelementptr inbounds %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %x = llvm.load %from : !llvm.ptr -> i32
        llvm.store %x, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %v = llvm.load %own : !llvm.ptr<3> -> i32
        llvm.store %v, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// Nothing distinguishes the rows of a block: data that all write once, and then
// read, may as well be read at once; the next iteration writes again.
// CHECK-LABEL: grain.kernel @rows_alike(
// CHECK: llvm.store
// CHECK-NEXT: llvm.load
// CHECK-NEXT: llvm.store
// CHECK-NEXT: grain.barrier
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @rows_alike(%p: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %to = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        llvm.store %i, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %v = llvm.load %own : !llvm.ptr<3> -> i32
        llvm.store %v, %to : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// Of two barriers with nothing to order between them, one stays.
// CHECK-LABEL: grain.kernel @two_for_one(
// CHECK: llvm.store
// CHECK-NOT: grain.barrier
// CHECK: %{{.*}} = llvm.load %arg0
// CHECK: grain.barrier
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @two_for_one(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %n = llvm.load %p : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %at = llvm.getelementptr inbounds %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v = llvm.load %at : !llvm.ptr<3> -> i32
      llvm.store %v, %own : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// Under a condition, only one thread meets.
// CHECK-LABEL: grain.kernel @first_thread(
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @first_thread(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %first = arith.cmpi eq, %tx, %c0 : i32
      scf.if %first {
        llvm.store %bx, %s : i32, !llvm.ptr<3>
      }
      grain.barrier (%tx, %ty, %tz)
      scf.if %first {
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        llvm.store %v, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A load of what the others write after the barrier moves before the preceding
// barrier, with its address: the second barrier is removed.
// CHECK-LABEL: grain.kernel @load_moves(
// CHECK: llvm.store
// CHECK-NEXT: arith.addi
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: %[[OLD:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK-NEXT: grain.barrier
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @load_moves(%p: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v = llvm.load %other : !llvm.ptr<3> -> i32
      %next = arith.addi %tx, %c1 : i32
      %beside = llvm.getelementptr inbounds %p[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %old = llvm.load %beside : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %sum = arith.addi %v, %old : i32
      %to = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// In a block that is known to have one row, no other thread does the same.
// CHECK-LABEL: grain.kernel @known_row(
// CHECK-NOT: grain.barrier
// CHECK: grain.return
grain.kernel @known_row(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %own : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %w = arith.addi %v, %n : i32
      llvm.store %w, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// Different allocations are different memory for all threads. `noalias` would not say so.
// CHECK-LABEL: grain.kernel @disjoint(
// CHECK-NOT: grain.barrier
// CHECK: grain.return
llvm.mlir.global external @table() {addr_space = 1 : i32} : !llvm.array<64 x i32>
grain.kernel @disjoint(%p: !llvm.ptr {grain.disjoint}, %q: !llvm.ptr {grain.disjoint}, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %q[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %other : !llvm.ptr -> i32
      %table = llvm.mlir.addressof @table : !llvm.ptr<1>
      llvm.store %v, %table : i32, !llvm.ptr<1>
    }
  }
  grain.return
}
