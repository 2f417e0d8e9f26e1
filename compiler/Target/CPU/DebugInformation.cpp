//===- DebugInformation.cpp - Source lines and variables ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/DebugInformation.h"
#include "compiler/Target/CPU/Library/Machine.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstddef>

using namespace llvm;

namespace regrain::cpu {

namespace {

/// The version that the runtime reads (runtime/plugins/cpu/line_table.h).
constexpr unsigned dwarfVersion = 4;

/// Removes the operations that name an address space.
DIExpression *withoutSpace(DIExpression *expression) {
  ArrayRef<uint64_t> elements = expression->getElements();
  constexpr unsigned length = 4; // DW_OP_constu, the space, DW_OP_swap, DW_OP_xderef
  if (elements.size() < length || elements.back() != dwarf::DW_OP_xderef)
    return expression;
  return DIExpression::get(expression->getContext(), elements.drop_back(length));
}

void dropSpaces(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    SmallVector<DIGlobalVariableExpression *> described;
    variable.getDebugInfo(described);
    variable.eraseMetadata(LLVMContext::MD_dbg);
    for (DIGlobalVariableExpression *each : described)
      variable.addDebugInfo(DIGlobalVariableExpression::get(
          module.getContext(), each->getVariable(), withoutSpace(each->getExpression())));
  }
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
        record.setExpression(withoutSpace(record.getExpression()));
}

bool isInHeader(const DISubprogram *subprogram) {
  return subprogram && sys::path::filename(subprogram->getFilename()).starts_with("__clang_cuda_");
}

/// Gives what clang's headers do for CUDA, as in __trap(), the lines of their callers.
void hideHeaders(Module &module) {
  for (Function &function : module) {
    if (isInHeader(function.getSubprogram()))
      stripDebugInfo(function);
    for (Instruction &inst : instructions(function)) {
      const DILocation *place = inst.getDebugLoc();
      while (place && place->getInlinedAt() && isInHeader(place->getScope()->getSubprogram()))
        place = place->getInlinedAt();
      inst.setDebugLoc(place);
    }
  }
}

struct Coordinate {
  StringLiteral name;
  size_t offset; ///< in RegrainCpuBlock
};

constexpr Coordinate coordinates[] = {{"threadIdx", offsetof(RegrainCpuBlock, threadIdx)},
                                      {"blockIdx", offsetof(RegrainCpuBlock, blockIdx)},
                                      {"blockDim", offsetof(RegrainCpuBlock, blockDim)},
                                      {"gridDim", offsetof(RegrainCpuBlock, gridDim)}};

DIType *coordinateType(DIBuilder &builder, DIFile *file) {
  constexpr unsigned bits = 32;
  DIType *number = builder.createBasicType("unsigned int", bits, dwarf::DW_ATE_unsigned);
  SmallVector<Metadata *> members;
  for (auto [index, name] : enumerate(ArrayRef<StringRef>{"x", "y", "z"}))
    members.push_back(builder.createMemberType(file, name, file, 0, bits, bits, bits * index,
                                               DINode::FlagZero, number));
  return builder.createStructType(file, "uint3", file, 0, 3 * bits, bits, DINode::FlagZero, nullptr,
                                  builder.getOrCreateArray(members));
}

} // namespace

void reduceDebugInfo(Module &module, DebugInfo kept) {
  if (kept == DebugInfo::None) {
    StripDebugInfo(module);
    return;
  }
  if (kept == DebugInfo::Lines)
    stripNonLineTableDebugInfo(module);
  dropSpaces(module);
  hideHeaders(module);
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  module.addModuleFlag(Module::Max, "Dwarf Version", dwarfVersion);
}

void moveSubprogram(Function &source, Function &target) {
  target.setSubprogram(source.getSubprogram());
  source.setSubprogram(nullptr);
}

Function *copySubprogram(const Function &source, Function &part) {
  if (!source.getSubprogram())
    return &part;
  // Within a module, a clone gets a copy of the description.
  part.setSubprogram(source.getSubprogram());
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&part, values);
  copy->takeName(&part);
  part.replaceAllUsesWith(copy);
  part.eraseFromParent();
  return copy;
}

static void nameResumption(Function &function) {
  DISubprogram *subprogram = function.getSubprogram();
  StringRef part = function.getName().rsplit('.').second;
  if (!is_contained({"resume", "destroy", "cleanup"}, part))
    return;
  constexpr unsigned nameOperand = 2;
  LLVMContext &context = function.getContext();
  subprogram->replaceOperandWith(
      nameOperand, MDString::get(context, (subprogram->getName() + "." + part).str()));
  subprogram->replaceRawLinkageName(nullptr);
  // A debugger also takes symbols that it can demangle for names of functions.
  function.setName("regrain." + function.getName());
}

/// Reads in front of returns keep the contents of `place` beyond waits.
static void keepBeyondWaits(AllocaInst &place) {
  for (BasicBlock &block : *place.getFunction())
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()))
      new LoadInst(place.getAllocatedType(), &place, "", /*isVolatile=*/true, ret->getIterator());
}

/// Keeps the addresses of variables that are not allocas in memory. Returns the places.
static SmallVector<AllocaInst *> keepAddresses(Function &function) {
  MapVector<Value *, SmallVector<DbgVariableRecord *>> computed;
  for (Instruction &inst : instructions(function))
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
      if (Value *address = record.getVariableLocationOp(0);
          record.isDbgDeclare() && isa_and_nonnull<Instruction, Argument>(address) &&
          !isa<AllocaInst>(address))
        computed[address].push_back(&record);
  SmallVector<AllocaInst *> places;
  BasicBlock &entry = function.getEntryBlock();
  for (auto &[address, records] : computed) {
    auto *place = new AllocaInst(address->getType(), 0, "", entry.begin());
    auto *inst = dyn_cast<Instruction>(address);
    new StoreInst(address, place,
                  inst ? *inst->getInsertionPointAfterDef() : entry.getFirstNonPHIOrDbgOrAlloca());
    for (DbgVariableRecord *record : records) {
      record->replaceVariableLocationOp(0u, place);
      record->setExpression(
          DIExpression::prepend(record->getExpression(), DIExpression::DerefBefore));
    }
    places.push_back(place);
  }
  return places;
}

void describeCoroutine(Function &function) {
  nameResumption(function);
  keepAddresses(function);
}

/// Returns the first instruction of the body that has a line: parameters have been stored before
/// it.
static Instruction &firstWithLine(Function &function) {
  for (Instruction &inst : instructions(function))
    if (inst.getDebugLoc() && !isa<AllocaInst>(inst))
      return inst;
  return *function.getEntryBlock().getTerminator();
}

/// The variables lie in the block's description, to which the first field of the context points. A
/// debugger stops at the last instruction that is inserted there, because it is the first with a
/// line.
static AllocaInst *describeCoordinates(Function &function, Value &context) {
  DISubprogram *subprogram = function.getSubprogram();
  DIBuilder types(*function.getParent(), /*AllowUnresolved=*/false, subprogram->getUnit());
  DIFile *file = subprogram->getFile();
  DIType *type = coordinateType(types, file);
  BasicBlock &entry = function.getEntryBlock();
  AllocaInst *place =
      IRBuilder<>(&entry, entry.begin()).CreateAlloca(PointerType::getUnqual(entry.getContext()));
  Instruction &first = firstWithLine(function);
  const DILocation *line = first.getDebugLoc();
  while (line && line->getInlinedAt())
    line = line->getInlinedAt();
  DILocation *where = DILocation::get(
      function.getContext(), line ? line->getLine() : subprogram->getLine(), 0, subprogram);
  IRBuilder<> builder(&first);
  builder.SetCurrentDebugLocation(DebugLoc());
  builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), &context), place);
  builder.SetCurrentDebugLocation(where);
  builder.CreateLoad(builder.getPtrTy(), place, /*isVolatile=*/true);
  for (const Coordinate &coordinate : coordinates) {
    DILocalVariable *variable = types.createAutoVariable(
        subprogram, coordinate.name, file, subprogram->getLine(), type, /*AlwaysPreserve=*/false);
    uint64_t inBlock[] = {dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, coordinate.offset};
    types.insertDeclare(place, variable, types.createExpression(inBlock), where, &first);
  }
  return place;
}

void describeVariables(Function &function, Value &context) {
  SmallVector<AllocaInst *> places = keepAddresses(function);
  places.push_back(describeCoordinates(function, context));
  for (AllocaInst *place : places)
    keepBeyondWaits(*place);
}

} // namespace regrain::cpu
