; A device module becomes one for x86-64: it has no address spaces and no fused
; operations, shared variables are offsets, and objects share module variables.
; RUN: regrain-cpu-test %s --emit=lowered --kernel=kernel | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@first = internal addrspace(3) global [10 x float] undef, align 4
@second = internal addrspace(3) global [4 x double] undef, align 8
@dynamic = external addrspace(3) global [0 x float], align 4
@counter = addrspace(1) externally_initialized global i32 7, align 4
@table = internal addrspace(4) externally_initialized constant [2 x i32] [i32 1, i32 2], align 4
@pointer = addrspace(1) externally_initialized global ptr addrspacecast (ptr addrspace(1) @counter to ptr), align 8

; CHECK: target triple = "x86_64-unknown-linux-gnu"
; CHECK-NOT: addrspace
; CHECK-DAG: @counter = protected global i32 7
; CHECK-DAG: @table = protected constant [2 x i32] [i32 1, i32 2]
; CHECK-DAG: @pointer = protected global ptr @counter
; The static part is 40 bytes, padded to 8, and 32; dynamic memory begins at 128.
; CHECK-DAG: @kernel = protected constant { i32, i32, i64, i64, ptr, i32 } { i32 4, i32 72,
; CHECK-LABEL: define internal void @kernel.region.0
; CHECK-DAG: getelementptr inbounds i8, ptr %{{.*}}, i64 40
; CHECK-DAG: getelementptr inbounds i8, ptr %{{.*}}, i64 128
; CHECK-DAG: fmul float
; CHECK-DAG: fadd float
; CHECK-NOT: contract
; CHECK-NOT: fmuladd
; CHECK: atomicrmw uinc_wrap ptr @counter
; CHECK-NOT: syncscope
; CHECK: llvm.loop.parallel_accesses
define void @kernel(ptr %out, float %x) #0 {
  store float %x, ptr addrspacecast (ptr addrspace(3) @first to ptr), align 4
  store double 1.0, ptr addrspace(3) @second, align 8
  store float %x, ptr addrspace(3) @dynamic, align 4
  %product = fmul contract float %x, %x
  %sum = call contract float @llvm.fmuladd.f32(float %x, float %product, float 1.0)
  %old = call i32 @llvm.nvvm.atomic.load.inc.32.p1(ptr addrspace(1) @counter, i32 9)
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %value = load i32, ptr addrspace(4) getelementptr inbounds ([2 x i32], ptr addrspace(4) @table, i64 0, i64 1), align 4
  %total = add i32 %lane, %value
  %index = add i32 %total, %old
  %place = getelementptr float, ptr %out, i32 %index
  store float %sum, ptr %place, align 4
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)
declare i32 @llvm.nvvm.atomic.load.inc.32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { convergent "target-cpu"="sm_70" }
!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
