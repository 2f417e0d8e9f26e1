//===- lt.cpp - Products described by attributes --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "include/cuda-libraries/cublasLt.h"
#include "runtime/libraries/cublas/ex.h"

#include <climits>
#include <cmath>
#include <new>
#include <optional>

// One handle serves both interfaces.
struct cublasLtContext {};

namespace {

using namespace regrain::cublas;

/// The attributes of an object, each with 64 bits and in the order of the enumeration. Those that
/// were set are known.
template <class Opaque> class Attributes {
public:
  explicit Attributes(Opaque *object) : object(object) {}
  bool has(int attribute) const { return attribute >= 0 && attribute < count; }
  uint64_t &operator[](int attribute) { return object->data[attribute]; }

  cublasStatus_t set(int attribute, const void *from, size_t bytes) {
    if (!object || !has(attribute) || !from || bytes > sizeof(uint64_t))
      return CUBLAS_STATUS_INVALID_VALUE;
    object->data[attribute] = 0;
    std::memcpy(&object->data[attribute], from, bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  cublasStatus_t get(int attribute, void *to, size_t bytes, size_t *written) {
    if (!object || !has(attribute) || bytes > sizeof(uint64_t) || (!to && bytes))
      return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(to, &object->data[attribute], bytes);
    if (written)
      *written = bytes;
    return CUBLAS_STATUS_SUCCESS;
  }

private:
  static constexpr int count = sizeof(Opaque::data) / sizeof(uint64_t);
  Opaque *object;
};

template <class Opaque> cublasStatus_t create(Opaque **object) {
  if (!object)
    return CUBLAS_STATUS_INVALID_VALUE;
  *object = new (std::nothrow) Opaque();
  return *object ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

template <class Opaque> cublasStatus_t destroy(Opaque *object) {
  delete object;
  return CUBLAS_STATUS_SUCCESS;
}

/// A matrix as its layout describes it.
struct Layout {
  cudaDataType type;
  bool byRows, isKnown;
  int rows, cols, ld, batchCount;
  long long stride;

  explicit Layout(cublasLtMatrixLayout_t layout) {
    Attributes attributes(layout);
    type = cudaDataType(attributes[CUBLASLT_MATRIX_LAYOUT_TYPE]);
    uint64_t order = attributes[CUBLASLT_MATRIX_LAYOUT_ORDER];
    byRows = order == CUBLASLT_ORDER_ROW;
    isKnown = byRows || order == CUBLASLT_ORDER_COL;
    for (int size : {CUBLASLT_MATRIX_LAYOUT_ROWS, CUBLASLT_MATRIX_LAYOUT_COLS,
                     CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT})
      isKnown = isKnown && attributes[size] <= INT_MAX;
    rows = int(attributes[CUBLASLT_MATRIX_LAYOUT_ROWS]);
    cols = int(attributes[CUBLASLT_MATRIX_LAYOUT_COLS]);
    ld = int(attributes[CUBLASLT_MATRIX_LAYOUT_LD]);
    batchCount = int(attributes[CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT]);
    stride = (long long)attributes[CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET];
  }
  bool isValid() const { return holdsRows(ld, byRows ? cols : rows) && batchCount >= 1; }
};

/// What is done with each element of the result.
struct Epilogue {
  bool addsBias, isRelu, isGelu;
  const void *bias;
  cudaDataType biasType;
  long long biasStride;
  const float *scales[4]; ///< of A, B, C and D; null: 1
  float *largest;         ///< receives the largest magnitude; may be null
};

/// A product. Sums are computed in the precision of the scalars; results are rounded once.
struct LtProduct {
  Layout A, B, C, D;
  cublasOperation_t transa, transb;
  cudaDataType scalarType;
  Epilogue epilogue;

  int m() const { return D.rows; }
  int n() const { return D.cols; }
  int k() const { return transa == CUBLAS_OP_N ? A.cols : A.rows; }
  bool fits() const {
    int rowsA = transa == CUBLAS_OP_N ? A.rows : A.cols;
    int rowsB = transb == CUBLAS_OP_N ? B.rows : B.cols;
    int colsB = transb == CUBLAS_OP_N ? B.cols : B.rows;
    return rowsA == m() && rowsB == k() && colsB == n() && C.rows == m() && C.cols == n();
  }
};

/// Returns the matrix by columns. One that is stored by rows is loaded as its transpose, and
/// turned.
template <class N> std::vector<N> load(const Layout &layout, const void *data) {
  if (!layout.byRows)
    return loadMatrix<N>(data, layout.type, layout.rows, layout.cols, layout.ld);
  std::vector<N> turned = loadMatrix<N>(data, layout.type, layout.cols, layout.rows, layout.ld);
  std::vector<N> out(turned.size());
  for (int i = 0; i < layout.rows; ++i)
    for (int j = 0; j < layout.cols; ++j)
      out[i + size_t(j) * layout.rows] = turned[j + size_t(i) * layout.cols];
  return out;
}

double scaleOf(const float *scale) { return scale ? *scale : 1; }

template <class N> using Real = decltype(std::real(N()));

template <class N> N activate(const Epilogue &epilogue, N value) {
  if constexpr (std::is_arithmetic_v<N>) {
    if (epilogue.isRelu)
      return value > 0 ? value : N(0);
    if (epilogue.isGelu)
      return N(0.5 * value *
               (1 + std::tanh(0.7978845608028654 * (value + 0.044715 * value * value * value))));
  }
  return value;
}

template <class N>
void multiplyIn(const LtProduct &p, N alpha, const void *A, const void *B, N beta, const void *C,
                void *D, int batch) {
  std::vector<N> left = load<N>(p.A, A), right = load<N>(p.B, B);
  std::vector<N> out(size_t(p.m()) * p.n());
  if (beta != N())
    out = load<N>(p.C, C);
  const Epilogue &e = p.epilogue;
  alpha *= Real<N>(scaleOf(e.scales[0]) * scaleOf(e.scales[1]));
  beta *= Real<N>(scaleOf(e.scales[2]));
  Product product = {p.transa,
                     p.transb,
                     p.m(),
                     p.n(),
                     p.k(),
                     std::max(1, p.A.rows),
                     std::max(1, p.B.rows),
                     std::max(1, p.m())};
  multiply(product, elements(&alpha), elements(left.data()), elements(right.data()),
           elements(&beta), elements(out.data()));
  double largest = 0;
  for (int j = 0; j < p.n(); ++j)
    for (int i = 0; i < p.m(); ++i) {
      N value = out[i + size_t(j) * p.m()];
      if (e.addsBias)
        value += loadElement<N>(e.bias, e.biasType, i + batch * e.biasStride);
      value = activate(e, value);
      largest = std::max(largest, double(std::abs(value)));
      storeElement(N(value * Real<N>(scaleOf(e.scales[3]))), D, p.D.type,
                   p.D.byRows ? ptrdiff_t(i) * p.D.ld + j : i + ptrdiff_t(j) * p.D.ld);
    }
  if (e.largest)
    *e.largest = float(largest);
}

/// Reads what the descriptor asks for; nothing if that cannot be computed.
std::optional<Epilogue> epilogueOf(cublasLtMatmulDesc_t descriptor, cudaDataType typeD) {
  Attributes attributes(descriptor);
  auto pointer = [&](int attribute) { return reinterpret_cast<void *>(attributes[attribute]); };
  int kind = int(attributes[CUBLASLT_MATMUL_DESC_EPILOGUE]);
  constexpr int known = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU |
                        CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_GELU;
  if (kind & ~known)
    return std::nullopt;
  Epilogue epilogue = {};
  epilogue.addsBias = kind & CUBLASLT_EPILOGUE_BIAS;
  epilogue.isRelu = kind & CUBLASLT_EPILOGUE_RELU;
  epilogue.isGelu = kind & CUBLASLT_EPILOGUE_GELU;
  epilogue.bias = pointer(CUBLASLT_MATMUL_DESC_BIAS_POINTER);
  int biasType = int(attributes[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE]);
  bool isSmall = typeD == CUDA_R_8F_E4M3 || typeD == CUDA_R_8F_E5M2;
  epilogue.biasType = biasType >= 0 ? cudaDataType(biasType) : isSmall ? CUDA_R_16BF : typeD;
  epilogue.biasStride = (long long)attributes[CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE];
  for (int i = 0; i < 4; ++i)
    epilogue.scales[i] =
        static_cast<const float *>(pointer(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER + i));
  epilogue.largest = static_cast<float *>(pointer(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER));
  if (epilogue.addsBias && !epilogue.bias)
    return std::nullopt;
  return epilogue;
}

/// Returns the product, or nothing if it cannot be computed.
std::optional<LtProduct> productOf(cublasLtMatmulDesc_t descriptor, cublasLtMatrixLayout_t A,
                                   cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C,
                                   cublasLtMatrixLayout_t D) {
  Attributes attributes(descriptor);
  std::optional<Epilogue> epilogue = epilogueOf(descriptor, Layout(D).type);
  auto operation = [&](int attribute) { return cublasOperation_t(attributes[attribute]); };
  uint64_t mode = attributes[CUBLASLT_MATMUL_DESC_POINTER_MODE];
  if (!epilogue || mode > CUBLASLT_POINTER_MODE_DEVICE ||
      operation(CUBLASLT_MATMUL_DESC_TRANSC) != CUBLAS_OP_N)
    return std::nullopt;
  LtProduct product = {Layout(A),
                       Layout(B),
                       Layout(C),
                       Layout(D),
                       operation(CUBLASLT_MATMUL_DESC_TRANSA),
                       operation(CUBLASLT_MATMUL_DESC_TRANSB),
                       cudaDataType(attributes[CUBLASLT_MATMUL_DESC_SCALE_TYPE]),
                       *epilogue};
  bool isKnown = sizeOf(product.scalarType) && areKnown(product.transa, product.transb);
  for (const Layout *layout : {&product.A, &product.B, &product.C, &product.D})
    isKnown = isKnown && layout->isKnown && sizeOf(layout->type) &&
              isComplexType(layout->type) == isComplexType(product.D.type);
  if (!isKnown)
    return std::nullopt;
  return product;
}

} // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (cudaError_t error = regrain::libraries::checkDevice(); error != cudaSuccess)
    return statusOf(error);
  return create(handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return destroy(handle); }
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  cublasStatus_t status = create(layout);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  Attributes attributes(*layout);
  attributes[CUBLASLT_MATRIX_LAYOUT_TYPE] = type;
  attributes[CUBLASLT_MATRIX_LAYOUT_ROWS] = rows;
  attributes[CUBLASLT_MATRIX_LAYOUT_COLS] = cols;
  attributes[CUBLASLT_MATRIX_LAYOUT_LD] = uint64_t(ld);
  attributes[CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT] = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *from, size_t bytes) {
  return Attributes(layout).set(attribute, from, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void *to,
                                                size_t bytes, size_t *written) {
  return Attributes(layout).get(attribute, to, bytes, written);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *descriptor,
                                        cublasComputeType_t compute, cudaDataType_t scaleType) {
  cublasStatus_t status = create(descriptor);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  Attributes attributes(*descriptor);
  attributes[CUBLASLT_MATMUL_DESC_COMPUTE_TYPE] = compute;
  attributes[CUBLASLT_MATMUL_DESC_SCALE_TYPE] = scaleType;
  attributes[CUBLASLT_MATMUL_DESC_EPILOGUE] = CUBLASLT_EPILOGUE_DEFAULT;
  attributes[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] = uint32_t(-1); // that of D
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor) {
  return destroy(descriptor);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *from, size_t bytes) {
  return Attributes(descriptor).set(attribute, from, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatmulDescAttributes_t attribute, void *to,
                                              size_t bytes, size_t *written) {
  return Attributes(descriptor).get(attribute, to, bytes, written);
}

// All preferences are met: no memory for work is needed.
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(preference);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void *from, size_t) {
  return preference && from ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

/// There is one algorithm.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                                              cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *returned) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!descriptor || !A || !B || !C || !D || !preference || requested < 1 || !results || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  if (!productOf(descriptor, A, B, C, D))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t layoutA,
                              const void *B, cublasLtMatrixLayout_t layoutB, const void *beta,
                              const void *C, cublasLtMatrixLayout_t layoutC, void *D,
                              cublasLtMatrixLayout_t layoutD, const cublasLtMatmulAlgo_t *, void *,
                              size_t, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!descriptor || !alpha || !A || !layoutA || !B || !layoutB || !beta || !layoutC || !D ||
      !layoutD)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::optional<LtProduct> product = productOf(descriptor, layoutA, layoutB, layoutC, layoutD);
  if (!product)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  for (const Layout *layout : {&product->A, &product->B, &product->C, &product->D})
    if (!layout->isValid() || layout->batchCount != product->D.batchCount)
      return CUBLAS_STATUS_INVALID_VALUE;
  if (!product->fits())
    return CUBLAS_STATUS_INVALID_VALUE;
  auto mode = cublasPointerMode_t(Attributes(descriptor)[CUBLASLT_MATMUL_DESC_POINTER_MODE]);
  AnyScalar a(mode, alpha, product->scalarType), b(mode, beta, product->scalarType);
  return statusOf(regrain::libraries::submit(stream, [=, p = *product] {
    for (int i = 0; i < p.D.batchCount; ++i) {
      auto compute = [&]<class N>(Tag<N>) {
        multiplyIn(p, loadElement<N>(a.get(), p.scalarType), at(A, i * p.A.stride, p.A.type),
                   at(B, i * p.B.stride, p.B.type), loadElement<N>(b.get(), p.scalarType),
                   C ? at(C, i * p.C.stride, p.C.type) : C, at(D, i * p.D.stride, p.D.type), i);
      };
      bool isWide = p.scalarType != CUDA_R_32F && p.scalarType != CUDA_C_32F;
      if (isComplexType(p.D.type))
        isWide ? compute(Tag<std::complex<double>>()) : compute(Tag<std::complex<float>>());
      else
        isWide ? compute(Tag<double>()) : compute(Tag<float>());
    }
  }));
}
