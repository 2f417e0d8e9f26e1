; RUN: regrain-translate %s | FileCheck %s
; Functions that are not inlined are described: whether they may wait for other
; threads, or synchronise. Unknown functions are not described.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; These are a loop that polls by an atomic operation of a scope, or by a plain
; load beside a fence; a recursion that polls; a loop around a function that does.
; CHECK-DAG: @scoped(!llvm.ptr) attributes {convergent, grain.callee = #grain.callee<function, convergence = unknown>
; CHECK-DAG: @fenced(!llvm.ptr) attributes {convergent, grain.callee = #grain.callee<function, convergence = unknown>
; CHECK-DAG: @recursive(!llvm.ptr) attributes {convergent, grain.callee = #grain.callee<function, convergence = unknown>
; CHECK-DAG: @around(!llvm.ptr) attributes {convergent, grain.callee = #grain.callee<function, convergence = unknown>
; A single read of what others write is not a wait.
; CHECK-DAG: @once(!llvm.ptr) -> i32 attributes {grain.callee = #grain.callee<function, convergence = none>, no_inline}
; This is a loop over the thread's own data, with mathematics, copies and a message.
; CHECK-DAG: @computes(!llvm.ptr, !llvm.ptr) attributes {grain.callee = #grain.callee<plain_function, convergence = none>, no_inline}
; Lanes may exchange values by volatile accesses.
; CHECK-DAG: @exchanges(!llvm.ptr) -> i32 attributes {convergent, grain.callee = #grain.callee<function, convergence = warp>, no_inline}
; One loop requests memory until another thread frees some; another one requests it once.
; CHECK-DAG: @insists() -> !llvm.ptr attributes {convergent, grain.callee = #grain.callee<function, convergence = unknown>
; CHECK-DAG: @asks() -> !llvm.ptr attributes {grain.callee = #grain.callee<function, convergence = none>, no_inline}
; These are a mere declaration, a function that reaches it, and one that ends a thread.
; CHECK-DAG: @undefined() attributes {convergent, grain.callee = #grain.callee<unknown, convergence = unknown>}
; CHECK-DAG: @reaches() attributes {convergent, grain.callee = #grain.callee<unknown, convergence = unknown>
; CHECK-DAG: @nvvm.exit() attributes {convergent, grain.callee = #grain.callee<instruction, convergence = unknown>
define void @kernel(ptr %p, ptr %q) {
  call void @scoped(ptr %p) #1
  call void @fenced(ptr %p) #1
  call void @recursive(ptr %p) #1
  call void @around(ptr %p) #1
  %seen = call i32 @once(ptr %p) #1
  call void @computes(ptr %p, ptr %q) #1
  %other = call i32 @exchanges(ptr %p) #1
  %some = call ptr @insists() #1
  store ptr %some, ptr %q
  %any = call ptr @asks() #1
  store ptr %any, ptr %q
  call void @reaches() #1
  call void @undefined() #1
  store i32 %seen, ptr %p
  call void @llvm.nvvm.exit()
  ret void
}

define void @scoped(ptr %p) #2 {
  br label %again
again:
  %seen = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, i32 0)
  %done = icmp ne i32 %seen, 0
  br i1 %done, label %end, label %again
end:
  ret void
}

define void @fenced(ptr %p) #2 {
  br label %again
again:
  call void @llvm.nvvm.membar.gl()
  %seen = load i32, ptr %p
  %done = icmp ne i32 %seen, 0
  br i1 %done, label %end, label %again
end:
  ret void
}

define void @recursive(ptr %p) #2 {
  %seen = load volatile i32, ptr %p
  %done = icmp ne i32 %seen, 0
  br i1 %done, label %end, label %again
again:
  call void @recursive(ptr %p) #1
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

define void @around(ptr %p) #2 {
  br label %again
again:
  %seen = call i32 @once(ptr %p) #1
  %done = icmp ne i32 %seen, 0
  br i1 %done, label %end, label %again
end:
  ret void
}

define i32 @once(ptr %p) #2 {
  %seen = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p, i32 1)
  ret i32 %seen
}

define void @computes(ptr %p, ptr %q) #2 {
  br label %again
again:
  %x = load float, ptr %p
  %y = call float @__nv_sinf(float %x) #1
  store float %y, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 64, i1 false)
  %printed = call i32 @vprintf(ptr %p, ptr %q) #1
  %done = fcmp olt float %y, 0.0
  br i1 %done, label %end, label %again
end:
  ret void
}

define i32 @exchanges(ptr %p) #2 {
  %other = load volatile i32, ptr %p
  ret i32 %other
}

define ptr @insists() #2 {
  br label %again
again:
  %some = call ptr @malloc(i64 8) #1
  %none = icmp eq ptr %some, null
  br i1 %none, label %again, label %end
end:
  ret ptr %some
}

define ptr @asks() #2 {
  %some = call ptr @malloc(i64 8) #1
  ret ptr %some
}

define void @reaches() #2 {
  call void @undefined() #1
  ret void
}

declare void @undefined() #1
declare i32 @vprintf(ptr, ptr) #1
declare ptr @malloc(i64) #1
declare float @__nv_sinf(float) #1
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.exit()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

attributes #1 = { convergent }
attributes #2 = { convergent noinline }

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
