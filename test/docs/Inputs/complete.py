"""Checks that the site's generated pages describe every pass, operation and command, none of them with empty text.

usage: complete.py ROOT BUILD SITE
"""
import html
import re
import subprocess
import sys
from pathlib import Path

root, build, site = map(Path, sys.argv[1:])


def page(name: str) -> str:
    """The page's text without tags."""
    return html.unescape(re.sub(r"<[^>]+>", "", (site / "reference" / f"{name}.html").read_text()))


def names(folder: str, pattern: str) -> set[str]:
    """What the descriptions in a folder define."""
    return {name for file in (root / folder).rglob("*.td") for name in re.findall(pattern, file.read_text())}


def tool(*command: str) -> str:
    return subprocess.run([build / "bin" / command[0], *command[1:]], check=True, stdout=subprocess.PIPE, text=True).stdout


passes = names("compiler/Transforms", r'Pass<"(grain-[\w-]+)"')
operations = {f"grain.{name}" for name in names("compiler/Dialect/Grain", r'Op<"(\w+)"')}
listed = re.search(r"^Commands:\n(.*?)\n\n", tool("regrain", "help"), re.S | re.M)[1]
commands = re.findall(r"^  ([a-z-]+)  ", listed, re.M)
missing = [name for name in sorted(passes) if not re.search(rf"^-{name}.*\n+\w", page("passes"), re.M)]
missing += [name for name in sorted(operations) if not re.search(rf"^{re.escape(name)} .*\n+\w", page("dialect"), re.M)]
missing += [f"regrain {name}" for name in commands if f"usage: regrain {name}" not in page("commands")]
print("\n".join(f"{name} is not described" for name in missing) or
      f"{len(passes)} passes, {len(operations)} operations, {len(commands)} commands, all described")
sys.exit(bool(missing))
