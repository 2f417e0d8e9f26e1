// RUN: regrain-opt --grain-forward-memory --verify-each %s | FileCheck %s
// Loads of values that the thread knows are replaced, and stores that no thread sees are removed.

// This works across barriers: each thread has its own element.
// CHECK-LABEL: grain.kernel @own_element(
// CHECK: %[[X:.*]] = llvm.load %arg0
// CHECK-NEXT: llvm.store %[[X]], %[[OWN:.*]] : i32, !llvm.ptr<3>
// CHECK-NEXT: llvm.load
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.load
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[X]]
// CHECK-NEXT: llvm.store %[[SUM]], %arg1
grain.kernel @own_element(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    %t = grain.shared "t" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %x = llvm.load %p : !llvm.ptr -> i32
      llvm.store %x, %own : i32, !llvm.ptr<3>
      %unrelated = llvm.load %t : !llvm.ptr<3> -> i32
      grain.barrier (%tx, %ty, %tz)
      %any = llvm.getelementptr inbounds %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %other = llvm.load %any : !llvm.ptr<3> -> i32
      grain.barrier (%tx, %ty, %tz)
      %again = llvm.load %own : !llvm.ptr<3> -> i32
      %sum = arith.addi %again, %other : i32
      llvm.store %sum, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// These are only loads, into a condition and into a loop with a barrier that writes to shared memory.
// CHECK-LABEL: grain.kernel @into_regions(
// CHECK: %[[X:.*]] = llvm.load %arg0
// CHECK-NOT: llvm.load %arg0
// CHECK: grain.return
grain.kernel @into_regions(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %x = llvm.load %p : !llvm.ptr -> i32
      %more = arith.cmpi sgt, %x, %n : i32
      scf.if %more {
        %y = llvm.load %p : !llvm.ptr -> i32
        llvm.store %y, %own : i32, !llvm.ptr<3>
      } else {
        llvm.store %c1, %own : i32, !llvm.ptr<3>
      }
      scf.for %i = %c0 to %n step %c1 : i32 {
        %z = llvm.load %p : !llvm.ptr -> i32
        llvm.store %z, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %w = llvm.load %p : !llvm.ptr -> i32
        llvm.store %w, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
      }
      scf.while : () -> () {
        %v = llvm.load %p : !llvm.ptr -> i32
        %again = arith.cmpi slt, %v, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A store is dead if the thread stores there again, also across a barrier after
// which no thread reads, and in shared memory if the thread ends.
// CHECK-LABEL: grain.kernel @dead(
// CHECK: grain.threads
// CHECK-NOT: llvm.store %arg1
// CHECK: grain.barrier
// CHECK: llvm.store %arg2, %{{.*}} : i32, !llvm.ptr{{$}}
// CHECK-NOT: llvm.store
// CHECK: grain.return
grain.kernel @dead(%p: !llvm.ptr {llvm.noalias}, %a: i32, %b: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %a, %own : i32, !llvm.ptr
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.store %b, %own : i32, !llvm.ptr
      llvm.store %v, %s : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// What lanes tell each other, and volatile shared memory, changes nothing that no other thread of the block writes.
// CHECK-LABEL: grain.kernel @behind_exchanges(
// CHECK: %[[X:.*]] = llvm.load %arg0
// CHECK: nvvm.shfl
// CHECK-NOT: llvm.load %arg0
// CHECK: grain.return
grain.kernel @behind_exchanges(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr) {
  %lane = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(-1 : i32) : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %x = llvm.load %p : !llvm.ptr -> i32
      %sum = nvvm.shfl.sync bfly %mask, %x, %lane, %lane : i32 -> i32
      llvm.store volatile %sum, %s : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %y = llvm.load %p : !llvm.ptr -> i32
      llvm.store volatile %y, %s : i32, !llvm.ptr<3>
    }
  }
  grain.return
}
