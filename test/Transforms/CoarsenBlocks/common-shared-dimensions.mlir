// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,3,1 apart=true" --canonicalize --cse --verify-each | FileCheck %s

// Of blocks that are joined in two dimensions, those of a row share what only
// depends on the row, and those of a column what only depends on the column.

// CHECK-LABEL: grain.kernel @row
grain.kernel @row(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-COUNT-3: grain.shared
    // CHECK-NOT: grain.shared
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %by, %row : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @place_of_column
grain.kernel @place_of_column(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-COUNT-2: grain.shared
    // CHECK-NOT: grain.shared
    %column = grain.shared "column" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr %column[%bx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %at : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @both
grain.kernel @both(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-COUNT-6: grain.shared
    // CHECK-NOT: grain.shared
    %own = grain.shared "own" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr %own[%bx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %by, %at : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// An array that is filled from that of a row is shared as it is, and one that is
// filled from a row's and a column's is not.

// CHECK-LABEL: grain.kernel @from_row
grain.kernel @from_row(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-COUNT-6: grain.shared
    // CHECK-NOT: grain.shared
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    %from_row = grain.shared "from_row" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %by, %row : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %r = llvm.load %row : !llvm.ptr<3> -> i32
      llvm.store %r, %from_row : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @from_both
grain.kernel @from_both(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-COUNT-11: grain.shared
    // CHECK-NOT: grain.shared
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    %column = grain.shared "column" : !llvm.array<64 x i32> align 4
    %from_both = grain.shared "from_both" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %by, %row : i32, !llvm.ptr<3>
      llvm.store %bx, %column : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %r = llvm.load %row : !llvm.ptr<3> -> i32
      %c = llvm.load %column : !llvm.ptr<3> -> i32
      %sum = arith.addi %r, %c : i32
      llvm.store %sum, %from_both : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// The copies of a pair share their array, each column has its own.

// CHECK-LABEL: grain.kernel @which
grain.kernel @which(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: %[[A:.*]] = grain.shared "column"
    // CHECK-NEXT: %[[B:.*]] = grain.shared "column"
    %column = grain.shared "column" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: llvm.store %{{.*}}, %[[A]]
      // CHECK-NEXT: llvm.store %[[NEXT:.*]], %[[B]]
      // CHECK-NEXT: llvm.store %{{.*}}, %[[A]]
      // CHECK-NEXT: llvm.store %[[NEXT]], %[[B]]
      // CHECK-NEXT: llvm.store %{{.*}}, %[[A]]
      // CHECK-NEXT: llvm.store %[[NEXT]], %[[B]]
      // CHECK-NEXT: grain.barrier
      // CHECK-NEXT: llvm.load %[[A]]
      // CHECK-NEXT: llvm.load %[[B]]
      // CHECK-NOT: llvm.load
      llvm.store %bx, %column : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %column : !llvm.ptr<3> -> i32
      %at = arith.addi %v, %by : i32
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// Blocks run one after the other under a condition that differs between rows:
// those of a row do not write together, although they write the same.

// CHECK-LABEL: grain.kernel @not_in_step
grain.kernel @not_in_step(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    // CHECK-COUNT-6: grain.shared "counted"
    // CHECK: grain.threads
    %counted = grain.shared "counted" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr %counted[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %less = arith.cmpi slt, %by, %n : i32
      scf.if %less {
        %old = llvm.load %at : !llvm.ptr<3> -> i32
        %new = arith.addi %old, %c1 : i32
        llvm.store %new, %at : i32, !llvm.ptr<3>
      }
    }
  }
  grain.return
}
