# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the shared library and Regrain's runtime into the wheel, which is for one platform and any Python."""
from pathlib import Path

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel as base_wheel
from setuptools.command.build_py import build_py

from build_library import build


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        build(Path(self.build_lib) / "regrain_kernels")


class PlatformWheel(base_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
