// RUN: regrain-opt %s --split-input-file --grain-specialise="known=for.block=64x1x1,for.arg0=300" --verify-diagnostics | FileCheck %s
// RUN: not regrain-opt %s --split-input-file --grain-specialise="known=for.block=64x32" 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: 'for.block=64x32': for.block is larger than the block of any launch

// None of these has changed.
// CHECK-NOT: known_block
// CHECK-NOT: arith.constant

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
grain.kernel @structure(%x: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %x : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{parameter 0 has 8 bits and cannot be 300}}
grain.kernel @narrow(%x: i8, %p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %x, %p : i8, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{parameter 0 has 1 bits and cannot be 300}}
grain.kernel @boolean(%x: i1, %p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %x, %p : i1, !llvm.ptr
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

// expected-remark@+1 {{the kernel has no parameter 0, it has 0}}
grain.kernel @none() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      grain.barrier (%tx, %ty, %tz)
    }
  }
  grain.return
}

// -----

grain.kernel @regrained(%n: i32, %p: !llvm.ptr) {
  // expected-remark@+1 {{the threads or blocks have already been coarsened, fused or reshaped}}
  grain.blocks (%bx, %by, %bz) factors [2, 1, 1] {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{the kernel has been expanded into alternatives}}
grain.kernel @expanded(%n: i32) {
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) {
      grain.threads (%tx, %ty, %tz) {
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}
