// The math library's names without a suffix accept single precision and compute in it, with and without <cmath>.
// RUN: %regrain cc --targets=cpu,ptx -c %s -o %t.o
// RUN: %regrain cc --targets=cpu,ptx -include cmath -c %s -o %t.o
template <class T> __device__ constexpr bool isFloat = __is_same(T, float);
#define SINGLE(call) static_assert(isFloat<decltype(call)>, #call); out[i++] = call

__global__ void unary(float *out, float x) {
  int i = 0;
  SINGLE(acosh(x)); SINGLE(asinh(x)); SINGLE(atanh(x)); SINGLE(cbrt(x)); SINGLE(erf(x)); SINGLE(erfc(x));
  SINGLE(exp2(x)); SINGLE(expm1(x)); SINGLE(lgamma(x)); SINGLE(log1p(x)); SINGLE(log2(x)); SINGLE(logb(x));
  SINGLE(nearbyint(x)); SINGLE(rint(x)); SINGLE(round(x)); SINGLE(tgamma(x)); SINGLE(trunc(x));
  SINGLE(rsqrt(x)); SINGLE(rcbrt(x)); SINGLE(sinpi(x)); SINGLE(normcdf(x)); SINGLE(fabs(x)); SINGLE(sqrt(x));
  SINGLE(exp10(x)); SINGLE(j0(x)); SINGLE(j1(x)); SINGLE(y0(x)); SINGLE(y1(x));
  SINGLE(cyl_bessel_i0(x)); SINGLE(cyl_bessel_i1(x)); SINGLE(jn(2, x)); SINGLE(yn(2, x));
  out[i++] = ilogb(x) + lrint(x) + lround(x) + llrint(x) + llround(x);
}

__global__ void binary(float *out, float x, float y, int n) {
  int i = 0, quotient;
  SINGLE(copysign(x, y)); SINGLE(fdim(x, y)); SINGLE(fmax(x, y)); SINGLE(fmin(x, y)); SINGLE(hypot(x, y));
  SINGLE(nextafter(x, y)); SINGLE(remainder(x, y)); SINGLE(fma(x, y, x)); SINGLE(scalbn(x, n));
  SINGLE(scalbln(x, long(n))); SINGLE(remquo(x, y, &quotient)); SINGLE(fmod(x, y)); SINGLE(pow(x, y));
}
