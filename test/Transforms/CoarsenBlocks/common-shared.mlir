// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,1" --canonicalize --cse --verify-each | FileCheck %s

// Shared memory that the joined blocks fill alike is allocated, filled and read
// once; memory that belongs to one block has a copy for each.

llvm.func @use(!llvm.ptr<3>) attributes {grain.callee = #grain.callee<function, convergence = none>}

// CHECK-LABEL: grain.kernel @filled_alike
grain.kernel @filled_alike(%p: !llvm.ptr, %w: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: %[[COMMON:.*]] = grain.shared "weights"
    // CHECK-NOT: grain.shared "weights"
    // CHECK-COUNT-2: grain.shared "own"
    %weights = grain.shared "weights" : !llvm.array<64 x i32> align 4
    %own = grain.shared "own" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if
      // CHECK: %[[AT:.*]] = llvm.getelementptr %[[COMMON]]
      // CHECK: %[[W:.*]] = llvm.load
      // CHECK-NEXT: llvm.store %[[W]], %[[AT]]
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: grain.barrier
      // CHECK-NEXT: %[[V:.*]] = llvm.load %[[COMMON]]
      // CHECK-NEXT: arith.addi %[[V]]
      // CHECK-NEXT: arith.addi %[[V]]
      // CHECK: } else {
      %from = llvm.getelementptr %w[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %at = llvm.getelementptr %weights[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %mine = llvm.getelementptr %own[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %weight = llvm.load %from : !llvm.ptr -> i32
      llvm.store %weight, %at : i32, !llvm.ptr<3>
      llvm.store %bx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %weights : !llvm.ptr<3> -> i32
      %sum = arith.addi %v, %bx : i32
      %to = llvm.getelementptr %p[%sum] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// One loop fills alike, and memory is filled from common memory.

// CHECK-LABEL: grain.kernel @loop_and_chain
grain.kernel @loop_and_chain(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    // CHECK: %[[A:.*]] = grain.shared "a"
    // CHECK-NEXT: %[[B:.*]] = grain.shared "b"
    // CHECK-NOT: grain.shared
    %a = grain.shared "a" : !llvm.array<64 x i32> align 4
    %b = grain.shared "b" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.for
      // CHECK-NEXT: llvm.getelementptr
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: }
      // CHECK: grain.barrier
      // CHECK-NEXT: llvm.load %[[A]]
      // CHECK-NEXT: llvm.store %{{.*}}, %[[B]]
      // CHECK-NOT: llvm.store %{{.*}}, %[[B]]
      // CHECK: } else {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %at = llvm.getelementptr %a[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %tx, %at : i32, !llvm.ptr<3>
      }
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %a : !llvm.ptr<3> -> i32
      llvm.store %v, %b : i32, !llvm.ptr<3>
      %to = llvm.getelementptr %p[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %w = llvm.load %b : !llvm.ptr<3> -> i32
      llvm.store %w, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// The value, the place or the condition differs from block to block, or the
// value comes from memory for which that is true.

// CHECK-LABEL: grain.kernel @filled_differently
grain.kernel @filled_differently(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-DAG: %[[V0:.*]] = grain.shared "value"
    // CHECK-DAG: %[[V1:.*]] = grain.shared "value"
    // CHECK-DAG: %[[P0:.*]] = grain.shared "place"
    // CHECK-DAG: %[[P1:.*]] = grain.shared "place"
    // CHECK-DAG: %[[C0:.*]] = grain.shared "condition"
    // CHECK-DAG: %[[C1:.*]] = grain.shared "condition"
    // CHECK-DAG: %[[F0:.*]] = grain.shared "from_value"
    // CHECK-DAG: %[[F1:.*]] = grain.shared "from_value"
    // CHECK: grain.threads
    %value = grain.shared "value" : !llvm.array<64 x i32> align 4
    %place = grain.shared "place" : !llvm.array<64 x i32> align 4
    %condition = grain.shared "condition" : !llvm.array<64 x i32> align 4
    %from = grain.shared "from_value" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %value : i32, !llvm.ptr<3>
      %at = llvm.getelementptr %place[%bx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %at : i32, !llvm.ptr<3>
      %even = arith.cmpi slt, %bx, %n : i32
      scf.if %even {
        llvm.store %n, %condition : i32, !llvm.ptr<3>
      }
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %value : !llvm.ptr<3> -> i32
      llvm.store %v, %from : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// These are atomic and volatile accesses, and pointers that go elsewhere.

// CHECK-LABEL: grain.kernel @not_only_stored
grain.kernel @not_only_stored(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    // CHECK-DAG: grain.shared "counted"
    // CHECK-DAG: grain.shared "counted"
    // CHECK-DAG: grain.shared "volatile"
    // CHECK-DAG: grain.shared "volatile"
    // CHECK-DAG: grain.shared "watched"
    // CHECK-DAG: grain.shared "watched"
    // CHECK-DAG: grain.shared "passed"
    // CHECK-DAG: grain.shared "passed"
    // CHECK-DAG: grain.shared "chosen"
    // CHECK-DAG: grain.shared "chosen"
    // CHECK-DAG: grain.shared "kept"
    // CHECK-DAG: grain.shared "kept"
    // CHECK: grain.threads
    %counted = grain.shared "counted" : !llvm.array<64 x i32> align 4
    %volatile = grain.shared "volatile" : !llvm.array<64 x i32> align 4
    %watched = grain.shared "watched" : !llvm.array<64 x i32> align 4
    %passed = grain.shared "passed" : !llvm.array<64 x i32> align 4
    %chosen = grain.shared "chosen" : !llvm.array<64 x i32> align 4
    %kept = grain.shared "kept" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %old = llvm.atomicrmw add %counted, %c1 monotonic : !llvm.ptr<3>, i32
      llvm.store volatile %n, %volatile : i32, !llvm.ptr<3>
      %seen = llvm.load volatile %watched : !llvm.ptr<3> -> i32
      llvm.call @use(%passed) : (!llvm.ptr<3>) -> ()
      %less = arith.cmpi slt, %tx, %n : i32
      %or = llvm.select %less, %chosen, %watched : i1, !llvm.ptr<3>
      llvm.store %n, %or : i32, !llvm.ptr<3>
      llvm.store %kept, %p : !llvm.ptr<3>, !llvm.ptr
    }
  }
  grain.return
}

// Dynamic shared memory has a size for each block.

// CHECK-LABEL: grain.kernel @dynamic_alike
grain.kernel @dynamic_alike(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.dynamic_shared "pool" align 16{{$}}
    // CHECK: grain.dynamic_shared "pool" align 16 copy 1
    %pool = grain.dynamic_shared "pool" align 16
    grain.threads (%tx, %ty, %tz) {
      llvm.store %n, %pool : i32, !llvm.ptr<3>
    }
  }
  grain.return
}
