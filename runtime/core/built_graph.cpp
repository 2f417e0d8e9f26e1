//===- built_graph.cpp - Graphs that a program builds ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/built_graph.h"

#include <algorithm>
#include <atomic>

namespace regrain {

ConditionalNode::ConditionalNode(cudaGraphConditionalNodeType type, Condition condition,
                                 size_t bodyCount)
    : type(type), condition(std::move(condition)) {
  for (size_t i = 0; i < bodyCount; ++i) {
    bodies.push_back(std::make_shared<BuiltGraph>());
    bodies.back()->isBody = true;
    handles.push_back(reinterpret_cast<cudaGraph_t>(bodies.back().get()));
  }
}

ConditionalNode::ConditionalNode(const ConditionalNode &other)
    : type(other.type), condition(other.condition) {
  for (const std::shared_ptr<BuiltGraph> &body : other.bodies)
    bodies.push_back(std::make_shared<BuiltGraph>(*body));
}

std::vector<BuiltGraph *> BuiltGraph::Node::inner() const {
  std::vector<BuiltGraph *> graphs;
  if (child)
    graphs.push_back(child.get());
  if (conditional)
    for (const std::shared_ptr<BuiltGraph> &body : conditional->bodies)
      graphs.push_back(body.get());
  return graphs;
}

BuiltGraph::BuiltGraph(const BuiltGraph &other)
    : conditions(other.conditions), isBody(other.isBody), filled(other.filled),
      objects(other.objects), all(other.all) {
  for (Node &node : all) {
    if (node.child)
      node.child = std::make_shared<BuiltGraph>(*node.child);
    if (node.conditional)
      node.conditional = std::make_shared<ConditionalNode>(*node.conditional);
  }
}

BuiltGraph &BuiltGraph::operator=(BuiltGraph other) {
  std::swap(conditions, other.conditions);
  std::swap(isBody, other.isBody);
  std::swap(filled, other.filled);
  std::swap(objects, other.objects);
  std::swap(all, other.all);
  return *this;
}

uint64_t BuiltGraph::Node::newRevision() {
  static std::atomic<uint64_t> count = 0;
  return ++count;
}

std::vector<uint64_t> BuiltGraph::revision() const {
  std::vector<uint64_t> numbers = {all.size()};
  for (const Node &node : all) {
    numbers.insert(numbers.end(), {node.revision, node.after.size()});
    numbers.insert(numbers.end(), node.after.begin(), node.after.end());
    for (const BuiltGraph *inner : node.inner()) {
      std::vector<uint64_t> more = inner->revision();
      numbers.insert(numbers.end(), more.begin(), more.end());
    }
  }
  return numbers;
}

BuiltGraph BuiltGraph::clone() const {
  BuiltGraph copy;
  for (Node node : all) {
    node.original = node.handle;
    if (node.child)
      node.child = std::make_shared<BuiltGraph>(node.child->clone());
    copy.add(std::move(node));
  }
  copy.objects = objects;
  return copy;
}

BuiltGraph::Node *BuiltGraph::find(cudaGraphNode_t handle) {
  if (std::optional<size_t> index = indexOf(handle))
    return &all[*index];
  for (Node &node : all)
    for (BuiltGraph *inner : node.inner())
      if (Node *found = inner->find(handle))
        return found;
  return nullptr;
}

cudaGraphNode_t BuiltGraph::add(Node node) {
  // A handle is never that of a device's node, which is an address.
  static std::atomic<uintptr_t> count = 0;
  node.handle = reinterpret_cast<cudaGraphNode_t>(++count * 2 - 1);
  all.push_back(std::move(node));
  return all.back().handle;
}

std::optional<size_t> BuiltGraph::indexOf(cudaGraphNode_t handle) const {
  auto found =
      std::find_if(all.begin(), all.end(), [&](const Node &node) { return node.handle == handle; });
  return found == all.end() ? std::nullopt : std::optional<size_t>(found - all.begin());
}

cudaError_t BuiltGraph::addEdge(size_t from, size_t to) {
  std::vector<size_t> &after = all[to].after;
  if (from == to || std::find(after.begin(), after.end(), from) != after.end())
    return cudaErrorInvalidValue;
  after.push_back(from);
  return cudaSuccess;
}

cudaError_t BuiltGraph::removeEdge(size_t from, size_t to) {
  return std::erase(all[to].after, from) ? cudaSuccess : cudaErrorInvalidValue;
}

void BuiltGraph::remove(size_t index) {
  all.erase(all.begin() + index);
  for (Node &node : all) {
    std::erase(node.after, index);
    for (size_t &before : node.after)
      before -= before > index;
  }
}

BuiltGraphs &BuiltGraphs::get() {
  // The object lives as long as the process: programs destroy graphs in destructors
  // of static objects.
  static auto *graphs = new BuiltGraphs;
  return *graphs;
}

cudaGraph_t BuiltGraphs::add(BuiltGraph graph) {
  auto owned = std::make_unique<BuiltGraph>(std::move(graph));
  auto handle = reinterpret_cast<cudaGraph_t>(owned.get());
  graphs[handle] = std::move(owned);
  return handle;
}

/// Returns the first graph for which `isWanted` holds, among `graph` and the graphs that are nodes
/// of it; null if there is none.
template <typename IsWanted> static BuiltGraph *findIn(BuiltGraph &graph, IsWanted isWanted) {
  if (isWanted(graph))
    return &graph;
  for (BuiltGraph::Node &node : graph.nodes())
    for (BuiltGraph *inner : node.inner())
      if (BuiltGraph *found = findIn(*inner, isWanted))
        return found;
  return nullptr;
}

template <typename IsWanted> BuiltGraph *BuiltGraphs::findInAll(IsWanted isWanted) {
  for (auto *all : {&graphs, &conditionals})
    for (auto &[handle, graph] : *all)
      if (BuiltGraph *found = findIn(*graph, isWanted))
        return found;
  return nullptr;
}

BuiltGraph *BuiltGraphs::find(cudaGraph_t handle) {
  if (auto found = graphs.find(handle); found != graphs.end())
    return found->second.get();
  return findInAll(
      [&](BuiltGraph &each) { return reinterpret_cast<cudaGraph_t>(&each) == handle; });
}

BuiltGraph *BuiltGraphs::findWith(cudaGraphNode_t node) {
  return findInAll([&](BuiltGraph &each) { return each.indexOf(node).has_value(); });
}

BuiltGraph *BuiltGraphs::findConditionals(cudaGraph_t captured) {
  auto found = conditionals.find(captured);
  return found == conditionals.end() ? nullptr : found->second.get();
}

BuiltGraph &BuiltGraphs::conditionalsOf(cudaGraph_t captured) {
  std::unique_ptr<BuiltGraph> &graph = conditionals[captured];
  if (!graph)
    graph = std::make_unique<BuiltGraph>();
  return *graph;
}

/// Looks from `graph` towards `wanted`, which is in it, or is the same.
static const Condition *findCondition(BuiltGraph &graph, cudaGraphConditionalHandle handle,
                                      const BuiltGraph *wanted) {
  bool contains = findIn(graph, [&](BuiltGraph &each) { return &each == wanted; }) != nullptr;
  if (!contains)
    return nullptr;
  for (const Condition &condition : graph.conditions)
    if (condition.handle() == handle)
      return &condition;
  for (BuiltGraph::Node &node : graph.nodes())
    for (BuiltGraph *inner : node.inner())
      if (const Condition *found = findCondition(*inner, handle, wanted))
        return found;
  return nullptr;
}

const Condition *BuiltGraphs::findCondition(cudaGraphConditionalHandle handle, cudaGraph_t graph) {
  const BuiltGraph *wanted = find(graph);
  if (!wanted)
    wanted = findConditionals(graph);
  for (auto *all : {&graphs, &conditionals})
    for (auto &[key, each] : *all)
      if (const Condition *found = regrain::findCondition(*each, handle, wanted))
        return found;
  return nullptr;
}

bool BuiltGraphs::isUsed(cudaGraphConditionalHandle handle) {
  return findInAll([&](BuiltGraph &graph) {
    return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](BuiltGraph::Node &node) {
      return node.conditional && node.conditional->condition.handle() == handle;
    });
  });
}

/// Adds the conditions of the graph and of those in it.
static void addConditions(const BuiltGraph &graph, std::vector<Condition> &to) {
  to.insert(to.end(), graph.conditions.begin(), graph.conditions.end());
  for (const BuiltGraph::Node &node : graph.nodes())
    for (const BuiltGraph *inner : node.inner())
      addConditions(*inner, to);
}

void BuiltGraphs::setConditions(cudaGraphExec_t handle, const BuiltGraph *graph) {
  std::vector<Condition> all;
  if (graph)
    addConditions(*graph, all);
  if (all.empty()) {
    conditions.erase(handle);
    return;
  }
  conditions[handle] = std::move(all);
  hasConditions = true;
}

std::vector<Condition> BuiltGraphs::conditionsOf(cudaGraphExec_t handle) {
  if (!hasConditions)
    return {};
  std::lock_guard lock(mutex);
  auto found = conditions.find(handle);
  return found == conditions.end() ? std::vector<Condition>() : found->second;
}

bool BuiltGraphs::remove(cudaGraph_t handle) { return graphs.erase(handle) != 0; }

void BuiltGraphs::addExecutable(cudaGraphExec_t handle, BuiltGraph made) {
  executables[handle] = std::move(made);
}

BuiltGraph *BuiltGraphs::findExecutable(cudaGraphExec_t handle) {
  auto found = executables.find(handle);
  return found == executables.end() ? nullptr : &found->second;
}

void BuiltGraphs::removeExecutable(cudaGraphExec_t handle) {
  executables.erase(handle);
  flags.erase(handle);
  replacements.erase(handle);
  conditions.erase(handle);
}

std::optional<unsigned long long> BuiltGraphs::flagsOf(cudaGraphExec_t handle) const {
  auto found = flags.find(handle);
  return found == flags.end() ? std::nullopt : std::optional(found->second);
}

cudaGraphExec_t BuiltGraphs::onDevice(cudaGraphExec_t handle) {
  if (!hasReplaced)
    return handle;
  std::lock_guard lock(mutex);
  std::vector<cudaGraphExec_t> all = replacementsOf(handle);
  return all.empty() ? handle : all.back();
}

void BuiltGraphs::replaceExecutable(cudaGraphExec_t handle, cudaGraphExec_t current,
                                    BuiltGraph made) {
  replacements[handle].push_back(current);
  executables[handle] = std::move(made);
  hasReplaced = true;
}

std::vector<cudaGraphExec_t> BuiltGraphs::replacementsOf(cudaGraphExec_t handle) {
  auto found = replacements.find(handle);
  return found == replacements.end() ? std::vector<cudaGraphExec_t>() : found->second;
}

} // namespace regrain
