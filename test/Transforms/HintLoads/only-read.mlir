// RUN: regrain-opt %s --grain-hint-loads=hint=only-read --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// The program promises that nobody writes what it reads through a restricted pointer; what the threads
// of a block exchange is other memory.
// CHECK-LABEL: grain.kernel @restricted
// CHECK: llvm.load %{{.*}} invariant : !llvm.ptr -> f32
// CHECK: llvm.load %{{[a-z0-9_]+}} : !llvm.ptr<3> -> f32
// CHECK: llvm.load %{{[a-z0-9_]+}} : !llvm.ptr -> f32
grain.kernel @restricted(%out: !llvm.ptr, %data: !llvm.ptr {llvm.noalias}) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x f32> align 4
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %value = llvm.load %from : !llvm.ptr -> f32
      llvm.store %value, %own : f32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %first = llvm.load %s : !llvm.ptr<3> -> f32
      %before = llvm.load %out : !llvm.ptr -> f32
      %sum = llvm.fadd %first, %before : f32
      llvm.store %sum, %out : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Nothing in the kernel writes global memory other than the variable.
llvm.mlir.global external @table() {addr_space = 1 : i32} : !llvm.array<64 x f32>
llvm.mlir.global external @result() {addr_space = 1 : i32} : !llvm.array<64 x f32>

// CHECK-LABEL: grain.kernel @variables
// CHECK: llvm.load %{{.*}} invariant : !llvm.ptr<1> -> f32
grain.kernel @variables() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %table = llvm.mlir.addressof @table : !llvm.ptr<1>
      %result = llvm.mlir.addressof @result : !llvm.ptr<1>
      %from = llvm.getelementptr inbounds %table[%tx] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %to = llvm.getelementptr inbounds %result[%tx] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %value = llvm.load %from : !llvm.ptr<1> -> f32
      llvm.store %value, %to : f32, !llvm.ptr<1>
    }
  }
  grain.return
}
