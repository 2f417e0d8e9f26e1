//===- user_object.cpp - Objects that live as long as graphs --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/graph_node.h"

#include <algorithm>

using namespace regrain;

namespace {

/// The program's references to an object. The object also lives as long as graphs refer to it.
struct Reference {
  std::shared_ptr<UserObject> object;
  unsigned count;
};

/// All calls hold the mutex of the graphs.
std::map<UserObject *, Reference> &references() {
  static auto *all = new std::map<UserObject *, Reference>; // graphs outlive static objects
  return *all;
}

UserObject *toObject(cudaUserObject_t handle) { return reinterpret_cast<UserObject *>(handle); }

/// Calls the body with the program's references to the object.
template <typename Body> cudaError_t withReference(cudaUserObject_t object, Body body) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    auto found = references().find(toObject(object));
    return found == references().end() ? cudaErrorInvalidValue : body(graphs, found->second);
  });
}

/// Gives up references of the program. There must be as many.
cudaError_t release(Reference &reference, unsigned count) {
  if (count == 0 || count > reference.count)
    return cudaErrorInvalidValue;
  reference.count -= count;
  if (reference.count == 0) {
    UserObject *key = reference.object.get();
    references().erase(key);
  }
  return cudaSuccess;
}

} // namespace

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned int count, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &) {
    // CUDA requires the flag: nobody can wait for the destructor.
    if (!object || !destroy || count == 0 || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    auto made = std::make_shared<UserObject>(destroy, pointer);
    std::lock_guard lock(BuiltGraphs::get().mutex);
    *object = reinterpret_cast<cudaUserObject_t>(made.get());
    references()[made.get()] = {made, count};
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return withReference(object, [&](BuiltGraphs &, Reference &reference) {
    if (count == 0)
      return cudaErrorInvalidValue;
    reference.count += count;
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return withReference(
      object, [&](BuiltGraphs &, Reference &reference) { return release(reference, count); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  return withReference(object, [&](BuiltGraphs &graphs, Reference &reference) {
    if (!graph || count == 0 || (flags & ~unsigned(cudaGraphUserObjectMove)))
      return cudaErrorInvalidValue;
    BuiltGraph *found = graphs.find(graph);
    if (!found)
      return cudaErrorNotSupported; // a captured graph
    std::shared_ptr<UserObject> kept = reference.object;
    if (flags & cudaGraphUserObjectMove)
      if (cudaError_t status = release(reference, count); status != cudaSuccess)
        return status;
    found->objects[kept] += count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  return withGraph(graph, [&](BuiltGraphs &, BuiltGraph &found) {
    auto &objects = found.objects;
    auto held = std::find_if(objects.begin(), objects.end(), [&](const auto &entry) {
      return entry.first.get() == toObject(object);
    });
    if (held == objects.end() || count == 0 || count > held->second)
      return cudaErrorInvalidValue;
    if ((held->second -= count) == 0)
      objects.erase(held);
    return cudaSuccess;
  });
}
