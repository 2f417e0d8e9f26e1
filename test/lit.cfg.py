# This determines how the tests of this folder are found and run.
import glob
import os
import shutil
import subprocess

import lit.formats

config.name = "regrain"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".ll", ".mlir", ".test"]
config.excludes = ["Inputs", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.binary_root, "test")

# Longer names come first, because %regrain is the beginning of the others.
tools = os.path.join(config.binary_root, "bin")
config.substitutions += [
    ("%regrain-opt", os.path.join(tools, "regrain-opt")),
    ("%regrain-fuzz", os.path.join(tools, "regrain-fuzz")),
    ("%regrain-nvcc", os.path.join(tools, "regrain-nvcc")),
    ("%regrain", os.path.join(tools, "regrain")),
    ("%fake", os.path.join(config.binary_root, "test", "bin", "tuned_program")),
    ("%planted", os.path.join(config.binary_root, "test", "bin", "planted_program")),
    ("%lib", os.path.join(config.binary_root, "lib")),
    # The environment of a program on the device of the libraries that stand in for a version of HIP and ROCm.
    *((f"%hip{version}", "env REGRAIN_DEVICE=hip HIP_VISIBLE_DEVICES=-1 LD_LIBRARY_PATH="
       + os.pathsep.join(os.path.join(config.binary_root, "unittests", "runtime", part, "hip", str(version))
                         for part in ("plugins", "libraries"))) for version in (5, 6, 7)),
    ("%hip-interpreter", os.path.join(config.binary_root, "test", "lib", "hip")),
    ("%cuda-interpreter", os.path.join(config.binary_root, "test", "lib", "cuda")),
    ("%python", config.python),
    ("%build", config.binary_root),
    ("%root", os.path.join(config.test_source_root, "..")),
    ("%headers", os.path.join(config.test_source_root, "..", "include", "cuda")),
]

config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools, config.environment["PATH"]])
for variable in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "REGRAIN_ALTERNATIVE",
                 "REGRAIN_VERBOSE", "REGRAIN_TUNE", "REGRAIN_DB", "REGRAIN_WATCH"):
    config.environment.pop(variable, None)
# Tests that run programs run them on the CPU; a test for a GPU selects it itself.
config.environment["REGRAIN_DEVICE"] = "cpu"
# Tests do not use the user's tuning; a test of tuning names a database of its own.
config.environment["REGRAIN_DB"] = "off"


def cpu_flags():
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("flags"):
                    return set(line.split(":")[1].split())
    except OSError:
        pass
    return set()


toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
if os.path.exists(os.path.join(toolkit, "include", "cuda_runtime.h")):
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%toolkit", toolkit))
for folder in (os.environ.get("HIP_DEVICE_LIB_PATH"), "/opt/rocm/amdgcn/bitcode",
               "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"):
    if folder and os.path.exists(os.path.join(folder, "ocml.bc")):
        config.available_features.add("rocm-device-libs")
        config.substitutions.append(("%rocm", folder))
        break
if os.path.isdir(os.environ.get("REGRAIN_SUITES", "")):
    config.available_features.add("suites")
    config.substitutions.append(("%suites", os.environ["REGRAIN_SUITES"]))
if os.path.exists("/usr/include/hip/hip_runtime.h"):
    config.available_features.add("hip-headers")
for library in ("cublas", "cufft", "curand", "cusolver", "cusparse"):
    if os.path.exists(os.path.join(config.binary_root, "lib", f"libregrain-{library}.so")):
        config.available_features.add(library)
for program in ("autoconf", "automake", "cmake", "cpack", "dpkg-shlibdeps", "file", "fish", "gdb", "make", "man", "meson",
                "pkg-config", "tsc", "zsh"):
    if shutil.which(program):
        config.available_features.add(program)
if shutil.which("sphinx-build") and os.path.isdir("/usr/lib/python3/dist-packages/furo"):
    config.available_features.add("sphinx")
# An older clangd has no headers of clang 19.
clangd = shutil.which("clangd-19")
if clangd:
    config.available_features.add("clangd")
    config.substitutions.append(("%clangd", clangd))
if any(map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))):
    config.available_features.add("chromium")
if os.path.exists(os.path.join(config.binary_root, "apps", "HtmlReport", "PageTemplate.cpp.html")):
    config.available_features.add("html-report")
# The sanitizers' libraries belong to the clang with which programs are linked.
if glob.glob(os.path.join(config.llvm_tools, "..", "lib", "clang", "*", "lib", "*", "libclang_rt.tsan*.a")):
    config.available_features.add("sanitizers")
if shutil.which("ptxas") or os.path.exists(os.path.join(toolkit, "bin", "ptxas")):
    config.available_features.add("ptxas")
if all(os.path.exists(os.path.join(toolkit, part)) for part in ("bin/nvcc", "nvvm/bin/cicc")):
    config.available_features.add("nvcc")
# Modules of Python may belong to another interpreter than the one that runs the tests.
for interpreter in (config.python, "/usr/bin/python3"):
    found = subprocess.run([interpreter, "-c", "import importlib.util as u; print(*(n for n in ('numpy', 'torch', "
                            "'setuptools', 'wheel') if u.find_spec(n)))"], stdout=subprocess.PIPE, text=True) \
        if os.path.exists(interpreter) else None
    if found and "numpy" in found.stdout.split():
        config.available_features.update(f"python-{module}" for module in found.stdout.split())
        config.substitutions.insert(0, ("%numpy-python", interpreter))
        break
emulator = os.environ.get("REGRAIN_HIP_EMULATOR")
if emulator:
    config.available_features.add("hip-emulator")
    config.substitutions.append(("%hip-emulator", emulator))
    config.substitutions.append(("%emulated-chips", os.environ.get("REGRAIN_HIP_EMULATOR_CHIPS", "gfx90a")))
if {"avx2", "bmi2", "fma", "movbe"} <= cpu_flags():
    config.available_features.add("x86-64-v3")
