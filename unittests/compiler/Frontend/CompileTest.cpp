//===- CompileTest.cpp - The frontend's results for a source file ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Frontend.h"
#include "runtime/image/integers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace regrain {
namespace {

/// A source file in a folder of its own, which the destructor removes.
class Compile : public testing::Test {
protected:
  static void SetUpTestSuite() { initializeFrontend(); }

  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("frontend", folder));
    options.source = inFolder("unit.cu");
    options.headers = REGRAIN_CUDA_HEADERS;
  }
  void TearDown() override { EXPECT_FALSE(llvm::sys::fs::remove_directories(folder)); }

  std::string inFolder(llvm::StringRef name) const { return (folder + "/" + name).str(); }

  void write(llvm::StringRef name, llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream out(inFolder(name), code);
    ASSERT_FALSE(code);
    out << text;
  }

  /// Returns the device side of `text`, which must compile.
  DeviceCode device(llvm::StringRef text, unsigned arch = 70) {
    write("unit.cu", text);
    llvm::Expected<DeviceCode> code = compileDevice(options, arch);
    if (code)
      return std::move(*code);
    ADD_FAILURE() << llvm::toString(code.takeError());
    return {};
  }

  /// Returns the messages for `text`, which must not compile.
  std::string refusal(llvm::StringRef text) {
    write("unit.cu", text);
    testing::internal::CaptureStderr();
    llvm::Expected<DeviceCode> code = compileDevice(options, 70);
    std::string printed = testing::internal::GetCapturedStderr();
    EXPECT_FALSE(static_cast<bool>(code));
    llvm::Error error = code.takeError();
    EXPECT_TRUE(error.isA<Diagnosed>());
    llvm::consumeError(std::move(error));
    return printed;
  }

  llvm::SmallString<128> folder;
  FrontendOptions options;
};

TEST_F(Compile, KernelHasNamePlaceAndParameters) {
  DeviceCode code =
      device("struct Pair { char c; double d; };\n"
             "\n"
             "__global__ void __launch_bounds__(128)\n"
             "mix(char a, int b, bool c, Pair pair, float *out) { *out = a + b + c + pair.d; }\n");
  ASSERT_EQ(code.kernels.size(), 1u);
  const DeviceKernel &kernel = code.kernels[0];
  EXPECT_EQ(kernel.symbol, "_Z3mixcib4PairPf");
  EXPECT_EQ(kernel.name, "mix(char, int, bool, Pair, float*)");
  EXPECT_EQ(kernel.file, options.source);
  EXPECT_EQ(kernel.line, 4u);
  EXPECT_EQ(kernel.maxThreads, 128u);
  EXPECT_FALSE(kernel.usesDynamicShared);
  std::vector<std::tuple<uint32_t, uint32_t, bool>> layout;
  for (const DeviceKernel::Parameter &parameter : kernel.parameters)
    layout.emplace_back(parameter.offset, parameter.size, parameter.pointer);
  EXPECT_EQ(layout,
            (std::vector<std::tuple<uint32_t, uint32_t, bool>>{
                {0, 1, false}, {4, 4, false}, {8, 1, false}, {16, 16, false}, {32, 8, true}}));
}

using Integers = std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>;

Integers integersOf(const DeviceKernel &kernel) {
  Integers integers;
  for (const DeviceKernel::Integer &integer : kernel.integers)
    integers.emplace_back(integer.parameter, integer.offset, integer.size);
  return integers;
}

TEST_F(Compile, IntegersAreThoseOfParametersAndTheirMembers) {
  DeviceCode code =
      device("struct Inner { short s; float f; long long l; };\n"
             "struct Outer { float x; Inner inner; int table[4]; int *p; bool b; };\n"
             "__global__ void k(float a, int n, Outer o, unsigned char c, double *p, bool b) {"
             " *p = a + n + o.inner.l + c + b; }\n");
  ASSERT_EQ(code.kernels.size(), 1u);
  EXPECT_EQ(integersOf(code.kernels[0]),
            (Integers{{1, 0, 4}, {2, 8, 2}, {2, 16, 8}, {2, 48, 1}, {3, 0, 1}, {5, 0, 1}}));
}

TEST_F(Compile, OfVeryManyIntegersTheFirstAreTaken) {
  std::string members;
  for (int i = 0; i < 40; ++i)
    members += "int m" + std::to_string(i) + ";";
  DeviceCode code = device(("struct Many {" + members +
                            "};\n__global__ void k(Many many, int *p) {"
                            " *p = many.m7; }\n")
                               .c_str());
  ASSERT_EQ(code.kernels.size(), 1u);
  EXPECT_EQ(code.kernels[0].integers.size(), mostIntegers);
}

TEST_F(Compile, AStructureOfAPointerIsNone) {
  DeviceCode code =
      device("struct Box { float *p; };\n"
             "__global__ void k(Box box, float &r, unsigned long long n, void (*f)()) {"
             " *box.p = r + n; }\n");
  ASSERT_EQ(code.kernels.size(), 1u);
  std::vector<bool> pointers;
  for (const DeviceKernel::Parameter &parameter : code.kernels[0].parameters)
    pointers.push_back(parameter.pointer);
  EXPECT_EQ(pointers, (std::vector<bool>{false, true, false, true}));
}

TEST_F(Compile, DynamicSharedMemoryIsSeenThroughCalls) {
  DeviceCode code =
      device("extern __shared__ float dynamic[];\n"
             "__device__ float read(int i) { return dynamic[i]; }\n"
             "__global__ void uses(float *out) { *out = read(3); }\n"
             "__global__ void doesNot(float *out) { __shared__ float s; s = *out; *out = s; }\n");
  ASSERT_EQ(code.kernels.size(), 2u);
  EXPECT_TRUE(code.kernels[0].usesDynamicShared);
  EXPECT_FALSE(code.kernels[1].usesDynamicShared);
}

/// Returns the known values of each launch, as the pieces of a SPEC.
std::vector<std::string> knownOf(const DeviceKernel &kernel) {
  std::vector<std::string> texts;
  for (const SeenLaunch &launch : kernel.launches) {
    Grain grain;
    grain.known = launch.known;
    texts.push_back(toString(grain));
  }
  return texts;
}

TEST_F(Compile, LaunchesShowWhatIsConstant) {
  DeviceCode code = device("#define SIZE 16\n"
                           "__global__ void k(int *p, int n, long m, float f, bool b) {}\n"
                           "const int width = 8 * SIZE;\n"
                           "void run(int *p, int n) {\n"
                           "  dim3 block(SIZE, SIZE / 2);\n"
                           "  int count = 1000, blocks = (count + width - 1) / width;\n"
                           "  k<<<blocks, width>>>(p, count, -3, 2, true);\n"
                           "  k<<<dim3(n, 4), block>>>(p, n, count, 1.5f, n > 3);\n"
                           "  k<<<n, n>>>(p, n, n, 0, n);\n"
                           "}\n");
  ASSERT_EQ(code.kernels.size(), 1u);
  EXPECT_EQ(knownOf(code.kernels[0]),
            (std::vector<std::string>{
                "for.block=128x1x1,for.grid=8x1x1,for.arg1=1000,for.arg2=-3,for.arg4=1",
                "for.block=16x8x1,for.arg2=1000", "original"}));
  EXPECT_EQ(code.kernels[0].launches[0].file, options.source);
  EXPECT_EQ(code.kernels[0].launches[0].line, 7u);
}

TEST_F(Compile, LaunchesDoNotShowWhatChanges) {
  DeviceCode code = device("__global__ void k(int n) {}\n"
                           "void set(int *n);\n"
                           "void run() {\n"
                           "  int a = 64, b = 32, c = 16, d = 8, e = 4;\n"
                           "  dim3 block(a), grid(a);\n"
                           "  a = 128; b++; set(&c); d *= 2; block.y = 4; grid = dim3(3);\n"
                           "  k<<<a, b>>>(c); k<<<d, e>>>(d); k<<<grid, block>>>(0);\n"
                           "  for (int i = 0; i < 3; ++i) k<<<1, 64>>>(i);\n"
                           "  k<<<0, 64>>>(1);\n"
                           "}\n");
  EXPECT_EQ(
      knownOf(code.kernels.at(0)),
      (std::vector<std::string>{"original", "for.block=4x1x1", "for.arg0=0",
                                "for.block=64x1x1,for.grid=1x1x1", "for.block=64x1x1,for.arg0=1"}));
}

TEST_F(Compile, LaunchesShowTheOnlyValueThatIsAssigned) {
  DeviceCode code = device("__global__ void k(int n) {}\n"
                           "void run(int n) {\n"
                           "  int a, b, c, d;\n"
                           "  a = 16; b = 8; b = 4; c = 2; c++; d = n;\n"
                           "  dim3 block(a, a);\n"
                           "  k<<<n, block>>>(a); k<<<n, b>>>(n); k<<<n, c>>>(d);\n"
                           "}\n");
  EXPECT_EQ(knownOf(code.kernels.at(0)),
            (std::vector<std::string>{"for.block=16x16x1,for.arg0=16", "original"}));
}

TEST_F(Compile, LaunchesInTemplatesAreOfTheirInstances) {
  DeviceCode code =
      device("template <int N> __global__ void k(int n) {}\n"
             "template <int N> void run() { k<N><<<N, 2 * N>>>(N + 1); }\n"
             "namespace { __global__ void hidden(int n) {} }\n"
             "void all() { run<32>(); run<64>(); hidden<<<1, 32>>>(5); hidden<<<1, 32>>>(5); }\n");
  ASSERT_EQ(code.kernels.size(), 3u);
  std::map<std::string, std::vector<std::string>> seen;
  for (const DeviceKernel &kernel : code.kernels)
    seen[kernel.name.substr(0, kernel.name.find('('))] = knownOf(kernel);
  EXPECT_EQ(seen["void k<32>"],
            (std::vector<std::string>{"for.block=64x1x1,for.grid=32x1x1,for.arg0=33"}));
  EXPECT_EQ(seen["void k<64>"],
            (std::vector<std::string>{"for.block=128x1x1,for.grid=64x1x1,for.arg0=65"}));
  for (const DeviceKernel &kernel : code.kernels)
    if (kernel.name.find("hidden") != std::string::npos)
      EXPECT_EQ(knownOf(kernel),
                (std::vector<std::string>{"for.block=32x1x1,for.grid=1x1x1,for.arg0=5"}));
}

TEST_F(Compile, EveryInstanceOfATemplateIsAKernel) {
  DeviceCode code = device("template <class T> __global__ void set(T *p) { *p = 1; }\n"
                           "void run(int *i, float *f) { set<<<1, 1>>>(i); set<<<1, 1>>>(f); }\n");
  ASSERT_EQ(code.kernels.size(), 2u);
  EXPECT_EQ(code.kernels[0].name, "void set<int>(int*)");
  EXPECT_EQ(code.kernels[1].name, "void set<float>(float*)");
}

TEST_F(Compile, VariablesWithKindSizeAndVisibility) {
  DeviceCode code =
      device("__device__ int counter;\n"
             "__constant__ double weights[4];\n"
             "static __device__ float table[8];\n"
             "__global__ void k(float *out) {\n"
             "  __shared__ float tile[16];\n"
             "  const int local[4] = {1, 2, 3, 4};\n"
             "  tile[0] = counter; out[0] = weights[1] + table[2] + tile[0] + local[counter];\n"
             "}\n");
  ASSERT_EQ(code.variables.size(), 3u);
  EXPECT_EQ(code.variables[0].symbol, "counter");
  EXPECT_EQ(code.variables[0].kind, DeviceVariable::Device);
  EXPECT_EQ(code.variables[0].size, 4u);
  EXPECT_FALSE(code.variables[0].internal);
  EXPECT_EQ(code.variables[1].symbol, "weights");
  EXPECT_EQ(code.variables[1].kind, DeviceVariable::Constant);
  EXPECT_EQ(code.variables[1].size, 32u);
  EXPECT_EQ(code.variables[1].align, 16u);
  EXPECT_EQ(code.variables[2].size, 32u);
  EXPECT_TRUE(code.variables[2].internal);
}

TEST_F(Compile, StaticVariableThatTheProgramNamesIsVisible) {
  DeviceCode code =
      device("static __device__ int flag;\n"
             "__global__ void k(int *out) { *out = flag; }\n"
             "void read(int *value) { cudaMemcpyFromSymbol(value, flag, sizeof(int)); }\n");
  ASSERT_EQ(code.variables.size(), 1u);
  EXPECT_FALSE(code.variables[0].internal);
}

TEST_F(Compile, ArchitectureReachesTheSource) {
  const char *text = "__global__ void k(int *out) { *out = __CUDA_ARCH__; }\n";
  for (unsigned arch : {70u, 90u}) {
    DeviceCode code = device(text, arch);
    bool found = false;
    for (const llvm::Instruction &instruction :
         llvm::instructions(*code.module->getFunction("_Z1kPi")))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        if (auto *value = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand()))
          found |= value->equalsInt(arch * 10);
    EXPECT_TRUE(found) << arch;
  }
}

TEST_F(Compile, DeviceCodeIsNotOptimisedAndNotMarkedSo) {
  DeviceCode code = device("__global__ void k(int *out) { int x = 1; *out = x; }\n");
  const llvm::Function *kernel = code.module->getFunction("_Z1kPi");
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(kernel->hasOptNone());
  EXPECT_TRUE(llvm::any_of(llvm::instructions(*kernel), [](const llvm::Instruction &instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  }));
}

TEST_F(Compile, SourceThatDoesNotCompile_IsDiagnosedByClang) {
  std::string printed = refusal("__global__ void k() { x = 1; }\n");
  EXPECT_NE(printed.find("unit.cu:1:23: error: use of undeclared identifier 'x'"),
            std::string::npos)
      << printed;
}

TEST_F(Compile, FunctionOfAnotherUnit_IsRefusedWhereItIsUsed) {
  std::string printed = refusal("extern __device__ float f(float);\n"
                                "__global__ void k(float *p) {\n"
                                "  *p = f(*p) + f(2);\n"
                                "}\n");
  EXPECT_NE(printed.find("unit.cu:3:8: error: device function 'f(float)' is not defined"),
            std::string::npos)
      << printed;
  EXPECT_EQ(printed.find("error"), printed.rfind("error")) << printed;
}

TEST_F(Compile, FunctionOfAnotherUnitThatNoKernelReaches_IsNoError) {
  DeviceCode code = device("extern __device__ float f(float);\n"
                           "__device__ float unused(float x) { return f(x); }\n"
                           "__global__ void k(float *p) { *p = 1; }\n");
  EXPECT_EQ(code.kernels.size(), 1u);
}

TEST_F(Compile, VariableOfAnotherUnit_IsRefused) {
  std::string printed = refusal("extern __device__ int other;\n"
                                "__global__ void k(int *p) { *p = other; }\n");
  EXPECT_NE(printed.find("variable 'other' is not defined in this"), std::string::npos) << printed;
}

TEST_F(Compile, LaunchFromTheDevice_IsRefused) {
  std::string printed = refusal("__global__ void inner() {}\n"
                                "__global__ void outer() { inner<<<1, 1>>>(); }\n");
  EXPECT_NE(printed.find("unit.cu:2:27: error"), std::string::npos) << printed;
}

TEST_F(Compile, TextureReference_IsAVariableThatHoldsAnObject) {
  DeviceCode code = device("static texture<float, 1> image;\n"
                           "__global__ void k(float *p) { *p = tex1Dfetch(image, 3); }\n");
  ASSERT_EQ(code.variables.size(), 1u);
  EXPECT_EQ(code.variables[0].size, 8u);
  EXPECT_FALSE(code.variables[0].internal);
  const llvm::GlobalVariable *image =
      code.module->getGlobalVariable(code.variables[0].symbol, true);
  ASSERT_TRUE(image && image->hasInitializer());
  EXPECT_TRUE(image->getInitializer()->isNullValue());
  EXPECT_FALSE(code.module->getFunction("llvm.nvvm.texsurf.handle.internal.p1"));
}

TEST_F(Compile, DeviceLibraryCallsStayCalls) {
  DeviceCode code =
      device("__global__ void k(float *p) { *p = sinf(*p) + __expf(*p); printf(\"%f\", *p); }\n");
  const llvm::Function *sine = code.module->getFunction("__nv_sinf");
  ASSERT_TRUE(sine);
  EXPECT_TRUE(sine->isDeclaration());
}

TEST_F(Compile, HostObjectHoldsTheImage) {
  write("unit.cu", "__global__ void k(int *p) { *p = 1; }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n");
  write("unit.image", "the bytes of an image");
  ASSERT_FALSE(compileHost(options, inFolder("unit.image"), inFolder("unit.o")));
  auto object = llvm::MemoryBuffer::getFile(inFolder("unit.o"));
  ASSERT_TRUE(static_cast<bool>(object));
  llvm::StringRef bytes = (*object)->getBuffer();
  EXPECT_NE(bytes.find("the bytes of an image"), llvm::StringRef::npos);
  EXPECT_NE(bytes.find(".nv_fatbin"), llvm::StringRef::npos);
  // The symbols are the runtime's own, also those that clang writes.
  for (llvm::StringRef name : {"__cudaRegisterFunction", "__cudaPopCallConfiguration",
                               "__cudaPushCallConfiguration", "cudaLaunchKernel"}) {
    std::string own = "regrain_" + name.str(), theirs = '\0' + name.str() + '\0';
    EXPECT_NE(bytes.find(own), llvm::StringRef::npos) << own;
    EXPECT_EQ(bytes.find(theirs), llvm::StringRef::npos) << name.str();
  }
}

TEST_F(Compile, SameInput_SameObject) {
  write("unit.cu", "__global__ void k(int *p) { *p = 1; }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n");
  write("unit.image", "image");
  ASSERT_FALSE(compileHost(options, inFolder("unit.image"), inFolder("1.o")));
  ASSERT_FALSE(compileHost(options, inFolder("unit.image"), inFolder("2.o")));
  auto first = llvm::MemoryBuffer::getFile(inFolder("1.o"));
  auto second = llvm::MemoryBuffer::getFile(inFolder("2.o"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*first)->getBuffer(), (*second)->getBuffer());
}

} // namespace
} // namespace regrain
