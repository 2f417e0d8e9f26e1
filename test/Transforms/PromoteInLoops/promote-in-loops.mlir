// RUN: regrain-opt --grain-promote-in-loops --verify-each %s | FileCheck %s

// One element of a row is combined with those left of it and above: provably
// others. The bounds may be empty, so that the accesses stand behind conditions.
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

// Constant bounds need no condition; what is stored first is not loaded; two
// addresses may change places.
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

// A load alone, from shared memory, while global memory is written.
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
