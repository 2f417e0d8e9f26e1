// RUN: regrain-opt %s --split-input-file --grain-specialise="known=for.arg0=4n,for.pointers=16" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: llvm.align = 16
// CHECK-NOT: arith.andi

// expected-remark@+1 {{specialise: parameter 0 is not an integer; to lift this: name an integer parameter by its number, counted from 0}}
grain.kernel @pointer(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{parameter 0 is not an integer}}
grain.kernel @floating(%x: f32, %p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %x, %p : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{parameter 0 is not an integer}}
grain.kernel @structure(%x: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}, %p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{parameter 0 has more than 64 bits}}
grain.kernel @wide(%x: i128, %p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %x, %p : i128, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A pointer in a structure is not aligned by a promise about parameters.
// expected-remark@+1 {{the kernel has no pointer parameter that could be aligned}}
grain.kernel @inside(%n: i32, %x: !llvm.ptr {llvm.byval = !llvm.struct<(ptr, i32)>}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %p = llvm.load %x : !llvm.ptr -> !llvm.ptr
      llvm.store %n, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{the kernel has no parameter 0, it has 0}}
grain.kernel @none() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      grain.barrier (%tx, %ty, %tz)
    }
  }
  grain.return
}
