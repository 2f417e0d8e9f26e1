// RUN: regrain-opt --grain-promote-in-loops --verify-each %s | FileCheck %s
// These loops are unchanged: no access is moved before or after them.

llvm.func @unknown()

// At the barrier, other threads write in between.
// CHECK-LABEL: grain.kernel @barrier(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @barrier(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        grain.barrier (%tx, %ty, %tz)
        %w = arith.addi %v, %tx : i32
        llvm.store %w, %s : i32, !llvm.ptr<3>
      }
    }
  }
  grain.return
}

// A volatile access to other memory may be a signal.
// CHECK-LABEL: grain.kernel @volatile(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @volatile(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        llvm.store volatile %v, %g : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A call may have any effect.
// CHECK-LABEL: grain.kernel @call(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @call(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        llvm.call @unknown() : () -> ()
      }
    }
  }
  grain.return
}

// Two parameters may point to the same memory.
// CHECK-LABEL: grain.kernel @parameters(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @parameters(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %g : !llvm.ptr -> i32
        llvm.store %v, %h : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The access is not executed in each iteration.
// CHECK-LABEL: grain.kernel @condition(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @condition(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %some = arith.cmpi slt, %i, %n : i32
        scf.if %some {
          %v = llvm.load %s : !llvm.ptr<3> -> i32
          llvm.store %v, %g : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// Another thread also writes the carried element as its neighbour's.
// CHECK-LABEL: grain.kernel @overlap(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @overlap(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        %e = llvm.getelementptr inbounds %s[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %v, %e : i32, !llvm.ptr<3>
      }
    }
  }
  grain.return
}

// Not all accesses have one type.
// CHECK-LABEL: grain.kernel @widths(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @widths(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        %f = arith.sitofp %v : i32 to f32
        llvm.store %f, %s : f32, !llvm.ptr<3>
      }
    }
  }
  grain.return
}


// The address is undefined if the loop has no iteration.
// CHECK-LABEL: grain.kernel @remainder(
// CHECK-NOT: arith.remui
// CHECK: scf.for
// CHECK-NEXT: arith.remui
grain.kernel @remainder(%g: !llvm.ptr, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %k = arith.remui %tx, %n : i32
        %at = llvm.getelementptr inbounds %g[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %i, %at : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Another thread reads in the loop after the barrier what this one stores.
// CHECK-LABEL: grain.kernel @others_read(
// CHECK: scf.for
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK-NEXT: grain.barrier
grain.kernel @others_read(%p: !llvm.ptr {llvm.noalias}, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %own : !llvm.ptr<3> -> i32
        %w = arith.addi %v, %i : i32
        llvm.store %w, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %at = llvm.getelementptr inbounds %s[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        %o = llvm.load %at : !llvm.ptr<3> -> i32
        llvm.store %o, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// After the loop another thread reads, without a barrier in between: the store
// must stay before the loop's.
// CHECK-LABEL: grain.kernel @read_behind(
// CHECK: scf.for
// CHECK: llvm.store
// CHECK-NEXT: grain.barrier
grain.kernel @read_behind(%p: !llvm.ptr {llvm.noalias}, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        llvm.store %i, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
      }
      %at = llvm.getelementptr inbounds %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %o = llvm.load %at : !llvm.ptr<3> -> i32
      llvm.store %o, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Before the loop's barrier another thread writes what is loaded after it.
// CHECK-LABEL: grain.kernel @written_in_front(
// CHECK-NOT: llvm.load
// CHECK: scf.for
// CHECK: llvm.load
grain.kernel @written_in_front(%p: !llvm.ptr {llvm.noalias}, %h: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %own : i32, !llvm.ptr<3>
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        grain.barrier (%tx, %ty, %tz)
        %o = llvm.load %s : !llvm.ptr<3> -> i32
        llvm.store %o, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The second region of a while need not run, and stores stay.
// CHECK-LABEL: grain.kernel @while(
// CHECK-NOT: llvm.load
// CHECK: scf.while
// CHECK: llvm.store
// CHECK: } do {
// CHECK: llvm.load
grain.kernel @while(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r = scf.while (%i = %c0) : (i32) -> i32 {
        llvm.store %i, %p : i32, !llvm.ptr
        %again = arith.cmpi slt, %i, %n : i32
        scf.condition(%again) %i : i32
      } do {
      ^bb0(%i: i32):
        %step = llvm.load %q : !llvm.ptr -> i32
        %j = arith.addi %i, %step : i32
        scf.yield %j : i32
      }
    }
  }
  grain.return
}
