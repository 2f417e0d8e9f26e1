//===- registry.cpp - Registered images, kernels and variables ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/registry.h"

#include "runtime/core/array_table.h"
#include "runtime/core/built_graph.h"
#include "runtime/core/graph_memory.h"
#include "runtime/core/libraries.h"
#include "runtime/core/settings.h"
#include "runtime/core/stream_captures.h"
#include "runtime/core/thread_state.h"
#include "runtime/image/grain.h"

#include <algorithm>
#include <link.h>
#include <pthread.h>

namespace regrain {
namespace {

/// A program or library that the loader has mapped.
struct Place {
  uintptr_t address;
  const void *object = nullptr; ///< identifies it; null: no loader mapped the address
  uint64_t available = 0;       ///< bytes from the address to the end of its segment
};

Place placeOf(const void *data) {
  Place place{reinterpret_cast<uintptr_t>(data)};
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *out) {
        auto &place = *static_cast<Place *>(out);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr) &segment = object->dlpi_phdr[i];
          uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || place.address < begin ||
              place.address - begin >= segment.p_memsz)
            continue;
          place.object = object->dlpi_phdr;
          place.available = segment.p_memsz - (place.address - begin);
          return 1;
        }
        return 0;
      },
      &place);
  return place;
}

/// Returns the number of bytes that can be read at `data`: up to the end of its
/// segment. The size that the image states is not trusted beyond that.
uint64_t mappedBytesFrom(const void *data) {
  Place place = placeOf(data);
  // Otherwise, a program registered memory for itself.
  return place.object ? place.available : UINT64_MAX;
}

/// If a program and its libraries define the same visible name, the loader has bound them all to
/// one definition. Its own registration then comes first.
template <typename T> void putOwnersFirst(std::vector<std::pair<const void *, T *>> &entries) {
  std::vector<const void *> addresses;
  for (const auto &entry : entries)
    addresses.push_back(entry.first);
  std::sort(addresses.begin(), addresses.end());
  if (std::adjacent_find(addresses.begin(), addresses.end()) == addresses.end())
    return;
  std::vector<std::pair<const void *, T *>> owners, others;
  for (const auto &entry : entries) {
    bool isOwner = placeOf(entry.first).object == placeOf(entry.second->image->code()).object;
    (isOwner ? owners : others).push_back(entry);
  }
  owners.insert(owners.end(), others.begin(), others.end());
  entries = std::move(owners);
}

bool isEmpty(const image::Image &image) {
  return (!image.kernels() || image.kernels()->size() == 0) &&
         (!image.variables() || image.variables()->size() == 0);
}

/// Returns whether a grain is for launches whose pointers point into different allocations.
bool isForApart(const image::Alternative *alternative) {
  OrError<GrainSpec> spec = parseGrainSpec(alternative->id()->string_view());
  return spec && spec->grain.known.disjoint;
}

bool hasCodeForApart(const image::Image &image) {
  return image.kernels() &&
         std::any_of(image.kernels()->begin(), image.kernels()->end(), [](auto *kernel) {
           return std::any_of(kernel->alternatives()->begin(), kernel->alternatives()->end(),
                              isForApart);
         });
}

} // namespace

void RegisteredVariable::setManaged(void *memory, int ordinal) {
  managedOn.store(ordinal, std::memory_order_relaxed);
  managedMemory.store(memory, std::memory_order_release);
  std::atomic_ref(*static_cast<void **>(hostVariable)).store(memory, std::memory_order_release);
}

void RegisteredVariable::dropManaged() {
  if (!managedMemory.exchange(nullptr))
    return;
  std::atomic_ref(*static_cast<void **>(hostVariable)).store(nullptr, std::memory_order_release);
  managedOn.store(-1, std::memory_order_relaxed);
}

void RegisteredKernel::dropPlans() {
  for (auto &plan : plans)
    delete plan.exchange(nullptr);
}

const OpenedImage &RegisteredImage::open() {
  std::call_once(openedOnce, [this] {
    if (isForeign()) {
      std::vector<const char *> symbols;
      for (auto &kernel : kernels)
        symbols.push_back(kernel->symbol);
      described = describeFatBinary(data, symbols);
      opened.status = ImageStatus::Ok;
      opened.image = image::GetImage(described.data());
    } else if (data) {
      opened = openImage(data, mappedBytesFrom(data));
    }
    if (opened.status == ImageStatus::Ok)
      isForApart = ::regrain::hasCodeForApart(*opened.image);
    else
      say("a module of the program cannot be used: " + (data ? opened.message : "it is null") +
          "; rebuild the program");
  });
  return opened;
}

bool RegisteredImage::hasCodeForApart() {
  return !isForeign() && open().status == ImageStatus::Ok && isForApart;
}

void RegisteredImage::sayForeign(const char *kernel) {
  std::call_once(foreignSaidOnce, [&] {
    say(std::string("kernel ") + kernel +
        " does not run: another compiler made its object, for NVIDIA GPUs that are not here; "
        "compile the source with Regrain");
  });
}

cudaError_t RegisteredImage::loadedOn(OpenDevice &device, LoadedImage *&out) {
  const OpenedImage &checked = open();
  if (checked.status != ImageStatus::Ok)
    return cudaErrorInvalidKernelImage;
  std::lock_guard lock(loading);
  std::unique_ptr<LoadedImage> &slot = loaded[device.ordinal];
  if (!slot && isManagedElsewhere(device.ordinal)) {
    say("the program has managed variables, which are on one device only; it uses a second one");
    return cudaErrorNotSupported;
  }
  if (!slot)
    slot = std::make_unique<LoadedImage>(*checked.image, device);
  out = slot.get();
  return cudaSuccess;
}

/// Returns whether another device has code with managed variables of the image. Each device's code
/// has memory of its own for them, and the program expects one memory.
bool RegisteredImage::isManagedElsewhere(int ordinal) const {
  const auto *variables = opened.image->variables();
  bool hasManaged =
      variables && std::any_of(variables->begin(), variables->end(), [](auto *variable) {
        return variable->kind() == image::VariableKind::Managed;
      });
  for (size_t other = 0; hasManaged && other < loaded.size(); ++other)
    if (loaded[other] && other != size_t(ordinal))
      return true;
  return false;
}

void RegisteredImage::dropManaged(int ordinal) {
  for (auto &variable : variables)
    if (variable->managedOn == ordinal)
      variable->dropManaged();
}

void RegisteredImage::addVariables(int ordinal, std::vector<Allocation> &out) {
  std::lock_guard lock(loading);
  if (loaded[ordinal])
    loaded[ordinal]->addVariables(out);
}

std::unique_ptr<LoadedImage> RegisteredImage::take(int ordinal) {
  for (auto &kernel : kernels)
    delete kernel->plans[ordinal].exchange(nullptr);
  dropManaged(ordinal);
  std::lock_guard lock(loading);
  return std::move(loaded[ordinal]);
}

/// Creates what calls create at their first use. A child would wait for ever for an object that
/// another thread of its parent was creating.
static void createTables() {
  ArrayTable::get();
  BuiltGraphs::get();
  GraphMemory::get();
  Libraries::get();
  StreamCaptures::get();
}

/// A child that is forked before the first use of a device may use one, and each child unregisters
/// its images when it exits. So fork() waits until the registry is in no other thread's hands. No
/// code under this lock forks, nor waits for another thread.
Registry::Registry() {
  auto take = [] {
    createTables();
    get().changing.lock();
  };
  auto release = [] { get().changing.unlock(); };
  if (pthread_atfork(take, release, release) != 0)
    say("pthread_atfork failed: a child process that the program forks may hang");
}

Registry &Registry::get() {
  // The object lives as long as the process: objects unregister after static
  // destruction.
  static Registry *registry = new Registry;
  return *registry;
}

RegisteredImage *Registry::addImage(const void *data, bool answersAsCuda13) {
  std::lock_guard lock(changing);
  images.push_back(std::make_unique<RegisteredImage>(data, answersAsCuda13));
  return images.back().get();
}

void Registry::addKernel(RegisteredImage *image, const void *hostFunction, const char *symbol) {
  auto kernel = std::make_unique<RegisteredKernel>();
  kernel->image = image;
  kernel->hostFunction = hostFunction;
  kernel->symbol = symbol;
  std::lock_guard lock(changing);
  image->kernels.push_back(std::move(kernel));
  current.store(nullptr, std::memory_order_release);
}

void Registry::addVariable(RegisteredImage *image, void *hostVariable, const char *symbol,
                           size_t bytes) {
  std::lock_guard lock(changing);
  image->variables.push_back(
      std::make_unique<RegisteredVariable>(image, hostVariable, symbol, bytes));
  current.store(nullptr, std::memory_order_release);
}

const Registry::Tables &Registry::rebuild() {
  std::lock_guard lock(changing);
  if (const Tables *tables = current.load(std::memory_order_acquire))
    return *tables;
  std::vector<std::pair<const void *, RegisteredKernel *>> kernels;
  std::vector<std::pair<const void *, RegisteredVariable *>> variables;
  for (auto &image : images) {
    for (auto &kernel : image->kernels)
      kernels.push_back({kernel->hostFunction, kernel.get()});
    for (auto &variable : image->variables)
      variables.push_back({variable->hostVariable, variable.get()});
  }
  putOwnersFirst(kernels);
  putOwnersFirst(variables);
  auto built = std::make_unique<Tables>();
  built->kernels.fill(kernels);
  built->variables.fill(variables);
  const Tables &result = *built;
  tables.push_back(std::move(built));
  current.store(&result, std::memory_order_release);
  return result;
}

RegisteredVariable *Registry::managedVariable(const void *memory) {
  std::lock_guard lock(changing);
  for (auto &image : images)
    for (auto &variable : image->variables)
      if (memory && variable->managedMemory.load(std::memory_order_acquire) == memory)
        return variable.get();
  return nullptr;
}

void Registry::removeImage(RegisteredImage *image) {
  if (isForkedOff())
    return; // none of its code can run any more
  std::unique_ptr<RegisteredImage> removed;
  {
    std::lock_guard lock(changing);
    auto found =
        std::find_if(images.begin(), images.end(), [&](auto &each) { return each.get() == image; });
    if (found == images.end())
      return;
    removed = std::move(*found);
    images.erase(found);
    current.store(nullptr, std::memory_order_release);
  }
  Platform *platform = Platform::getIfUsable();
  if (!platform || isExiting()) {
    // Loaded code ends with the process; work may still be using it.
    static_cast<void>(removed.release());
    return;
  }
  ThreadState &thread = ThreadState::get();
  for (int ordinal = 0; ordinal < platform->deviceCount(); ++ordinal) {
    OpenDevice *device = platform->getIfOpen(ordinal);
    if (!device)
      continue;
    if (std::unique_ptr<LoadedImage> code = removed->take(ordinal))
      if (device->device->bindThread() == cudaSuccess)
        device->device->retire(std::move(code));
  }
  thread.device = nullptr; // the next call binds it again
}

/// Inspects the sound images that have kernels or variables.
template <typename HasCode> bool Registry::allHave(HasCode hasCode) {
  std::lock_guard lock(changing);
  return std::all_of(images.begin(), images.end(), [&](auto &image) {
    if (image->isForeign())
      return true; // all of its kernels may not be registered yet
    const OpenedImage &opened = image->open();
    return opened.status != ImageStatus::Ok || isEmpty(*opened.image) || hasCode(*opened.image);
  });
}

bool Registry::hasCodeOf(std::span<const image::CodeKind> kinds) {
  return allHave([&](const image::Image &image) {
    return image.modules() && std::any_of(image.modules()->begin(), image.modules()->end(),
                                          [&](const image::Module *module) {
                                            return module->base() &&
                                                   std::find(kinds.begin(), kinds.end(),
                                                             module->kind()) != kinds.end();
                                          });
  });
}

bool Registry::hasCodeFor(Device &device) {
  return allHave([&](const image::Image &image) { return LoadedImage::hasCode(image, device); });
}

bool Registry::hasCodeForApart() {
  std::lock_guard lock(changing);
  return std::any_of(images.begin(), images.end(),
                     [](auto &image) { return image->hasCodeForApart(); });
}

bool Registry::answersAsCuda13() {
  std::lock_guard lock(changing);
  return std::any_of(images.begin(), images.end(),
                     [](auto &image) { return image->answersAsCuda13; });
}

std::optional<Offer> Registry::offerOf(const AlternativeRequest &request) {
  std::lock_guard lock(changing);
  Offer best = Offer::NoKernel;
  bool isUnknown = false;
  for (auto &image : images) {
    isUnknown |= image->isForeign();
    if (image->isForeign())
      continue;
    if (const OpenedImage &opened = image->open(); opened.status == ImageStatus::Ok)
      best = std::max(best, regrain::offerOf(*opened.image, request));
  }
  return best == Offer::NoKernel && isUnknown ? std::nullopt : std::optional(best);
}

std::vector<Allocation> Registry::variablesOn(int ordinal) {
  std::lock_guard lock(changing);
  std::vector<Allocation> all;
  for (auto &image : images)
    image->addVariables(ordinal, all);
  return all;
}

void Registry::unloadAll(int ordinal) {
  std::vector<RegisteredImage *> loaded;
  {
    std::lock_guard lock(changing);
    for (auto &image : images)
      loaded.push_back(image.get());
  }
  // This happens without the lock: unloading takes the loader's lock, which a
  // library that registers itself while it is opened already holds.
  for (RegisteredImage *image : loaded)
    image->unload(ordinal);
}

} // namespace regrain
