// Shared arrays of a block that is one warp become registers of its lanes.
// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-exchange-in-warp{required=true},grain-clean-up))' | FileCheck %s --implicit-check-not='grain.shared "' --implicit-check-not=grain.dynamic_shared --implicit-check-not='grain.barrier('

// Each of 128 threads keeps its number, and lanes of the warp read the next lane's.
// CHECK-LABEL: grain.kernel @rotate
// CHECK: grain.threads (%[[X:.*]], %{{.*}}, %{{.*}}) {
// CHECK: %[[SLOT:.*]] = llvm.alloca
// CHECK: llvm.store %[[X]], %[[SLOT]]
// CHECK: %[[GIVEN:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[SOURCE:.*]] = arith.addi %[[X]], %c1_i32 : i32
// CHECK: %[[TAKEN:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[GIVEN]], %[[SOURCE]], %c31_i32
// CHECK: llvm.store %[[TAKEN]]
grain.kernel @rotate(%out: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %ring = grain.shared "ring" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %ring[0, %tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x i32>
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %sum = arith.addi %tx, %c1 : i32
      %next = arith.andi %sum, %c31 : i32
      %theirs = llvm.getelementptr inbounds %ring[0, %next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x i32>
      %value = llvm.load %theirs : !llvm.ptr<3> -> i32
      %place = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %place : i32, !llvm.ptr
    }
  }
  grain.return
}

// The loop is unrolled. Shuffles stand in front of the guards; one lane reads what it has.
// CHECK-LABEL: grain.kernel @tree
// CHECK-NOT: scf.while
// CHECK: nvvm.shfl.sync down %{{.*}}, %{{.*}}, %c2_i32
// CHECK-NEXT: scf.if
// CHECK-NEXT: llvm.load
// CHECK-NOT: nvvm
// CHECK: nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %c1_i32
// CHECK-NEXT: scf.if
// CHECK: nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %c0_i32
grain.kernel @tree(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %tree = grain.shared "tree" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %tree[0, %tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x i32>
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %end = scf.while (%far = %c2) : (i32) -> i32 {
        %more = arith.cmpi ne, %far, %c0 : i32
        scf.condition(%more) %far : i32
      } do {
      ^bb0(%far: i32):
        %inside = arith.cmpi slt, %tx, %far : i32
        scf.if %inside {
          %own = llvm.load %mine : !llvm.ptr<3> -> i32
          %at = arith.addi %tx, %far : i32
          %theirs = llvm.getelementptr inbounds %tree[0, %at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x i32>
          %value = llvm.load %theirs : !llvm.ptr<3> -> i32
          %sum = arith.addi %own, %value : i32
          llvm.store %sum, %mine : i32, !llvm.ptr<3>
        }
        grain.barrier (%tx, %ty, %tz)
        %half = arith.shrui %far, %c1 : i32
        scf.yield %half : i32
      }
      %first = llvm.load %tree : !llvm.ptr<3> -> i32
      %place = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %first, %place : i32, !llvm.ptr
    }
  }
  grain.return
}

// A lane runs two threads. Lane 31 gives its neighbour the second register, the others the first.
// CHECK-LABEL: grain.kernel @neighbour
// CHECK-COUNT-2: llvm.alloca
// CHECK: %[[TEST:.*]] = arith.cmpi ult, %{{.*}}, %c1_i32
// CHECK: %[[GIVEN:.*]] = arith.select %[[TEST]]
// CHECK: nvvm.shfl.sync idx %{{.*}}, %[[GIVEN]]
grain.kernel @neighbour(%out: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %row = grain.dynamic_shared "row" align 4
    grain.threads (%tx, %ty, %tz) factors [2, 1, 1] {
      %more = arith.addi %tx, %c32 : i32
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %other = llvm.getelementptr inbounds %row[%more] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      llvm.store %more, %other : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %next = llvm.getelementptr inbounds %mine[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %value = llvm.load %next : !llvm.ptr<3> -> i32
      %place = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %place : i32, !llvm.ptr
    }
  }
  grain.return
}

// Elements of 64 bits take two shuffles; those of 8 bits are extended.
// CHECK-LABEL: grain.kernel @widths
// CHECK: llvm.bitcast %{{.*}} : f64 to i64
// CHECK-DAG: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c5_i32
// CHECK-DAG: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c5_i32
// CHECK: llvm.bitcast %{{.*}} : i64 to f64
// CHECK: %[[WORD:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[TAKEN:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[WORD]], %c5_i32
// CHECK: arith.trunci %[[TAKEN]] : i32 to i8
grain.kernel @widths(%wide: f64, %narrow: i8, %out: !llvm.ptr) {
  %c5 = arith.constant 5 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %a = grain.shared "a" : !llvm.array<32 x f64> align 8
    %b = grain.shared "b" : !llvm.array<32 x i8> align 1
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f64
      %my = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      llvm.store %wide, %mine : f64, !llvm.ptr<3>
      llvm.store %narrow, %my : i8, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %at = arith.xori %tx, %c5 : i32
      %theirs = llvm.getelementptr inbounds %a[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f64
      %their = llvm.getelementptr inbounds %b[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %first = llvm.load %theirs : !llvm.ptr<3> -> f64
      llvm.store %first, %out : f64, !llvm.ptr
      %second = llvm.load %their : !llvm.ptr<3> -> i8
      llvm.store %second, %out : i8, !llvm.ptr
    }
  }
  grain.return
}

// Data decides which lanes write and then read: the shuffle gives what the others had before, and a
// lane that has written reads its register.
// CHECK-LABEL: grain.kernel @newer
// CHECK: %[[BEFORE:.*]] = llvm.load %[[SLOT:.*]] : !llvm.ptr -> i32
// CHECK: %[[TAKEN:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[BEFORE]], %c0_i32
// CHECK: scf.if
// CHECK: llvm.store %{{.*}}, %[[SLOT]]
// CHECK: %[[NEWER:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[TEST:.*]] = arith.cmpi ult, %{{.*}}, %c1_i32
// CHECK: arith.select %[[TEST]], %[[NEWER]], %[[TAKEN]]
grain.kernel @newer(%flags: !llvm.ptr, %out: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %flag = llvm.getelementptr %flags[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i1
      %isSet = llvm.load %flag : !llvm.ptr -> i1
      scf.if %isSet {
        %sum = arith.addi %tx, %c1 : i32
        llvm.store %sum, %mine : i32, !llvm.ptr<3>
        %first = llvm.load %row : !llvm.ptr<3> -> i32
        llvm.store %first, %out : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// What no store writes is 0, and a barrier that memory needs waits for the warp.
// CHECK-LABEL: grain.kernel @rest
// CHECK: %[[ZERO:.*]] = llvm.mlir.zero : i32
// CHECK: llvm.load %arg0
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK: llvm.store %[[ZERO]]
grain.kernel @rest(%data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %old = llvm.load %data : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = llvm.load %mine : !llvm.ptr<3> -> i32
      %place = llvm.getelementptr %data[%old] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %place : i32, !llvm.ptr
    }
  }
  grain.return
}

// If one thread runs the block, its registers hold everything.
// CHECK-LABEL: grain.kernel @alone
// CHECK-NOT: nvvm
// CHECK: grain.return
grain.kernel @alone(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 2, 1, 1>} {
    %pair = grain.shared "pair" : !llvm.array<2 x i32> align 4
    grain.threads (%tx, %ty, %tz) factors [2, 1, 1] {
      %second = llvm.getelementptr inbounds %pair[0, 1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<2 x i32>
      llvm.store %bx, %pair : i32, !llvm.ptr<3>
      llvm.store %by, %second : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %b = llvm.load %second : !llvm.ptr<3> -> i32
      %a = llvm.load %pair : !llvm.ptr<3> -> i32
      %sum = arith.addi %a, %b : i32
      llvm.store %sum, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// Each of two warps rotates its own half.
// CHECK-LABEL: grain.kernel @halves
// CHECK: %[[LANE:.*]] = arith.andi %{{.*}}, %c31_i32
// CHECK: %[[GIVEN:.*]] = llvm.load
// CHECK: %[[SOURCE:.*]] = arith.addi %[[LANE]], %c7_i32
// CHECK: nvvm.shfl.sync idx %c-1_i32, %[[GIVEN]], %[[SOURCE]], %c31_i32
grain.kernel @halves(%out: !llvm.ptr) {
  %c7 = arith.constant 7 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %sum = arith.addi %tx, %c7 : i32
      %lane = arith.andi %sum, %c31 : i32
      %first = arith.andi %tx, %c32 : i32
      %at = arith.ori %first, %lane : i32
      %theirs = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = llvm.load %theirs : !llvm.ptr<3> -> i32
      %place = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %place : i32, !llvm.ptr
    }
  }
  grain.return
}
