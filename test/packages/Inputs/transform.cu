// A Fourier transform: FFTW computes it on the CPU, and is not part of Regrain.
#include <cstdio>
#include <cufft.h>

int main() {
  const int n = 8;
  cufftComplex host[n] = {{1, 0}}, *data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cufftHandle plan;
  if (cufftResult status = cufftPlan1d(&plan, n, CUFFT_C2C, 1)) {
    std::printf("no plan: %d\n", int(status));
    return status == CUFFT_MISSING_DEPENDENCY ? 0 : 1;
  }
  cufftExecC2C(plan, data, data, CUFFT_FORWARD);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("the last is %g\n", host[n - 1].x);
}
