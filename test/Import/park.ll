; RUN: regrain-translate %s | FileCheck %s
; RUN: regrain-translate --round-trip %s | FileCheck %s --check-prefix=BACK
; An instruction that MLIR cannot represent becomes a call of a stand-in, which
; describes the instruction, and becomes the instruction again on export.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: grain.kernel @parked
; Assembly with other text or effects has another stand-in.
; CHECK: %[[LANE:.*]] = llvm.call @asm.laneid() : () -> i32
; CHECK: llvm.call @asm(%[[LANE]]) : (i32) -> i32
; CHECK: llvm.call @[[CLOCK:asm.*]]() : () -> i32
; CHECK: llvm.call @[[CLOCK]]() : () -> i32
; An immediate stays with the instruction.
; CHECK: llvm.call @nvvm.cp.async.wait.group() : () -> ()
; CHECK: llvm.call @nvvm.shfl.sync.down.i32(
; CHECK: llvm.call @memcpy.p0.p0.i64(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
; CHECK: llvm.call @memcpy.p0.p0.i64{{[0-9]+}}(
; This is a hand-written __syncthreads().
; CHECK: grain.barrier
; The number of reads of a clock is preserved.
; CHECK-COUNT-2: llvm.call @nvvm.read.ptx.sreg.clock() : () -> i32
; An operation that MLIR has is not replaced.
; CHECK: llvm.intr.fabs

; CHECK-DAG: llvm.func @asm.laneid() -> i32 attributes {convergent, grain.callee = #grain.callee<assembly, convergence = warp>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>, no_unwind, {{.*}}regrain-parked
; A shuffle touches no memory, but it is no computation either.
; CHECK-DAG: llvm.func @asm{{[0-9]+}}(i32) -> i32 attributes {convergent, grain.callee = #grain.callee<assembly, convergence = warp>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>
; CHECK-DAG: llvm.func @asm(i32) -> i32 attributes {grain.callee = #grain.callee<assembly, convergence = none>, no_unwind, {{.*}}regrain-parked
; CHECK-DAG: llvm.func @nvvm.shfl.sync.down.i32({{.*}}convergent
; CHECK-DAG: llvm.func {{.*}}@__nv_sinf(f32) -> f32 attributes {grain.callee = #grain.callee<math, convergence = none>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>{{.*}}"speculatable"{{.*}}will_return
; CHECK-DAG: llvm.func {{.*}}@__nv_sincosf({{.*}}argMem = readwrite
; A volatile copy may see what another thread writes, which no other copy is meant to.
; CHECK-DAG: llvm.func @memcpy.p0.p0.i64({{.*}}grain.callee = #grain.callee<copy, convergence = none>
; CHECK-DAG: llvm.func @memmove.p0.p0.i64({{.*}}grain.callee = #grain.callee<unknown, convergence = none>

; BACK-LABEL: define void @parked
; BACK: %[[LANE:.*]] = call i32 asm "mov.u32 $0, %laneid;", "=r"() #[[PURE:[0-9]+]], !dbg
; BACK: call i32 asm sideeffect "bfe.u32 $0, $1, 4, 8;", "=r,r,~{memory}"(i32 %[[LANE]]) #[[EFFECT:[0-9]+]]
; BACK-COUNT-2: call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"() #[[EFFECT]]
; BACK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
; BACK: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %{{.*}}, i32 16, i32 31)
; BACK: call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}align 16 %{{.*}}, ptr {{.*}}align 16 %{{.*}}, i64 %{{.*}}, i1 false)
; BACK: call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}align 4 %{{.*}}, ptr {{.*}}align 4 %{{.*}}, i64 %{{.*}}, i1 false)
; BACK: call void @llvm.nvvm.barrier0()
; BACK-COUNT-2: call i32 @llvm.nvvm.read.ptx.sreg.clock()
; BACK-NOT: regrain-parked
; BACK: attributes #[[PURE]] = { nounwind memory(none) }
; BACK: attributes #[[EFFECT]] = { convergent nounwind }
define void @parked(ptr %p, ptr %q, i64 %n) !dbg !6 {
entry:
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"() #0, !dbg !8
  %field = call i32 asm sideeffect "bfe.u32 $0, $1, 4, 8;", "=r,r,~{memory}"(i32 %lane) #1, !dbg !8
  %again = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"() #1, !dbg !8
  %last = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"() #1, !dbg !8
  %down = call i32 asm sideeffect "shfl.sync.down.b32 $0, $1, 1, 31, -1;", "=r,r"(i32 %last) #1, !dbg !8
  %passed = sub i32 %last, %again
  %sum = add i32 %passed, %field, !dbg !8
  call void @llvm.nvvm.cp.async.wait.group(i32 3), !dbg !8
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %sum, i32 16, i32 31), !dbg !8
  store i32 %other, ptr %p, align 4, !dbg !8
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 16 %q, i64 %n, i1 false), !dbg !8
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %q, ptr align 4 %p, i64 %n, i1 false), !dbg !8
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 true), !dbg !8
  call void asm sideeffect "bar.sync 0;", "~{memory}"() #1, !dbg !8
  %start = call i32 @llvm.nvvm.read.ptx.sreg.clock(), !dbg !8
  %stop = call i32 @llvm.nvvm.read.ptx.sreg.clock(), !dbg !8
  %cycles = sub i32 %stop, %start, !dbg !8
  store volatile i32 %cycles, ptr %p, align 4, !dbg !8
  %x = load float, ptr %q, align 4, !dbg !8
  %absolute = call float @llvm.fabs.f32(float %x), !dbg !8
  %sine = call float @__nv_sinf(float %absolute), !dbg !8
  store float %sine, ptr %q, align 4, !dbg !8
  call void @__nv_sincosf(float %sine, ptr %p, ptr %q), !dbg !8
  ret void, !dbg !8
}

declare void @llvm.nvvm.cp.async.wait.group(i32 immarg)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare float @llvm.fabs.f32(float)
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare float @__nv_sinf(float)
declare void @__nv_sincosf(float, ptr, ptr)

attributes #0 = { nounwind memory(none) }
attributes #1 = { convergent nounwind }

!nvvm.annotations = !{!0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!2}
!0 = !{ptr @parked, !"kernel", i32 1}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, emissionKind: LineTablesOnly)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "parked.cu", directory: "/")
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = distinct !DISubprogram(name: "parked", scope: !3, file: !3, line: 4, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 7, column: 3, scope: !6)
