; RUN: regrain-translate %s | FileCheck %s
; RUN: regrain-translate --round-trip %s | FileCheck %s --check-prefix=BACK
; Functions that take part in the nest are inlined even if the source forbids
; it; others stay calls, and the exported module contains them.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ3sumE6buffer = internal addrspace(3) global [32 x i32] undef, align 4

; CHECK-LABEL: grain.kernel @caller
; CHECK: grain.blocks (%[[BX:[^,]*]],
; CHECK: grain.shared "buffer"
; CHECK: grain.threads (%[[TX:[^,]*]],
; CHECK: grain.barrier
; CHECK: llvm.call @plain(
; CHECK: llvm.call @fibonacci(
; CHECK-NOT: llvm.func @coordinates
; CHECK-NOT: llvm.func @sum
; CHECK-DAG: llvm.func {{.*}}@plain(
; CHECK-DAG: llvm.func {{.*}}@fibonacci(

; BACK-NOT: @unused
; BACK-DAG: define internal i32 @plain(
; BACK-DAG: define internal i32 @fibonacci(
; BACK-DAG: define void @caller(
; BACK-NOT: @unused
; BACK-NOT: @other_kernel
define void @caller(ptr %p) {
  %a = call i32 @sum(ptr %p)
  %b = call i32 @coordinates(i32 %a)
  %c = call i32 @plain(i32 %b)
  %d = call i32 @fibonacci(i32 %c)
  store i32 %d, ptr %p
  ret void
}

define i32 @coordinates(i32 %k) noinline {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %a = mul i32 %tid, %k
  %b = add i32 %a, %ctaid
  ret i32 %b
}

define i32 @sum(ptr %p) noinline {
  %value = load i32, ptr %p
  %tid = call i32 @coordinates(i32 1)
  %slot = getelementptr [32 x i32], ptr addrspace(3) @_ZZ3sumE6buffer, i32 0, i32 %tid
  store i32 %value, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier0()
  %other = load i32, ptr addrspace(3) @_ZZ3sumE6buffer
  ret i32 %other
}

define i32 @plain(i32 %x) noinline {
  %r = mul i32 %x, 3
  ret i32 %r
}

define i32 @fibonacci(i32 %n) {
entry:
  %done = icmp slt i32 %n, 2
  br i1 %done, label %exit, label %again
again:
  %n1 = sub i32 %n, 1
  %n2 = sub i32 %n, 2
  %a = call i32 @fibonacci(i32 %n1)
  %b = call i32 @fibonacci(i32 %n2)
  %r = add i32 %a, %b
  ret i32 %r
exit:
  ret i32 1
}

define i32 @unused(i32 %x) {
  %r = call i32 @coordinates(i32 %x)
  ret i32 %r
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{ptr @caller, !"kernel", i32 1}
