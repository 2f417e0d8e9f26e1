//===- InlineAssembly.cpp - Inline PTX to LLVM IR -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/InlineAssembly.h"

#include "compiler/Target/Ptx/Emitter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain {

namespace {

/// The attribute of a call that names the instruction that is not known.
constexpr StringLiteral unknownAttribute = "regrain-unknown-ptx";

using Emit = bool (*)(ptx::Emitter &, StringRef);

Emit emitterFor(const ptx::Instruction &instruction) {
  bool isFloat = StringRef(instruction.opcode.back()).starts_with("f");
  Emit arithmetic = isFloat ? ptx::emitFloating : ptx::emitInteger;
  return StringSwitch<Emit>(instruction.opcode.front())
      .Cases("add", "sub", "mul", "mad", "div", "min", "max", "abs", "neg", arithmetic)
      .Cases("addc", "subc", "madc", "mul24", "mad24", "sad", "rem", ptx::emitInteger)
      .Cases("fma", "copysign", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh",
             ptx::emitFloating)
      .Cases("and", "or", "xor", "not", "cnot", "shl", "shr", "popc", "clz", "brev", ptx::emitBits)
      .Cases("bfind", "bmsk", "prmt", "lop3", "bfe", "bfi", "shf", "szext", "fns", ptx::emitBits)
      .Cases("mov", "cvt", "cvta", ptx::emitMove)
      .Cases("setp", "set", "selp", "slct", ptx::emitComparison)
      .Cases("ld", "ldu", "st", "atom", "red", "createpolicy", ptx::emitMemory)
      .Case("cp", ptx::emitCopy)
      .Cases("tex", "tld4", "suld", "sust", ptx::emitTexture)
      .Cases("vadd2", "vsub2", "vavrg2", "vmin2", "vmax2", "vabsdiff2", "vset2", ptx::emitVideo)
      .Cases("vadd4", "vsub4", "vavrg4", "vmin4", "vmax4", "vabsdiff4", "vset4", "dp4a", "dp2a",
             ptx::emitVideo)
      .Cases("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset", "vshl", "vshr", ptx::emitWordVideo)
      .Cases("ldmatrix", "stmatrix", "movmatrix", ptx::emitFragment)
      .Case("mma", ptx::emitMatrix)
      .Cases("mapa", "getctarank", "isspacep", ptx::emitCluster)
      .Case("barrier",
            is_contained(instruction.opcode, "cluster") ? ptx::emitCluster : ptx::emitLibraryCall)
      .Default(ptx::emitLibraryCall);
}

/// Returns whether lanes that do not run the instruction matter to those that do.
bool concernsOthers(const ptx::Instruction &instruction) {
  return StringSwitch<bool>(instruction.opcode.front())
      .Cases("bar", "barrier", "shfl", "vote", "match", "mma", "redux", "activemask", true)
      .Cases("ldmatrix", "stmatrix", "movmatrix", true)
      .Default(false);
}

bool accessesMemory(const ptx::Program &program) {
  return any_of(program.instructions, [](const ptx::Instruction &instruction) {
    return StringSwitch<bool>(instruction.opcode.front())
        .Cases("ld", "ldu", "st", "atom", "red", "cp", "suld", "sust", "ldmatrix", "stmatrix", true)
        .Default(false);
  });
}

/// Builds a function that does what `assembly` does. It is discarded if an instruction is not
/// known; otherwise it is inlined in place of the call.
class Translation {
public:
  explicit Translation(CallInst &assembly)
      : assembly(assembly),
        function(Function::Create(assembly.getFunctionType(), GlobalValue::InternalLinkage,
                                  "regrain.assembly", assembly.getModule())),
        builder(BasicBlock::Create(assembly.getContext(), "", function)) {}

  /// Returns an empty string, or the instruction that is not known.
  std::string run() {
    std::string unknown;
    auto *text = cast<InlineAsm>(assembly.getCalledOperand());
    std::optional<ptx::Program> program = ptx::parse(text->getAsmString(), unknown);
    if (program && !makeRegisters(*text, *program))
      unknown = ptx::onOneLine(text->getAsmString());
    // Accesses that the program orders stay in order.
    bool orders = text->hasSideEffects() && program &&
                  (accessesMemory(*program) || program->instructions.empty());
    if (orders)
      fence();
    if (unknown.empty())
      unknown = emitAll(*program);
    if (!unknown.empty()) {
      function->eraseFromParent();
      return unknown;
    }
    if (orders)
      fence();
    finish();
    return "";
  }

private:
  void fence() {
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  }

  /// Creates variables for outputs ("+r" starts with its input) and values for inputs.
  bool makeRegisters(const InlineAsm &text, const ptx::Program &program) {
    llvm::Type *result = assembly.getType();
    unsigned outputs = 0, input = 0;
    for (const InlineAsm::ConstraintInfo &constraint : text.ParseConstraints()) {
      if (constraint.Type == InlineAsm::isClobber)
        continue;
      if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel)
        return false;
      if (constraint.Type == InlineAsm::isOutput) {
        auto *several = dyn_cast<StructType>(result);
        addArgument(builder.CreateAlloca(several ? several->getElementType(outputs) : result),
                    true);
        ++outputs;
        continue;
      }
      Value *value = assembly.getArgOperand(input);
      if (!isa<Constant>(value))
        value = function->getArg(input);
      startOutput(constraint, value);
      addArgument(value, false);
      ++input;
    }
    for (ptx::Type type : program.registers)
      registers.declared.push_back(builder.CreateAlloca(builder.getIntNTy(type.bits)));
    registers.carry = builder.CreateAlloca(builder.getInt1Ty());
    builder.CreateStore(builder.getFalse(), registers.carry);
    return true;
  }

  void addArgument(Value *value, bool isOutput) {
    registers.arguments.push_back(value);
    registers.isOutput.push_back(isOutput);
  }

  /// Initialises an output with the input of "+r", whose constraint is the number of the output.
  void startOutput(const InlineAsm::ConstraintInfo &constraint, Value *value) {
    unsigned output = 0;
    if (constraint.Codes.size() == 1 && !StringRef(constraint.Codes[0]).getAsInteger(10, output) &&
        output < registers.arguments.size() && registers.isOutput[output])
      builder.CreateStore(value, registers.arguments[output]);
  }

  /// Returns an empty string, or the instruction that is not known.
  std::string emitAll(const ptx::Program &program) {
    for (size_t label = 0; label < program.labels.size(); ++label)
      labels.push_back(BasicBlock::Create(assembly.getContext(), "", function));
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      startLabels(program, i);
      if (!emit(program.instructions[i]))
        return program.instructions[i].text;
    }
    startLabels(program, program.instructions.size());
    return "";
  }

  /// Goes on in the blocks of the labels in front of an instruction.
  void startLabels(const ptx::Program &program, size_t instruction) {
    for (auto [block, behind] : zip_equal(labels, program.labels))
      if (behind == instruction) {
        builder.CreateBr(block);
        builder.SetInsertPoint(block);
      }
  }

  /// Emits bra; what stands behind it is in a block of its own.
  bool emitBranch(const ptx::Instruction &instruction) {
    ArrayRef<std::string> rest = ArrayRef(instruction.opcode).drop_front();
    if (!rest.empty() && rest != ArrayRef<std::string>{"uni"})
      return false;
    builder.CreateBr(labels[instruction.operands.front().number]);
    builder.SetInsertPoint(BasicBlock::Create(assembly.getContext(), "", function));
    return true;
  }

  bool emit(const ptx::Instruction &instruction) {
    // The lanes that come to an instruction behind a branch may be fewer.
    if (!labels.empty() && concernsOthers(instruction))
      return false;
    if (!instruction.guard)
      return emitUnguarded(instruction);
    ptx::Emitter emitter(builder, registers, instruction);
    Value *runs = emitter.value(*instruction.guard, builder.getInt1Ty());
    if (!runs || concernsOthers(instruction))
      return false;
    auto *then = BasicBlock::Create(assembly.getContext(), "", function);
    auto *after = BasicBlock::Create(assembly.getContext(), "", function);
    builder.CreateCondBr(runs, then, after);
    builder.SetInsertPoint(then);
    bool known = emitUnguarded(instruction);
    builder.CreateBr(after);
    builder.SetInsertPoint(after);
    return known;
  }

  bool emitUnguarded(const ptx::Instruction &instruction) {
    if (instruction.opcode.front() == "bra")
      return emitBranch(instruction);
    ptx::Emitter emitter(builder, registers, instruction);
    return emitterFor(instruction)(emitter, instruction.opcode.front());
  }

  /// Returns the contents of the outputs and replaces the assembly.
  void finish() {
    if (assembly.getType()->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      SmallVector<Value *> results;
      for (auto [value, isOutput] : zip_equal(registers.arguments, registers.isOutput))
        if (isOutput)
          results.push_back(builder.CreateLoad(cast<AllocaInst>(value)->getAllocatedType(), value));
      if (assembly.getType()->isStructTy())
        builder.CreateAggregateRet(results.data(), results.size());
      else
        builder.CreateRet(results.front());
    }
    EliminateUnreachableBlocks(*function); // those behind branches
    auto *call = CallInst::Create(function, SmallVector<Value *>(assembly.args()), "",
                                  assembly.getIterator());
    call->setDebugLoc(assembly.getDebugLoc());
    assembly.replaceAllUsesWith(call);
    assembly.eraseFromParent();
    InlineFunctionInfo info;
    InlineFunction(*call, info, false, nullptr, /*InsertLifetime=*/false);
    function->eraseFromParent();
  }

  CallInst &assembly;
  Function *function;
  IRBuilder<> builder;
  ptx::Registers registers;
  std::vector<BasicBlock *> labels; ///< by number
};

} // namespace

std::string assemblyText(const CallInst &call) {
  Attribute unknown = call.getFnAttr(unknownAttribute);
  return unknown.isValid()
             ? unknown.getValueAsString().str()
             : ptx::onOneLine(cast<InlineAsm>(call.getCalledOperand())->getAsmString());
}

void lowerInlineAssembly(CallInst &call) {
  std::string unknown = Translation(call).run();
  if (!unknown.empty())
    call.addFnAttr(Attribute::get(call.getContext(), unknownAttribute, unknown));
}

void lowerInlineAssembly(Module &module, function_ref<bool(const CallInst &)> isKept) {
  SmallVector<CallInst *> calls; // what replaces them may have branches
  for (Function &function : module)
    for (Instruction &one : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&one); call && call->isInlineAsm() && !isKept(*call))
        calls.push_back(call);
  for (CallInst *call : calls)
    lowerInlineAssembly(*call);
  for (Function &function : module)
    if (StringRef name = function.getName();
        function.isDeclaration() && name.consume_front("nvvm_")) {
      std::string parts = name.str();
      std::replace(parts.begin(), parts.end(), '_', '.');
      function.setName("llvm.nvvm." + parts);
    }
}

} // namespace regrain
