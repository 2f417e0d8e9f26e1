// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-pad-shared --split-input-file 2>&1 | FileCheck %s --implicit-check-not='x i8>'

// CHECK: remark: {{.*}}no lanes of a warp are known to access one bank of a static shared array at different addresses
grain.kernel @rows(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %out : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The launch decides the size of dynamic shared memory.
// CHECK: remark: {{.*}}no lanes of a warp are known to access one bank of a static shared array at different addresses
grain.kernel @dynamic(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.dynamic_shared "s" align 16
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %out : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}uses an address of a shared array whose accesses conflict in banks for something other than an access
grain.kernel @stored_address(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %out : f32, !llvm.ptr
      llvm.store %s, %out : !llvm.ptr<3>, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}uses an address of a shared array whose accesses conflict in banks for something other than an access
llvm.func @helper(!llvm.ptr<3>)
grain.kernel @called(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %out : f32, !llvm.ptr
      llvm.call @helper(%s) : (!llvm.ptr<3>) -> ()
    }
  }
  grain.return
}

// -----

// Four floats from any column may lie in two rows.
// CHECK: remark: {{.*}}an access to the shared array is not aligned to its size, so that it may lie in two rows
grain.kernel @unaligned(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 16
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xf32>
      llvm.store %x, %out {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The array itself is aligned less than the access says.
// CHECK: remark: {{.*}}an access to the shared array is not aligned to its size, so that it may lie in two rows
grain.kernel @unaligned_array(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a {alignment = 8 : i64} : !llvm.ptr<3> -> f64
      llvm.store %x, %out : f64, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an access to the shared array is of a type whose place in a row is not known
grain.kernel @record(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> !llvm.struct<(f32, f32, f32)>
      llvm.store %x, %out : !llvm.struct<(f32, f32, f32)>, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}a block would have more than 48 KiB of shared memory with padded rows
grain.kernel @full(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<384 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<384 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %out : f32, !llvm.ptr
    }
  }
  grain.return
}
