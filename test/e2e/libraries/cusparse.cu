//===- cusparse.cu - Sparse vectors and matrices ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All formats, both types of indices and both bases, all operations, against dense loops.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cusparse
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcusparse
// RUN: timeout 60 %t
#include "reference.h"
#include <cusparse.h>

cusparseHandle_t handle;
const cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
const char letters[] = {'N', 'T', 'C'};

template <class T> constexpr cudaDataType typeOf = CUDA_R_32F;
template <> constexpr cudaDataType typeOf<double> = CUDA_R_64F;
template <> constexpr cudaDataType typeOf<float2> = CUDA_C_32F;
template <> constexpr cudaDataType typeOf<double2> = CUDA_C_64F;

/// A dense matrix by columns with many zeros.
template <class N> Matrix<N> someSparse(int rows, int cols) {
  Matrix<N> a = someMatrix<N>(rows, cols);
  for (N &x : a.data)
    if (nextRandom() % 3)
      x = N();
  return a;
}

/// The matrix in one of the formats, on the device.
template <class T, class I> struct Sparse {
  using N = Number<T>;
  std::vector<I> outer, inner;
  std::vector<N> values;
  DeviceArray<I> *deviceOuter, *deviceInner;
  Device<T> *deviceValues;
  cusparseSpMatDescr_t descriptor;

  Sparse(const Matrix<N> &a, int cols, cusparseFormat_t format, cusparseIndexBase_t base) {
    int rows = a.ld;
    bool byColumns = format == CUSPARSE_FORMAT_CSC;
    for (int i = 0; i < (byColumns ? cols : rows); ++i) {
      if (format != CUSPARSE_FORMAT_COO)
        outer.push_back(I(values.size() + base));
      for (int j = 0; j < (byColumns ? rows : cols); ++j) {
        N value = byColumns ? a(j, i) : a(i, j);
        if (value == N())
          continue;
        if (format == CUSPARSE_FORMAT_COO)
          outer.push_back(I(i + base));
        inner.push_back(I(j + base));
        values.push_back(value);
      }
    }
    if (format != CUSPARSE_FORMAT_COO)
      outer.push_back(I(values.size() + base));
    deviceOuter = new DeviceArray<I>(outer);
    deviceInner = new DeviceArray<I>(inner);
    deviceValues = new Device<T>(values);
    cusparseIndexType_t type = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    I *o = *deviceOuter, *in = *deviceInner;
    T *v = *deviceValues;
    long nnz = long(values.size());
    if (format == CUSPARSE_FORMAT_COO)
      SUCCEED(cusparseCreateCoo(&descriptor, rows, cols, nnz, o, in, v, type, base, typeOf<T>));
    else if (format == CUSPARSE_FORMAT_CSR)
      SUCCEED(cusparseCreateCsr(&descriptor, rows, cols, nnz, o, in, v, type, type, base, typeOf<T>));
    else
      SUCCEED(cusparseCreateCsc(&descriptor, rows, cols, nnz, o, in, v, type, type, base, typeOf<T>));
  }
  ~Sparse() {
    SUCCEED(cusparseDestroySpMat(descriptor));
    delete deviceOuter;
    delete deviceInner;
    delete deviceValues;
  }
};

template <class T, class I>
void testProducts(cusparseFormat_t format, cusparseIndexBase_t base) {
  using N = Number<T>;
  const int rows = 7, cols = 5, right = 3;
  for (int op = 0; op < 3; ++op) {
    Matrix<N> a = someSparse<N>(rows, cols);
    Sparse<T, I> A(a, cols, format, base);
    int outputs = op == 0 ? rows : cols, inputs = op == 0 ? cols : rows;
    std::vector<N> x = someNumbers<N>(inputs), y = someNumbers<N>(outputs);
    Device<T> X(x), Y(y);
    cusparseDnVecDescr_t vecX, vecY;
    SUCCEED(cusparseCreateDnVec(&vecX, inputs, X, typeOf<T>));
    SUCCEED(cusparseCreateDnVec(&vecY, outputs, Y, typeOf<T>));
    N alpha = 2, beta = 0.5;
    size_t bytes = 0;
    SUCCEED(cusparseSpMV_bufferSize(handle, operations[op], &alpha, A.descriptor, vecX, &beta, vecY, typeOf<T>,
                                    CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    SUCCEED(cusparseSpMV(handle, operations[op], &alpha, A.descriptor, vecX, &beta, vecY, typeOf<T>,
                         CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    for (int i = 0; i < outputs; ++i) {
      N sum = {};
      for (int k = 0; k < inputs; ++k)
        sum += a.element(letters[op], i, k) * x[k];
      y[i] = alpha * sum + beta * y[i];
    }
    CHECK(cudaDeviceSynchronize());
    expectAllNear("SpMV", Y.host(), y);
    SUCCEED(cusparseDestroyDnVec(vecX));
    SUCCEED(cusparseDestroyDnVec(vecY));

    for (int opB = 0; opB < 2; ++opB)
      for (cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
        // op(B) has `inputs` rows; a row-major B is its transpose by columns.
        int bRows = opB == 0 ? inputs : right, bCols = opB == 0 ? right : inputs;
        bool byColumns = order == CUSPARSE_ORDER_COL;
        Matrix<N> b = someMatrix<N>(byColumns ? 9 : 8, 9), c = someMatrix<N>(byColumns ? outputs : right, 9);
        Device<T> B(b), C(c);
        cusparseDnMatDescr_t matB, matC;
        SUCCEED(cusparseCreateDnMat(&matB, bRows, bCols, b.ld, B, typeOf<T>, order));
        SUCCEED(cusparseCreateDnMat(&matC, outputs, right, c.ld, C, typeOf<T>, order));
        N zero = {};
        SUCCEED(cusparseSpMM(handle, operations[op], operations[opB], &alpha, A.descriptor, matB, &zero, matC,
                             typeOf<T>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
        for (int i = 0; i < outputs; ++i)
          for (int j = 0; j < right; ++j) {
            N sum = {};
            for (int k = 0; k < inputs; ++k)
              sum += a.element(letters[op], i, k) * b.element((opB == 0) == byColumns ? 'N' : 'T', k, j);
            (byColumns ? c(i, j) : c(j, i)) = alpha * sum;
          }
        CHECK(cudaDeviceSynchronize());
        expectAllNear("SpMM", C.host(), c.data);
        SUCCEED(cusparseDestroyDnMat(matB));
        SUCCEED(cusparseDestroyDnMat(matC));
      }
  }
}

template <class T> void testSolves(cusparseFormat_t format) {
  using N = Number<T>;
  const int n = 6, right = 2;
  for (int op = 0; op < 3; ++op)
    for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
      for (cusparseDiagType_t diag : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT}) {
        Matrix<N> a = someSparse<N>(n, n), triangle = {std::vector<N>(n * n), n};
        for (int i = 0; i < n; ++i)
          a(i, i) = N(4);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            if (i == j)
              triangle(i, j) = diag == CUSPARSE_DIAG_TYPE_UNIT ? N(1) : a(i, j);
            else if (fill == CUSPARSE_FILL_MODE_LOWER ? i > j : i < j)
              triangle(i, j) = a(i, j);
        Sparse<T, int> A(a, n, format, CUSPARSE_INDEX_BASE_ZERO);
        SUCCEED(cusparseSpMatSetAttribute(A.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
        SUCCEED(cusparseSpMatSetAttribute(A.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof(diag)));
        std::vector<N> x = someNumbers<N>(n * right), b(n * right);
        for (int j = 0; j < right; ++j)
          for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k)
              b[i + j * n] += triangle.element(letters[op], i, k) * x[k + j * n];
        Device<T> B(b), Y(b), Z(b);
        N half = 0.5;
        cusparseDnVecDescr_t vecB, vecY;
        cusparseDnMatDescr_t matB, matZ;
        cusparseSpSVDescr_t solve;
        cusparseSpSMDescr_t solveMany;
        size_t bytes;
        SUCCEED(cusparseCreateDnVec(&vecB, n, B, typeOf<T>));
        SUCCEED(cusparseCreateDnVec(&vecY, n, Y, typeOf<T>));
        SUCCEED(cusparseCreateDnMat(&matB, n, right, n, B, typeOf<T>, CUSPARSE_ORDER_COL));
        SUCCEED(cusparseCreateDnMat(&matZ, n, right, n, Z, typeOf<T>, CUSPARSE_ORDER_COL));
        SUCCEED(cusparseSpSV_createDescr(&solve));
        SUCCEED(cusparseSpSM_createDescr(&solveMany));
        SUCCEED(cusparseSpSV_bufferSize(handle, operations[op], &half, A.descriptor, vecB, vecY, typeOf<T>,
                                        CUSPARSE_SPSV_ALG_DEFAULT, solve, &bytes));
        SUCCEED(cusparseSpSV_analysis(handle, operations[op], &half, A.descriptor, vecB, vecY, typeOf<T>,
                                      CUSPARSE_SPSV_ALG_DEFAULT, solve, nullptr));
        SUCCEED(cusparseSpSV_solve(handle, operations[op], &half, A.descriptor, vecB, vecY, typeOf<T>,
                                   CUSPARSE_SPSV_ALG_DEFAULT, solve));
        SUCCEED(cusparseSpSM_solve(handle, operations[op], operations[0], &half, A.descriptor, matB, matZ,
                                   typeOf<T>, CUSPARSE_SPSM_ALG_DEFAULT, solveMany));
        CHECK(cudaDeviceSynchronize());
        std::vector<N> y = Y.host(), z = Z.host();
        for (int i = 0; i < n * right; ++i) {
          if (i < n)
            expectNear("SpSV", i, y[i], x[i] * half, 1e-3);
          expectNear("SpSM", i, z[i], x[i] * half, 1e-3);
        }
        SUCCEED(cusparseDestroyDnVec(vecB));
        SUCCEED(cusparseDestroyDnVec(vecY));
        SUCCEED(cusparseDestroyDnMat(matB));
        SUCCEED(cusparseDestroyDnMat(matZ));
        SUCCEED(cusparseSpSV_destroyDescr(solve));
        SUCCEED(cusparseSpSM_destroyDescr(solveMany));
      }
}

/// C = 2 A B, as a program does it: sizes are asked, then memory is given.
template <class T> void testSpGEMM() {
  using N = Number<T>;
  const int m = 5, k = 6, n = 4;
  Matrix<N> a = someSparse<N>(m, k), b = someSparse<N>(k, n);
  Sparse<T, int> A(a, k, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO);
  Sparse<T, int> B(b, n, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO);
  DeviceArray<int> offsets(m + 1);
  cusparseSpMatDescr_t C;
  cusparseSpGEMMDescr_t descriptor;
  SUCCEED(cusparseCreateCsr(&C, m, n, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, typeOf<T>));
  SUCCEED(cusparseSpGEMM_createDescr(&descriptor));
  N two = 2, zero = {};
  size_t bytes1 = 0, bytes2 = 0;
  void *buffer1 = nullptr, *buffer2 = nullptr;
#define PRODUCT handle, operations[0], operations[0], &two, A.descriptor, B.descriptor, &zero, C, typeOf<T>, \
                CUSPARSE_SPGEMM_DEFAULT, descriptor
  SUCCEED(cusparseSpGEMM_workEstimation(PRODUCT, &bytes1, nullptr));
  CHECK(cudaMalloc(&buffer1, bytes1));
  SUCCEED(cusparseSpGEMM_workEstimation(PRODUCT, &bytes1, buffer1));
  SUCCEED(cusparseSpGEMM_compute(PRODUCT, &bytes2, nullptr));
  CHECK(cudaMalloc(&buffer2, bytes2));
  SUCCEED(cusparseSpGEMM_compute(PRODUCT, &bytes2, buffer2));
  int64_t rows, cols, nnz;
  SUCCEED(cusparseSpMatGetSize(C, &rows, &cols, &nnz));
  DeviceArray<int> columns(nnz);
  Device<T> values((std::vector<N>(nnz)));
  SUCCEED(cusparseCsrSetPointers(C, offsets, columns, values));
  SUCCEED(cusparseSpGEMM_copy(PRODUCT));
  CHECK(cudaDeviceSynchronize());
  std::vector<int> o = offsets.host(), c = columns.host();
  std::vector<N> v = values.host();
  Matrix<N> product = {std::vector<N>(m * n), m};
  expectEqual("SpGEMM nnz", 0, o[m], nnz);
  for (int i = 0; i < m; ++i)
    for (int at = o[i]; at < o[i + 1]; ++at)
      product(i, c[at]) += v[at];
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      N sum = {};
      for (int l = 0; l < k; ++l)
        sum += a(i, l) * b(l, j);
      expectNear("SpGEMM", i, product(i, j), two * sum, 1e-5);
    }
  // A sum with the old C is refused, wherever its factor is.
  zero = 1;
  expectEqual("beta", 0, int(cusparseSpGEMM_copy(PRODUCT)), int(CUSPARSE_STATUS_NOT_SUPPORTED));
  Device<T> factors(std::vector<N>{two, zero});
  SUCCEED(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  expectEqual("beta on the device", 0,
              int(cusparseSpGEMM_copy(handle, operations[0], operations[0], factors, A.descriptor, B.descriptor,
                                      factors + 1, C, typeOf<T>, CUSPARSE_SPGEMM_DEFAULT, descriptor)),
              int(CUSPARSE_STATUS_NOT_SUPPORTED));
  SUCCEED(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  SUCCEED(cusparseSpGEMM_destroyDescr(descriptor));
  SUCCEED(cusparseDestroySpMat(C));
  CHECK(cudaFree(buffer1));
  CHECK(cudaFree(buffer2));
}

template <class T> void testVectors() {
  using N = Number<T>;
  const int n = 8;
  std::vector<int> indices = {2, 4, 7}; // the base is 1
  std::vector<N> x = someNumbers<N>(3), y = someNumbers<N>(n);
  DeviceArray<int> I(indices);
  Device<T> X(x), Y(y);
  cusparseSpVecDescr_t vecX;
  cusparseDnVecDescr_t vecY;
  SUCCEED(cusparseCreateSpVec(&vecX, n, 3, I, X, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, typeOf<T>));
  SUCCEED(cusparseCreateDnVec(&vecY, n, Y, typeOf<T>));
  N dot = {}, wanted = {}, alpha = 2, beta = 0.5;
  SUCCEED(cusparseSpVV(handle, operations[2], vecX, vecY, &dot, typeOf<T>, nullptr));
  for (int i = 0; i < 3; ++i)
    wanted += conjugate(x[i]) * y[indices[i] - 1];
  expectNear("SpVV", 0, dot, wanted, 1e-6);
  SUCCEED(cusparseAxpby(handle, &alpha, vecX, &beta, vecY));
  for (N &value : y)
    value *= beta;
  for (int i = 0; i < 3; ++i)
    y[indices[i] - 1] += alpha * x[i];
  CHECK(cudaDeviceSynchronize());
  expectAllNear("Axpby", Y.host(), y);
  SUCCEED(cusparseGather(handle, vecY, vecX));
  CHECK(cudaDeviceSynchronize());
  expectAllNear("Gather", X.host(), {y[1], y[3], y[6]});
  CHECK(cudaMemset(Y, 0, n * sizeof(T)));
  SUCCEED(cusparseScatter(handle, vecX, vecY));
  CHECK(cudaDeviceSynchronize());
  expectAllNear("Scatter", Y.host(), {N(), y[1], N(), y[3], N(), N(), y[6], N()});
  SUCCEED(cusparseDestroySpVec(vecX));
  SUCCEED(cusparseDestroyDnVec(vecY));
}

template <class T> void testConversions(cusparseFormat_t format) {
  using N = Number<T>;
  const int rows = 6, cols = 4;
  Matrix<N> a = someSparse<N>(rows, cols);
  Sparse<T, int> wanted(a, cols, format, CUSPARSE_INDEX_BASE_ONE);
  Device<T> dense(a), back(someNumbers<N>(rows * cols));
  cusparseDnMatDescr_t matA, matBack;
  SUCCEED(cusparseCreateDnMat(&matA, rows, cols, rows, dense, typeOf<T>, CUSPARSE_ORDER_COL));
  SUCCEED(cusparseCreateDnMat(&matBack, rows, cols, rows, back, typeOf<T>, CUSPARSE_ORDER_COL));
  SUCCEED(cusparseSparseToDense(handle, wanted.descriptor, matBack, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
  CHECK(cudaDeviceSynchronize());
  expectAllNear("SparseToDense", back.host(), a.data);
  // A matrix with the same structure but no contents is filled again.
  Sparse<T, int> made(a, cols, format, CUSPARSE_INDEX_BASE_ONE);
  CHECK(cudaMemset(*made.deviceInner, 0, made.inner.size() * sizeof(int)));
  CHECK(cudaMemset(*made.deviceOuter, 0, made.outer.size() * sizeof(int)));
  CHECK(cudaMemset(*made.deviceValues, 0, made.values.size() * sizeof(T)));
  SUCCEED(cusparseDenseToSparse_analysis(handle, matA, made.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
  int64_t r, c, nnz;
  SUCCEED(cusparseSpMatGetSize(made.descriptor, &r, &c, &nnz));
  expectEqual("DenseToSparse nnz", 0, nnz, wanted.values.size());
  SUCCEED(cusparseDenseToSparse_convert(handle, matA, made.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
  CHECK(cudaDeviceSynchronize());
  expectEqual("outer", 0, made.deviceOuter->host() == wanted.outer, true);
  expectEqual("inner", 0, made.deviceInner->host() == wanted.inner, true);
  expectEqual("values", 0, made.deviceValues->host() == wanted.values, true);
  SUCCEED(cusparseDestroyDnMat(matA));
  SUCCEED(cusparseDestroyDnMat(matBack));
}

void testIndices() {
  const int m = 4, nnz = 5;
  DeviceArray<int> rows(std::vector<int>{0, 0, 1, 3, 3}), offsets(m + 1), again(nnz);
  SUCCEED(cusparseXcoo2csr(handle, rows, nnz, m, offsets, CUSPARSE_INDEX_BASE_ZERO));
  SUCCEED(cusparseXcsr2coo(handle, offsets, nnz, m, again, CUSPARSE_INDEX_BASE_ZERO));
  CHECK(cudaDeviceSynchronize());
  expectEqual("coo2csr", 0, offsets.host() == std::vector<int>({0, 2, 3, 3, 5}), true);
  expectEqual("csr2coo", 0, again.host() == rows.host(), true);

  DeviceArray<int> unsortedRows(std::vector<int>{3, 0, 3, 0, 1}), cols(std::vector<int>{2, 1, 0, 0, 2}), P(nnz);
  SUCCEED(cusparseCreateIdentityPermutation(handle, nnz, P));
  SUCCEED(cusparseXcoosortByRow(handle, m, 3, nnz, unsortedRows, cols, P, nullptr));
  CHECK(cudaDeviceSynchronize());
  expectEqual("coosort rows", 0, unsortedRows.host() == rows.host(), true);
  expectEqual("coosort columns", 0, cols.host() == std::vector<int>({0, 1, 2, 0, 2}), true);
  expectEqual("coosort permutation", 0, P.host() == std::vector<int>({3, 1, 4, 2, 0}), true);

  DeviceArray<float> values(std::vector<float>{1, 2, 3, 4, 5}), out(nnz);
  DeviceArray<int> colOffsets(4), outRows(nnz);
  SUCCEED(cusparseCsr2cscEx2(handle, m, 3, nnz, values, offsets, cols, out, colOffsets, outRows, CUDA_R_32F,
                             CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, nullptr));
  CHECK(cudaDeviceSynchronize());
  expectEqual("csr2csc offsets", 0, colOffsets.host() == std::vector<int>({0, 2, 3, 5}), true);
  expectEqual("csr2csc rows", 0, outRows.host() == std::vector<int>({0, 3, 0, 1, 3}), true);
  expectEqual("csr2csc values", 0, out.host() == std::vector<float>({1, 4, 2, 3, 5}), true);
}

/// With a full pattern, the incomplete factors are the factors.
void testFactors() {
  const int n = 4;
  std::vector<double> a = someNumbers<double>(n * n);
  std::vector<int> offsets = {1}, cols;
  for (int i = 0; i < n; ++i) {
    a[i * n + i] += 8;
    for (int j = 0; j < n; ++j)
      cols.push_back(j + 1);
    offsets.push_back(offsets.back() + n);
  }
  DeviceArray<double> A(a);
  DeviceArray<int> O(offsets), C(cols);
  cusparseMatDescr_t descriptor;
  csrilu02Info_t info;
  int position = 7;
  SUCCEED(cusparseCreateMatDescr(&descriptor));
  SUCCEED(cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ONE));
  SUCCEED(cusparseCreateCsrilu02Info(&info));
  SUCCEED(cusparseDcsrilu02(handle, n, n * n, descriptor, A, O, C, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
  SUCCEED(cusparseXcsrilu02_zeroPivot(handle, info, &position));
  expectEqual("zero pivot", 0, position, -1);
  std::vector<double> f = A.host();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k <= std::min(i, j); ++k)
        sum += (k == i ? 1 : f[i * n + k]) * f[k * n + j];
      expectNear("csrilu02", i, sum, a[i * n + j], 1e-12);
    }
  SUCCEED(cusparseDestroyCsrilu02Info(info));
  SUCCEED(cusparseDestroyMatDescr(descriptor));
}

__global__ void scale(float *x, int n) {
  long long start = clock64();
  while (clock64() - start < 10000000)
    ;
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}

/// A product between kernels in one stream, with factors in device memory.
void testStream() {
  Matrix<float> a = {{1, 0, 0, 1}, 2};
  Sparse<float, int> A(a, 2, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO);
  DeviceArray<float> x(std::vector<float>{1, 2}), y(2), factors(std::vector<float>{3, 0});
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cusparseDnVecDescr_t vecX, vecY;
  SUCCEED(cusparseCreateDnVec(&vecX, 2, x, CUDA_R_32F));
  SUCCEED(cusparseCreateDnVec(&vecY, 2, y, CUDA_R_32F));
  SUCCEED(cusparseSetStream(handle, stream));
  SUCCEED(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  scale<<<1, 1, 0, stream>>>(factors, 1);
  SUCCEED(cusparseSpMV(handle, operations[0], factors, A.descriptor, vecX, factors + 1, vecY, CUDA_R_32F,
                       CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  SUCCEED(cusparseDestroyDnVec(vecX)); // the work that was started goes on
  SUCCEED(cusparseDestroyDnVec(vecY));
  scale<<<1, 1, 0, stream>>>(y, 2);
  CHECK(cudaStreamSynchronize(stream));
  expectEqual("between kernels", 0, y.host()[1], 2 * 3 * 2 * 2);
  SUCCEED(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  SUCCEED(cusparseSetStream(handle, nullptr));
  CHECK(cudaStreamDestroy(stream));
}

#define FAIL_WITH(STATUS, CALL) expectEqual(#CALL, __LINE__, int(CALL), int(STATUS))

void testErrors() {
  Matrix<float> a = {{1, 0, 0, 1}, 2};
  Sparse<float, int> A(a, 2, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO);
  DeviceArray<float> x(3);
  cusparseDnVecDescr_t vector;
  float one = 1;
  SUCCEED(cusparseCreateDnVec(&vector, 3, x, CUDA_R_32F));
  auto multiply = [&](cusparseHandle_t handle, const float *alpha, cudaDataType type) {
    return cusparseSpMV(handle, operations[0], alpha, A.descriptor, vector, &one, vector, type,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  FAIL_WITH(CUSPARSE_STATUS_NOT_INITIALIZED, multiply(nullptr, &one, CUDA_R_32F));
  FAIL_WITH(CUSPARSE_STATUS_INVALID_VALUE, multiply(handle, nullptr, CUDA_R_32F));
  FAIL_WITH(CUSPARSE_STATUS_INVALID_VALUE, multiply(handle, &one, CUDA_R_32F)); // the sizes differ
  FAIL_WITH(CUSPARSE_STATUS_INVALID_VALUE, cusparseCreateDnVec(&vector, -1, x, CUDA_R_32F));
  FAIL_WITH(CUSPARSE_STATUS_INVALID_VALUE, cusparseXcoo2csr(handle, nullptr, -1, 1, nullptr, CUSPARSE_INDEX_BASE_ZERO));
}

template <class T> void testType() {
  for (cusparseFormat_t format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
    testProducts<T, int>(format, CUSPARSE_INDEX_BASE_ZERO);
    testProducts<T, int64_t>(format, CUSPARSE_INDEX_BASE_ONE);
#ifndef ON_AMD
    testSolves<T>(format);
    testConversions<T>(format);
#endif
  }
#ifndef ON_AMD
  testSpGEMM<T>();
  testVectors<T>();
#endif
}

/// Only products with matrices work on AMD GPUs; there is no wrong result.
void testRefusals() {
  DeviceArray<int> indices(std::vector<int>{0, 1});
  DeviceArray<float> values(2), dense(2);
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t vector;
  float result = 0;
  SUCCEED(cusparseCreateSpVec(&sparse, 2, 2, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                              CUDA_R_32F));
  SUCCEED(cusparseCreateDnVec(&vector, 2, dense, CUDA_R_32F));
  FAIL_WITH(CUSPARSE_STATUS_NOT_SUPPORTED,
            cusparseSpVV(handle, operations[0], sparse, vector, &result, CUDA_R_32F, nullptr));
  FAIL_WITH(CUSPARSE_STATUS_NOT_SUPPORTED, cusparseGather(handle, vector, sparse));
}

int main() {
  SUCCEED(cusparseCreate(&handle));
  testType<float>();
  testType<double>();
  testType<cuComplex>();
  testType<cuDoubleComplex>();
#ifdef ON_AMD
  testRefusals();
#else
  testIndices();
  testFactors();
#endif
  testStream();
  testErrors();
  SUCCEED(cusparseDestroy(handle));
  return verdict("cusparse");
}
