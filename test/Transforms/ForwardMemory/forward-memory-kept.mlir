// RUN: regrain-opt --grain-forward-memory --verify-each %s | FileCheck %s
// These loads and stores stay unchanged.

llvm.func @unknown()
llvm.func @llvm.nvvm.bar.warp.sync(i32) attributes {grain.callee = #grain.callee<instruction, convergence = warp>, convergent}

// Another thread writes there before the barrier.
// CHECK-LABEL: grain.kernel @other_thread(
// CHECK-COUNT-2: llvm.load %arg0
// CHECK: grain.return
grain.kernel @other_thread(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = llvm.load %p : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %other : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %y = llvm.load %p : !llvm.ptr -> i32
      llvm.store %y, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// noalias concerns one thread: another may have written through the other pointer.
// CHECK-LABEL: grain.kernel @written_through_another_pointer(
// CHECK-COUNT-2: llvm.load %arg0
// CHECK: grain.return
grain.kernel @written_through_another_pointer(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr {llvm.noalias}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = llvm.load %p : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %own = llvm.getelementptr inbounds %q[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %y = llvm.load %p : !llvm.ptr -> i32
      llvm.store %y, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// The value stored at the neighbour's place is another thread's.
// CHECK-LABEL: grain.kernel @neighbour(
// CHECK: llvm.store
// CHECK: grain.barrier
// CHECK: llvm.store
// CHECK: grain.barrier
// CHECK: %[[V:.*]] = llvm.load
// CHECK: llvm.store %[[V]], %arg0
grain.kernel @neighbour(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %next = arith.addi %tx, %c1 : i32
      %beside = llvm.getelementptr inbounds %s[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      llvm.store %n, %beside : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %w = llvm.load %own : !llvm.ptr<3> -> i32
      llvm.store %w, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// These are atomic and volatile accesses, calls, and operations of a warp.
// CHECK-LABEL: grain.kernel @opaque(
// CHECK-COUNT-5: llvm.load %arg0 : !llvm.ptr -> i32
// CHECK: grain.return
grain.kernel @opaque(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.load %p : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %q, %n monotonic : !llvm.ptr, i32
      %b = llvm.load %p : !llvm.ptr -> i32
      llvm.store volatile %n, %q : i32, !llvm.ptr
      %c = llvm.load %p : !llvm.ptr -> i32
      llvm.call @unknown() : () -> ()
      %d = llvm.load %p : !llvm.ptr -> i32
      llvm.call @llvm.nvvm.bar.warp.sync(%n) : (i32) -> ()
      %e = llvm.load %p : !llvm.ptr -> i32
    }
  }
  grain.return
}

// These have another type, another size, or another place.
// CHECK-LABEL: grain.kernel @not_the_same(
// CHECK: llvm.load %arg0 : !llvm.ptr -> f32
// CHECK: llvm.load %arg0 : !llvm.ptr -> i8
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: grain.return
grain.kernel @not_the_same(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %n, %p : i32, !llvm.ptr
      %a = llvm.load %p : !llvm.ptr -> f32
      %b = llvm.load %p : !llvm.ptr -> i8
      %at = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %c = llvm.load %at : !llvm.ptr -> i32
    }
  }
  grain.return
}

// An iteration writes there; a condition may have written.
// CHECK-LABEL: grain.kernel @regions(
// CHECK: llvm.load %arg0
// CHECK: scf.for
// CHECK: llvm.load %arg0
// CHECK: llvm.load %arg0
// CHECK: scf.if
// CHECK: llvm.load %arg0
// CHECK: grain.return
grain.kernel @regions(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = llvm.load %p : !llvm.ptr -> i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        %y = llvm.load %p : !llvm.ptr -> i32
        llvm.store %y, %q : i32, !llvm.ptr
        llvm.store %i, %p : i32, !llvm.ptr
      }
      %z = llvm.load %p : !llvm.ptr -> i32
      llvm.store %z, %q : i32, !llvm.ptr
      %more = arith.cmpi sgt, %z, %n : i32
      scf.if %more {
        llvm.store %n, %p : i32, !llvm.ptr
      }
      %w = llvm.load %p : !llvm.ptr -> i32
      llvm.store %w, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// Other threads write in the loop after its barrier, or before it.
// CHECK-LABEL: grain.kernel @loop_with_barrier(
// CHECK: llvm.load %[[S:.*]] : !llvm.ptr<3> -> i32
// CHECK: scf.for
// CHECK: llvm.load %[[S]] : !llvm.ptr<3> -> i32
// CHECK: grain.return
grain.kernel @loop_with_barrier(%q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %x = llvm.load %s : !llvm.ptr<3> -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.store %n, %at : i32, !llvm.ptr<3>
      scf.for %i = %c0 to %n step %c1 : i32 {
        grain.barrier (%tx, %ty, %tz)
        %y = llvm.load %s : !llvm.ptr<3> -> i32
        llvm.store %y, %q : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Stores stay: another thread reads after the barrier, this thread reads, the
// end is that of a condition, the memory outlives the block.
// CHECK-LABEL: grain.kernel @stores(
// CHECK-COUNT-7: llvm.store
// CHECK: grain.return
grain.kernel @stores(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr {llvm.noalias}, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %x = llvm.load %s : !llvm.ptr<3> -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.store %x, %own : i32, !llvm.ptr<3>
      %y = llvm.load %own : !llvm.ptr<3> -> i8
      %more = arith.cmpi sgt, %n, %tx : i32
      scf.if %more {
        llvm.store %tx, %own : i32, !llvm.ptr<3>
      }
      %any = llvm.getelementptr inbounds %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %z = llvm.load %any : !llvm.ptr<3> -> i32
      llvm.store %z, %q : i32, !llvm.ptr
      llvm.store %n, %p : i32, !llvm.ptr
      %w = llvm.load %p : !llvm.ptr -> i8
      llvm.store %w, %q : i8, !llvm.ptr
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A shuffle may follow what another thread writes there.
// CHECK-LABEL: grain.kernel @exchange_and_other_thread(
// CHECK-COUNT-2: llvm.load %arg0
// CHECK: grain.return
grain.kernel @exchange_and_other_thread(%p: !llvm.ptr, %q: !llvm.ptr) {
  %lane = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(-1 : i32) : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = llvm.load %p : !llvm.ptr -> i32
      %sum = nvvm.shfl.sync bfly %mask, %x, %lane, %lane : i32 -> i32
      %y = llvm.load %p : !llvm.ptr -> i32
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %y, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// A lane may hand on that another block has written.
// CHECK-LABEL: grain.kernel @exchange_and_other_block(
// CHECK-COUNT-2: llvm.load %arg0
// CHECK: grain.return
grain.kernel @exchange_and_other_block(%p: !llvm.ptr, %q: !llvm.ptr) {
  %lane = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(-1 : i32) : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %flag = llvm.load volatile %q : !llvm.ptr -> i32
      %x = llvm.load %p : !llvm.ptr -> i32
      %sum = nvvm.shfl.sync bfly %mask, %flag, %lane, %lane : i32 -> i32
      %y = llvm.load %p : !llvm.ptr -> i32
      %z = llvm.add %x, %y : i32
      llvm.store volatile %z, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
