// RUN: regrain-opt --grain-privatise-shared --verify-each %s | FileCheck %s
// This shared memory stays unchanged.

llvm.func @use(!llvm.ptr<3>)
llvm.func @unknown()

// The neighbour writes there.
// CHECK-LABEL: grain.kernel @neighbour
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @neighbour(%q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1025 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %beside = llvm.getelementptr inbounds %own[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      llvm.store %n, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      llvm.store %tx, %beside : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %x = llvm.load %own : !llvm.ptr<3> -> i32
      llvm.store %x, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// The width of a row of the block is unknown.
// CHECK-LABEL: grain.kernel @unknown_width
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @unknown_width(%q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<16 x array<16 x i32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<16 x i32>>
      llvm.store %n, %own : i32, !llvm.ptr<3>
      %x = llvm.load %own : !llvm.ptr<3> -> i32
      llvm.store %x, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// The thread itself writes in its own row at an address that may differ, or
// differs in each iteration.
// CHECK-LABEL: grain.kernel @other_address
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @other_address(%q: !llvm.ptr, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %k = arith.andi %m, %c7 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %s = grain.shared "s" : !llvm.array<32 x array<8 x i32>> align 4
    %t = grain.shared "t" : !llvm.array<32 x array<8 x i32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %s[0, %tx, 0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<8 x i32>>
      llvm.store %n, %at : i32, !llvm.ptr<3>
      %is = arith.cmpi eq, %m, %n : i32
      scf.if %is {
        %some = llvm.getelementptr inbounds %s[0, %tx, %k] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<8 x i32>>
        llvm.store %m, %some : i32, !llvm.ptr<3>
      }
      %x = llvm.load %at : !llvm.ptr<3> -> i32
      llvm.store %x, %q : i32, !llvm.ptr
      scf.for %i = %c0 to %c7 step %c1 : i32 {
        %each = llvm.getelementptr inbounds %t[0, %tx, %i] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<8 x i32>>
        %y = llvm.load %each : !llvm.ptr<3> -> i32
        llvm.store %y, %q : i32, !llvm.ptr
        llvm.store %i, %each : i32, !llvm.ptr<3>
      }
    }
  }
  grain.return
}

// There are two types; a volatile access; an atomic one; an address that goes elsewhere.
// CHECK-LABEL: grain.kernel @uses
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @uses(%q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %s = grain.shared "s" : !llvm.array<32 x i32> align 4
    %t = grain.shared "t" : !llvm.array<32 x i32> align 4
    %u = grain.shared "u" : !llvm.array<32 x i32> align 4
    %v = grain.shared "v" : !llvm.array<32 x i32> align 4
    %w = grain.shared "w" : !llvm.array<32 x !llvm.ptr<3>> align 8
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %a : i32, !llvm.ptr<3>
      %f = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %f, %q : f32, !llvm.ptr
      %b = llvm.getelementptr inbounds %t[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store volatile %n, %b : i32, !llvm.ptr<3>
      %g = llvm.load %b : !llvm.ptr<3> -> i32
      llvm.store %g, %q : i32, !llvm.ptr
      %c = llvm.getelementptr inbounds %u[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %c : i32, !llvm.ptr<3>
      %old = llvm.atomicrmw add %c, %n monotonic : !llvm.ptr<3>, i32
      %h = llvm.load %c : !llvm.ptr<3> -> i32
      llvm.store %h, %q : i32, !llvm.ptr
      %d = llvm.getelementptr inbounds %v[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %d : i32, !llvm.ptr<3>
      llvm.call @use(%v) : (!llvm.ptr<3>) -> ()
      %k = llvm.load %d : !llvm.ptr<3> -> i32
      llvm.store %k, %q : i32, !llvm.ptr
      %e = llvm.getelementptr inbounds %w[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.ptr<3>
      llvm.store %w, %e : !llvm.ptr<3>, !llvm.ptr<3>
      %l = llvm.load %e : !llvm.ptr<3> -> !llvm.ptr<3>
      llvm.store %l, %q : !llvm.ptr<3>, !llvm.ptr
    }
  }
  grain.return
}

// Threads that differ only in y do exactly the same, but an atomic operation
// distinguishes them.
// CHECK-LABEL: grain.kernel @rows
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @rows(%q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<1024 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %first = llvm.atomicrmw add %q, %n monotonic : !llvm.ptr, i32
      %is = arith.cmpi eq, %first, %c0 : i32
      scf.if %is {
        llvm.store %n, %own : i32, !llvm.ptr<3>
      }
      grain.barrier (%tx, %ty, %tz)
      %x = llvm.load %own : !llvm.ptr<3> -> i32
      llvm.store %x, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// A called function can access dynamic shared memory.
// CHECK-LABEL: grain.kernel @called
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @called(%q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %d = grain.dynamic_shared "d" align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %d[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %own : i32, !llvm.ptr<3>
      llvm.call @unknown() : () -> ()
      %x = llvm.load %own : !llvm.ptr<3> -> i32
      llvm.store %x, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// Of 40 places, 32 fit into the budget.
// CHECK-LABEL: grain.kernel @many
// CHECK-COUNT-32: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: grain.return
grain.kernel @many(%q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %s = grain.shared "s" : !llvm.array<32 x array<40 x i32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a0 = llvm.getelementptr inbounds %s[0, %tx, 0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a0 : i32, !llvm.ptr<3>
      %v0 = llvm.load %a0 : !llvm.ptr<3> -> i32
      llvm.store %v0, %q : i32, !llvm.ptr
      %a1 = llvm.getelementptr inbounds %s[0, %tx, 1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a1 : i32, !llvm.ptr<3>
      %v1 = llvm.load %a1 : !llvm.ptr<3> -> i32
      llvm.store %v1, %q : i32, !llvm.ptr
      %a2 = llvm.getelementptr inbounds %s[0, %tx, 2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a2 : i32, !llvm.ptr<3>
      %v2 = llvm.load %a2 : !llvm.ptr<3> -> i32
      llvm.store %v2, %q : i32, !llvm.ptr
      %a3 = llvm.getelementptr inbounds %s[0, %tx, 3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a3 : i32, !llvm.ptr<3>
      %v3 = llvm.load %a3 : !llvm.ptr<3> -> i32
      llvm.store %v3, %q : i32, !llvm.ptr
      %a4 = llvm.getelementptr inbounds %s[0, %tx, 4] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a4 : i32, !llvm.ptr<3>
      %v4 = llvm.load %a4 : !llvm.ptr<3> -> i32
      llvm.store %v4, %q : i32, !llvm.ptr
      %a5 = llvm.getelementptr inbounds %s[0, %tx, 5] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a5 : i32, !llvm.ptr<3>
      %v5 = llvm.load %a5 : !llvm.ptr<3> -> i32
      llvm.store %v5, %q : i32, !llvm.ptr
      %a6 = llvm.getelementptr inbounds %s[0, %tx, 6] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a6 : i32, !llvm.ptr<3>
      %v6 = llvm.load %a6 : !llvm.ptr<3> -> i32
      llvm.store %v6, %q : i32, !llvm.ptr
      %a7 = llvm.getelementptr inbounds %s[0, %tx, 7] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a7 : i32, !llvm.ptr<3>
      %v7 = llvm.load %a7 : !llvm.ptr<3> -> i32
      llvm.store %v7, %q : i32, !llvm.ptr
      %a8 = llvm.getelementptr inbounds %s[0, %tx, 8] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a8 : i32, !llvm.ptr<3>
      %v8 = llvm.load %a8 : !llvm.ptr<3> -> i32
      llvm.store %v8, %q : i32, !llvm.ptr
      %a9 = llvm.getelementptr inbounds %s[0, %tx, 9] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a9 : i32, !llvm.ptr<3>
      %v9 = llvm.load %a9 : !llvm.ptr<3> -> i32
      llvm.store %v9, %q : i32, !llvm.ptr
      %a10 = llvm.getelementptr inbounds %s[0, %tx, 10] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a10 : i32, !llvm.ptr<3>
      %v10 = llvm.load %a10 : !llvm.ptr<3> -> i32
      llvm.store %v10, %q : i32, !llvm.ptr
      %a11 = llvm.getelementptr inbounds %s[0, %tx, 11] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a11 : i32, !llvm.ptr<3>
      %v11 = llvm.load %a11 : !llvm.ptr<3> -> i32
      llvm.store %v11, %q : i32, !llvm.ptr
      %a12 = llvm.getelementptr inbounds %s[0, %tx, 12] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a12 : i32, !llvm.ptr<3>
      %v12 = llvm.load %a12 : !llvm.ptr<3> -> i32
      llvm.store %v12, %q : i32, !llvm.ptr
      %a13 = llvm.getelementptr inbounds %s[0, %tx, 13] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a13 : i32, !llvm.ptr<3>
      %v13 = llvm.load %a13 : !llvm.ptr<3> -> i32
      llvm.store %v13, %q : i32, !llvm.ptr
      %a14 = llvm.getelementptr inbounds %s[0, %tx, 14] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a14 : i32, !llvm.ptr<3>
      %v14 = llvm.load %a14 : !llvm.ptr<3> -> i32
      llvm.store %v14, %q : i32, !llvm.ptr
      %a15 = llvm.getelementptr inbounds %s[0, %tx, 15] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a15 : i32, !llvm.ptr<3>
      %v15 = llvm.load %a15 : !llvm.ptr<3> -> i32
      llvm.store %v15, %q : i32, !llvm.ptr
      %a16 = llvm.getelementptr inbounds %s[0, %tx, 16] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a16 : i32, !llvm.ptr<3>
      %v16 = llvm.load %a16 : !llvm.ptr<3> -> i32
      llvm.store %v16, %q : i32, !llvm.ptr
      %a17 = llvm.getelementptr inbounds %s[0, %tx, 17] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a17 : i32, !llvm.ptr<3>
      %v17 = llvm.load %a17 : !llvm.ptr<3> -> i32
      llvm.store %v17, %q : i32, !llvm.ptr
      %a18 = llvm.getelementptr inbounds %s[0, %tx, 18] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a18 : i32, !llvm.ptr<3>
      %v18 = llvm.load %a18 : !llvm.ptr<3> -> i32
      llvm.store %v18, %q : i32, !llvm.ptr
      %a19 = llvm.getelementptr inbounds %s[0, %tx, 19] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a19 : i32, !llvm.ptr<3>
      %v19 = llvm.load %a19 : !llvm.ptr<3> -> i32
      llvm.store %v19, %q : i32, !llvm.ptr
      %a20 = llvm.getelementptr inbounds %s[0, %tx, 20] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a20 : i32, !llvm.ptr<3>
      %v20 = llvm.load %a20 : !llvm.ptr<3> -> i32
      llvm.store %v20, %q : i32, !llvm.ptr
      %a21 = llvm.getelementptr inbounds %s[0, %tx, 21] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a21 : i32, !llvm.ptr<3>
      %v21 = llvm.load %a21 : !llvm.ptr<3> -> i32
      llvm.store %v21, %q : i32, !llvm.ptr
      %a22 = llvm.getelementptr inbounds %s[0, %tx, 22] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a22 : i32, !llvm.ptr<3>
      %v22 = llvm.load %a22 : !llvm.ptr<3> -> i32
      llvm.store %v22, %q : i32, !llvm.ptr
      %a23 = llvm.getelementptr inbounds %s[0, %tx, 23] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a23 : i32, !llvm.ptr<3>
      %v23 = llvm.load %a23 : !llvm.ptr<3> -> i32
      llvm.store %v23, %q : i32, !llvm.ptr
      %a24 = llvm.getelementptr inbounds %s[0, %tx, 24] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a24 : i32, !llvm.ptr<3>
      %v24 = llvm.load %a24 : !llvm.ptr<3> -> i32
      llvm.store %v24, %q : i32, !llvm.ptr
      %a25 = llvm.getelementptr inbounds %s[0, %tx, 25] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a25 : i32, !llvm.ptr<3>
      %v25 = llvm.load %a25 : !llvm.ptr<3> -> i32
      llvm.store %v25, %q : i32, !llvm.ptr
      %a26 = llvm.getelementptr inbounds %s[0, %tx, 26] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a26 : i32, !llvm.ptr<3>
      %v26 = llvm.load %a26 : !llvm.ptr<3> -> i32
      llvm.store %v26, %q : i32, !llvm.ptr
      %a27 = llvm.getelementptr inbounds %s[0, %tx, 27] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a27 : i32, !llvm.ptr<3>
      %v27 = llvm.load %a27 : !llvm.ptr<3> -> i32
      llvm.store %v27, %q : i32, !llvm.ptr
      %a28 = llvm.getelementptr inbounds %s[0, %tx, 28] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a28 : i32, !llvm.ptr<3>
      %v28 = llvm.load %a28 : !llvm.ptr<3> -> i32
      llvm.store %v28, %q : i32, !llvm.ptr
      %a29 = llvm.getelementptr inbounds %s[0, %tx, 29] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a29 : i32, !llvm.ptr<3>
      %v29 = llvm.load %a29 : !llvm.ptr<3> -> i32
      llvm.store %v29, %q : i32, !llvm.ptr
      %a30 = llvm.getelementptr inbounds %s[0, %tx, 30] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a30 : i32, !llvm.ptr<3>
      %v30 = llvm.load %a30 : !llvm.ptr<3> -> i32
      llvm.store %v30, %q : i32, !llvm.ptr
      %a31 = llvm.getelementptr inbounds %s[0, %tx, 31] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a31 : i32, !llvm.ptr<3>
      %v31 = llvm.load %a31 : !llvm.ptr<3> -> i32
      llvm.store %v31, %q : i32, !llvm.ptr
      %a32 = llvm.getelementptr inbounds %s[0, %tx, 32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a32 : i32, !llvm.ptr<3>
      %v32 = llvm.load %a32 : !llvm.ptr<3> -> i32
      llvm.store %v32, %q : i32, !llvm.ptr
      %a33 = llvm.getelementptr inbounds %s[0, %tx, 33] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a33 : i32, !llvm.ptr<3>
      %v33 = llvm.load %a33 : !llvm.ptr<3> -> i32
      llvm.store %v33, %q : i32, !llvm.ptr
      %a34 = llvm.getelementptr inbounds %s[0, %tx, 34] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a34 : i32, !llvm.ptr<3>
      %v34 = llvm.load %a34 : !llvm.ptr<3> -> i32
      llvm.store %v34, %q : i32, !llvm.ptr
      %a35 = llvm.getelementptr inbounds %s[0, %tx, 35] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a35 : i32, !llvm.ptr<3>
      %v35 = llvm.load %a35 : !llvm.ptr<3> -> i32
      llvm.store %v35, %q : i32, !llvm.ptr
      %a36 = llvm.getelementptr inbounds %s[0, %tx, 36] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a36 : i32, !llvm.ptr<3>
      %v36 = llvm.load %a36 : !llvm.ptr<3> -> i32
      llvm.store %v36, %q : i32, !llvm.ptr
      %a37 = llvm.getelementptr inbounds %s[0, %tx, 37] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a37 : i32, !llvm.ptr<3>
      %v37 = llvm.load %a37 : !llvm.ptr<3> -> i32
      llvm.store %v37, %q : i32, !llvm.ptr
      %a38 = llvm.getelementptr inbounds %s[0, %tx, 38] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a38 : i32, !llvm.ptr<3>
      %v38 = llvm.load %a38 : !llvm.ptr<3> -> i32
      llvm.store %v38, %q : i32, !llvm.ptr
      %a39 = llvm.getelementptr inbounds %s[0, %tx, 39] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<40 x i32>>
      llvm.store %tx, %a39 : i32, !llvm.ptr<3>
      %v39 = llvm.load %a39 : !llvm.ptr<3> -> i32
      llvm.store %v39, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
