//===- main.cpp - regrain-footprint ---------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/amd/footprint/Pattern.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regrain::footprint;

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("amdgcn LLVM IR"));
static cl::opt<std::string> kernel("kernel", cl::Required, cl::desc("its symbol"));
static cl::opt<unsigned> rows("rows", cl::init(1), cl::desc("rows per thread"));
static cl::opt<unsigned> waves("waves", cl::init(8), cl::desc("resident waves of a SIMD unit"));
static cl::opt<unsigned> units("units", cl::init(110), cl::desc("compute units of the device"));
static cl::opt<unsigned> edge("edge", cl::init(512), cl::desc("points in x and in y"));
static cl::opt<unsigned> slices("slices", cl::init(512), cl::desc("points in z"));
static cl::opt<unsigned> mebibytes("cache", cl::init(8), cl::desc("MiB of the cache, 16 ways"));
static cl::opt<bool> patternOnly("pattern", cl::desc("print what a thread accesses, no more"));

static json::Object describe(const PointAccess &access) {
  StringRef how = access.how == Touch::Load    ? "load"
                  : access.how == Touch::Store ? "store"
                                               : "nontemporal store";
  return json::Object{{"how", how}, {"point", json::Array(access.point)}};
}

static Expected<json::Object> run() {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module)
    return createStringError(input + ": " + diagnostic.getMessage());
  auto accesses = readPattern(*module, kernel, rows);
  if (!accesses)
    return accesses.takeError();
  json::Object result;
  if (patternOnly) {
    json::Array list;
    for (const PointAccess &access : *accesses)
      list.push_back(describe(access));
    result["accesses"] = std::move(list);
    return result;
  }
  Sweep sweep;
  sweep.points = {edge, edge, slices};
  sweep.rows = rows;
  // A block of 256 threads has a wave for each of a unit's four SIMDs.
  sweep.residentBlocks = waves * units;
  CacheShape shape;
  shape.bytes = uint64_t(mebibytes) << 20;
  Traffic traffic = simulate(*accesses, sweep, shape);
  result["accesses"] = static_cast<int64_t>(accesses->size());
  result["fetchedBytes"] = static_cast<int64_t>(traffic.fetchedBytes);
  result["writtenBytes"] = static_cast<int64_t>(traffic.writtenBytes);
  return result;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv,
                              "Models what a compiled Laplacian moves to and from memory\n");
  if (rows == 0 || edge % rows || edge < 3 || slices < 3 || !waves || !units || !mebibytes) {
    errs()
        << "regrain-footprint: rows must divide the edge, which is 3 or more, as are slices; the "
           "rest is positive\n";
    return 2;
  }
  auto result = run();
  if (!result) {
    errs() << "regrain-footprint: " << toString(result.takeError()) << "\n";
    return 1;
  }
  outs() << formatv("{0:2}\n", json::Value(std::move(*result)));
  return 0;
}
