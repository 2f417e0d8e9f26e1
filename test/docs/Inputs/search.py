"""Prints what a browser's console says, and the pages that the search finds, when the site is opened from disk.

usage: search.py SITE WORD
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

site, word = Path(sys.argv[1]), sys.argv[2]
browser = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))))
with tempfile.TemporaryDirectory() as profile:
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                           "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom",
                           f"file://{site.resolve()}/search.html?q={word}"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=100)
print(*[f"console: {line}" for line in re.findall(r'CONSOLE.*?"(.*?)", source', done.stderr)], sep="\n")
print(*re.findall(r'<a href="([\w/-]+)\.html" data-score', done.stdout), sep="\n")
