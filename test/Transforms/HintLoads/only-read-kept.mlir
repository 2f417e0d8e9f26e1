// These loads are left unchanged: somebody may write the memory, each time in another way.
// RUN: regrain-opt %s --grain-hint-loads=hint=only-read --split-input-file 2>&1 | FileCheck %s --implicit-check-not=" invariant :"

// CHECK: remark: {{.*}}because the kernel also writes through the pointer of the load
grain.kernel @in_place(%data: !llvm.ptr {llvm.noalias}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %at : !llvm.ptr -> f32
      %behind = llvm.getelementptr inbounds %at[1024] : (!llvm.ptr) -> !llvm.ptr, f32
      llvm.store %value, %behind : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because the kernel writes memory that may be the same, as the pointer is not __restrict__
grain.kernel @unrestricted(%out: !llvm.ptr {llvm.noalias}, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %from : !llvm.ptr -> f32
      llvm.store %value, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because the kernel may write through a pointer of unknown origin, in a call or by a fence
grain.kernel @chosen(%left: !llvm.ptr, %right: !llvm.ptr, %data: !llvm.ptr {llvm.noalias}, %condition: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %out = llvm.select %condition, %left, %right : i1, !llvm.ptr
      %value = llvm.load %from : !llvm.ptr -> f32
      llvm.store %value, %out : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because the kernel may write through a pointer of unknown origin, in a call or by a fence
llvm.func @unknown()
grain.kernel @calls(%out: !llvm.ptr, %data: !llvm.ptr {llvm.noalias}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.call @unknown() : () -> ()
      %value = llvm.load %data : !llvm.ptr -> f32
      llvm.store %value, %out : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because the kernel has volatile or atomic accesses, so another launch may write the data
grain.kernel @waits(%flag: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x f32> align 4
    grain.threads (%tx, %ty, %tz) {
      %value = llvm.load %data : !llvm.ptr -> f32
      %set = llvm.load volatile %flag : !llvm.ptr -> i32
      %own = llvm.getelementptr inbounds %s[%set] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      llvm.store %value, %own : f32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// A table is not written by the kernel, but the pointer may point to it.
llvm.mlir.global external @table() {addr_space = 1 : i32} : !llvm.array<64 x f32>

// CHECK: remark: {{.*}}because the kernel writes memory that may be the same, as the pointer is not __restrict__
grain.kernel @through_pointer(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %table = llvm.mlir.addressof @table : !llvm.ptr<1>
      %from = llvm.getelementptr inbounds %table[%tx] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %value = llvm.load %from : !llvm.ptr<1> -> f32
      llvm.store %value, %out : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because it is volatile or atomic
grain.kernel @ordered(%out: !llvm.ptr, %data: !llvm.ptr {llvm.noalias}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %value = llvm.load volatile %data : !llvm.ptr -> f32
      llvm.store %value, %out : f32, !llvm.ptr
    }
  }
  grain.return
}
