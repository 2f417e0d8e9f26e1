// Flat indices that keep their order, each for another reason.
// RUN: regrain-opt %s --grain-transpose-accesses --split-input-file 2>&1 | FileCheck %s --implicit-check-not='"transposed"'

// The program's own blocks keep their threads.
// CHECK: remark: {{.*}}neighbours in y or z are not known to access neighbouring elements
grain.kernel @own_block(%out: !llvm.ptr, %row: i32) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 1024, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %c1024 = arith.constant 1024 : i32
      %s = arith.muli %bx, %c1024 : i32
      %i = arith.addi %s, %tx : i32
      %q = arith.divsi %i, %row : i32
      %ql = arith.extsi %q : i32 to i64
      %to = llvm.getelementptr inbounds %out[%ql] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Something else reads the coordinate.
// CHECK: remark: {{.*}}neighbours in y or z are not known to access neighbouring elements
grain.kernel @other_use(%out: !llvm.ptr, %row: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 1024, 1, 1>} {
      %c1024 = arith.constant 1024 : i32
      %s = arith.muli %bx, %c1024 : i32
      %i = arith.addi %s, %tx : i32
      %q = arith.divsi %i, %row : i32
      %ql = arith.extsi %q : i32 to i64
      %to = llvm.getelementptr inbounds %out[%ql] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The length differs between threads.
// CHECK: remark: {{.*}}neighbours in y or z are not known to access neighbouring elements
grain.kernel @own_length(%out: !llvm.ptr, %row: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 1024, 1, 1>} {
      %c1024 = arith.constant 1024 : i32
      %s = arith.muli %bx, %c1024 : i32
      %i = arith.addi %s, %tx : i32
      %length = arith.addi %row, %tz : i32
      %q = arith.divsi %i, %length : i32
      %ql = arith.extsi %q : i32 to i64
      %to = llvm.getelementptr inbounds %out[%ql] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    }
  }
  grain.return
}
