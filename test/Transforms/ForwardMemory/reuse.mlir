// RUN: regrain-opt --grain-forward-memory --verify-each %s | FileCheck %s
// Two copies of a thread read the same element of a stencil. Its index contains products, and integers that may wrap.

// x[i + 1] of the first copy is x[i] of the second, because the condition excludes that i + 1 wraps.
// CHECK-LABEL: grain.kernel @neighbours(
// CHECK: %[[A:.*]] = llvm.load
// CHECK: %[[B:.*]] = llvm.load
// CHECK: %[[C:.*]] = llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.fadd %[[A]], %[[B]]
// CHECK: llvm.fadd %[[B]], %[[C]]
grain.kernel @neighbours(%x: !llvm.ptr, %y: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    %size = grain.block_size x
    %base = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %tx, %c2 overflow<nsw, nuw> : i32
      %second = arith.addi %first, %c1 overflow<nsw, nuw> : i32
      %i = arith.addi %first, %base : i32
      %j = arith.addi %second, %base : i32
      %a = arith.cmpi slt, %i, %n : i32
      %b = arith.cmpi slt, %j, %n : i32
      %both = arith.andi %a, %b : i1
      scf.if %both {
        %iw = arith.extsi %i : i32 to i64
        %jw = arith.extsi %j : i32 to i64
        %xi = llvm.getelementptr inbounds %x[%iw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %xj = llvm.getelementptr inbounds %x[%jw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v0 = llvm.load %xi : !llvm.ptr -> f32
        %w0 = llvm.load %xj : !llvm.ptr -> f32
        %xi1 = llvm.getelementptr %xi[4] : (!llvm.ptr) -> !llvm.ptr, i8
        %xj1 = llvm.getelementptr %xj[4] : (!llvm.ptr) -> !llvm.ptr, i8
        %v1 = llvm.load %xi1 : !llvm.ptr -> f32
        %w1 = llvm.load %xj1 : !llvm.ptr -> f32
        %v = llvm.fadd %v0, %v1 : f32
        %w = llvm.fadd %w0, %w1 : f32
        %yi = llvm.getelementptr inbounds %y[%iw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %yj = llvm.getelementptr inbounds %y[%jw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %yi : f32, !llvm.ptr
        llvm.store %w, %yj : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Without the condition, the second copy may be the one whose index is negative.
// CHECK-LABEL: grain.kernel @may_wrap(
// CHECK-COUNT-4: llvm.load
grain.kernel @may_wrap(%x: !llvm.ptr, %y: !llvm.ptr, %base: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %tx, %base : i32
      %j = arith.addi %i, %c1 : i32
      %iw = arith.extsi %i : i32 to i64
      %jw = arith.extsi %j : i32 to i64
      %xi = llvm.getelementptr inbounds %x[%iw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %xj = llvm.getelementptr inbounds %x[%jw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %xi : !llvm.ptr -> f32
      %w0 = llvm.load %xj : !llvm.ptr -> f32
      %xi1 = llvm.getelementptr %xi[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %xj1 = llvm.getelementptr %xj[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %v1 = llvm.load %xi1 : !llvm.ptr -> f32
      %w1 = llvm.load %xj1 : !llvm.ptr -> f32
      %v = llvm.fadd %v0, %v1 : f32
      %w = llvm.fadd %w0, %w1 : f32
      %yi = llvm.getelementptr inbounds %y[%iw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %yj = llvm.getelementptr inbounds %y[%jw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %yi : f32, !llvm.ptr
      llvm.store %w, %yj : f32, !llvm.ptr
    }
  }
  grain.return
}

// s * (k + 1) is s * k + s, where s is a product, too. The last copy follows from the first by way of the one between.
// CHECK-LABEL: grain.kernel @planes(
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.load
grain.kernel @planes(%x: !llvm.ptr, %y: !llvm.ptr, %nx: i32, %ny: i32, %nz: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %k1 = arith.addi %nz, %c1 : i32
      %k2 = arith.addi %nz, %c2 : i32
      %a = arith.cmpi slt, %nz, %nx : i32
      %b = arith.cmpi slt, %k1, %nx : i32
      %both = arith.andi %a, %b : i1
      scf.if %both {
        %s = arith.muli %nx, %ny overflow<nsw> : i32
        %sw = arith.extsi %s : i32 to i64
        %o0 = arith.muli %s, %nz overflow<nsw> : i32
        %o1 = arith.muli %k1, %s overflow<nsw> : i32
        %o2 = arith.muli %s, %k2 overflow<nsw> : i32
        %w0 = arith.extsi %o0 : i32 to i64
        %w1 = arith.extsi %o1 : i32 to i64
        %w2 = arith.extsi %o2 : i32 to i64
        %x0 = llvm.getelementptr inbounds %x[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x1 = llvm.getelementptr inbounds %x[%w1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x2 = llvm.getelementptr inbounds %x[%w2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v0 = llvm.load %x0 : !llvm.ptr -> f32
        %v1 = llvm.load %x1 : !llvm.ptr -> f32
        %v2 = llvm.load %x2 : !llvm.ptr -> f32
        %n0 = llvm.getelementptr %x0[%sw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %n1 = llvm.getelementptr %x1[%sw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %n2 = llvm.getelementptr %x2[%sw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u0 = llvm.load %n0 : !llvm.ptr -> f32
        %u1 = llvm.load %n1 : !llvm.ptr -> f32
        %u2 = llvm.load %n2 : !llvm.ptr -> f32
        %a0 = llvm.fadd %v0, %u0 : f32
        %a1 = llvm.fadd %v1, %u1 : f32
        %a2 = llvm.fadd %v2, %u2 : f32
        %a01 = llvm.fadd %a0, %a1 : f32
        %all = llvm.fadd %a01, %a2 : f32
        llvm.store %all, %y : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The distance is no constant, or another one.
// CHECK-LABEL: grain.kernel @elsewhere(
// CHECK-COUNT-3: llvm.load
grain.kernel @elsewhere(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64, %m: i64) {
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %nm = arith.muli %n, %m : i64
      %more = arith.addi %m, %c1 : i64
      %nm1 = arith.muli %n, %more : i64
      %p = llvm.getelementptr inbounds %x[%nm] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr inbounds %x[%nm1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr inbounds %p[%m] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %p : !llvm.ptr -> f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      %ab = llvm.fadd %a, %b : f32
      %abc = llvm.fadd %ab, %c : f32
      llvm.store %abc, %y : f32, !llvm.ptr
    }
  }
  grain.return
}

// Numbers of 64 bits may wrap: addresses do, too. A store to what may be the same memory comes between.
// CHECK-LABEL: grain.kernel @wide(
// CHECK-COUNT-2: llvm.load
// CHECK: llvm.store
// CHECK: llvm.load
// CHECK-NOT: llvm.load
grain.kernel @wide(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64, %m: i64) {
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %nm = arith.muli %n, %m : i64
      %more = arith.addi %m, %c1 : i64
      %nm1 = arith.muli %n, %more : i64
      %p = llvm.getelementptr inbounds %x[%nm] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr inbounds %x[%nm1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %p[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %p : !llvm.ptr -> f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      %ab = llvm.fadd %a, %b : f32
      %abc = llvm.fadd %ab, %c : f32
      llvm.store %abc, %y : f32, !llvm.ptr
      %d = llvm.load %q : !llvm.ptr -> f32
      llvm.store %d, %y : f32, !llvm.ptr
    }
  }
  grain.return
}
