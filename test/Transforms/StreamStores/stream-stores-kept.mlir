// These stores are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-stream-stores --split-input-file 2>&1 | FileCheck %s --implicit-check-not=nontemporal}

// CHECK: remark: {{.*}}because the kernel also reads through the pointer of the store
grain.kernel @in_place(%data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %at : !llvm.ptr -> f32
      %twice = llvm.fadd %value, %value : f32
      llvm.store %twice, %at : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because the kernel reads through a pointer whose origin is unknown
grain.kernel @chosen(%out: !llvm.ptr, %left: !llvm.ptr, %right: !llvm.ptr, %condition: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.select %condition, %left, %right : i1, !llvm.ptr
      %value = llvm.load %from : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %value, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because its address is not known to be in global memory
grain.kernel @unknown(%left: !llvm.ptr, %right: !llvm.ptr, %condition: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %out = llvm.select %condition, %left, %right : i1, !llvm.ptr
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because it is volatile or atomic
grain.kernel @flag(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store volatile %tx, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because neighbouring threads are not known to store to different addresses
grain.kernel @one_place(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %to = llvm.getelementptr inbounds %out[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because a loop may store to the same address again
grain.kernel @revisited(%out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        scf.for %j = %c0 to %n step %c1 : i32 {
          %to = llvm.getelementptr inbounds %out[%j, %tx] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<64 x i32>
          llvm.store %i, %to : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because another store writes the same address
grain.kernel @twice(%out: !llvm.ptr, %condition: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %to : i32, !llvm.ptr
      scf.if %condition {
        llvm.store %bx, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel stores nothing
grain.kernel @nothing(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {}
  }
  grain.return
}
