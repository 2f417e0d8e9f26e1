//===- Texture.cpp - Textures and surfaces in inline PTX ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions become calls of the functions of Target/Library/Textures.inc, to which a texture
// or surface object is the address of a descriptor.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

#include "runtime/core/texture_descriptor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

constexpr Type word{'b', 32, 1}, address{'b', 64, 1}, real{'f', 32, 1};

/// The coordinates of one kind of texture, in the order of their operands: first the layer, if
/// there is one, then `axes` others. What follows up to a multiple of the vector's size is ignored.
struct Shape {
  RegrainTextureGeometry geometry;
  bool isLayered;
  unsigned axes;
};

std::optional<Shape> takeShape(Emitter &emitter) {
  StringRef name = emitter.takeAny({"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"});
  return StringSwitch<std::optional<Shape>>(name)
      .Case("1d", Shape{REGRAIN_TEXTURE_1D, false, 1})
      .Case("2d", Shape{REGRAIN_TEXTURE_2D, false, 2})
      .Case("3d", Shape{REGRAIN_TEXTURE_3D, false, 3})
      .Case("a1d", Shape{REGRAIN_TEXTURE_1D_LAYERED, true, 1})
      .Case("a2d", Shape{REGRAIN_TEXTURE_2D_LAYERED, true, 2})
      .Case("cube", Shape{REGRAIN_TEXTURE_CUBE, false, 3})
      .Case("acube", Shape{REGRAIN_TEXTURE_CUBE_LAYERED, true, 3})
      .Default(std::nullopt);
}

/// Returns the elements of {a, b}, or the operand itself.
ArrayRef<Operand> elementsOf(const Operand &operand) {
  return operand.kind == Operand::Vector ? ArrayRef<Operand>(operand.parts)
                                         : ArrayRef<Operand>(operand);
}

/// Appends `count` elements of `operand` from `first` on as values of `type`, and zeros up to
/// three.
bool appendAxes(Emitter &emitter, const Operand &operand, size_t first, unsigned count, Type type,
                SmallVectorImpl<Value *> &out) {
  ArrayRef<Operand> elements = elementsOf(operand);
  llvm::Type *llvmType = emitter.llvmType(type);
  if (elements.size() < first + count)
    return false;
  for (unsigned i = 0; i < 3; ++i) {
    Value *value =
        i < count ? emitter.value(elements[first + i], llvmType) : Constant::getNullValue(llvmType);
    if (!value)
      return false;
    out.push_back(value);
  }
  return true;
}

/// Appends the object, the layer and three coordinates of [object, {coordinates}].
bool appendPlace(Emitter &emitter, const Operand &operand, const Shape &shape, Type type,
                 SmallVectorImpl<Value *> &out) {
  if (operand.kind != Operand::Memory || operand.parts.size() != 2 || operand.number)
    return false;
  const Operand &coordinates = operand.parts[1];
  llvm::Type *integer = emitter.llvmType(word);
  Value *object = emitter.value(operand.parts[0], emitter.llvmType(address));
  Value *layer = shape.isLayered ? emitter.value(elementsOf(coordinates)[0], integer)
                                 : Constant::getNullValue(integer);
  if (!object || !layer)
    return false;
  out.append({object, layer});
  return appendAxes(emitter, coordinates, shape.isLayered, shape.axes, type, out);
}

llvm::Type *texelType(Emitter &emitter) {
  return FixedVectorType::get(emitter.builder.getInt32Ty(), 4);
}

/// Writes the four words of a texel. In {r, g, b, a}|p, the predicate says that the texel is
/// resident, which all are where there are no sparse arrays.
bool setTexel(Emitter &emitter, Value *texel) {
  const Operand &result = emitter.instruction.operands[0];
  bool hasResidency = result.kind == Operand::Pair;
  const Operand &to = hasResidency ? result.parts[0] : result;
  if (to.kind != Operand::Vector || to.parts.size() != 4 ||
      (hasResidency && !emitter.set(result.parts[1], emitter.builder.getTrue())))
    return false;
  for (auto [i, part] : enumerate(to.parts))
    if (!emitter.set(part, emitter.builder.CreateExtractElement(texel, i)))
      return false;
  return true;
}

/// Removes the types of the result and the coordinates; returns the latter.
std::optional<Type> takeTexelTypes(Emitter &emitter) {
  std::optional<Type> coordinates = emitter.takeType(), result = emitter.takeType();
  bool isKnown = coordinates && result && emitter.take("v4") && coordinates->bits == 32 &&
                 result->bits == 32 && coordinates->lanes == 1 && result->lanes == 1;
  return isKnown ? coordinates : std::nullopt;
}

/// Emits tex.1d.v4.f32.s32, which addresses an element.
bool emitFetch(Emitter &emitter) {
  SmallVector<Value *> place;
  if (!emitter.isRead(2) || !appendPlace(emitter, emitter.instruction.operands[1],
                                         {REGRAIN_TEXTURE_1D, false, 1}, word, place))
    return false;
  return setTexel(emitter,
                  emitter.call("regrain_texture_fetch", texelType(emitter), {place[0], place[2]}));
}

/// Emits tex.level.2d.v4.f32.f32 {r, g, b, a}, [object, {x, y}], level and the forms with two
/// gradients, {dx, dy}, or with neither, which read the first level.
bool emitFiltered(Emitter &emitter) {
  StringRef mode = emitter.takeAny({"base", "level", "grad"});
  std::optional<Shape> shape = takeShape(emitter);
  std::optional<Type> coordinates = takeTexelTypes(emitter);
  if (!shape || !coordinates)
    return false;
  if (coordinates->isSigned())
    return shape->geometry == REGRAIN_TEXTURE_1D && mode.empty() && emitFetch(emitter);
  ArrayRef<Operand> operands = emitter.instruction.operands;
  SmallVector<Value *> arguments = {emitter.builder.getInt32(shape->geometry)};
  if (!coordinates->isFloat() ||
      !emitter.isRead(mode == "grad"    ? 4
                      : mode == "level" ? 3
                                        : 2) ||
      !appendPlace(emitter, operands[1], *shape, real, arguments))
    return false;
  if (mode == "grad") {
    if (!appendAxes(emitter, operands[2], 0, shape->axes, real, arguments) ||
        !appendAxes(emitter, operands[3], 0, shape->axes, real, arguments))
      return false;
    return setTexel(emitter,
                    emitter.call("regrain_texture_gradient", texelType(emitter), arguments));
  }
  Value *level =
      mode == "level" ? emitter.value(2, real) : ConstantFP::get(emitter.llvmType(real), 0);
  if (!level)
    return false;
  arguments.push_back(level);
  return setTexel(emitter, emitter.call("regrain_texture_sample", texelType(emitter), arguments));
}

/// Emits tld4.r.2d.v4.f32.f32 {a, b, c, d}, [object, {x, y}].
bool emitGather(Emitter &emitter) {
  StringRef channel = emitter.takeAny({"r", "g", "b", "a"});
  bool isPlane = emitter.take("2d");
  std::optional<Type> coordinates = takeTexelTypes(emitter);
  SmallVector<Value *> place;
  if (channel.empty() || !isPlane || !coordinates || !coordinates->isFloat() ||
      !emitter.isRead(2) ||
      !appendPlace(emitter, emitter.instruction.operands[1], {REGRAIN_TEXTURE_2D, false, 2}, real,
                   place))
    return false;
  Value *number = emitter.builder.getInt32(uint32_t(StringRef("rgba").find(channel)));
  return setTexel(emitter, emitter.call("regrain_texture_gather", texelType(emitter),
                                        {number, place[0], place[2], place[3]}));
}

/// An access to a surface: the elements of `operand` are registers of `type`.
struct SurfaceAccess {
  Type type;
  ArrayRef<Operand> elements;
  SmallVector<Value *> arguments;

  unsigned bits() const { return type.bits * unsigned(elements.size()); }
};

/// Reads the opcode, the place and the operand with the datum. x is in bytes.
std::optional<SurfaceAccess> takeAccess(Emitter &emitter, size_t place, size_t datum) {
  IRBuilder<> &builder = emitter.builder;
  StringRef boundary = emitter.takeAny({"trap", "clamp", "zero"});
  bool isBytes = emitter.take("b");
  std::optional<Type> type = emitter.takeType();
  std::optional<Shape> shape = takeShape(emitter);
  unsigned count = emitter.take("v2") ? 2 : emitter.take("v4") ? 4 : 1;
  if (!isBytes || boundary.empty() || !type || type->kind != 'b' || !shape ||
      shape->geometry >= REGRAIN_TEXTURE_CUBE || !emitter.isRead(2) || type->bits * count > 128)
    return std::nullopt;
  SurfaceAccess access = {*type, elementsOf(emitter.instruction.operands[datum]), {}};
  if (access.elements.size() != count)
    return std::nullopt;
  uint32_t outside = boundary == "trap"    ? REGRAIN_SURFACE_TRAP
                     : boundary == "clamp" ? REGRAIN_SURFACE_CLAMP
                                           : REGRAIN_SURFACE_ZERO;
  access.arguments = {builder.getInt32(shape->geometry), builder.getInt32(outside),
                      builder.getInt32(access.bits() / 8)};
  if (!appendPlace(emitter, emitter.instruction.operands[place], *shape, word, access.arguments))
    return std::nullopt;
  return access;
}

/// Emits suld.b.2d.v2.b32.trap {a, b}, [object, {x, y}].
bool emitSurfaceLoad(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<SurfaceAccess> access = takeAccess(emitter, 1, 0);
  if (!access)
    return false;
  Value *all = builder.CreateBitCast(
      emitter.call("regrain_surface_load", texelType(emitter), access->arguments),
      builder.getInt128Ty());
  for (auto [i, element] : enumerate(access->elements)) {
    Value *part = builder.CreateTrunc(builder.CreateLShr(all, i * access->type.bits),
                                      builder.getIntNTy(access->type.bits));
    if (!emitter.set(element, part, /*extend=*/true))
      return false;
  }
  return true;
}

/// Emits sust.b.2d.v2.b32.trap [object, {x, y}], {a, b}.
bool emitSurfaceStore(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<SurfaceAccess> access = takeAccess(emitter, 0, 1);
  if (!access)
    return false;
  Value *all = builder.getIntN(128, 0);
  for (auto [i, element] : enumerate(access->elements)) {
    Value *part = emitter.value(element, builder.getIntNTy(access->type.bits), /*cut=*/true);
    if (!part)
      return false;
    part =
        builder.CreateShl(builder.CreateZExt(part, builder.getInt128Ty()), i * access->type.bits);
    all = builder.CreateOr(all, part);
  }
  access->arguments.push_back(builder.CreateBitCast(all, texelType(emitter)));
  emitter.call("regrain_surface_store", builder.getVoidTy(), access->arguments);
  return true;
}

} // namespace

bool emitTexture(Emitter &emitter, StringRef name) {
  if (name == "tex")
    return emitFiltered(emitter);
  if (name == "tld4")
    return emitGather(emitter);
  return name == "suld" ? emitSurfaceLoad(emitter) : emitSurfaceStore(emitter);
}

} // namespace regrain::ptx
