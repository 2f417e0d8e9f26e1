// RUN: regrain-opt --grain-promote-in-loops --verify-each %s | FileCheck %s

// One element of a row is combined with those to its left and above: these are
// provably others. The bounds may be empty, so that the accesses are under conditions.
// CHECK-LABEL: grain.kernel @triangle
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C15:.*]] step
// CHECK: %[[OWN:.*]] = llvm.getelementptr inbounds %{{.*}}[0, %{{.*}}, %{{.*}}]
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[I]]
// CHECK: %[[INIT:.*]] = scf.if %[[RUNS]] -> (f32)
// CHECK-NEXT: %[[LOADED:.*]] = llvm.load %[[OWN]] {alignment = 4 : i64}
// CHECK-NEXT: scf.yield %[[LOADED]]
// CHECK: %[[NONE:.*]] = llvm.mlir.poison
// CHECK-NEXT: scf.yield %[[NONE]]
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[INIT]])
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.store
// CHECK: %[[NEXT:.*]] = llvm.fsub %[[CARRIED]], %
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: %[[RAN:.*]] = arith.cmpi slt
// CHECK-NEXT: scf.if %[[RAN]]
// CHECK-NEXT: llvm.store %[[SUM]], %[[OWN]] {alignment = 4 : i64}
grain.kernel @triangle() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<16 x array<16 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c15 step %c1 : i32 {
        %below = arith.cmpi ugt, %tx, %i : i32
        scf.if %below {
          %own = llvm.getelementptr inbounds %s[0, %tx, %i] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<16 x f32>>
          scf.for %j = %c0 to %i step %c1 : i32 {
            %left = llvm.getelementptr inbounds %s[0, %tx, %j] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<16 x f32>>
            %a = llvm.load %left : !llvm.ptr<3> -> f32
            %up = llvm.getelementptr inbounds %s[0, %j, %i] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<16 x f32>>
            %b = llvm.load %up : !llvm.ptr<3> -> f32
            %ab = llvm.fmul %a, %b : f32
            %old = llvm.load %own {alignment = 4 : i64} : !llvm.ptr<3> -> f32
            %new = llvm.fsub %old, %ab : f32
            llvm.store %new, %own {alignment = 4 : i64} : f32, !llvm.ptr<3>
          }
        }
      }
    }
  }
  grain.return
}

// Constant bounds need no condition; an element that is stored first is not
// loaded; two addresses may swap.
// CHECK-LABEL: grain.kernel @swap
// CHECK: %[[P:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-NEXT: %[[Q:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-NEXT: %[[R:.*]] = llvm.mlir.poison : i32
// CHECK-NEXT: %[[F:.*]]:3 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[P]], %[[B:.*]] = %[[Q]], %{{.*}} = %[[R]])
// CHECK-NEXT: scf.yield %[[B]], %[[A]], %[[A]]
// CHECK: llvm.store %[[F]]#0
// CHECK-NEXT: llvm.store %[[F]]#1
// CHECK-NEXT: llvm.store %[[F]]#2
grain.kernel @swap() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %p = grain.shared "p" : i32 align 4
    %q = grain.shared "q" : i32 align 4
    %r = grain.shared "r" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %a = llvm.load %p : !llvm.ptr<3> -> i32
        %b = llvm.load %q : !llvm.ptr<3> -> i32
        llvm.store %b, %p : i32, !llvm.ptr<3>
        llvm.store %a, %q : i32, !llvm.ptr<3>
        llvm.store %a, %r : i32, !llvm.ptr<3>
      }
    }
  }
  grain.return
}

// This is a load only, from shared memory, while global memory is written.
// CHECK-LABEL: grain.kernel @load_alone
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-NEXT: scf.for
// CHECK-NOT: llvm.load
// CHECK: llvm.store %[[V]]
grain.kernel @load_alone(%g: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %p = llvm.getelementptr inbounds %s[0, %tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %v = llvm.load %p : !llvm.ptr<3> -> i32
        %e = llvm.getelementptr inbounds %g[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %v, %e : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// This works across a barrier: no other thread accesses the element, in the loop or around it.
// CHECK-LABEL: grain.kernel @own_over_barrier(
// CHECK: %[[OLD:.*]] = llvm.load %[[OWN:.*]] : !llvm.ptr -> i32
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[V:.*]] = %[[OLD]])
// CHECK-NOT: %[[OWN]]
// CHECK: grain.barrier
// CHECK-NOT: %[[OWN]]
// CHECK: }
// CHECK-NEXT: llvm.store %{{.*}}, %[[OWN]] : i32, !llvm.ptr
grain.kernel @own_over_barrier(%p: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %slot = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        llvm.store %i, %slot : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %w = llvm.load %s : !llvm.ptr<3> -> i32
        %v = llvm.load %own : !llvm.ptr -> i32
        %sum = arith.addi %v, %w : i32
        llvm.store %sum, %own : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// An element that only an earlier loop writes is loaded once: it was written
// before a barrier, and the load precedes the next one.
// CHECK-LABEL: grain.kernel @read_over_barrier(
// CHECK: grain.barrier
// CHECK: %[[V:.*]] = llvm.load %[[S:.*]] : !llvm.ptr<3> -> i32
// CHECK-NEXT: scf.for
// CHECK-NOT: llvm.load %[[S]]
// CHECK: grain.return
grain.kernel @read_over_barrier(%p: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %slot : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        grain.barrier (%tx, %ty, %tz)
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        %at = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %v, %at : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Loads of a while's first region, which runs at least once, are moved out of it.
// CHECK-LABEL: grain.kernel @while(
// CHECK: arith.muli
// CHECK-NEXT: %[[END:.*]] = llvm.load %arg1
// CHECK-NEXT: scf.while
// CHECK-NEXT: arith.cmpi slt, %{{.*}}, %[[END]]
grain.kernel @while(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %r = scf.while (%i = %c0) : (i32) -> i32 {
        %end = llvm.load %q : !llvm.ptr -> i32
        %again = arith.cmpi slt, %i, %end : i32
        scf.condition(%again) %i : i32
      } do {
      ^bb0(%i: i32):
        %step = arith.muli %n, %n : i32
        llvm.store %i, %p : i32, !llvm.ptr
        %j = arith.addi %i, %step : i32
        scf.yield %j : i32
      }
    }
  }
  grain.return
}
