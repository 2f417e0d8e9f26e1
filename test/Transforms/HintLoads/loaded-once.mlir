// RUN: regrain-opt %s --grain-hint-loads --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// Each thread loads an element of its own, and all threads the same factor.
// CHECK-LABEL: grain.kernel @scale
// CHECK: llvm.load %{{.*}} {nontemporal} : !llvm.ptr -> f32
// CHECK: llvm.load %{{[a-z0-9_]+}} : !llvm.ptr -> f32
grain.kernel @scale(%out: !llvm.ptr, %data: !llvm.ptr, %factor: !llvm.ptr, %width: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %width overflow<nsw> : i32
      %i = arith.addi %first, %tx overflow<nsw> : i32
      %from = llvm.getelementptr inbounds %data[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %from : !llvm.ptr -> f32
      %by_what = llvm.load %factor : !llvm.ptr -> f32
      %scaled = llvm.fmul %value, %by_what : f32
      llvm.store %scaled, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The four words of a thread are apart from those of its neighbour.
// CHECK-LABEL: grain.kernel @records
// CHECK: llvm.load %{{.*}} {nontemporal} : !llvm.ptr -> f32
// CHECK: llvm.load %{{.*}} {nontemporal} : !llvm.ptr -> f32
grain.kernel @records(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = llvm.getelementptr inbounds %data[%tx, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x f32>
      %third = llvm.getelementptr inbounds %data[%tx, 2] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x f32>
      %a = llvm.load %first : !llvm.ptr -> f32
      %b = llvm.load %third : !llvm.ptr -> f32
      %sum = llvm.fadd %a, %b : f32
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A thread advances by more than its neighbours' data, of which one branch loads each element.
// CHECK-LABEL: grain.kernel @strided
// CHECK: llvm.load %{{.*}} {nontemporal} : !llvm.ptr -> i32
// CHECK: llvm.load %{{.*}} {nontemporal} : !llvm.ptr -> i32
grain.kernel @strided(%out: !llvm.ptr, %data: !llvm.ptr, %n: i32, %condition: i1) {
  %c256 = arith.constant 256 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %tx to %n step %c256 : i32 {
        %from = llvm.getelementptr inbounds %data[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %value = scf.if %condition -> i32 {
          %left = llvm.load %from : !llvm.ptr -> i32
          scf.yield %left : i32
        } else {
          %right = llvm.load %from : !llvm.ptr -> i32
          scf.yield %right : i32
        }
        %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %value, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
