#!/usr/bin/env python3
"""Tests the packages of one folder as users meet them, in a fresh Debian without anything of the build.

usage: test_packages.py DIR [PART...]    DIR has the Debian packages and the archive (`./run package DIR`);
                                         the parts are lintian, files, debian and archive (default: all)

Lintian reads the packages. mmdebstrap makes a Debian, in which they are installed, a program is compiled,
tuned, and run by a user, with the commands, CMake and pkg-config; then the compiler is removed and the
program runs with the runtime alone; then all is removed. The archive is read for paths of this machine and for what has
no place in it; it is unpacked where no LLVM is left, used, moved, and used again. What a machine cannot do is skipped,
with the reason.
"""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The user's programs are built with these; they are no part of Regrain.
TOOLS = ["cmake", "g++", "make", "pkg-config"]
USER = "nobody"
PARTS = ["lintian", "files", "debian", "archive"]


class Failure(Exception):
    pass


def call(command: list, **options) -> str:
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        raise Failure(f"{' '.join(str(word) for word in command)}\n{done.stdout}")
    return done.stdout


class Debian:
    """A Debian in a folder."""

    def __init__(self, folder: Path, codename: str, include: list[str]) -> None:
        self.root = folder
        call(["mmdebstrap", "--variant=minbase", "--include=" + ",".join(include), "--skip=cleanup/apt",
              "--aptopt=APT::Sandbox::User \"root\"", codename, folder])
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        (folder / "work").mkdir()
        (folder / "work").chmod(0o777)

    def run(self, script: str, user: str = "root") -> str:
        """Runs a script of the shell in the folder /work, which ends at the first command that fails."""
        command = ["unshare", "--mount", "sh", "-ec", f"mount -t proc proc {self.root}/proc; exec \"$@\"", "sh",
                   "chroot", f"--userspec={user}", self.root, "env", "-i", "HOME=/work", "LC_ALL=C.UTF-8", "TERM=dumb",
                   "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
                   *(f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")),
                   "sh", "-euc", f"cd /work\n{script}"]
        return call(command)

    def add(self, source: Path, name: str) -> None:
        target = self.root / "work" / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
        call(["chmod", "-R", "a+rwX", target])


def check(condition: bool, what: str, text: str = "") -> None:
    if not condition:
        raise Failure(f"{what}\n{text}")


def compile_and_run(debian: Debian, regrain: str) -> None:
    """A first program: compiled, run, tuned, and its runtime linked in both ways."""
    script = f"""
{regrain} cc -O3 --targets=cpu --alternatives=4 multiply.cu -o multiply
./multiply
{regrain} inspect multiply
REGRAIN_DB=tuning.db {regrain} tune --budget=20 -- ./multiply
REGRAIN_DB=off {regrain} cc -O3 --targets=cpu -cudart static multiply.cu -o multiply-static
REGRAIN_DB=off ./multiply-static
{regrain} cc -O3 --targets=cpu,ptx --emit=ptx sine.cu -o - | grep -c visible
"""
    said = debian.run(script, USER)
    check(said.count("the last element is 2988") == 3, "the program has other results", said)


def use_build_systems(debian: Debian, regrain: str, setting: str, pkg_config: str) -> None:
    said = debian.run(f"""
cmake {setting} -S cmake-project -B cmake-build
cmake --build cmake-build
./cmake-build/app
./cmake-build/host
cmake -DCMAKE_CUDA_COMPILER=$({regrain} --cuda-path)/bin/nvcc -S cuda-language -B language-build
cmake --build language-build
REGRAIN_DB=off ./language-build/multiply
eval "g++ host.cpp $({pkg_config} pkg-config --cflags --libs regrain) -o host"
./host
""", USER)
    check(said.count("devices: 1") == 2, "the programs of CMake and pkg-config", said)
    check("the last element is 2988" in said, "the program of CMake's CUDA language", said)
    debian.run("rm -rf cmake-build language-build host")


def transform(debian: Debian, regrain: str) -> None:
    """cuFFT on the CPU says what it lacks, and then has it."""
    said = debian.run(f"{regrain} cc --targets=cpu transform.cu -o transform -lcufft\n./transform", USER)
    check("needs version 3 of FFTW" in said and "no plan: 17" in said, "cuFFT without FFTW", said)
    debian.run("apt-get install -y -qq --no-install-recommends libfftw3-single3")
    check("the last is 1" in debian.run("./transform", USER), "cuFFT with FFTW")


def test_debian(debian: Debian, packages: list[Path]) -> None:
    before = set(debian.run("find /usr /etc -xdev | sort").split("\n"))
    for package in packages:
        debian.add(package, package.name)
    debian.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends ./*.deb")
    compile_and_run(debian, "regrain")
    use_build_systems(debian, "regrain", "", "env")
    said = debian.run("ls -L /usr/bin/regrain /usr/bin/regrain-nvcc /usr/share/man/man1/regrain-cc.1.gz "
                      "/usr/share/bash-completion/completions/regrain /usr/share/zsh/vendor-completions/_regrain "
                      "/usr/share/fish/vendor_completions.d/regrain.fish $(regrain --cuda-path)/bin/nvcc")
    check(said.count("\n") == 7, "files are missing", said)
    # This is what a machine has that only runs programs.
    debian.run("apt-get remove -y -qq regrain regrain-dev && apt-get autoremove -y -qq")
    said = debian.run("./multiply && ! test -e /usr/bin/regrain && ! test -e /usr/lib/llvm-19", USER)
    check("2988" in said, "the program does not run without the compiler", said)
    debian.run("apt-get purge -y -qq 'regrain*' && apt-get autoremove --purge -y -qq")
    left = [path for path in debian.run("find /usr /etc -xdev | sort").split("\n") if path not in before]
    check(not [path for path in left if "regrain" in path.lower()], "files are left", "\n".join(left))


def test_archive(debian: Debian, archive: Path) -> None:
    debian.add(archive, archive.name)
    check("llvm" not in debian.run("dpkg-query -W -f '${Package}\\n'"), "this Debian has LLVM")
    debian.run(f"mkdir -p first /srv '/opt/another place' && tar -xf {archive.name} -C first")
    name = debian.run("ls first").strip()
    # CMake's CUDA language takes no path with a blank.
    for before, folder, has_blank in (("", "first", False), ("first", "/opt/another place", True),
                                      ("/opt/another place", "/srv", False)):
        if before:
            debian.run(f"mv '{before}/{name}' '{folder}'")
        root = debian.run(f"realpath '{folder}/{name}'").strip()
        compile_and_run(debian, f"'{root}/bin/regrain'")
        if not has_blank:
            use_build_systems(debian, f"'{root}/bin/regrain'", f"-DCMAKE_PREFIX_PATH='{root}'",
                              f"env PKG_CONFIG_PATH='{root}/lib/pkgconfig'")
    said = debian.run(f"bash -c 'source {root}/share/bash-completion/completions/regrain; complete -p regrain'\n"
                      f"ls {root}/share/man/man1/regrain-cc.1 {root}/share/zsh/site-functions/_regrain "
                      f"{root}/share/fish/vendor_completions.d/regrain.fish")
    check(said.count("\n") == 4, "completion and man pages of the archive", said)
    transform(debian, f"'{root}/bin/regrain'")


def read_archive(archive: Path) -> None:
    """Nothing in the archive names a folder of this machine, and none of it may only be passed on under the GPL."""
    faults = []
    with tempfile.TemporaryDirectory() as work, tarfile.open(archive) as tar:
        tar.extractall(work)
        for path in sorted(Path(work).rglob("*")):
            name = path.relative_to(work)
            if path.is_symlink():
                target = os.readlink(path)
                if target.startswith("/") or not path.exists():
                    faults.append(f"{name} leads to {target}")
                continue
            if not path.is_file():
                continue
            content = path.read_bytes()
            if bytes(ROOT) in content:
                faults.append(f"{name} names {ROOT}")
            if content.startswith(b"\x7fELF"):
                said = call(["readelf", "--wide", "--dynamic", path])
                paths = ":".join(re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", said)).split(":")
                paths = [folder for folder in paths if folder and not folder.startswith("$ORIGIN")]
                faults += [f"{name} searches {folder}" for folder in paths]
            if name.name.startswith("libfftw3"):
                faults.append(f"{name} has the GPL")
    check(not faults, "faults of the archive", "\n".join(faults))


def lint(packages: list[Path]) -> None:
    # Who builds the packages names the maintainer; only a package in Debian closes its bugs.
    said = call(["lintian", "--allow-root", "--no-cfg", "--fail-on", "error,warning", "--suppress-tags",
                 "bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs", *packages])
    print(said, end="")


def prepare(folder: Path) -> Debian:
    codename = re.search(r"^VERSION_CODENAME=(.*)$", Path("/etc/os-release").read_text(), re.M)[1]
    debian = Debian(folder, codename, TOOLS)
    debian.add(ROOT / "examples/first/multiply.cu", "multiply.cu")
    for source in (ROOT / "test/packages/Inputs").iterdir():
        debian.add(source, source.name)
    return debian


def passes(name: str, test) -> bool:
    begin = time.monotonic()
    try:
        test()
    except Failure as failure:
        print(f"FAIL: {name}: {failure}")
        return False
    print(f"passed: {name}, {time.monotonic() - begin:.0f} s", flush=True)
    return True


def install(packages: list[Path], archive: Path, parts: list[str]) -> bool:
    """Uses packages and archive, one after the other, in one Debian; the packages are removed in between."""
    with tempfile.TemporaryDirectory() as work:
        debians: list[Debian] = []
        tests = {"debian": ("Debian packages", lambda: test_debian(debians[0], packages)),
                 "archive": ("the archive", lambda: test_archive(debians[0], archive))}
        return (passes("a fresh Debian", lambda: debians.append(prepare(Path(work) / "root"))) and
                all(passes(*test) for part, test in tests.items() if part in parts))


def main() -> int:
    folder, parts = Path(sys.argv[1]), sys.argv[2:] or PARTS
    if unknown := [part for part in parts if part not in PARTS]:
        print(f"test_packages.py: error: '{unknown[0]}' is no part; the parts are {', '.join(PARTS)}", file=sys.stderr)
        return 1
    packages, archive = sorted(folder.glob("*.deb")), next(iter(sorted(folder.glob("*.tar.*"))))
    reasons, passed = [], True
    if "lintian" in parts and not shutil.which("lintian"):
        reasons.append("Lintian: it is not installed")
    elif "lintian" in parts:
        passed = passes("Lintian", lambda: lint(packages))
    if "files" in parts:
        passed = passes("the archive's files", lambda: read_archive(archive)) and passed
    missing = [program for program in ("mmdebstrap", "chroot", "unshare") if not shutil.which(program)]
    if missing or os.geteuid():
        reasons.append("installation: " + (f"{', '.join(missing)} is not there" if missing else "this is not root"))
    elif "debian" in parts or "archive" in parts:
        passed = install(packages, archive, parts) and passed
    for reason in reasons:
        print(f"skipped: {reason}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
