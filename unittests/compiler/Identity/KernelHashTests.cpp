//===- KernelHashTests.cpp - Dependences of a kernel's hash ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/KernelHash.h"

#include "compiler/Frontend/Frontend.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <map>

using namespace regrain;

namespace {

/// Sources in a folder of their own, which the destructor removes.
class KernelHash : public testing::Test {
protected:
  static void SetUpTestSuite() { initializeFrontend(); }
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("hash", folder));
    options.headers = REGRAIN_CUDA_HEADERS;
  }
  void TearDown() override { EXPECT_FALSE(llvm::sys::fs::remove_directories(folder)); }

  DeviceCode compile(llvm::StringRef text, llvm::StringRef file = "unit.cu", unsigned arch = 70) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file);
    EXPECT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)));
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
    EXPECT_FALSE(code);
    options.source = path.str().str();
    llvm::Expected<DeviceCode> device = compileDevice(options, arch);
    if (device)
      return std::move(*device);
    ADD_FAILURE() << llvm::toString(device.takeError()) << "\n" << text.str();
    return {};
  }

  static std::vector<std::string> hashes(const DeviceCode &code) {
    std::vector<const llvm::Function *> kernels;
    for (const DeviceKernel &kernel : code.kernels)
      kernels.push_back(code.module->getFunction(kernel.symbol));
    return hashKernels(*code.module, kernels);
  }

  /// The hashes are by the kernel's name without parameters.
  std::map<std::string, std::string> byName(llvm::StringRef text) {
    DeviceCode code = compile(text);
    std::map<std::string, std::string> result;
    for (auto [kernel, hash] : llvm::zip_equal(code.kernels, hashes(code)))
      result[llvm::StringRef(kernel.name).split('(').first.str()] = hash;
    return result;
  }

  /// Returns the hash of the only kernel of a file.
  std::string only(llvm::StringRef text, llvm::StringRef file = "unit.cu", unsigned arch = 70) {
    std::vector<std::string> all = hashes(compile(text, file, arch));
    EXPECT_EQ(all.size(), 1u) << text.str();
    return all.empty() ? "" : all.front();
  }

  llvm::SmallString<128> folder;
  FrontendOptions options;
};

constexpr const char *add = "__global__ void add(float *x, int n) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (i < n) x[i] += 1;\n"
                            "}\n";

std::string operator+(const char *a, const std::string &b) { return std::string(a) + b; }

TEST_F(KernelHash, IsHexadecimalOf128Bits) {
  std::string hash = only(add);
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(hash, only(add)) << "a second time";
}

TEST_F(KernelHash, PathsDoNotChangeIt) {
  EXPECT_EQ(only(add, "a.cu"), only(add, "elsewhere/b.cu"));
}

TEST_F(KernelHash, LinesAndDebugInformationDoNotChangeIt) {
  std::string plain = only(add);
  EXPECT_EQ(plain, only("\n\n// moved\n" + std::string(add)));
  const char *assembly = "__global__ void k() { asm volatile(\"membar.gl;\"); }\n";
  EXPECT_EQ(only(assembly), only("// moved\n" + std::string(assembly)));
  DeviceCode stripped = compile(add);
  llvm::StripDebugInfo(*stripped.module);
  EXPECT_EQ(plain, hashes(stripped).front());
  options.deviceArgs = {"-g"};
  EXPECT_EQ(plain, only(add)) << "with all debug information";
}

TEST_F(KernelHash, NamesDoNotChangeIt) {
  EXPECT_EQ(only(add), only("__global__ void other(float *data, int count) {\n"
                            "  int index = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (index < count) data[index] += 1;\n"
                            "}\n"));
  std::map<std::string, std::string> hashes =
      byName("struct A { int n; float *p; }; struct B { int m; float *q; };\n"
             "__device__ int one; __device__ int two;\n"
             "__global__ void a(A x) { extern __shared__ int s[]; x.p[x.n] = one + s[0]; }\n"
             "__global__ void b(B y) { extern __shared__ int t[]; y.q[y.m] = two + t[0]; }\n");
  EXPECT_EQ(hashes["a"], hashes["b"]);
}

TEST_F(KernelHash, NamesOfValuesDoNotChangeIt) {
  DeviceCode renamed = compile(add);
  for (llvm::Function &function : *renamed.module)
    for (llvm::BasicBlock &block : function) {
      block.setName("block");
      for (llvm::Instruction &instruction : block)
        if (!instruction.getType()->isVoidTy())
          instruction.setName("value");
    }
  EXPECT_EQ(only(add), hashes(renamed).front());
}

TEST_F(KernelHash, TheRestOfTheFileDoesNotChangeIt) {
  std::string more = "#include <cmath>\n"
                     "__device__ float table[4] = {1, 2, 3, 4};\n"
                     "__device__ __noinline__ float f(float x) { return sinf(x) + table[1]; }\n"
                     "__global__ void before(float *x) { *x = f(*x); }\n" +
                     std::string(add) +
                     "__global__ void after(float *x) { static __shared__ int s; *x = s; }\n";
  EXPECT_EQ(only(add), byName(more)["add"]);
}

TEST_F(KernelHash, TheOrderInTheFileDoesNotChangeIt) {
  const char *f = "__device__ __noinline__ float f(float x);\n"
                  "__device__ __noinline__ float g(float x);\n"
                  "extern __device__ int a; extern __device__ int b;\n";
  const char *fBody = "__device__ float f(float x) { return x * a + g(x); }\n";
  const char *gBody = "__device__ float g(float x) { return x > 1 ? f(x - b) : 0; }\n";
  const char *kernel = "__global__ void k(float *x) { *x = f(*x) + g(*x); }\n";
  const char *aBody = "__device__ int a = 1;\n", *bBody = "__device__ int b = 2;\n";
  std::string first = only(f + std::string(aBody) + bBody + fBody + gBody + kernel);
  EXPECT_EQ(first, only(f + std::string(kernel) + gBody + fBody + bBody + aBody));
  EXPECT_NE(first, only(f + std::string("__device__ int a = 2;\n__device__ int b = 1;\n") + fBody +
                        gBody + kernel))
      << "which is which counts";
}

TEST_F(KernelHash, NumbersOfLocalSymbolsDoNotChangeIt) {
  const char *apply = "template <class F> __global__ void apply(F f, float *x) { *x = f(*x); }\n";
  std::string launch = "apply<<<1, 1>>>([=] __device__(float y) { return y * a; }, x);\n";
  std::string one = only(apply + ("void one(float a, float *x) {\n" + launch + "}\n"));
  const char *holder = "template <class T> struct Holder { T t; float sum; };\n"
                       "template <class F> __global__ void hold(F f, float *x) {\n"
                       "  Holder<F> h{f, *x}; h.sum += h.t(); *x = h.sum; }\n";
  const char *held = "  hold<<<1, 1>>>([=] __device__ { return a; }, x);\n";
  EXPECT_EQ(only(holder + ("void f(float a, float *x) {\n" + std::string(held) + "}\n")),
            only(holder + ("void f(float a, float *x) {\n auto none = [] {}; none();\n" +
                           std::string(held) + "}\n")))
      << "types of closures are told to alias analysis";
  // The closure in front takes the first one's number.
  DeviceCode two =
      compile(apply + ("void two(float a, float *x) {\n"
                       "apply<<<1, 1>>>([=] __device__(float y) { return y - a; }, x);\n" +
                       launch + "}\n"));
  std::vector<std::string> hashes = KernelHash::hashes(two);
  ASSERT_EQ(hashes.size(), 2u);
  EXPECT_EQ(one, hashes[1]);
  EXPECT_NE(one, hashes[0]);
}

TEST_F(KernelHash, ATemplateIsTheSameInTwoFiles) {
  const char *scale = "template <class T, int N> __global__ void scale(T *x) {\n"
                      "  __shared__ T s[N]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
                      "  x[threadIdx.x] = s[N - 1 - threadIdx.x] * N; }\n";
  auto scaled = [&](const char *text) { return byName(scale + std::string(text)); };
  std::map<std::string, std::string> first =
      scaled("void f(float *x) { scale<float, 4><<<1, 4>>>(x); }\n");
  std::map<std::string, std::string> second =
      scaled("void g(float *x, double *y) { scale<double, 4><<<1, 4>>>(y);"
             " scale<float, 8><<<1, 8>>>(x); scale<float, 4><<<1, 4>>>(x); }\n");
  EXPECT_EQ(first["void scale<float, 4>"], second["void scale<float, 4>"]);
  EXPECT_NE(first["void scale<float, 4>"], second["void scale<float, 8>"]);
  EXPECT_NE(first["void scale<float, 4>"], second["void scale<double, 4>"]);
}

TEST_F(KernelHash, ThePlaceOfAnAssertionDoesNotChangeIt) {
  const char *text = "#include <cassert>\n"
                     "__global__ void k(int n) { assert(n > 0); }\n";
  EXPECT_EQ(only(text), only("\n\n" + std::string(text), "elsewhere/other.cu"));
  EXPECT_NE(only(text), only("#include <cassert>\n__global__ void k(int n) { assert(n > 1); }\n"));
}

TEST_F(KernelHash, CodeChangesIt) {
  std::map<std::string, std::string> hashes = byName(
      "__device__ __noinline__ float f(float x) { return x + 1; }\n"
      "__device__ __noinline__ float g(float x) { return x + 2; }\n"
      "__global__ void base(float *x, int *n) { x[0] = x[*n] * 2; }\n"
      "__global__ void constant(float *x, int *n) { x[0] = x[*n] * 3; }\n"
      "__global__ void operation(float *x, int *n) { x[0] = x[*n] + 2; }\n"
      "__global__ void index(float *x, int *n) { x[1] = x[*n] * 2; }\n"
      "__global__ void order(float *x, int *n) { x[*n] = x[0] * 2; }\n"
      "__global__ void isVolatile(float *x, int *n) { x[0] = ((volatile float *)x)[*n] * 2; }\n"
      "__global__ void type(float *x, unsigned *n) { x[0] = x[*n] * 2; }\n"
      "__global__ void qualified(float *__restrict__ x, int *n) { x[0] = x[*n] * 2; }\n"
      "__global__ void more(float *x, int *n, int) { x[0] = x[*n] * 2; }\n"
      "__global__ void shape(double *x, int *n) { x[0] = x[*n] * 2; }\n"
      "__global__ void callsF(float *x, int *n) { x[0] = f(x[*n]) * 2; }\n"
      "__global__ void callsG(float *x, int *n) { x[0] = g(x[*n]) * 2; }\n"
      "__global__ void sine(float *x, int *n) { x[0] = sinf(x[*n]) * 2; }\n"
      "__global__ void cosine(float *x, int *n) { x[0] = cosf(x[*n]) * 2; }\n"
      "__global__ void less(float *x, int *n) { if (*n < 1) x[0] = x[*n] * 2; }\n"
      "__global__ void more1(float *x, int *n) { if (*n > 1) x[0] = x[*n] * 2; }\n"
      "__global__ void syncs(float *x, int *n) { __syncthreads(); x[0] = x[*n] * 2; }\n"
      "__global__ void warps(float *x, int *n) { __syncwarp(); x[0] = x[*n] * 2; }\n"
      "__global__ void atomic(float *x, int *n) { atomicAdd(x, x[*n] * 2); }\n"
      "__global__ void maximum(float *x, int *n) { atomicExch(x, x[*n] * 2); }\n"
      "__global__ void ptx(float *x, int *n) { asm volatile(\"membar.gl;\"); x[0] = x[*n] * 2; }\n"
      "__global__ void ptx2(float *x, int *n) { asm volatile(\"membar.cta;\"); x[0] = x[*n] * 2; "
      "}\n");
  EXPECT_EQ(hashes.size(), 22u);
  std::map<std::string, std::string> names;
  for (const auto &[name, hash] : hashes)
    EXPECT_TRUE(names.emplace(hash, name).second) << name << " has the hash of " << names[hash];
}

TEST_F(KernelHash, CodeFurtherDownChangesIt) {
  auto with = [&](const char *body) {
    return only(("__device__ __noinline__ float h(float x) { return " + std::string(body) +
                 "; }\n"
                 "__device__ __noinline__ float f(float x) { return h(x) + 1; }\n"
                 "__global__ void k(float *x) { *x = f(*x); }\n"));
  };
  EXPECT_EQ(with("x + 1"), with("x + 1"));
  EXPECT_NE(with("x + 1"), with("x + 2"));
}

TEST_F(KernelHash, LaunchBoundsChangeIt) {
  std::map<std::string, std::string> hashes =
      byName("__global__ void none(float *x) { *x += 1; }\n"
             "__global__ void __launch_bounds__(128) b128(float *x) { *x += 1; }\n"
             "__global__ void __launch_bounds__(256) b256(float *x) { *x += 1; }\n"
             "__global__ void __launch_bounds__(256, 2) b256x2(float *x) { *x += 1; }\n");
  EXPECT_NE(hashes["none"], hashes["b128"]);
  EXPECT_NE(hashes["b128"], hashes["b256"]);
  EXPECT_NE(hashes["b256"], hashes["b256x2"]);
}

TEST_F(KernelHash, LoopHintsChangeIt) {
  auto with = [&](const char *hint) {
    return only("__global__ void k(float *x, int n) {\n" + std::string(hint) +
                "\nfor (int i = 0; i < n; ++i) x[i] += 1; }\n");
  };
  EXPECT_NE(with(""), with("#pragma unroll"));
  EXPECT_NE(with("#pragma unroll 4"), with("#pragma unroll 8"));
  EXPECT_NE(with("#pragma unroll 1"), with("#pragma unroll"));
}

TEST_F(KernelHash, VariablesChangeIt) {
  auto with = [&](const char *variables) {
    return only(variables + std::string("__global__ void k(float *x) { *x = t[1] * s; }\n"));
  };
  std::string base = with("__constant__ float t[3] = {1, 2, 3}; __device__ float s = 1;\n");
  EXPECT_EQ(base, with("__device__ float s = 1; __constant__ float t[3] = {1, 2, 3};\n"));
  EXPECT_NE(base, with("__constant__ float t[3] = {1, 2, 4}; __device__ float s = 1;\n"));
  EXPECT_NE(base, with("__constant__ float t[4] = {1, 2, 3}; __device__ float s = 1;\n"));
  EXPECT_NE(base, with("__device__ float t[3] = {1, 2, 3}; __device__ float s = 1;\n"));
  EXPECT_NE(base, with("__constant__ float t[3] = {1, 2, 3}; __device__ float s = 2;\n"));
  EXPECT_NE(base, with("__constant__ float t[3] = {1, 2, 3};"
                       " __device__ __align__(16) float s = 1;\n"));
}

TEST_F(KernelHash, SharingAVariableIsNotHavingTwo) {
  std::map<std::string, std::string> hashes =
      byName("__device__ int a, b;\n"
             "__device__ __noinline__ void f() { a = 1; }\n"
             "__device__ __noinline__ void g() { b = 1; }\n"
             "__global__ void same(int *x) { f(); *x = a; }\n"
             "__global__ void other(int *x) { f(); *x = b; }\n"
             "__global__ void sameAgain(int *x) { g(); *x = b; }\n");
  EXPECT_NE(hashes["same"], hashes["other"]);
  EXPECT_EQ(hashes["same"], hashes["sameAgain"]);
}

TEST_F(KernelHash, FloatingPointOptionsChangeIt) {
  std::string plain = only("__global__ void k(float *x) { *x = sinf(*x); }\n");
  options.fastMath = true;
  EXPECT_NE(plain, only("__global__ void k(float *x) { *x = sinf(*x); }\n"));
}

TEST_F(KernelHash, TheChipChangesItWhereTheCodeAsks) {
  EXPECT_EQ(only(add, "unit.cu", 70), only(add, "unit.cu", 90));
  const char *asks = "__global__ void k(int *x) { *x = __CUDA_ARCH__; }\n";
  std::string older = only(asks, "unit.cu", 70), newer = only(asks, "unit.cu", 90);
  EXPECT_NE(older, newer);
  EXPECT_EQ(combineHashes({older, older}), older);
  EXPECT_NE(combineHashes({older, newer}), older);
  EXPECT_NE(combineHashes({older, newer}), newer);
  EXPECT_NE(combineHashes({older, newer}), combineHashes({newer, older}));
  EXPECT_EQ(combineHashes({older, newer}).size(), 32u);
}

} // namespace
