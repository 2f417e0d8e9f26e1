; RUN: regrain-translate %s | FileCheck %s
; Functions that synchronise, or report the launch, stay convergent; clang marks all functions.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; This assembly reads the launch as it is on the hardware.
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() -> i32 attributes {convergent, grain.callee = #grain.callee<assembly, convergence = unknown>
; Each thread of a warp knows its lane.
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() -> i32 attributes {convergent, grain.callee = #grain.callee<assembly, convergence = warp>
; Each thread executes this assembly for itself; vectors, predicates and scopes do not matter.
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() attributes {grain.callee = #grain.callee<assembly, convergence = none>, {{.*}}no_unwind, passthrough
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}(i32) -> i32 attributes {grain.callee = #grain.callee<assembly, convergence = none>, {{.*}}no_unwind, passthrough
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}(!llvm.ptr) -> {{.*}} attributes {grain.callee = #grain.callee<assembly, convergence = none>, {{.*}}no_unwind, passthrough
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() -> i32 attributes {grain.callee = #grain.callee<assembly, convergence = none>, {{.*}}no_unwind, passthrough
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() attributes {grain.callee = #grain.callee<assembly, convergence = none>, {{.*}}no_unwind, passthrough
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}(i32, i32, i32) -> i32 attributes {grain.callee = #grain.callee<assembly, convergence = none>, {{.*}}no_unwind
; This assembly is visible to others at once, ends a thread, or is not understood.
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}(!llvm.ptr) -> i32 attributes {convergent, grain.callee = #grain.callee<assembly, convergence = unknown>
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() attributes {convergent, grain.callee = #grain.callee<assembly, convergence = unknown>
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}() attributes {convergent, grain.callee = #grain.callee<assembly, convergence = unknown>
; Lanes exchange values.
; CHECK-DAG: llvm.func @{{asm[.a-z0-9]*}}(i32) -> i32 attributes {convergent, grain.callee = #grain.callee<assembly, convergence = warp>
; This function computes for its own thread.
; CHECK-DAG: llvm.func {{.*}}@alone(i32) -> i32 attributes {grain.callee = #grain.callee<plain_function, convergence = none>, no_inline}
; This one takes a lock.
; CHECK-DAG: llvm.func {{.*}}@lock(!llvm.ptr) attributes {convergent, grain.callee = #grain.callee<function, convergence = unknown>
; CHECK-DAG: llvm.func {{.*}}@vprintf(!llvm.ptr, !llvm.ptr) -> i32 attributes {grain.callee = #grain.callee<service, convergence = none>}
define void @kernel(ptr %p) {
  %id = call i32 asm "mov.u32 $0, %ctaid.x;", "=r"() #0
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"() #0
  %sum = add i32 %id, %lane
  call void asm sideeffect "trap;", ""() #3
  %next = call i32 asm sideeffect "{ .reg .pred p; setp.gt.s32 p, $1, 3; @p add.s32 $0, $1, 1; }", "=r,r"(i32 %sum) #3
  %two = call { i32, i32 } asm sideeffect "ld.acquire.gpu.global.v2.u32 {$0, $1}, [$2];", "=r,=r,l"(ptr %p) #3
  %place = call i32 asm sideeffect "mov.u32 $0, %smid;", "=r"() #3
  call void asm sideeffect "", "~{memory}"() #3
  %seen = call i32 asm sideeffect "ld.volatile.u32 $0, [$1];", "=r,l"(ptr %p) #3
  call void asm sideeffect "exit;", ""() #3
  %told = call i32 asm sideeffect "add.u32 $0, $1, 1; shfl.sync.idx.b32 $0, $0, 0, 31, -1;", "=r,r"(i32 %sum) #3
  call void asm sideeffect "membar.gl; // bar.sync 1;", ""() #3
  %bytes = call i32 asm "vabsdiff4.u32.u32.u32 $0,$1,$2,$3;", "=r,r,r,r"(i32 %id, i32 %lane, i32 0) #3
  %value = call i32 @alone(i32 %sum) #1
  call void @lock(ptr %p) #1
  %printed = call i32 @vprintf(ptr %p, ptr %p) #1
  store i32 %value, ptr %p
  ret void
}

define i32 @alone(i32 %x) #2 {
  %square = mul i32 %x, %x
  ret i32 %square
}

define void @lock(ptr %p) #2 {
  br label %again
again:
  %pair = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}

declare i32 @vprintf(ptr, ptr) #1

attributes #0 = { convergent nounwind memory(none) }
attributes #1 = { convergent }
attributes #2 = { convergent noinline }
attributes #3 = { convergent nounwind }

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
