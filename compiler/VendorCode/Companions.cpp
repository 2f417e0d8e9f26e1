//===- Companions.cpp - Kernels of the vendor's compiler ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/VendorCode/Companions.h"

#include "compiler/Target/DriverFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr StringLiteral ownSuffix = "__nvcc";

/// Returns whether the vendor's compiler has added read-only data: string literals, names of
/// functions, and tables of its mathematical functions.
bool isAdded(StringRef variable) {
  return variable.starts_with("$str") || variable.starts_with("__unnamed_") ||
         variable.starts_with("__cudart_");
}

bool isShared(const PtxItem &variable) {
  return variable.text.starts_with(".shared") || variable.text.starts_with(".extern .shared");
}

/// Selects and renames items of one module.
class Taker {
public:
  Taker(const PtxModule &vendor, ArrayRef<DeviceVariable> variables, const StringSet<> &constants)
      : vendor(vendor), constants(constants) {
    for (const PtxItem &item : vendor.items)
      byName[item.name].push_back(&item);
    for (const DeviceVariable &variable : variables)
      bases[plainName(variable.symbol)].push_back(&variable);
  }

  Companions run(ArrayRef<WantedCompanion> wanted) {
    Companions result;
    result.code.version = vendor.version;
    std::vector<std::pair<const PtxItem *, const WantedCompanion *>> taken;
    for (const WantedCompanion &want : wanted) {
      const PtxItem *kernel = nullptr;
      std::string why = take(*want.kernel, kernel);
      if (why.empty())
        taken.emplace_back(kernel, &want);
      else
        result.refused[want.symbol] = why;
    }
    if (taken.empty())
      return result;
    emitReached(result.code);
    for (auto [kernel, want] : taken) {
      emitKernel(*kernel, *want, result.code.text);
      result.code.kernels.push_back({want->symbol, want->kernel->symbol});
    }
    return result;
  }

private:
  /// Finds the kernel and adds what it reaches. Returns why it cannot be taken, as one clause.
  std::string take(const DeviceKernel &kernel, const PtxItem *&found) {
    found = findKernel(kernel);
    if (!found)
      return "nvcc's code has no kernel of this name";
    std::vector<PtxParameter> expected;
    for (const DeviceKernel::Parameter &parameter : kernel.parameters)
      expected.push_back({parameter.offset, parameter.size});
    if (parametersOf(*found) != expected)
      return "its parameters in nvcc's code are laid out differently";
    StringRef header = found->text.drop_back(found->body.size());
    if (header.contains("cluster"))
      return "its blocks form clusters";
    SetVector<const PtxItem *> own;
    std::string why = reach(*found, own);
    if (why.empty())
      reached.insert(own.begin(), own.end());
    return why;
  }

  const PtxItem *findKernel(const DeviceKernel &kernel) const {
    const PtxItem *found = nullptr;
    std::string name = plainName(kernel.symbol);
    for (const PtxItem &item : vendor.items) {
      if (item.kind != PtxItem::Kind::Kernel)
        continue;
      if (item.name == kernel.symbol)
        return &item;
      if (plainName(item.name) != name)
        continue;
      if (found)
        return nullptr;
      found = &item;
    }
    return found;
  }

  /// Adds to `own` what an item reaches besides itself.
  std::string reach(const PtxItem &item, SetVector<const PtxItem *> &own) {
    if (item.body.contains(".callprototype"))
      return "it calls functions by pointers";
    if (item.body.contains("%envreg"))
      return "it needs the state of a cooperative launch";
    std::string why;
    forEachName(item, [&](StringRef name) {
      auto found = byName.find(name);
      if (why.empty() && found != byName.end())
        why = reachName(found->second, own);
    });
    return why;
  }

  std::string reachName(ArrayRef<const PtxItem *> items, SetVector<const PtxItem *> &own) {
    bool isDefined =
        any_of(items, [](auto *item) { return item->kind != PtxItem::Kind::Declaration; });
    for (const PtxItem *item : items) {
      if (own.contains(item))
        continue;
      if (item->kind == PtxItem::Kind::Kernel)
        return "it uses the address of a kernel";
      if (item->kind == PtxItem::Kind::Declaration && !isDefined && !driverDefines(item->name))
        return "it calls " + item->name.str() + ", which is not defined";
      if (item->kind == PtxItem::Kind::Variable)
        if (std::string why = placeVariable(*item); !why.empty())
          return why;
      if (renamed.contains(item->name))
        continue;
      own.insert(item);
      if (std::string why = reach(*item, own); !why.empty())
        return why;
    }
    return {};
  }

  /// Decides whose the variable is. Returns why it can be nobody's, as one clause.
  std::string placeVariable(const PtxItem &item) {
    if (item.text.contains(".texref") || item.text.contains(".surfref") ||
        item.text.contains(".samplerref"))
      return "it uses a texture reference";
    if (item.text.contains(".managed"))
      return "it uses the managed variable " + plainName(item.name);
    if (isShared(item))
      return {};
    auto base = bases.find(plainName(item.name));
    if (base == bases.end())
      return isAdded(item.name) || constants.contains(plainName(item.name))
                 ? std::string()
                 : "it uses " + plainName(item.name) + ", which Regrain's code does not have";
    const DeviceVariable &variable = *base->second.front();
    bool isConstant = item.text.contains(".const ");
    if (base->second.size() > 1 || variable.kind == DeviceVariable::Managed ||
        isConstant != (variable.kind == DeviceVariable::Constant) || sizeOf(item) != variable.size)
      return "it uses " + plainName(item.name) + ", which Regrain's code has in another form";
    renamed[item.name] = variable.symbol;
    return {};
  }

  /// Returns the name of an item in the base module.
  std::string newName(StringRef name) const {
    auto found = renamed.find(name);
    return found != renamed.end() ? found->second : (name + ownSuffix).str();
  }

  bool isTaken(StringRef name) const {
    if (renamed.contains(name))
      return true;
    auto found = byName.find(name);
    return found != byName.end() &&
           any_of(found->second, [&](auto *item) { return reached.contains(item); });
  }

  /// Returns text that lies in `item`, with the names of taken items replaced.
  std::string rename(const PtxItem &item) const {
    std::string result;
    const char *done = item.body.begin();
    forEachName(item, [&](StringRef name) {
      if (!isTaken(name) || isExternal(name))
        return;
      result.append(done, name.begin());
      result += newName(name);
      done = name.end();
    });
    result.append(done, item.body.end());
    return result;
  }

  bool isExternal(StringRef name) const {
    auto found = byName.find(name);
    return found != byName.end() && driverDefines(name) && all_of(found->second, [](auto *item) {
             return item->kind == PtxItem::Kind::Declaration;
           });
  }

  /// Returns the text before the body, with another name, and without linkage that would let other
  /// modules see it.
  static std::string headerOf(const PtxItem &item, StringRef name) {
    StringRef text = item.text;
    for (StringRef linkage : {".visible ", ".weak "})
      text.consume_front(linkage);
    StringRef header(text.begin(),
                     (item.body.empty() ? text.end() : item.body.begin()) - text.begin());
    return std::string(header.begin(), item.name.begin()) + name.str() +
           std::string(item.name.end(), header.end());
  }

  void emitReached(CompanionCode &code) const {
    for (const PtxItem &item : vendor.items) {
      if (!reached.contains(&item))
        continue;
      if (isExternal(item.name)) {
        code.externals.push_back({item.name.str(), item.text.str()});
        continue;
      }
      code.text += headerOf(item, newName(item.name)) + rename(item);
      code.text += item.kind == PtxItem::Kind::Variable && !item.body.empty() ? ";\n" : "\n";
    }
  }

  void emitKernel(const PtxItem &kernel, const WantedCompanion &want, std::string &text) const {
    text += ".visible " + headerOf(kernel, want.symbol);
    if (want.registers)
      text += ".maxnreg " + std::to_string(want.registers) + "\n";
    text += rename(kernel) + "\n";
  }

  const PtxModule &vendor;
  const StringSet<> &constants;
  StringMap<std::vector<const PtxItem *>> byName;
  StringMap<std::vector<const DeviceVariable *>> bases;
  StringMap<std::string> renamed; ///< variables of the base module
  SetVector<const PtxItem *> reached;
};

} // namespace

std::string plainName(StringRef symbol) {
  std::string name = demangle(symbol);
  constexpr StringLiteral unit = "_INTERNAL_";
  for (size_t at = name.find(unit); at != std::string::npos; at = name.find(unit, at)) {
    size_t end = name.find("::", at);
    if (end == std::string::npos)
      break;
    name.erase(at, end + 2 - at);
  }
  return name;
}

Companions takeCompanions(const PtxModule &vendor, ArrayRef<WantedCompanion> wanted,
                          ArrayRef<DeviceVariable> variables, const StringSet<> &constants) {
  return Taker(vendor, variables, constants).run(wanted);
}

} // namespace regrain
