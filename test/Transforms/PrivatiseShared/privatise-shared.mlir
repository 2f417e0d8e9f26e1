// RUN: regrain-opt --grain-privatise-shared --verify-each %s | FileCheck %s

// `r` is stored under a condition and read after a barrier, in a loop: only its
// thread uses it, and it is removed; the neighbour reads `p`, which stays.
// CHECK-LABEL: grain.kernel @step
// CHECK: %[[P:.*]] = grain.shared "p"
// CHECK-NOT: grain.shared "r"
// CHECK: grain.threads
// CHECK: %[[R:.*]] = llvm.alloca %{{.*}} x i32
// CHECK-NEXT: %[[ZERO:.*]] = llvm.mlir.zero : i32
// CHECK-NEXT: llvm.store %[[ZERO]], %[[R]]
// CHECK: %[[W:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: %[[OWN:.*]] = llvm.getelementptr inbounds %[[P]][%{{.*}}]
// CHECK: llvm.store %{{.*}}, %[[W]]
// CHECK-NEXT: llvm.store %{{.*}}, %[[OWN]]
// CHECK: scf.for
// CHECK: scf.if
// CHECK: llvm.load %[[W]] : !llvm.ptr -> i32
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: llvm.store %[[SUM:.*]], %[[R]] : i32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: grain.barrier
// CHECK: scf.if
// CHECK: %[[GOT:.*]] = llvm.load %[[R]]
// CHECK-NEXT: llvm.store %[[GOT]], %[[W]]
// CHECK-NEXT: llvm.store %[[GOT]], %[[OWN]]
grain.kernel @step(%q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %p = grain.shared "p" : !llvm.array<1025 x i32> align 4
    %r = grain.shared "r" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %beside = llvm.getelementptr inbounds %own[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      llvm.store %tx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      scf.for %i = %c0 to %n step %c1 : i32 {
        %inside = arith.cmpi sgt, %tx, %i : i32
        %result = llvm.getelementptr inbounds %r[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        scf.if %inside {
          %a = llvm.load %own : !llvm.ptr<3> -> i32
          %b = llvm.load %beside : !llvm.ptr<3> -> i32
          %ab = arith.addi %a, %b : i32
          llvm.store %ab, %result : i32, !llvm.ptr<3>
        }
        grain.barrier (%tx, %ty, %tz)
        scf.if %inside {
          %got = llvm.load %result : !llvm.ptr<3> -> i32
          llvm.store %got, %own : i32, !llvm.ptr<3>
        }
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// In a tree, stores that others read stay, and loads of one's own values are removed.
// CHECK-LABEL: grain.kernel @reduce
// CHECK: %[[W:.*]] = llvm.alloca
// CHECK: scf.for
// CHECK: %[[OTHER:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: %[[OWN:.*]] = llvm.load %[[W]] : !llvm.ptr -> f32
// CHECK: %[[SUM:.*]] = llvm.fadd %[[OTHER]], %[[OWN]]
// CHECK-NEXT: llvm.store %[[SUM]], %[[W]] : f32, !llvm.ptr
// CHECK-NEXT: llvm.store %[[SUM]], %{{.*}} : f32, !llvm.ptr<3>
// CHECK: llvm.load %[[W]] : !llvm.ptr -> f32
grain.kernel @reduce(%q: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x f32> align 4
    %g = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %g[0, %tx] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<1024 x f32>
      %x = llvm.load %q : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      scf.for %i = %c0 to %c5 step %c1 : i32 {
        grain.barrier (%tx, %ty, %tz)
        %far = arith.shrui %c16, %i : i32
        %low = arith.cmpi ult, %tx, %far : i32
        scf.if %low {
          %at = arith.addi %tx, %far : i32
          %there = llvm.getelementptr inbounds %s[0, %at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<1024 x f32>
          %here = llvm.getelementptr inbounds %s[0, %tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<1024 x f32>
          %a = llvm.load %there : !llvm.ptr<3> -> f32
          %b = llvm.load %here : !llvm.ptr<3> -> f32
          %ab = llvm.fadd %a, %b : f32
          llvm.store %ab, %here : f32, !llvm.ptr<3>
        }
      }
      %sum = llvm.load %own : !llvm.ptr -> f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// Here are rows that a known block separates; two places of one array; dynamic
// memory with two names.
// CHECK-LABEL: grain.kernel @places
// CHECK-NEXT: grain.blocks
// CHECK-NEXT: grain.threads
// CHECK-COUNT-3: llvm.alloca
// CHECK-NOT: !llvm.ptr<3>
// CHECK: grain.return
grain.kernel @places(%q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %s = grain.shared "s" : !llvm.array<16 x array<32 x i32>> align 4
    %d = grain.dynamic_shared "d" align 4
    %e = grain.dynamic_shared "d" align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr inbounds %s[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<32 x i32>>
      %b = llvm.getelementptr inbounds %a[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %row = llvm.getelementptr inbounds %d[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<16 x i32>>
      %again = llvm.getelementptr inbounds %e[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<16 x i32>>
      llvm.store %n, %a : i32, !llvm.ptr<3>
      llvm.store %tx, %b : i32, !llvm.ptr<3>
      llvm.store %ty, %row : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %x = llvm.load %a : !llvm.ptr<3> -> i32
      %y = llvm.load %b : !llvm.ptr<3> -> i32
      %z = llvm.load %again : !llvm.ptr<3> -> i32
      %xy = arith.addi %x, %y : i32
      %xyz = arith.addi %xy, %z : i32
      llvm.store %xyz, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
