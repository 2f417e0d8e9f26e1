// Functions on the lanes of a word are no video instructions, which chips emulate, except for the
// one that they have.
// RUN: %regrain cc --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc --targets=compute_80 --emit=ptx %s -o - | FileCheck %s --check-prefix=SM80

// CHECK-LABEL: .entry _Z8comparedPj(
// CHECK-NOT: vset
// CHECK: prmt.b32 {{.*}}
// CHECK: ret;
__global__ void compared(unsigned *p) { p[2] = __vcmpges4(p[0], p[1]); }

// CHECK-LABEL: .entry _Z5addedPj(
// CHECK: add.u16x2
// CHECK: ret;
// Halves are added as one word where there is no packed instruction.
// SM80-LABEL: .entry _Z5addedPj(
// SM80-NOT: {{vadd|u16x2}}
// SM80: and.b32 {{.*}}, 2147450879;
// SM80: ret;
__global__ void added(unsigned *p) { p[2] = __vadd2(p[0], p[1]); }

// CHECK-LABEL: .entry _Z8greatestPj(
// CHECK-NOT: vmax
// CHECK: max.s16x2
// CHECK: ret;
// SM80-LABEL: .entry _Z8greatestPj(
// SM80-NOT: {{vmax|s16x2}}
// SM80: prmt.b32
// SM80: ret;
__global__ void greatest(unsigned *p) { p[2] = __vmaxs2(p[0], p[1]); }

// CHECK-LABEL: .entry _Z9saturatedPj(
// CHECK-NOT: vsub
// CHECK-COUNT-2: prmt.b32
// CHECK: ret;
__global__ void saturated(unsigned *p) { p[2] = __vsubss4(p[0], p[1]); }

// CHECK-LABEL: .entry _Z8distancePj(
// CHECK: vabsdiff4.u32.u32.u32 %
// CHECK: vabsdiff4.u32.u32.u32.add %
// CHECK: ret;
// SM80-LABEL: .entry _Z8distancePj(
// SM80: vabsdiff4.u32.u32.u32 %
// SM80: vabsdiff4.u32.u32.u32.add %
__global__ void distance(unsigned *p) {
  p[2] = __vabsdiffs4(p[0], p[1]);
  p[3] = __vsadu4(p[0], p[1]);
}
int main() { return 0; }
