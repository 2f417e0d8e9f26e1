// RUN: regrain-opt %s --split-input-file --grain-coarsen-threads="factors=4,1,1 contiguous joins-guards" --verify-diagnostics | FileCheck %s
// RUN: not regrain-opt %s --split-input-file --grain-coarsen-threads="factors=2,1,1 contiguous joins-guards required" 2>&1 | FileCheck %s --check-prefix=FEW

// None of these has changed.
// CHECK-NOT: factors
// FEW: fewer than three neighbours in x are joined

// An atomic operation of a copy that is excluded would be seen.

grain.kernel @atomic(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{coarsen-threads: no guard differs between neighbours around plain loads and stores}}
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %from = llvm.getelementptr %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %x = llvm.load %from : !llvm.ptr -> i32
        %old = llvm.atomicrmw add %out, %x monotonic : !llvm.ptr, i32
      }
    }
  }
  grain.return
}

// -----

// A division by a loaded number may fault where the program does not divide.

grain.kernel @division(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{no guard differs between neighbours around plain loads and stores}}
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %from = llvm.getelementptr %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %x = llvm.load %from : !llvm.ptr -> i32
        %part = arith.divsi %n, %x : i32
        %to = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %part, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A loop whose end is loaded by each copy may not end for one that is excluded.

grain.kernel @loaded_end(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{no guard differs between neighbours around plain loads and stores}}
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %from = llvm.getelementptr %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %end = llvm.load %from : !llvm.ptr -> i32
        scf.for %k = %zero to %end step %one : i32 {
          %to = llvm.getelementptr %out[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          llvm.store %k, %to : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}
