// Short cases of a switch are selected, also where the program writes comparisons: no load of an unrolled loop waits for a
// branch.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx
// RUN: %python %S/../Inputs/count.py selp %t.ptx | FileCheck %s --match-full-lines
// RUN: FileCheck %s --check-prefix=CODE < %t.ptx

// CHECK: counts: 3
// CODE-LABEL: .entry _Z6counts
// CODE: setp.eq.{{[su]}}16 [[ONE:%p[0-9]+]], {{.*}}, 49
// CODE: selp.b32 {{.*}}, [[ONE]]
// CODE: setp.eq.{{[su]}}16 [[TWO:%p[0-9]+]], {{.*}}, 50
// CODE: selp.b32 {{.*}}, [[TWO]]
// CODE: setp.eq.{{[su]}}16 [[ZERO:%p[0-9]+]], {{.*}}, 48
// CODE: selp.b32 {{.*}}, [[ZERO]]
__global__ void counts(const unsigned char *p, int *out, int n) {
  int zeros = 0, ones = 0, twos = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    unsigned char c = p[i];
    if (c == '0')
      ++zeros;
    else if (c == '1')
      ++ones;
    else if (c == '2')
      ++twos;
  }
  out[0] = zeros;
  out[1] = ones;
  out[2] = twos;
}
// Cases that divide, load, store or are many stay branches.
// CHECK-NEXT: divides: 0
// CODE-LABEL: .entry _Z7divides
// CODE: bra
// CODE: div.u32
// CHECK-NEXT: loads: 0
// CODE-LABEL: .entry _Z5loads
// CODE: bra
// CHECK-NEXT: stores: 0
// CHECK-NEXT: many: 0
__global__ void divides(const unsigned *p, unsigned *out, unsigned d) {
  unsigned c = p[threadIdx.x], result = 0;
  if (c == 7)
    result = c / d;
  else if (c == 11)
    result = d + 1;
  else if (c == 100)
    result = d + 5;
  out[threadIdx.x] = result;
}
__global__ void loads(const unsigned *p, unsigned *out, unsigned d) {
  unsigned c = p[threadIdx.x], result = 0;
  if (c == 7)
    result = p[d];
  else if (c == 11)
    result = d + 1;
  else if (c == 100)
    result = d + 5;
  out[threadIdx.x] = result;
}
__global__ void stores(const unsigned *p, unsigned *out, unsigned d) {
  unsigned c = p[threadIdx.x];
  if (c == 7)
    out[d] = 1;
  else if (c == 11)
    out[d] = d + 1;
  else if (c == 100)
    out[d] = d + 5;
}
__global__ void many(const unsigned *p, unsigned *out, unsigned d) {
  unsigned c = p[threadIdx.x], result = 0;
  switch (c) {
  case 7: result = d + 1; break;
  case 11: result = d ^ 2; break;
  case 100: result = d - 5; break;
  case 1000: result = d & 9; break;
  case 10000: result = d | 3; break;
  }
  out[threadIdx.x] = result;
}

// So are both ways of a branch that meet a third one: LLVM selects where two meet alone.
// CHECK-NEXT: common: 2
// CHECK-NEXT: common_loads: 0
// CHECK-NEXT: common_divides: 0
__global__ void common(const int *a, const int *b, int *out, int n, int m) {
  int i = 0, j = 0, both = 0;
  while (i < n && j < m) {
    int x = a[i], y = b[j];
    if (x == y) {
      both += x * y;
      ++i;
      ++j;
    } else if (x < y) {
      ++i;
    } else {
      ++j;
    }
  }
  out[threadIdx.x] = both;
}
__global__ void common_loads(const int *a, const int *b, int *out, int n, int m) {
  int i = 0, j = 0, both = 0;
  while (i < n && j < m) {
    int x = a[i], y = b[j];
    if (x == y) {
      both += x * y;
      ++i;
      ++j;
    } else if (x < y) {
      i = out[i];
    } else {
      j = out[j];
    }
  }
  out[threadIdx.x] = both;
}
__global__ void common_divides(const int *a, const int *b, int *out, int n, int m) {
  int i = 0, j = 0, both = 0;
  while (i < n && j < m) {
    int x = a[i], y = b[j];
    if (x == y) {
      both += x * y;
      ++i;
      ++j;
    } else if (x < y) {
      i += x / (y - x);
    } else {
      j += y / n;
    }
  }
  out[threadIdx.x] = both;
}
