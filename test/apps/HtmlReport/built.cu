// A page of a program and a database shows the code of what was chosen, with its source.
// REQUIRES: html-report, x86-64-v3
// RUN: rm -rf %t && mkdir %t && cp %s %t/app.cu && cd %t
// RUN: %regrain cc -O3 -lineinfo --targets=cpu,ptx --alternatives=3 app.cu -o app
// RUN: %regrain tune -q --budget=2 --db learnt.db --json tune.json -- ./app
// The source is found beside the program, and each line is there once.
// RUN: mkdir away && cd away && %regrain inspect --json --code=x86 ../app > ../app.json
// RUN: %regrain report ../tune.json ../app ../learnt.db -o ../page.html && cd .. && grep -c 'a\[i\] = 2 \* a\[i\]' page.html
// RUN: %python -c "import json; k = json.load(open('app.json'))['images'][0]['kernels'][0]; lines = [each['line'] for each in k['listing']['source']]; assert len(lines) == len(set(lines)), lines; print(k['listing']['source']); print({m['blocks'] for c in json.load(open('tune.json'))['classes'] for m in c['measurements']})" | FileCheck %s
// CHECK: {'file': '{{(./)?}}app.cu', 'line': {{[0-9]+}}, 'text': '    a[i] = 2 * a[i];'}
// CHECK-NEXT: {8}
__global__ void twice(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 2 * a[i];
}

int main() {
  float *a;
  if (cudaMalloc(&a, 2048 * sizeof(float)) != cudaSuccess)
    return 1;
  twice<<<8, 256>>>(a, 2048);
  return cudaDeviceSynchronize() != cudaSuccess;
}
