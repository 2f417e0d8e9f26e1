//===- Cluster.cpp - Clusters and state spaces in inline PTX --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

Type word{'b', 32, 1}, address{'u', 64, 1};

Value *pointerTo(Emitter &emitter, size_t operand) {
  Value *number = emitter.value(operand, address);
  return number ? emitter.builder.CreateIntToPtr(number, emitter.builder.getPtrTy()) : nullptr;
}

/// Emits barrier.cluster.arrive.relaxed.aligned and barrier.cluster.wait.acquire.aligned.
bool emitClusterBarrier(Emitter &emitter) {
  bool cluster = emitter.take("cluster"), arrives = emitter.take("arrive");
  bool waits = !arrives && emitter.take("wait");
  emitter.takeAny(arrives ? std::initializer_list<StringRef>{"release", "relaxed"}
                          : std::initializer_list<StringRef>{"acquire"});
  emitter.take("aligned");
  if (!cluster || arrives == waits || !emitter.isRead(0))
    return false;
  emitter.call(arrives ? "nvvm_barrier_cluster_arrive" : "nvvm_barrier_cluster_wait",
               emitter.builder.getVoidTy(), {});
  return true;
}

/// Emits mapa.u64 d, a, rank. Shared addresses of 32 bits are not known on every target.
bool emitMap(Emitter &emitter) {
  bool isShared = emitter.take("shared::cluster");
  std::optional<Type> type = emitter.takeType();
  if (!type || type->kind != 'u' || type->bits != 64 || !emitter.isRead(3))
    return false;
  Value *pointer = pointerTo(emitter, 1), *rank = emitter.value(2, word);
  if (!pointer || !rank)
    return false;
  StringRef function = isShared ? "nvvm_mapa_shared_cluster" : "nvvm_mapa";
  Value *mapped = emitter.call(function, emitter.builder.getPtrTy(), {pointer, rank});
  return emitter.set(0, emitter.builder.CreatePtrToInt(mapped, emitter.builder.getInt64Ty()));
}

/// Emits getctarank.u64 d, a.
bool emitRank(Emitter &emitter) {
  bool isShared = emitter.take("shared::cluster");
  std::optional<Type> type = emitter.takeType();
  if (!type || type->kind != 'u' || type->bits != 64 || !emitter.isRead(2))
    return false;
  Value *pointer = pointerTo(emitter, 1);
  StringRef function = isShared ? "nvvm_getctarank_shared_cluster" : "nvvm_getctarank";
  return pointer && emitter.set(0, emitter.call(function, emitter.builder.getInt32Ty(), {pointer}));
}

/// Emits isspacep.shared p, a.
bool emitIsSpace(Emitter &emitter) {
  StringRef space =
      emitter.takeAny({"shared::cluster", "shared::cta", "shared", "global", "local", "const"});
  if (space.empty() || !emitter.isRead(2))
    return false;
  Value *pointer = pointerTo(emitter, 1);
  std::string name = space == "shared::cluster" ? "shared_cluster"
                     : space == "shared::cta"   ? "shared"
                                                : space.str();
  return pointer && emitter.set(0, emitter.call("nvvm_isspacep_" + name,
                                                emitter.builder.getInt1Ty(), {pointer}));
}

} // namespace

bool emitCluster(Emitter &emitter, StringRef name) {
  if (name == "barrier")
    return emitClusterBarrier(emitter);
  if (name == "mapa")
    return emitMap(emitter);
  return name == "getctarank" ? emitRank(emitter) : emitIsSpace(emitter);
}

} // namespace regrain::ptx
