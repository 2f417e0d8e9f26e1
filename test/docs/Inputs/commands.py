"""Prints the commands in the first block of code of one section of a page.

usage: commands.py PAGE HEADING
"""
import re
import sys
from pathlib import Path

page, heading = sys.argv[1:]
section = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", Path(page).read_text(), re.S | re.M)[1]
print("set -e\n" + re.search(r"```\n(.*?)```", section, re.S)[1])
