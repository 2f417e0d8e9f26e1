; RUN: not regrain-translate %s > %t.mlir 2> %t.err
; RUN: FileCheck %s < %t.mlir
; RUN: FileCheck %s --check-prefix=REASON < %t.err
; A kernel that grain IR cannot express is reported with the reason and
; position; the others are raised.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-COUNT-1: grain.kernel @raised
; CHECK-NOT: grain.kernel

; REASON-DAG: refused.cu:14: 'indirect_call' is not raised: it calls a virtual function or a function through a pointer; to lift this: call the function by its name; if there are several
; REASON-DAG: 'address_taken' is not raised: it takes the address of the function 'twice'; to lift this: call the function by its name, or pass it as a template parameter
; REASON-DAG: 'address_taken_below' is not raised: it calls 'stores_address', which calls a function through a pointer or takes the address of a function; to lift this: call the function by its name; if there are several
; REASON-DAG: 'self' is not raised: it calls itself; to lift this: move the recursion to a __device__ function
; REASON-DAG: 'indirect_branch' is not raised: it jumps to a computed label (goto *p); to lift this: write the jump as a switch
; REASON-DAG: 'assembly_jumps' is not raised: it has inline assembly that jumps; to lift this: write the jump in CUDA C++
; REASON-DAG: 'exceptions' is not raised: it contains exception handling (LLVM's invoke, resume or landing pad); to lift this: write device code without exceptions
; REASON-DAG: 'recursive_barrier' is not raised: it calls 'waits', which is recursive and uses thread coordinates, shared memory or synchronisation; to lift this: write the recursion as a loop
; REASON-DAG: 'bundles' is not raised: it has a call with LLVM operand bundles, which grain IR cannot represent; to lift this: write the call without the attribute or built-in
; REASON-DAG: 'variadic' is not raised: its LLVM IR cannot be imported{{.*}}; to lift this: write the construct that the reason names in another way
; REASON-DAG: 'no_body' is not raised: it is declared in this file, but not defined; to lift this: define the kernel in this file

; REASON-DAG: 'clusters' is not raised: its blocks form clusters (__cluster_dims__), in which another grain would give them other ranks; to lift this: launch the kernel without clusters of several blocks

define void @clusters(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define void @raised(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define void @indirect_call(ptr %f) !dbg !6 {
  call void %f(), !dbg !8
  ret void, !dbg !8
}

define i32 @twice(i32 %x) noinline {
  %r = mul i32 %x, 2
  ret i32 %r
}

define void @address_taken(ptr %p) {
  store ptr @twice, ptr %p
  ret void
}

define void @stores_address(ptr %p) noinline {
  store ptr @twice, ptr %p
  ret void
}

define void @address_taken_below(ptr %p) {
  call void @stores_address(ptr %p)
  ret void
}

define void @self(ptr %p) {
  call void @self(ptr %p)
  ret void
}

define void @indirect_branch(ptr %p, i1 %again, ptr %target) {
entry:
  store volatile ptr blockaddress(@indirect_branch, %a), ptr %p
  store volatile ptr blockaddress(@indirect_branch, %b), ptr %p
  indirectbr ptr %target, [label %a, label %b]
a:
  store volatile i32 1, ptr %p
  br label %b
b:
  store volatile i32 2, ptr %p
  br i1 %again, label %a, label %exit
exit:
  ret void
}

define void @assembly_jumps(ptr %p) {
entry:
  callbr void asm sideeffect "bra $0;", "!i"() to label %a [label %b]
a:
  store i32 1, ptr %p
  ret void
b:
  ret void
}

define void @exceptions(ptr %p) personality ptr @personality {
entry:
  invoke void @unknown() to label %a unwind label %b
a:
  store i32 1, ptr %p
  ret void
b:
  %pad = landingpad { ptr, i32 } catch ptr null
  store i32 2, ptr %p
  ret void
}

define i32 @waits(i32 %n) {
entry:
  call void @llvm.nvvm.barrier0()
  %done = icmp eq i32 %n, 0
  br i1 %done, label %exit, label %again
again:
  %less = sub i32 %n, 1
  %a = call i32 @waits(i32 %less)
  %b = call i32 @waits(i32 %a)
  ret i32 %b
exit:
  ret i32 0
}

define void @recursive_barrier(ptr %p, i32 %n) {
  %r = call i32 @waits(i32 %n)
  store i32 %r, ptr %p
  ret void
}

define void @bundles(ptr %p) {
  call void @unknown() [ "deopt"(ptr %p) ]
  ret void
}

define void @variadic(ptr %p) {
  %v = va_arg ptr %p, i32
  store i32 %v, ptr %p
  ret void
}

declare void @no_body()
declare void @unknown()
declare i32 @personality(...)
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!10, !11, !12, !13, !14, !15, !16, !17, !18, !19, !20, !21, !22, !23}
!10 = !{ptr @raised, !"kernel", i32 1}
!11 = !{ptr @indirect_call, !"kernel", i32 1}
!12 = !{ptr @address_taken, !"kernel", i32 1}
!13 = !{ptr @self, !"kernel", i32 1}
!14 = !{ptr @indirect_branch, !"kernel", i32 1}
!15 = !{ptr @assembly_jumps, !"kernel", i32 1}
!16 = !{ptr @exceptions, !"kernel", i32 1}
!17 = !{ptr @recursive_barrier, !"kernel", i32 1}
!18 = !{ptr @no_body, !"kernel", i32 1}
!19 = !{ptr @bundles, !"kernel", i32 1}
!20 = !{ptr @variadic, !"kernel", i32 1}
!21 = !{ptr @address_taken_below, !"kernel", i32 1}
!22 = !{ptr @clusters, !"kernel", i32 1}
!23 = !{ptr @clusters, !"cluster_dim_x", i32 2, !"cluster_dim_y", i32 1, !"cluster_dim_z", i32 1}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!2}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, emissionKind: LineTablesOnly)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "refused.cu", directory: "/")
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = distinct !DISubprogram(name: "indirect_call", scope: !3, file: !3, line: 12, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 14, column: 3, scope: !6)
