//===- Fragments.cpp - Tiles of matrices in inline PTX --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile has 8 rows of 8 elements of 16 bits. Lane t of a warp has the elements 2 * (t % 4) and the
// next of row t / 4, in one word. In memory, lane 8 * i + r has the address of row r of tile i. So
// lanes exchange addresses, and each one accesses its own word, or with .trans its own two halves.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

class Tiles {
public:
  explicit Tiles(Emitter &emitter)
      : emitter(emitter), builder(emitter.builder),
        lane(emitter.call("nvvm_read_ptx_sreg_laneid", builder.getInt32Ty(), {})) {}

  /// The row of the lane's word, and the first of its two columns.
  Value *row() { return builder.CreateLShr(lane, 2); }
  Value *column() { return builder.CreateShl(builder.CreateAnd(lane, 3), 1); }

  /// Returns `value` of another lane.
  Value *from(Value *source, Value *value) {
    Value *all = builder.getInt32(~0u), *clamp = builder.getInt32(31);
    return emitter.call("nvvm_shfl_sync_idx_i32", builder.getInt32Ty(),
                        {all, value, source, clamp});
  }

  /// No lane goes on before all have come here.
  void meet() { emitter.call("nvvm_bar_warp_sync", builder.getVoidTy(), {builder.getInt32(~0u)}); }

  /// Returns where an element of tile `tile` is. `address` is that of the lane's own row.
  Value *place(Value *address, unsigned tile, Value *row, Value *column) {
    Value *source = builder.CreateAdd(row, builder.getInt32(8 * tile));
    Value *start = sharedPointer(emitter, from(source, address));
    return builder.CreateGEP(builder.getInt16Ty(), start, column);
  }

  /// Calls `access` with the places of the lane's part of a tile, and their type: one word, or two
  /// halves that are in a column of the memory.
  template <typename Access>
  void forEachPart(Value *address, unsigned tile, bool transposes, Access access) {
    if (!transposes) {
      access(place(address, tile, row(), column()), builder.getInt32Ty(), 0);
      return;
    }
    for (unsigned half = 0; half < 2; ++half)
      access(place(address, tile, builder.CreateAdd(column(), builder.getInt32(half)), row()),
             builder.getInt16Ty(), half);
  }

private:
  Emitter &emitter;
  IRBuilder<> &builder;
  Value *lane;
};

/// Removes what ldmatrix and stmatrix have in common. Returns the number of tiles, or 0.
unsigned takeTiles(Emitter &emitter, bool &transposes) {
  bool known = emitter.take("sync") && emitter.take("aligned") && emitter.take("m8n8");
  unsigned count = StringSwitch<unsigned>(emitter.takeAny({"x1", "x2", "x4"}))
                       .Case("x1", 1)
                       .Case("x2", 2)
                       .Case("x4", 4)
                       .Default(0);
  transposes = emitter.take("trans");
  known &= !emitter.takeAny({"shared", "shared::cta"}).empty() && emitter.take("b16");
  return known && emitter.isRead(2) ? count : 0;
}

/// Returns the words of an operand if it has `count` of them; one may stand without braces.
ArrayRef<Operand> wordsOf(const Operand &operand, unsigned count) {
  if (operand.kind == Operand::Vector)
    return operand.parts.size() == count ? ArrayRef(operand.parts) : ArrayRef<Operand>();
  return count == 1 ? ArrayRef(operand) : ArrayRef<Operand>();
}

/// Returns the shared address [a+4] as a word.
Value *addressWord(Emitter &emitter, const Operand &operand) {
  Value *pointer = addressOf(emitter, operand, sharedSpace);
  return pointer ? emitter.builder.CreatePtrToInt(pointer, emitter.builder.getInt32Ty()) : nullptr;
}

/// Emits ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [address].
bool emitLoad(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  bool transposes = false;
  unsigned count = takeTiles(emitter, transposes);
  ArrayRef<Operand> operands = emitter.instruction.operands;
  ArrayRef<Operand> words = count ? wordsOf(operands[0], count) : ArrayRef<Operand>();
  Value *address = words.empty() ? nullptr : addressWord(emitter, operands[1]);
  if (!address)
    return false;
  Tiles tiles(emitter);
  SmallVector<Value *> loaded;
  for (unsigned tile = 0; tile < count; ++tile) {
    Value *word = builder.getInt32(0);
    tiles.forEachPart(
        address, tile, transposes, [&](Value *place, llvm::Type *type, unsigned part) {
          Value *bits = builder.CreateZExt(builder.CreateLoad(type, place), builder.getInt32Ty());
          word = builder.CreateOr(word, builder.CreateShl(bits, 16 * part));
        });
    loaded.push_back(word);
  }
  tiles.meet(); // what stands behind the instruction may overwrite the tiles
  for (auto [word, value] : zip_equal(words, loaded))
    if (!emitter.set(word, value))
      return false;
  return true;
}

/// Emits stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [address], {a, b, c, d}.
bool emitStore(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  bool transposes = false;
  unsigned count = takeTiles(emitter, transposes);
  ArrayRef<Operand> operands = emitter.instruction.operands;
  ArrayRef<Operand> words = count ? wordsOf(operands[1], count) : ArrayRef<Operand>();
  Value *address = words.empty() ? nullptr : addressWord(emitter, operands[0]);
  if (!address)
    return false;
  Tiles tiles(emitter);
  for (unsigned tile = 0; tile < count; ++tile) {
    Value *word = emitter.value(words[tile], builder.getInt32Ty());
    if (!word)
      return false;
    tiles.forEachPart(address, tile, transposes,
                      [&](Value *place, llvm::Type *type, unsigned part) {
                        builder.CreateStore(
                            builder.CreateTrunc(builder.CreateLShr(word, 16 * part), type), place);
                      });
  }
  return true;
}

/// Emits movmatrix.sync.aligned.m8n8.trans.b16 d, a: the elements of the lane's row in the result
/// are those of a column of a, which two lanes have.
bool emitTransposition(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  bool known = emitter.take("sync") && emitter.take("aligned") && emitter.take("m8n8") &&
               emitter.take("trans") && emitter.take("b16") && emitter.isRead(2);
  Value *word = known ? emitter.value(1, Type{'b', 32, 1}) : nullptr;
  if (!word)
    return false;
  Tiles tiles(emitter);
  Value *result = builder.getInt32(0);
  for (unsigned half = 0; half < 2; ++half) {
    Value *row = builder.CreateAdd(tiles.column(), builder.getInt32(half));
    Value *source =
        builder.CreateAdd(builder.CreateShl(row, 2), builder.CreateLShr(tiles.row(), 1));
    Value *shift = builder.CreateShl(builder.CreateAnd(tiles.row(), 1), 4);
    Value *bits = builder.CreateAnd(builder.CreateLShr(tiles.from(source, word), shift), 0xffff);
    result = builder.CreateOr(result, builder.CreateShl(bits, 16 * half));
  }
  return emitter.set(0, result);
}

} // namespace

bool emitFragment(Emitter &emitter, StringRef name) {
  if (name == "ldmatrix")
    return emitLoad(emitter);
  return name == "stmatrix" ? emitStore(emitter) : emitTransposition(emitter);
}

} // namespace regrain::ptx
