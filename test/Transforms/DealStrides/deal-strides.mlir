// Threads of a block that stride through a range together take neighbouring elements.
// RUN: regrain-opt %s --grain-deal-strides --grain-clean-up --split-input-file | FileCheck %s

// The numbers are tested once: the width of the block, the step, the end, and the first element.
// CHECK-LABEL: grain.kernel @scale
// CHECK: grain.threads (%[[X:[^,]*]],
// CHECK: %[[SIZE:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: %[[REST:.*]] = arith.andi %[[SIZE]], %c3_i64
// CHECK: %[[BY:.*]] = arith.extsi
// CHECK: %[[N:.*]] = arith.extsi %arg2
// CHECK: %[[WIDTH:.*]] = arith.cmpi ule, %[[REST]], %c0_i64
// CHECK: %[[BEFORE:.*]] = arith.subi %[[BY]], %c1_i64
// CHECK: %[[STEP:.*]] = arith.cmpi ule, %[[BEFORE]], %c2147483646_i64
// CHECK: %[[MOST:.*]] = arith.subi %c2147483647_i64, %[[BY]]
// CHECK: %[[LESS:.*]] = arith.cmpi ule, %[[N]], %[[MOST]]
// CHECK: %[[FIRST:.*]] = arith.extsi
// CHECK: %[[LAST:.*]] = arith.subi %c2147483647_i64, %[[SIZE]]
// CHECK: %[[START:.*]] = arith.cmpi ule, %[[FIRST]], %[[LAST]]
// CHECK: %[[TWO:.*]] = arith.andi %[[WIDTH]], %[[STEP]]
// CHECK: %[[THREE:.*]] = arith.andi %[[TWO]], %[[LESS]]
// CHECK: %[[FITS:.*]] = arith.andi %[[THREE]], %[[START]]
// CHECK: scf.if %[[FITS]] {
// CHECK: %[[GROUP:.*]] = arith.divui %{{.*}}, %c4_i32
// CHECK: %[[PLACE:.*]] = arith.remui %[[X]], %[[GROUP]]
// CHECK: %[[ROUND:.*]] = arith.divui %[[X]], %[[GROUP]]
// CHECK: %[[END:.*]] = arith.addi %[[N]], %c-3_i64 overflow<nsw>
// CHECK: %[[NEXT:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %[[STRIDE:.*]] iter_args
// CHECK-COUNT-4: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK: %[[THEN:.*]] = arith.addi %[[I]], %[[STRIDE]]
// CHECK: scf.yield %[[THEN]]
// What is left is run one by one.
// CHECK: %[[BOTH:.*]] = arith.select
// CHECK: scf.for %{{.*}} = %[[NEXT]] to %[[BOTH]] step %c1_i64
// CHECK: llvm.load
// CHECK: llvm.store
// Other launches run what the program says.
// CHECK: } else {
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: llvm.store
grain.kernel @scale(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %start = arith.addi %first, %tx : i32
      %end = scf.while (%i = %start) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %w = llvm.fadd %v, %v : f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// A counter of 64 bits, compared as an unsigned number, in place.
// CHECK-LABEL: grain.kernel @wide
// CHECK: scf.if
// CHECK: scf.for
// CHECK-COUNT-4: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK: } else {
// CHECK: scf.while
grain.kernel @wide(%out: !llvm.ptr, %n: i64) {
  %size = grain.block_size x
  %grid = grain.grid_size x
  %narrow = arith.muli %grid, %size : i32
  %stride = arith.extui %narrow : i32 to i64
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %sum = arith.addi %first, %tx : i32
      %start = arith.extui %sum : i32 to i64
      %end = scf.while (%i = %start) : (i64) -> i64 {
        %runs = arith.cmpi ugt, %n, %i : i64
        scf.condition(%runs) %i : i64
      } do {
      ^bb0(%i: i64):
        %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %to : !llvm.ptr -> f32
        %w = llvm.fadd %v, %v : f32
        llvm.store %w, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i64
        scf.yield %next : i64
      }
    }
  }
  grain.return
}

// -----

// A histogram: loads of neighbours, and additions whose results nobody uses. The block is known, so its width is not
// tested. The loops that clear and flush stay, because their accesses would not become wider.
// CHECK-LABEL: grain.kernel @histogram
// CHECK: scf.for
// CHECK-NEXT: arith.extsi
// CHECK: llvm.store
// CHECK: grain.barrier
// CHECK: scf.if
// CHECK: arith.remui %{{.*}}, %c16_i32
// CHECK: scf.for
// CHECK-COUNT-4: llvm.load {{.*}} -> i8
// CHECK-COUNT-4: llvm.atomicrmw add
// CHECK: } else {
// CHECK: scf.while
// CHECK: grain.barrier
// CHECK-NEXT: scf.for
// CHECK: llvm.atomicrmw add
// CHECK-NOT: llvm.atomicrmw
grain.kernel @histogram(%counts: !llvm.ptr, %bytes: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %c64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %own = grain.shared "own" : !llvm.array<256 x i32> align 4
    %first = arith.muli %bx, %c64 : i32
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %tx to %c256 step %c64 : i32 {
        %at = arith.extsi %i : i32 to i64
        %to = llvm.getelementptr inbounds %own[0, %at] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<256 x i32>
        llvm.store %c0, %to : i32, !llvm.ptr<3>
      }
      grain.barrier(%tx, %ty, %tz)
      %start = arith.addi %first, %tx : i32
      %end = scf.while (%i = %start) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %bytes[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %byte = llvm.load %from : !llvm.ptr -> i8
        %number = arith.extui %byte : i8 to i64
        %to = llvm.getelementptr inbounds %own[0, %number] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<256 x i32>
        %before = llvm.atomicrmw add %to, %c1 syncscope("device") monotonic : !llvm.ptr<3>, i32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
      grain.barrier(%tx, %ty, %tz)
      scf.for %i = %tx to %c256 step %c64 : i32 {
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %own[0, %at] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<256 x i32>
        %count = llvm.load %from : !llvm.ptr<3> -> i32
        %to = llvm.getelementptr inbounds %counts[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %before = llvm.atomicrmw add %to, %count syncscope("device") monotonic : !llvm.ptr, i32
      }
    }
  }
  grain.return
}

// -----

// A row of each block, whose elements lie behind a number that does not wrap.
// CHECK-LABEL: grain.kernel @rows
// CHECK: scf.for %[[I:[^ ]*]] = %{{.*}} iter_args
// CHECK-COUNT-4: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK: } else {
grain.kernel @rows(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    %row = arith.muli %bx, %n overflow<nsw> : i32
    grain.threads (%tx, %ty, %tz) {
      %end = scf.while (%i = %tx) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %sum = arith.addi %i, %row overflow<nsw> : i32
        %at = arith.extsi %sum : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %size : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}
